"""Whether two statements open with two different people, or things that go by a name.

A name at the head of a sentence is often its first word only, in capitals like any first word; it
is taken for a name where a verb of the third person follows. Chinese names are read by surname,
title or the forms of address 老, 小, 阿.
"""

import re

from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES
from slowwave.text.lately import lately
from slowwave.text.stopwords import ENGLISH

__all__ = ["two_people"]

_EN = re.compile(
    r"^(?P<name>[A-Z][a-z]+)(?= (?:is|was|has|can|can't|won't|will|never|always|still|doesn't|"
    r"does|didn't|"
    r"isn't|hasn't|[a-z]{2,}[^s\W]s|[a-z]{3,}ed)\b)"
)
_ZH = re.compile(
    rf"^(?P<name>(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}])"
    r"(?:姐|哥|叔|姨|总|工|师傅|老师|先生|女士|阿姨|医生|大夫|[\u4e00-\u9fff]{1,2}?)|"
    r"[老小阿][\u4e00-\u9fff])"
    r"(?=[是在去来有会要想爱喜怕负管做学教住养不没每已还下上今明昨讨吃喝开打])"
)
_NO_NAME = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\w+(?:ing|tion|ness)")


def two_people(first: str, second: str) -> bool:
    """Whether each opens with a name that the other one does not have."""
    one, other = _opening(first), _opening(second)
    return bool(one and other and one not in second and other not in first)


@lately(4_096)
def _opening(text: str) -> str:
    match = _EN.match(text) or _ZH.match(text)
    if match is None:
        return ""
    name = match["name"]
    lower = name.lower()
    return "" if lower in ENGLISH or _NO_NAME.fullmatch(lower) else name
