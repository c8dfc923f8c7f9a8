"""One person, one subject: who is called by a role ("my sister") and by a name ("Ana") is filed by
the name, once it was said that they are one.

Only roles that one person holds are followed, and only while one name is known for the role: with
two sisters, "my sister" may be either. What is said of somebody known by name alone ("Ana is a
pilot") is hers, not the owner's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from slowwave.dream.compare.reading.lexicon import KIN, KIN_PATTERN
from slowwave.dream.compare.reading.statement import read
from slowwave.model import USER, Claim, Kind, Memory

__all__ = ["People", "people_of"]

_OWN = frozenset((USER, "world", "agent"))
_WHOSE = re.compile(
    r"^(?:my|our|the)\s+|^(?:我们|我|咱们|咱|俺)?(?:家里?)?的?(?:这|那)?(?:个|位|只|"
    r"隻)?(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"friend|mate\b|colleague|co-?worker|neighbou?r|cousin|aunt|uncle|client|customer|student|"
    r"intern|pupil|guest|tenant|member|partner in|kid\b|child\b|grand(?:son|daughter|child)|"
    r"niece|nephew|"
    r"朋友|同事|同学|同桌|邻居|室友|舍友|客户|学生|徒弟|实习生|网友|球友|战友|工友|亲戚|表|堂|叔|"
    r"伯|姑|姨|舅|侄|外甥|"
    r"孩子|小孩|娃|闺蜜|发小|兄弟|哥们|老乡|同乡|租客|师[兄弟姐妹]|学[长姐弟妹]|老师|医生|大夫|"
    r"领导|合伙人|甲方|乙方|供应商",
    re.IGNORECASE,
)
"""Roles that several people hold at a time."""
_EN_ROLE = (
    r"(?P<role>(?:(?:older|younger|elder|little|big|eldest|youngest|late|new|"
    r"ex)[ -])?[a-z]+(?:-in-law)?(?: (?!is\b|was\b|called\b|named\b|and\b|who\b)[a-z]+)?)"
)
_ZH_ROLE = r"(?P<role>(?:(?![我咱俺叫是的名就跟和给带陪])[\u3400-\u9fff]){1,4})"
_NAMED_EN = (
    r"\b(?:my|our) {role},? (?:is |was )?(?:called |named |['’]s name is |name is )?{name}\b",
    r"\b(?:my|our) {role}['’]s (?:name is|called) {name}\b",
    r"\b{name}(?: is|['’]s|,) (?:my|our) {role}(?=$|[,.;!]| (?:and|who)\b)",
)
_NAMED_ZH = (
    r"(?:^|[^\u3400-\u9fff]|我们?|我家|咱们?|俺|"
    r"[跟和给带陪见是])的?(?:家里?的?)?{role}(?:的?(?:名字|小名|大名))?(?:叫做?|名叫|就?是|"
    r"[，,、])?{name}",
    r"{name}(?:就?是|[，,])(?:我们?|我家|咱们?|俺)(?:家)?的?{role}(?=$|[，,。！!])",
)
_FORMER = re.compile(r"\b(?:ex|former|used to be|was my)\b|前任|前[夫妻]|以前是")
_TOGETHER = re.compile(
    r"^\W*(?:and i\b|& i\b|and me\b)|^(?:和|跟|与)?我|^们|^(?:和|跟|与|、)|^ and\b"
)
_OF_HER: frozenset[Kind] = frozenset(("profile", "preference", "fact", "relationship"))
LEAST = 2
"""Fewest characters of a name that is looked for at the beginning of a statement."""


class People(msgspec.Struct, frozen=True):
    """The names of the owner's people: by role, and all of them."""

    by_role: Mapping[str, str]
    names: frozenset[str]

    def subject_of(self, subject: str) -> str:
        """The subject by its name, where it is a role of which one name is known."""
        if subject in _OWN or _MANY.search(subject):
            return subject
        return self.by_role.get(_role_of(subject), subject)

    def filed(self, claim: Claim) -> Claim:
        """A claim under the name of the one it is about."""
        subject = self.subject_of(claim.subject)
        if subject != claim.subject:
            return msgspec.structs.replace(claim, subject=subject)
        if claim.subject in (USER, "world") and claim.kind in _OF_HER:
            name = self._opens(claim.text)
            if name:
                return msgspec.structs.replace(claim, subject=name, kind="relationship")
        return claim

    def _opens(self, text: str) -> str:
        """The known name that a statement begins with, as the one it tells of; "" for none."""
        bare = text.lstrip()
        for name in sorted(self.names, key=len, reverse=True):
            if not bare.startswith(name):
                continue
            rest = bare[len(name) :]
            if rest[:1].isascii() and rest[:1].isalnum():
                return ""  # part of a longer word
            possessive = rest.startswith(("'s", "’s", "的"))
            return "" if not rest or possessive or _TOGETHER.search(rest.lower()) else name
        return ""


def people_of(claims: Sequence[Claim], known: Sequence[Memory]) -> People:
    """Who is known by name, from what is remembered and from a night's claims."""
    live = [memory for memory in known if memory.status != "retired" and not memory.undone]
    by_role: dict[str, set[str]] = {}
    names: set[str] = set()
    told = [(memory.subject, memory.text) for memory in live]
    for subject, text in (*told, *((claim.subject, claim.text) for claim in claims)):
        if subject in _OWN or not _is_name(subject):
            continue
        names.add(subject)
        for role in _roles_in(text, subject):
            by_role.setdefault(role, set()).add(subject)
    one = {role: next(iter(found)) for role, found in by_role.items() if len(found) == 1}
    return People(one, frozenset(name for name in names if len(name) >= LEAST))


def _is_name(subject: str) -> bool:
    """Whether a subject is a name and no role ("My sister", "我老公")."""
    if re.match(r"(?:my|our|the)\b|[我咱俺]", subject, re.IGNORECASE):
        return False
    kin = KIN_PATTERN.fullmatch(subject.casefold())
    return kin is None


def _roles_in(text: str, name: str) -> Iterator[str]:
    """The roles in which a statement names somebody."""
    folded = read(text).folded
    if _FORMER.search(folded):
        return
    called = re.escape(name.casefold())
    han = re.search(r"[\u3400-\u9fff]", name) is not None
    frames: tuple[str, ...] = _NAMED_ZH if han else _NAMED_EN
    role = _ZH_ROLE if han else _EN_ROLE
    for frame in frames:
        pattern = frame.replace("{role}", role).replace("{name}", called)
        for match in re.finditer(pattern, folded):
            if not _MANY.search(match["role"]):
                yield _role_of(match["role"])


def _role_of(subject: str) -> str:
    """What a role is known by: 闺女 and 女儿 are one, "my" and "our" are left out."""
    bare = _WHOSE.sub("", subject.strip().casefold(), count=1).strip()
    kin = KIN_PATTERN.fullmatch(bare)
    if kin is None or not kin.lastgroup:
        return bare
    return KIN[int(kin.lastgroup[1:])][0]
