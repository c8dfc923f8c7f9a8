"""Lives a whole conversation: everything said is logged, then one night after the other dreams.

Each day of talk is dreamed in the small hours of the next one, and so are the quiet days after
it, as a machine would that runs every night: what waits for quiet days gets them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Event, Memory
from slowwave.ports import Progress
from slowwave.wiring import Options, open_memory

__all__ = ["Lived", "Setting", "live", "opened"]

ZONE = "UTC"
BEDTIME = time(3, tzinfo=UTC)
QUIET_NIGHTS = 4
"""Nights without talk after which nothing more becomes of a candidate (the slow route takes 3)."""
REPEATS = 5
"""Dreams over unchanged input that must agree byte for byte."""


class Setting(msgspec.Struct, frozen=True):
    """How a conversation is lived: by which embedder (`none` = words only)."""

    embedder: str = "none"


class Lived(NamedTuple):
    """What a conversation left: its events by id, all memories, how the nights ended, whether
    repeated plans of its busiest day were equal, and the morning after the last night."""

    events: Mapping[str, Event]
    memories: tuple[Memory, ...]
    nights: Counter[str]
    same_plan: bool
    morning: datetime


def live(home: Path, talk: Conversation, setting: Setting, progress: Progress) -> Lived:
    """Logs a conversation into a new home and dreams it through, night by night.

    Raises InputError for one without dates.
    """
    days = Counter(record.ts.astimezone(UTC).date() for record in talk.records if record.ts)
    nights = sorted(
        {day + timedelta(days=quiet) for day in days for quiet in range(QUIET_NIGHTS + 1)}
    )
    if not days:
        raise InputError(f"{talk.name} has no dated turn", "a conversation is dreamed day by day")
    busiest = max(days, key=lambda day: (days[day], day))
    with opened(home, _morning_after(max(days)), setting) as memory:
        memory.log(talk.records)
    ended: Counter[str] = Counter()
    same_plan = True
    for number, day in enumerate(nights, start=1):
        with opened(home, _morning_after(day), setting) as memory:
            if day == busiest:
                same_plan = _repeats_itself(memory, day)
            ended[memory.dream(day.isoformat(), apply=True).status] += 1
        progress(f"nights of {talk.name}", number, len(nights))
    morning = _morning_after(nights[-1])
    with opened(home, morning, setting) as memory:
        events = {event.id: event for event in memory.events_since(0)}
        kept = tuple(memory.memories())
    return Lived(events, kept, ended, same_plan, morning)


@contextmanager
def opened(home: Path, now: datetime, setting: Setting) -> Iterator[SlowMemory]:
    """The memory of a home at a moment, through the same wiring as every door."""
    options = Options(home=str(home), now=now.isoformat(), tz=ZONE)
    environment = {"SLOWWAVE_EMBEDDER": setting.embedder}
    with closing(open_memory(options, environment)) as memory:
        yield memory


def _repeats_itself(memory: SlowMemory, day: date) -> bool:
    """Whether dry runs over unchanged input plan the same, byte for byte."""
    plans = (memory.dream(day.isoformat(), dry_run=True) for _ in range(REPEATS))
    return len({_bytes_of(plan) for plan in plans}) == 1


def _bytes_of(plan: Dream) -> bytes:
    """A plan without the seconds it took."""
    return msgspec.json.encode(
        (plan.dream_id, plan.changes, plan.rejections, plan.gates, plan.event_ids)
    )


def _morning_after(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), BEDTIME)
