"""Warnings of the night: signs that the memory is not well, seen over many dreams (N13).

Pure functions over what earlier dreams left. Each tells a sign with its numbers and what to look
at. The measured time of tonight is never used, so that a plan does not depend on it.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise

import msgspec

from slowwave.model import READERS, Dream, Memory, day_of
from slowwave.settings import DreamSettings
from slowwave.text.counting import plural
from slowwave.text.tokens import estimate

__all__ = ["Night", "growing", "nights_of", "nothing_new", "slowing", "too_big", "warnings_of"]

QUIET_NIGHTS = 3
SLOWER_NIGHTS, SLOWER_BY, SLOW_SECONDS = 5, 1.5, 5.0
"""Rising so many nights, to so many times as long, and long enough to matter."""
GROWTH_NIGHTS, LARGE = 28, 5_000
"""Nights that growth is measured over, and memories from which it matters."""


class Night(msgspec.Struct, frozen=True):
    """What the applied dreams of one of the user's days did, taken together."""

    day: date
    events: int
    new: int
    archived: int
    seconds: float


def warnings_of(
    dreams: Sequence[Dream],
    memories: Sequence[Memory],
    tonight: Dream,
    settings: DreamSettings,
) -> tuple[str, ...]:
    """All warnings after tonight's plan, most urgent first.

    `dreams` are the earlier ones of the space, `memories` what stood before tonight.
    """
    earlier = nights_of(dreams, tonight.run_at)
    now = nights_of([msgspec.structs.replace(tonight, status="applied")], tonight.run_at)
    nights = [*(night for night in earlier if night.day not in {one.day for one in now}), *now]
    live = sum(memory.status in ("active", "candidate") for memory in memories)
    found = (
        nothing_new(nights),
        slowing(earlier),
        growing(nights, live),
        too_big(memories, settings),
    )
    return tuple(text for text in found if text)


def nights_of(dreams: Sequence[Dream], now: datetime) -> list[Night]:
    """The user's days on which a night or a turn was applied, oldest first."""
    days: dict[date, Night] = {}
    for dream in dreams:
        if dream.by not in READERS or dream.status != "applied":
            continue
        day = day_of(dream.run_at, now.tzinfo or UTC)
        known = days.get(day, Night(day, 0, 0, 0, 0.0))
        days[day] = Night(
            day,
            known.events + dream.input_events,
            known.new + dream.new_entries,
            known.archived + dream.archived_entries + dream.merged_entries,
            known.seconds + dream.duration_sec,
        )
    return [days[day] for day in sorted(days)]


def nothing_new(nights: Sequence[Night]) -> str:
    """No new entries several days in a row."""
    quiet = list(_last_while_empty(nights))
    if len(quiet) < QUIET_NIGHTS:
        return ""
    events = sum(night.events for night in quiet)
    look = (
        "look at what was rejected: `slowwave dreams show last`"
        if events
        else "nothing is captured: check the source of the log"
    )
    return (
        f"no new entries for {len(quiet)} nights in a row ({plural(events, 'event')} read); {look}"
    )


def _last_while_empty(nights: Sequence[Night]) -> Iterator[Night]:
    for night in reversed(nights):
        if night.new:
            return
        yield night


def slowing(nights: Sequence[Night]) -> str:
    """Duration rising night after night."""
    last = [night.seconds for night in nights[-SLOWER_NIGHTS:]]
    rising = all(before < after for before, after in pairwise(last))
    if len(last) < SLOWER_NIGHTS or not rising:
        return ""
    if last[-1] < SLOW_SECONDS or last[-1] < SLOWER_BY * last[0]:
        return ""
    return (
        f"the dreams take longer night after night: {last[0]:.1f} s, {SLOWER_NIGHTS} nights later "
        f"{last[-1]:.1f} s; look at the stages with `slowwave dreams show last`"
    )


def growing(nights: Sequence[Night], live: int) -> str:
    """The archive growing without bound: as fast as ever, and next to nothing leaves it."""
    last = nights[-GROWTH_NIGHTS:]
    if len(last) < GROWTH_NIGHTS or live < LARGE:
        return ""
    half = GROWTH_NIGHTS // 2
    before = sum(night.new - night.archived for night in last[:half])
    after = sum(night.new - night.archived for night in last[half:])
    if after <= 0 or after < before:
        return ""
    came, went = sum(night.new for night in last), sum(night.archived for night in last)
    return (
        f"the archive grows without bound: {came} memories came in {GROWTH_NIGHTS} nights and "
        f"{went} left, {live} are live; see [dream.forget] in the settings"
    )


def too_big(memories: Sequence[Memory], settings: DreamSettings) -> str:
    """What must always be loaded comes close to the budget of MEMORY.md."""
    pinned = [memory for memory in memories if memory.pinned and memory.status == "active"]
    size = sum(estimate(memory.text) for memory in pinned)
    if size * 10 <= settings.loaded_tokens * 9:
        return ""
    return (
        f"{len(pinned)} pinned memories take {size} of {settings.loaded_tokens} tokens; unpin some "
        "or raise `loaded_tokens`"
    )
