"""Who somebody is, said from either end: "my daughter is called N" and "N is my daughter".

Both give a role of the speaker's one name. They say the same, whatever subject they are filed
under; where one goes on after it, it says the same and more.
"""

import re
from typing import Literal, NamedTuple

from slowwave.dream.compare.reading.lexicon import KIN, KIN_PATTERN
from slowwave.dream.compare.reading.statement import Reading
from slowwave.text.lately import lately

__all__ = ["called_alike"]

_NAME = r"(?P<name>[a-z][\w'’-]*(?: [a-z][\w'’-]*){0,2}?)"
_ROLE = r"(?P<role>[a-z][a-z' -]{1,30}?)"
_END = r"(?P<rest>(?: and | who |[,;.] ?).*)?\W*$"
_FRAMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:my|our) {_ROLE}(?:'s name is|'s called| is called| is named| is|:) {_NAME}{_END}",
        rf"^(?:my|our) {_ROLE} {_NAME}(?P<rest> (?:is|has|works|lives|wants) .+)$",
        rf"^{_NAME}(?: is|'s) (?:my|our) {_ROLE}{_END}",
        rf"^{_NAME}, (?:my|our) {_ROLE}(?P<rest>,.*)$",
        r"^我们?家?的?(?P<role>[^叫是姓，,的]{1,6}?)(?:的?名字)?(?:就是|叫做?|名叫|"
        r"是)(?P<name>[^，,。是]{2,4})(?P<rest>[，,。].*)?$",
        r"^(?P<name>[^，,。是我叫]{2,4})(?:就是|"
        r"是)我们?家?的?(?P<role>[^，,。的]{1,6}?)(?P<rest>[，,。].*)?$",
    )
)


class _Called(NamedTuple):
    role: str
    name: str
    rest: str


def called_alike(a: Reading, b: Reading) -> Literal["", "same", "richer"]:
    """Whether both give one role of the speaker's the same name, and whether one goes on."""
    if a.negators or b.negators or {"past", "once"} & (a.marks | b.marks):
        return ""
    for one in _called(a.folded):
        for other in _called(b.folded):
            known = any(one.name in name for name in a.names | b.names) or a.han > 0.5
            if one.name == other.name and one.role == other.role and known:
                return "richer" if one.rest or other.rest else "same"
    return ""


@lately(4_096)
def _called(folded: str) -> tuple[_Called, ...]:
    found = []
    for frame in _FRAMES:
        match = frame.match(folded.strip(" .。!！"))
        if match:
            rest = (match["rest"] or "").strip(" ,.，。;")
            found.append(_Called(_concept(match["role"].strip()), match["name"].strip(), rest))
    return tuple(found)


def _concept(role: str) -> str:
    """A word for kin by what it means (闺女, 女儿), any other role by its own words."""
    kin = KIN_PATTERN.fullmatch(role)
    return KIN[int(kin.lastgroup[1:])][0] if kin and kin.lastgroup else role
