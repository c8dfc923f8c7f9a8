"""Checks on finished memories, written apart from the dream's own `verify`.

Faithfulness: every quote is byte-equal to its span, every number, date and name of a text stands
in its evidence. Duplicates: two memories that a reader would take for one.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import NamedTuple

from slowwave.model import Event, Evidence, Memory

__all__ = ["Fault", "Twins", "faults", "likely_twins", "tokens"]

_NOTE = re.compile(r"\s?[(（]([^()（）]*\d{4}(?:-\d{2}){0,2}[^()（）]*)[)）]")
"""What a dream writes beside a relative date: "yesterday (2026-04-30)"."""
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_HAN_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万亿]{2,}")
_LATIN = re.compile(r"[^\W\d_\u3400-\u9fff](?:[\w'’-]*[^\W_])?")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[.:'’-][A-Za-z0-9]+)*|[\u3400-\u9fff]")

_EXACT_DAYS: Mapping[str, int] = {
    "today": 0, "tonight": 0, "yesterday": -1, "last night": -1, "tomorrow": 1,
    "今天": 0, "今晚": 0, "昨天": -1, "昨晚": -1, "前天": -2, "明天": 1, "明晚": 1, "后天": 2,
    "大后天": 3,
}  # fmt: skip
"""Words whose day follows from the day of the talk alone."""
SLACK = timedelta(days=1)
"""The speaker's day may be another one than that of the instant's date; after midnight too."""

ALIKE = 0.8
SUSPECT = 0.5
"""Token Jaccard from which two memories of one subject count, or are shown to a reader."""


class Fault(NamedTuple):
    """One thing of a memory that its evidence does not bear: `kind` quote, number, date, name,
    word or subject."""

    memory_id: str
    kind: str
    detail: str


class Twins(NamedTuple):
    """Two memories of one subject and how much of their words they share, 0–1."""

    first: Memory
    second: Memory
    likeness: float


def tokens(text: str) -> frozenset[str]:
    """Words in lower case, single Han characters."""
    return frozenset(token.casefold() for token in _TOKEN.findall(text))


def faults(memory: Memory, events: Mapping[str, Event]) -> Iterator[Fault]:
    """What a memory says without its evidence saying it."""
    for span in memory.evidence:
        event = events.get(span.event_id)
        if event is None or not span.quote or event.text[span.start : span.end] != span.quote:
            yield Fault(memory.id, "quote", span.quote[:80])
    if not memory.evidence:
        yield Fault(memory.id, "quote", "no evidence")
    said = "\n".join(span.quote for span in memory.evidence)
    told = _untold(memory, said)
    yield from (Fault(memory.id, kind, detail) for kind, detail in told)
    yield from (Fault(memory.id, "date", detail) for detail in _wrong_notes(memory, said))
    if memory.subject not in ("user", "agent", "world") and not _is_named(memory, said):
        yield Fault(memory.id, "subject", memory.subject)


def _untold(memory: Memory, said: str) -> Iterator[tuple[str, str]]:
    """Numbers, names and words of a text that no quote holds. Notes of dates are left to others."""
    bare = _NOTE.sub(lambda note: note[0] if note[0].strip() in said else "", memory.text)
    known = set(_NUMBER.findall(said))
    yield from (("number", one) for one in _NUMBER.findall(bare) if one not in known)
    yield from (("number", one) for one in _HAN_NUMBER.findall(bare) if one not in said)
    speakers = " ".join(span.speaker or "" for span in memory.evidence)
    words = {word.casefold() for word in _LATIN.findall(f"{said} {speakers}")}
    for word in _LATIN.findall(bare):
        if word.casefold() not in words:
            yield ("name" if word[0].isupper() else "word"), word
    held = {pair for run in _HAN.findall(f"{said} {speakers}") for pair in _pairs(run)}
    for run in _HAN.findall(bare):
        yield from (("word", pair) for pair in _pairs(run) if pair not in held)


def _pairs(run: str) -> Iterator[str]:
    return ("".join(pair) for pair in pairwise(run)) if len(run) > 1 else iter((run,))


def _wrong_notes(memory: Memory, said: str) -> Iterator[str]:
    """Notes of dates that are no dates, or not the day that their words name."""
    for note in _NOTE.finditer(memory.text):
        if note[0].strip() in said:
            continue
        days = [_as_day(*found) for found in _DAY.findall(note[1])]
        if None in days:
            yield note[1]
            continue
        before = memory.text[: note.start()].casefold()
        named = max((w for w in _EXACT_DAYS if before.endswith(w)), key=len, default=None)
        if named and days and not any(_fits(days[0], _EXACT_DAYS[named], memory.evidence)):
            yield f"{named} {note[1]}"


def _as_day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _fits(day: date | None, offset: int, evidence: Sequence[Evidence]) -> Iterator[bool]:
    """Whether a day is as far from the moment of each quote as its word says."""
    for span in evidence:
        if span.ts is not None and day is not None:
            yield abs(day - (span.ts.date() + timedelta(days=offset))) <= SLACK


def _is_named(memory: Memory, said: str) -> bool:
    """Whether somebody of that name speaks, or is spoken of, in the evidence."""
    name = memory.subject.casefold()
    speakers = {(span.speaker or "").casefold() for span in memory.evidence}
    return name in speakers or name in said.casefold()


def likely_twins(memories: Sequence[Memory]) -> Iterator[Twins]:
    """Pairs of one subject that share at least half of their words and name the same numbers.

    From `ALIKE` on they count as duplicates; below they are for a reader to judge.
    """
    by_subject: defaultdict[str, list[tuple[Memory, frozenset[str], frozenset[str]]]]
    by_subject = defaultdict(list)
    for memory in memories:
        numbers = frozenset(_NUMBER.findall(memory.text))
        by_subject[memory.subject.casefold()].append((memory, tokens(memory.text), numbers))
    for listed in by_subject.values():
        for (first, mine, counted), (second, other, named) in combinations(listed, 2):
            together = len(mine | other)
            likeness = len(mine & other) / together if together else 0.0
            if likeness >= SUSPECT and counted == named:
                yield Twins(first, second, likeness)
