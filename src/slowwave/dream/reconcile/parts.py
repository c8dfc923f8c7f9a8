"""A memory of several facts, of which one has ended: what still holds stays, in its own words.

"I live in Ghent, I'm allergic to figs" loses its first half when they move, never its second. Only
a clause that is a statement of its own stays; what hangs on the ended one goes with it.
"""

import re
from collections.abc import Callable

import msgspec

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.reading.topic import topic_of
from slowwave.model import Evidence

__all__ = ["Parted", "narrowed", "parted", "statements"]

_BREAK = re.compile(
    r"[，,；;。！!？?]+\s*|[.](?=\s|$)\s*|\n+|"
    r"\s+(?:and|but)\s+(?=(?:i|we|my|our)\b)|(?:而且|并且|同时|另外|还有)(?=我)",
    re.I,
)
"""Where a clause ends: at a mark, or where one who speaks of himself begins anew without one."""
_OPENING = re.compile(r"^(?:and|but|so|also|plus|另外|还有|而且|同时|并且|以及)[,，]?\s*", re.I)
_HANGS = re.compile(
    r"^(?:which|where|who|because|since|near|with|for|in|at|on|to|of|from|by|as|until|when|if|so|"
    r"then|that|it|this|they|though|although|including|about|around)\b|\b(?:there|then|it|that one|"
    r"both)\s*$|[这那它该其]|^(?:所以|因为|然后|就|才|到时|离|靠近|由|连|再|但)|"
    r"^[^，。]{1,12}\d+\s?(?:号|栋|幢|弄|室|楼|单元|座)[^，。]{0,8}$|^\d+ [a-z' ]+$|"
    r"^一[分点毛]|^(?:不能|不许|别|不要)(?:再|超)|^(?:no more|not a (?:penny|cent|minute))\b"
)
"""Words by which a clause hangs on another one."""
_OWN_EN = re.compile(
    r"^(?:i|we|my|our|he|she|they|his|her|their|the|you|don't|never|always|please|use|"
    r"[a-z]+'s)\b.*?"
    r"\b(?:is|are|am|was|were|has|have|had|do|does|don't|can|can't|will|like|love|hate|prefer|"
    r"live|work|"
    r"need|want|use|speak|play|drink|eat|own|run|take|go|never|always|[a-z]+s|[a-z]+ed)\b|'(?:m|"
    r"ve|re|s)\b"
)
_OWN_ZH = re.compile(
    r"是|有|叫|会|用|住|爱|喜欢|讨厌|过敏|不|别|每|必须|习惯|在|养|学|姓|属|要|发|交|给|存|写|[0-9]"
)
_SLOTS = frozenset(("like", "dislike", "allergy", "home", "work", "name", "diet", "age", "love"))
LEAST_ZH, LEAST_EN = 4, 3
"""Fewest characters or words of a statement of its own."""


class Parted(msgspec.Struct, frozen=True):
    """The part of a text that has ended and the rest that holds, both verbatim."""

    ended: str
    rest: str


def parted(text: str, ends: Callable[[str], bool]) -> Parted | None:
    """What of a text has ended by a test of single clauses; None where it ends as a whole.

    The clauses that hold must lie together, so that both parts stay spans of the text.
    """
    spans = _spans(text)
    if len(spans) < 2:
        return None
    over = [ends(text[start:end]) for start, end in spans]
    if all(over) or not any(over):
        return None
    gone = frozenset[str]().union(
        *(topic_of(read(text[s:e]).folded) for (s, e), no in zip(spans, over, strict=True) if no)
    )
    holds = [not no and _stands(text[s:e], gone) for (s, e), no in zip(spans, over, strict=True)]
    first, last = over.index(True), len(over) - 1 - over[::-1].index(True)
    kept = [at for at, stays in enumerate(holds) if stays]
    before, after = [at for at in kept if at < first], [at for at in kept if at > last]
    side = max(before, after, key=len)
    if not side:
        return None
    if side is before:
        rest, ended = (0, spans[first - 1][1]), (spans[first][0], spans[-1][1])
    else:
        rest, ended = (spans[side[0]][0], spans[-1][1]), (0, spans[side[0] - 1][1])
    held = _OPENING.sub("", text[rest[0] : rest[1]].strip())
    return Parted(text[ended[0] : ended[1]].strip(), held)


def statements(text: str) -> list[str]:
    """The clauses of a text that are statements of their own, in their order."""
    clauses = [text[start:end] for start, end in _spans(text)]
    return [clause for clause in clauses if _stands(clause, frozenset())]


def _spans(text: str) -> list[tuple[int, int]]:
    """The clauses of a text as (start, end), without what parts them."""
    found, start = [], 0
    for mark in [*_BREAK.finditer(text), None]:
        end = mark.start() if mark else len(text)
        if text[start:end].strip():
            found.append((start, end))
        start = mark.end() if mark else end
    return found


def _stands(clause: str, gone: frozenset[str]) -> bool:
    """Whether a clause says something of its own that has nothing to do with what has ended."""
    folded = _OPENING.sub("", read(clause).folded)
    reading = read(folded)
    topic = topic_of(folded)
    if not topic or topic & gone or _HANGS.search(folded):
        return False
    if reading.han > 0.5:
        return len(folded) >= LEAST_ZH and bool(_OWN_ZH.search(folded) or reading.slots & _SLOTS)
    words = folded.replace("'", " ").split()  # "I'm" is two of them
    return len(words) >= LEAST_EN and bool(_OWN_EN.search(folded))


def narrowed(evidence: tuple[Evidence, ...], part: str) -> tuple[Evidence, ...]:
    """The evidence of a part: the very span where it stands in a quote, else all as it is."""
    found = []
    for span in evidence:
        at = span.quote.find(part)
        if at >= 0:
            start = span.start + at
            found.append(
                msgspec.structs.replace(span, quote=part, start=start, end=start + len(part))
            )
    return tuple(found) or evidence
