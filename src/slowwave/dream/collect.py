"""Collect: the day's events in time order, blank ones counted out, cut into segments (N7)."""

from collections.abc import Sequence

import msgspec

from slowwave.model import SAID_BY_HAND, Event, Rejected


class Segment(msgspec.Struct, frozen=True):
    """A run of events that is read at once: at most so many characters, never a cut event."""

    events: tuple[Event, ...]


class Collected(msgspec.Struct, frozen=True):
    """What the night reads, and what it left out."""

    segments: tuple[Segment, ...]
    dropped: tuple[Rejected, ...]


def collect(events: Sequence[Event], max_chars: int) -> Collected:
    """Segments of at most `max_chars` characters, in (ts, seq) order.

    An event longer than that is a segment of its own: the night must move on, not stall on one
    line (case 63). What came out of a memory is left out here, so that nothing later on can take
    it for evidence (promise 5).
    """
    segments: list[Segment] = []
    dropped: list[Rejected] = []
    current: list[Event] = []
    size = 0
    for event in sorted(events, key=lambda item: (item.ts, item.seq)):
        reason = _useless(event)
        if reason is not None:
            dropped.append(Rejected("collect", reason, event.text[:200], event.id))
            continue
        if current and size + len(event.text) > max_chars:
            segments.append(Segment(tuple(current)))
            current, size = [], 0
        current.append(event)
        size += len(event.text)
    if current:
        segments.append(Segment(tuple(current)))
    return Collected(tuple(segments), tuple(dropped))


def _useless(event: Event) -> str | None:
    if event.origin == "recalled":
        return "came out of a memory"
    if event.source == SAID_BY_HAND:
        # Its change was rejected or undone: to learn it all the same would bring it back.
        return "said for a change by hand"
    if not event.text.strip():
        return "blank"
    return None
