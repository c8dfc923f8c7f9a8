"""Light sleep and REM: what was on the mind lately, and what it was about (O5, O6).

Light sleep lays out what came up in the last days, each statement once. REM sleep finds the themes
of the last week and the few statements that look like lasting truths. Neither changes a memory:
they leave hits, which the signals route counts, and themes for people to read.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from slowwave.dream.weigh.ageing import last_needed, today_of, unseen
from slowwave.dream.weigh.concepts import concepts
from slowwave.dream.weigh.score import truth
from slowwave.dream.weigh.tally import Tally, merged
from slowwave.model import Memory, PhaseHit, Theme, day_of
from slowwave.settings import SignalSettings
from slowwave.text.segment import terms

__all__ = ["Sleep", "pool", "sleep"]

LIGHT_ALIKE, TRUTH_ALIKE = 0.9, 0.88
"""Jaccard likeness from which two statements are laid out once."""
CONFIDENT = 0.45
"""Least confidence of a truth (O6)."""
SEVERAL = 2
"""Memories that a theme has at least: what one memory is about is no theme."""
THEMES = 10
POOL = 4
"""So many times the limit of light sleep are looked at: the cost of a night is bounded."""


class Sleep(msgspec.Struct, frozen=True):
    """What the two phases leave: the hits of tonight, and the themes, strongest first."""

    hits: tuple[PhaseHit, ...] = ()
    themes: tuple[Theme, ...] = ()


class _Staged(msgspec.Struct, frozen=True):
    """A statement that light sleep laid out; its tally includes that of its doubles."""

    memory: Memory
    tally: Tally
    words: frozenset[str]


def pool(memories: Iterable[Memory], settings: SignalSettings, now: datetime) -> list[Memory]:
    """The live memories that came up within the longer lookback, newest first.

    Waiting candidates come before active ones of the same day. One pass, at most `POOL` times
    `light_limit` memories.
    """
    since = now - timedelta(days=max(settings.light_days, settings.rem_days))
    recent = (
        memory
        for memory in memories
        if memory.status in ("candidate", "active") and last_needed(memory) >= since
    )
    size = POOL * settings.light_limit
    return heapq.nsmallest(size, recent, key=lambda memory: _order(memory, now))


def sleep(
    recent: Sequence[Memory], tallies: Mapping[str, Tally], settings: SignalSettings, now: datetime
) -> Sleep:
    """Both phases over a `pool`. `tallies` hold the hits of earlier nights. Deterministic."""
    light = _light(recent, tallies, settings, now)
    since = now - timedelta(days=settings.rem_days)
    week = [memory for memory in recent if last_needed(memory) >= since]
    staged = light or [_stage(memory, tallies) for memory in week]
    truths = _truths(staged, settings.rem_truths)
    hits = [PhaseHit(item.memory.id, "light", now) for item in light]
    hits += [PhaseHit(item.memory.id, "rem", now) for item in truths]
    return Sleep(tuple(hits), tuple(_themes(week, settings.rem_strength)))


def _light(
    recent: Sequence[Memory], tallies: Mapping[str, Tally], settings: SignalSettings, now: datetime
) -> list[_Staged]:
    """What came up in the last days and was not laid out since, each statement once."""
    since = now - timedelta(days=settings.light_days)
    today = today_of(now)
    laid: list[_Staged] = []
    for memory in recent:
        tally = tallies.get(memory.id, Tally())
        if last_needed(memory) < since or _lit_since(memory, tally, today, now):
            continue
        _lay(laid, _stage(memory, tallies), LIGHT_ALIKE)
        if len(laid) >= settings.light_limit:
            break
    return laid


def _lit_since(memory: Memory, tally: Tally, today: date, now: datetime) -> bool:
    """Whether light sleep considered it already after it last came up.

    Without this, what once entered would be lifted every night, whoever asks for it or not.
    """
    if tally.lit is None:
        return False
    return tally.lit > day_of(last_needed(memory), now.tzinfo or UTC) or tally.lit == today


def _lay(laid: list[_Staged], item: _Staged, alike: float) -> None:
    """Adds a statement, or joins it to one that says the same."""
    for place, other in enumerate(laid):
        if _double(other, item, alike):
            laid[place] = msgspec.structs.replace(other, tally=merged(other.tally, item.tally))
            return
    laid.append(item)


def _double(one: _Staged, other: _Staged, alike: float) -> bool:
    same = (one.memory.subject, one.memory.negated) == (other.memory.subject, other.memory.negated)
    union = len(one.words | other.words)
    return same and union > 0 and len(one.words & other.words) >= alike * union


def _stage(memory: Memory, tallies: Mapping[str, Tally]) -> _Staged:
    return _Staged(memory, tallies.get(memory.id, Tally()), frozenset(terms(memory.text)))


def _truths(staged: Sequence[_Staged], limit: int) -> list[_Staged]:
    """The statements that look lasting, surest first, none of them twice."""
    sure = []
    for item in staged:
        tally = item.tally
        confidence = truth(tally.average, tally.recalls, len(tally.days), tally.tags)
        if confidence >= CONFIDENT:
            sure.append((-confidence, -tally.recalls, item.memory.id, item))
    chosen: list[_Staged] = []
    for *_, item in sorted(sure, key=lambda entry: entry[:3]):
        if len(chosen) >= limit:
            break
        if not any(_double(other, item, TRUTH_ALIKE) for other in chosen):
            chosen.append(item)
    return chosen


def _themes(memories: Sequence[Memory], least: float) -> list[Theme]:
    """What several memories are about: strength = min(1, 2·count/total), at or over the least.

    Of pieces of one word the longest is taken that is as frequent, and of words that always come
    together one.
    """
    members: dict[str, set[str]] = defaultdict(set)
    written: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for memory in memories:
        for key, surface in concepts(memory).items():
            members[key].add(memory.id)
            written[key][surface] += 1
    total = len(memories)
    strong = [
        key
        for key, ids in members.items()
        if len(ids) >= SEVERAL and min(1.0, 2 * len(ids) / total) >= least
    ]
    strong.sort(key=lambda key: (-len(members[key]), -len(key), key))
    themes: list[Theme] = []
    taken: list[tuple[str, frozenset[str]]] = []
    for key in strong:
        ids = frozenset(members[key])
        if any(_covers(other, known, key, ids) for other, known in taken):
            continue
        taken.append((key, ids))
        strength = round(min(1.0, 2 * len(ids) / total), 4)
        themes.append(Theme(_name(written[key]), strength, tuple(sorted(ids))))
    return themes[:THEMES]


def _covers(other: str, known: frozenset[str], key: str, ids: frozenset[str]) -> bool:
    """Whether a theme is told by one that was taken: by its words, or by its memories."""
    if ids == known:
        return True
    if key.isascii() or other.isascii():
        mine, theirs = set(key.split()), set(other.split())
        return mine <= theirs or theirs <= mine
    return key in other or other in key


def _name(surfaces: Mapping[str, int]) -> str:
    """The way it is written most often."""
    return min(surfaces, key=lambda surface: (-surfaces[surface], len(surface), surface))


def _order(memory: Memory, now: datetime) -> tuple[int, bool, int, str]:
    """Newest day first, what still waits first, then what is recalled most."""
    return unseen(memory, now), memory.status != "candidate", -memory.access_count, memory.id
