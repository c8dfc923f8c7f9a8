"""One story in two statements: what broke was replaced, what was lost was found (L5).

Such a pair is neither a repetition nor a contradiction. It becomes one record with both halves, so
that the causal chain stays whole (L4).
"""

import re

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.reading.topic import topic_of

__all__ = ["follows"]

_TROUBLE = re.compile(
    r"坏|断了|漏|丢了|丢失|不见了|碎了|裂|故障|挂了|崩|死机|没电|停电|堵|卡住|报错|失败|出问题|"
    r"起不来|打不开"
    r"|\b(?:broke(?:n)?|broken down|leak(?:s|ed|ing)?|lost|missing|crash(?:ed|es)?|fail(?:s|ed|"
    r"ing)?|(?<=is )down|(?<=are )down|(?<=went )down|(?<='s )down"
    r"|flat (?:tyre|tire|batter)|punctur\w+|dead|died|stuck|jammed|cracked|faulty|"
    r"stopped working|won't|out of order|burst|blown)\b"
)
_REMEDY = re.compile(
    r"修|换了?|新买|买了新|找到|找回|解决|好了|恢复|搞定|补办|重启"
    r"|\b(?:fix(?:ed)?|repair(?:ed)?|replac(?:ed|ement)|new|found|solved|restored|works? again|"
    r"recovered"
    r"|back (?:up|online)|mended|sorted|restarted)\b"
)
_THAT_TROUBLE = re.compile(
    r"\b(?:the|that|this) (?:flat (?:tyre|tire|battery)|puncture|leak|"
    r"crack)\b"
)
"""The trouble itself as what was put right ("fixed the leak")."""
COHERENCE = 0.2
"""Least share of each side's words that the other has, in both directions (L5)."""


def follows(earlier: str, later: str) -> bool:
    """Whether `later` tells how the trouble in `earlier` ended.

    What had the trouble must be named again ("热水器漏水", "热水器修好了"); where nothing stands
    before the trouble, two shared units are needed: pairs of Han characters or stems.
    """
    a, b = read(earlier), read(later)
    trouble = _TROUBLE.search(a.folded)
    again = _TROUBLE.search(_THAT_TROUBLE.sub(" ", b.folded))
    if trouble is None or not _REMEDY.search(b.folded) or again:
        return False
    if not topic_of(a.folded) & topic_of(b.folded):
        return False
    one, other = set(a.words), set(b.words)
    both = one & other
    if len(both) < COHERENCE * len(one) or len(both) < COHERENCE * len(other):
        return False
    victim = [word for word in read(a.folded[: trouble.start()]).words if word in one]
    if victim and victim[-1].isascii():
        victim = victim[-1:]
    return set(victim) <= other if victim else len(a.grams & b.grams) >= 2
