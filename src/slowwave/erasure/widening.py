"""How much of a sentence goes with a forgotten fact.

What stands in one sentence with a fact often tells it ("…, so no nuts for me"), so its clauses go
with it; those do not that begin something else: a request or a question to the agent, a new topic,
what follows a semicolon, and whatever a memory that stays quotes.
"""

import re
from collections.abc import Iterable, Sequence

from slowwave.model import Span
from slowwave.text.redaction import merged
from slowwave.text.segment import sentences

__all__ = ["widened"]

_GAP = re.compile(r"[,，;；:：。.!！?？\n]+\s*(?=\S)|\s(?=(?:and|but|so)\b)", re.IGNORECASE)
_WEIGHTY = re.compile(r"[;；]")
_FOLLOWS = re.compile(
    r"\s*(?:so|therefore|thus|hence|because|since|otherwise|which|that(?:'s| is) why"
    r"|所以|因此|因为|于是|不然|否则|结果|导致|以至)",
    re.IGNORECASE,
)
"""A consequence or a reason: it tells the fact by itself."""
_REQUEST = re.compile(
    r"\s*(?:and |but |so |then |now )?(?:please|pls|can you|could you|would you|will you"
    r"|let'?s|let us|help me|find me|give me|show me|tell me|remind me|write me|what|where|when"
    r"|which one|how|should i|do you)\b"
    r"|\s*(?:那|那你|所以|你)?(?:请|麻烦|帮(?!助|派|手)|给我|给[^，,]{1,8}(?:写|发|打|做|买|订|讲)|替我"
    r"|提醒|推荐|能不能|能否|可不可以|可以帮"
    r"|要不要|有没有|有什么|怎么|什么时候|哪里|哪家|记得|别忘|顺便|查一下|看一下|想个|写一)",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\s*(?:另外|还有|对了|话说|此外|顺带|by the way|btw|also|besides|apart from that)\b"
    r"|\s*(?:另外|还有|对了|话说|此外|顺带)"
    r"|\s*(?:and|but) (?:i|we|my|our|he|she|they|his|her|their|the)\b",
    re.IGNORECASE,
)


def widened(text: str, cuts: Sequence[Span], rests: Iterable[Span]) -> list[Span]:
    """The cuts, each with the clauses beside it that belong to the same matter.

    `rests` are the quotes of memories that stay: no cut grows into one.
    """
    quoted = list(rests)
    wide = [_widened(text, cut, quoted) for cut in cuts]
    return merged(text, wide)


def _widened(text: str, cut: Span, quoted: Sequence[Span]) -> Span:
    start, end = cut
    for first, last in sentences(text):
        if first >= cut[1] or last <= cut[0]:
            continue
        clauses = _clauses(text, first, last)
        for span in reversed([one for one in clauses if one[0] < start]):
            if not _joins(text, span, cut, quoted, before=True):
                break
            start = span[0]
        for span in [one for one in clauses if one[1] > end]:
            if not _joins(text, span, cut, quoted, before=False):
                break
            end = span[1]
    return start, end


def _clauses(text: str, first: int, last: int) -> list[Span]:
    found, at = [], first
    for gap in _GAP.finditer(text, first, last):
        if gap.start() > at:
            found.append((at, gap.start()))
        at = gap.end()
    return [*found, (at, last)] if at < last else found


def _joins(text: str, span: Span, cut: Span, quoted: Sequence[Span], *, before: bool) -> bool:
    """Whether a clause goes with the cut it stands beside, or holds a part of."""
    outside = (span[0], min(span[1], cut[0])) if before else (max(span[0], cut[1]), span[1])
    if any(one[0] < outside[1] and outside[0] < one[1] for one in quoted):
        return False
    if outside != span:
        return True  # the same clause
    clause = text[span[0] : span[1]]
    if _REQUEST.match(clause) or _TURNS.match(clause):
        return False
    gap = text[span[1] : cut[0]] if before else text[cut[1] : span[0]]
    return not (_WEIGHTY.search(gap) and not _FOLLOWS.match(text[span[1] :] if before else clause))
