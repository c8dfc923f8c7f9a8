"""Lives a whole conversation: everything said is logged, then one night after the other dreams.

Each day of talk is dreamed in the small hours of the next one, and so are the quiet days after
it, as a machine would that runs every night: what waits for quiet days gets them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Event, Memory
from slowwave.ports import Progress
from slowwave.settings import DreamSettings, ModelSettings
from slowwave.wiring import SETTINGS_FILE, Options, open_memory

if TYPE_CHECKING:
    from slowwave.dream.cycle.desk import Distiller

__all__ = ["PLAIN", "Lived", "Setting", "live", "opened"]

ZONE = "UTC"
BEDTIME = time(3, tzinfo=UTC)
QUIET_NIGHTS = 4
"""Nights without talk after which nothing more becomes of a candidate (the slow route takes 3)."""
TRIES = 3
"""How often a day is dreamed in which something waits for the model."""
REPEATS = 5
"""Dreams over unchanged input that must agree byte for byte."""


class Setting(msgspec.Struct, frozen=True):
    """How a conversation is lived: by which embedder (`none` = words only), and with which model.

    Without a model the rules read the nights alone; a part has at most `segment_chars` characters.
    """

    embedder: str = "none"
    model: ModelSettings | None = None
    segment_chars: int = DreamSettings().segment_chars

    @property
    def distiller(self) -> "Distiller":
        """Who reads the nights."""
        return "rules" if self.model is None else "llm"


PLAIN = Setting()
"""The rules, words only."""


class Lived(NamedTuple):
    """What a conversation left: its events by id, all memories, how the nights ended, whether
    repeated plans of its busiest day were equal, the morning after the last night, what was refused
    by reason, and who read how many nights."""

    events: Mapping[str, Event]
    memories: tuple[Memory, ...]
    nights: Counter[str]
    same_plan: bool
    morning: datetime
    refused: Counter[str]
    readers: Counter[str]


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
    _settle(home, setting)
    with opened(home, _morning_after(max(days)), setting) as memory:
        memory.log(talk.records)
    ended: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    readers: Counter[str] = Counter()
    same_plan = True
    for number, day in enumerate(nights, start=1):
        with opened(home, _morning_after(day), setting) as memory:
            if day == busiest:
                same_plan = _repeats_itself(memory, day, setting)
            for dream in _nights(memory, day, setting):
                ended[dream.status] += 1
                refused.update({one.reason: one.count for one in dream.rejected})
                readers[dream.model_used] += dream.status == "applied"
        progress(f"nights of {talk.name}", number, len(nights))
    morning = _morning_after(nights[-1])
    with opened(home, morning, setting) as memory:
        events = {event.id: event for event in memory.events_since(0)}
        kept = tuple(memory.memories())
    return Lived(events, kept, ended, same_plan, morning, refused, +readers)


def _nights(memory: SlowMemory, day: date, setting: Setting) -> Iterator[Dream]:
    """A day's dream, and what the model did not do of it once more, as often as it may be tried."""
    for _ in range(TRIES):
        dream = memory.dream(day.isoformat(), apply=True, distiller=setting.distiller)
        yield dream
        if all(part.given_up for part in dream.pending):
            return


def _settle(home: Path, setting: Setting) -> None:
    """The settings of a home. What may be secret comes by the environment (see `opened`)."""
    lines = ["[dream]", f"segment_chars = {setting.segment_chars}"]
    if setting.model is not None:
        kept = msgspec.to_builtins(setting.model)
        lines.append("[model]")
        lines += [
            # TOML writes plain strings, numbers and truths as JSON does.
            f"{key} = {msgspec.json.encode(value).decode()}"
            for key, value in kept.items()
            if key not in ("base_url", "name", "api_key")
        ]
    home.mkdir(parents=True, exist_ok=True)
    (home / SETTINGS_FILE).write_text("\n".join(lines), encoding="utf-8")


@contextmanager
def opened(home: Path, now: datetime, setting: Setting) -> Iterator[SlowMemory]:
    """The memory of a home at a moment, through the same wiring as every door."""
    options = Options(home=str(home), now=now.isoformat(), tz=ZONE)
    environment = {"SLOWWAVE_EMBEDDER": setting.embedder}
    if setting.model is not None:
        environment |= {
            "SLOWWAVE_MODEL_BASE_URL": setting.model.base_url,
            "SLOWWAVE_MODEL_NAME": setting.model.name,
            "SLOWWAVE_MODEL_API_KEY": setting.model.api_key,
        }
    with closing(open_memory(options, environment)) as memory:
        yield memory


def _repeats_itself(memory: SlowMemory, day: date, setting: Setting) -> bool:
    """Whether dry runs over unchanged input plan the same, byte for byte.

    With a model: plans made anew from the same answers.
    """
    dry = setting.model is None
    how = setting.distiller
    plans = (memory.dream(day.isoformat(), dry_run=dry, distiller=how) for _ in range(REPEATS))
    return len({_bytes_of(plan) for plan in plans}) == 1


def _bytes_of(plan: Dream) -> bytes:
    """A plan without the seconds it took."""
    return msgspec.json.encode(
        (plan.dream_id, plan.changes, plan.rejections, plan.gates, plan.event_ids)
    )


def _morning_after(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), BEDTIME)
