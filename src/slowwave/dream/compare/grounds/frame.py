"""One place exchanged in a common frame: "I live in A" and "I live in B".

Whether the new filler ends the old one depends on the frame. A residence, a name, a location, a
favourite or "the … is …" hold one filler at a time; likings, skills, allergies and "… is a …" hold
many. Only frames that hold one are named here, by their grammar.
"""

import re

from slowwave.dream.compare.reading.statement import Reading

__all__ = ["refilled"]

LONGEST_ZH, LONGEST_EN = 8, 3
"""A filler longer than this (characters, words) is a statement of its own."""

_ZH_PLACE = re.compile(
    r"(?:住在?|家在|放在?|存在|存到|位于|在|定在|设在|设为|默认为|叫做?|姓|代号为|改为)$"
)
_ZH_DOING = re.compile(r"(?:[我你他她们家]|最近|正|还|一直)(?:现在|最近|目前|今天)?在$")
"""What somebody is doing, or where just now: no place of a thing."""
_ZH_COPULA = re.compile(r"(?:的[^，。]{1,6}|[^，。]{2,6})是$")
_ZH_OWNER_COPULA = re.compile(r"^(?:[我他]|用户|我们)是$")
_ZH_BUSY = re.compile(r"^(?:上班|工作|任职|办公|读书|上学|住)?$")
_ZH_MANY = re.compile(r"^(?:一?[个名位只台种条]|在|做|当)|[，。；、]")
_EN_PLACE = re.compile(
    r"(?:\b(?:live|lives|living|based|reside|resides|settled|located|kept|stored)(?: in| at| on)"
    r"|\bworks? (?:at|for)|(?:\bis|\bare|'s|'re|'m|\bam) (?:in|at|on|called|named|by))\s$"
)
_EN_COPULA = re.compile(r"^(?:my|our|the|his|her) [^,.;]+(?: is| are|'s)\s$")
_FAVOURITE = re.compile(r"\bfavou?rite\b|最(?:喜欢|爱)的[^，。]{1,6}是$")
_EN_MANY = re.compile(r"^(?:a|an|one of|also|some|very|too|not|going|being)\b|[,;]")
_ZH_TORN = re.compile(r"(?:周|星期|礼拜)$")
_EN_TORN = re.compile(r"(?<=\s)(?:dr|mr|mrs|ms|prof|st)\.? $")
"""What belongs to the filler although both share it: 周 of 周二, a title."""
_NOW = re.compile(r"现在|如今|目前|\b(?:now|currently) (?!and\b)")
_CODE = re.compile(r"[\d_./-]")


def refilled(a: Reading, b: Reading) -> bool:
    """Whether `b` puts another filler into a frame of `a` that holds one at a time."""
    first, second = (_NOW.sub("", one.folded).rstrip(" .。!！") for one in (a, b))
    prefix = _common(first, second)
    if not prefix or a.who != b.who:
        return False
    if a.han > 0.5 and b.han > 0.5:
        prefix = _ZH_TORN.sub("", prefix)
        return _zh(a, prefix, first[len(prefix) :], second[len(prefix) :])
    prefix = _EN_TORN.sub("", prefix[: prefix.rfind(" ") + 1])
    return _en(a, b, prefix, (first[len(prefix) :], second[len(prefix) :]))


def _common(first: str, second: str) -> str:
    """The characters both begin with."""
    size = next(
        (at for at, (x, y) in enumerate(zip(first, second, strict=False)) if x != y),
        min(len(first), len(second)),
    )
    return first[:size]


def _zh(a: Reading, prefix: str, one: str, other: str) -> bool:
    suffix = _common(one[::-1], other[::-1])[::-1]
    if not _ZH_BUSY.match(suffix):
        suffix = ""
    one, other = one.removesuffix(suffix).strip(), other.removesuffix(suffix).strip()
    for filler in (one, other):
        if not filler or len(filler) > LONGEST_ZH or _ZH_MANY.search(filler):
            return False
    if _FAVOURITE.search(prefix):
        return True
    if not suffix and _ZH_DOING.search(prefix.rstrip()):
        return False
    if _ZH_PLACE.search(prefix.rstrip()):
        return True
    copula = _ZH_COPULA.search(prefix.rstrip())
    person = bool(a.kin) and "的" not in prefix
    return bool(copula) and not _ZH_OWNER_COPULA.match(prefix.rstrip()) and not person


def _en(a: Reading, b: Reading, prefix: str, fillers: tuple[str, str]) -> bool:
    for filler in fillers:
        words = filler.split()
        if not words or len(words) > LONGEST_EN or _EN_MANY.search(filler):
            return False
    named = all(
        any(name in filler for name in reading.names)
        for filler, reading in zip(fillers, (a, b), strict=True)
    )
    if _EN_PLACE.search(prefix):
        return named or not re.search(r"\b(?:live|living|reside)", prefix)
    if not _EN_COPULA.match(prefix):
        return False
    if _FAVOURITE.search(prefix):
        return True
    return named or all(_CODE.search(filler) for filler in fillers)
