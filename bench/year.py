"""Does a night get slower as the archive grows? A year of invented days, dreamed one by one.

    python bench/year.py [--days 365] [--events 1136] [--embedder none] [--profile]

CPU seconds (user + system) of each night, `dream` and `apply` with everything they do, in one
process; the ratio is the mean of the last 30 nights by that of the first 30 (30, or a third of a
shorter run). Taking the day in is measured apart. `--profile` prints what the last nights spent
more on than the first ones, by function.
"""

import argparse
import cProfile
import os
import pstats
import tempfile
from contextlib import closing
from datetime import datetime, time, timedelta
from pathlib import Path
from statistics import mean
from time import process_time

import msgspec
from day import FIRST_DAY, FULL_DAY, ZONE, day_of_events

from slowwave.memory import SlowMemory
from slowwave.model import Record, Skipped
from slowwave.wiring import Options, open_memory

PROFILED = 3
"""Nights at each end that are profiled."""
SHOWN = 25


def opened(home: Path, place: int, embedder: str) -> SlowMemory:
    """The memory in the small hours after a day."""
    day = FIRST_DAY + timedelta(days=place + 1)
    now = datetime.combine(day, time(3), tzinfo=ZONE).isoformat()
    options = Options(home=str(home), now=now, tz="Asia/Shanghai")
    return open_memory(options, {"SLOWWAVE_EMBEDDER": embedder})


def records(memory: SlowMemory, place: int, events: int) -> list[Record | Skipped]:
    """A day as records."""
    lines = enumerate(day_of_events(place, events), start=1)
    return [memory.event_line(msgspec.json.encode(line), number) for number, line in lines]


class Night(msgspec.Struct, frozen=True):
    """CPU seconds of one night and of taking in its day; how its dream ended; stages' wall s."""

    night: float
    intake: float
    status: str
    stages: dict[str, float]


def night(home: Path, place: int, events: int, embedder: str, profile: cProfile.Profile) -> Night:
    """Lives one day and dreams it."""
    day = (FIRST_DAY + timedelta(days=place)).isoformat()
    with closing(opened(home, place, embedder)) as memory:
        given = records(memory, place, events)
        began = process_time()
        memory.log(given)
        between = process_time()
        with profile:
            dream = memory.dream(day, apply=True)
        ended = process_time()
    stages = {stage.name: stage.duration_sec for stage in dream.stages}
    return Night(ended - between, between - began, dream.status, stages)


class _Off(cProfile.Profile):
    """A profile that costs nothing."""

    def __enter__(self) -> "_Off":
        return self

    def __exit__(self, *_: object) -> None:
        return None


def tell(nights: list[Night], home: Path, place: int, embedder: str) -> None:
    """The table: means of every 30 nights, the ratio, and how large the archive is."""
    window = min(30, max(1, len(nights) // 3))
    for start in range(0, len(nights), window):
        part = nights[start : start + window]
        names = part[0].stages
        stages = ", ".join(f"{n} {mean(x.stages.get(n, 0.0) for x in part):.3f}" for n in names)
        print(f"  nights {start + 1:>3}–{start + len(part):<3} "
              f"{mean(one.night for one in part):7.3f} s CPU a night, taking in "
              f"{mean(one.intake for one in part):6.3f}; wall s: {stages}")  # fmt: skip
    first, last = (mean(one.night for one in part) for part in (nights[:window], nights[-window:]))
    print(f"last {window} ÷ first {window} nights: {last / first:.2f} (aim: 1.3)")
    with closing(opened(home, place, embedder)) as memory:
        print(f"archive: {memory.status().counts.memories}")


def growth(first: cProfile.Profile, last: cProfile.Profile) -> None:
    """What the last nights spent more own time on than the first ones, by function."""
    before, after = (_own_times(profile) for profile in (first, last))
    more = sorted(after, key=lambda name: before.get(name, 0.0) - after[name])
    print(f"own seconds of {PROFILED} nights, first → last:")
    for name in more[:SHOWN]:
        print(f"  {before.get(name, 0.0):7.3f} → {after[name]:7.3f}  {name}")


def _own_times(profile: cProfile.Profile) -> dict[str, float]:
    stats = pstats.Stats(profile)
    times: dict[str, float] = {}
    for (file, line, name), numbers in stats.stats.items():  # type: ignore[attr-defined]
        times[f"{Path(file).name}:{line} {name}"] = numbers[2]
    return times


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--events", type=int, default=FULL_DAY)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    print(f"n = {asked.days} days of {asked.events} events, {asked.embedder}, "
          f"{os.cpu_count()} cores")  # fmt: skip
    first, last, off = cProfile.Profile(), cProfile.Profile(), _Off()
    nights = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for place in range(asked.days):
            early, late = 1 <= place <= PROFILED, place >= asked.days - PROFILED
            profile = off if not asked.profile else first if early else last if late else off
            nights.append(night(home, place, asked.events, asked.embedder, profile))
        tell(nights, home, asked.days, asked.embedder)
    if asked.profile:
        growth(first, last)


if __name__ == "__main__":
    main()
