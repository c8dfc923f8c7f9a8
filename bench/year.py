"""Does a night get slower as the archive grows? A year of invented days, dreamed one by one.

    python bench/year.py [--days 365] [--events 1136] [--embedder none] [--home FOLDER]
                         [--resident] [--profile]

CPU seconds (user + system) of each night, `dream` and `apply` with everything they do. Each night
runs in a process of its own, as the timer starts it (forked after a day was lived, so that loading
modules, grammars and tables does not count); `--resident` lives the whole year in one process.
The ratio is the mean of the last 30 nights by that of the first 30 (30, or a third of a shorter
run). Because shared machines are noisy, the first nights are lived once more in an empty home, each
right after one of the last nights: that ratio compares what was measured at the same time. Taking
the day in is measured apart.

`--home` keeps the home and goes on from where it stands. `--profile` prints what the last nights
spent more on than those first ones, by function.
"""

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import traceback
from collections import Counter
from contextlib import closing, nullcontext
from datetime import date, datetime, time, timedelta
from pathlib import Path
from statistics import mean
from time import process_time

import msgspec
from day import FIRST_DAY, FULL_DAY, ZONE, day_of_events

from slowwave.dream import write  # noqa: F401 - loaded before the clock runs
from slowwave.dream.cycle import night as cycle  # noqa: F401 - loaded before the clock runs
from slowwave.memory import SlowMemory
from slowwave.model import Record, Skipped
from slowwave.wiring import Options, open_memory

WINDOW = 30
SHOWN = 30


class Night(msgspec.Struct, frozen=True):
    """CPU seconds of one night and of taking in its day; how its dream ended; stages' wall s.

    `own` are the CPU seconds that functions took themselves, when profiled.
    """

    night: float
    intake: float
    status: str
    stages: dict[str, float]
    own: dict[str, float]


class Setting(msgspec.Struct, frozen=True):
    """How the nights are lived."""

    events: int
    embedder: str
    resident: bool
    profiled: bool


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


def lived(home: Path, place: int, setting: Setting) -> Night:
    """Lives one day and dreams it, in this process."""
    day = (FIRST_DAY + timedelta(days=place)).isoformat()
    profile = cProfile.Profile(process_time) if setting.profiled else None
    with closing(opened(home, place, setting.embedder)) as memory:
        given = records(memory, place, setting.events)
        began = process_time()
        memory.log(given)
        between = process_time()
        with profile or nullcontext():
            dream = memory.dream(day, apply=True)
        ended = process_time()
    stages = {stage.name: stage.duration_sec for stage in dream.stages}
    own = _own_times(profile) if profile else {}
    return Night(ended - between, between - began, dream.status, stages, own)


def night(home: Path, place: int, setting: Setting) -> Night:
    """Lives one day and dreams it, in a process of its own unless resident."""
    if setting.resident:
        return lived(home, place, setting)
    coming, going = os.pipe()
    child = os.fork()
    if not child:
        _answer(going, home, place, setting)
    os.close(going)
    with open(coming, "rb") as stream:
        told = stream.read()
    os.waitpid(child, 0)
    if not told:
        raise SystemExit(f"night {place + 1} failed")
    return msgspec.json.decode(told, type=Night)


def _answer(going: int, home: Path, place: int, setting: Setting) -> None:
    """The child: hands what it measured to its parent, and ends."""
    try:
        with open(going, "wb") as stream:
            stream.write(msgspec.json.encode(lived(home, place, setting)))
    except BaseException:  # noqa: BLE001 - it must not run on as a second parent
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def _own_times(profile: cProfile.Profile) -> dict[str, float]:
    stats = pstats.Stats(profile)
    times: dict[str, float] = {}
    for (file, line, name), numbers in stats.stats.items():  # type: ignore[attr-defined]
        times[f"{Path(file).name}:{line} {name}"] = numbers[2]
    return times


def standing(home: Path, embedder: str) -> int:
    """How many days of the year a home has dreamed already."""
    with closing(opened(home, 0, embedder)) as memory:
        days = [date.fromisoformat(dream.date) for dream in memory.dreams()]
    return (max(days) - FIRST_DAY).days + 1 if days else 0


def tell(nights: list[Night], first: int, again: list[Night]) -> None:
    """The table: means of every 30 nights, and the ratios."""
    window = len(again) or 1
    for start in range(0, len(nights), window):
        part = nights[start : start + window]
        names = part[0].stages
        stages = ", ".join(f"{n} {mean(x.stages.get(n, 0.0) for x in part):.3f}" for n in names)
        print(f"  nights {first + start + 1:>3}–{first + start + len(part):<3} "
              f"{mean(one.night for one in part):7.3f} s CPU a night, taking in "
              f"{mean(one.intake for one in part):6.3f}; wall s: {stages}")  # fmt: skip
    last = mean(one.night for one in nights[-window:])
    if not first:
        before = mean(one.night for one in nights[:window])
        print(f"last {window} ÷ first {window} nights: {last / before:.2f} (aim: 1.3)")
    beside = mean(one.night for one in again)
    print(f"the first {window} nights once more, one after each of the last: {beside:.3f} s; "
          f"last ÷ first at the same time: {last / beside:.2f} (aim: 1.3)")  # fmt: skip


def growth(first: list[Night], last: list[Night]) -> None:
    """What a night spent more own time on in the end than in the beginning, by function."""
    before, after = Counter[str](), Counter[str]()
    for total, nights in ((before, first), (after, last)):
        for one in nights:
            total.update(one.own)
    more = sorted(after, key=lambda name: before[name] - after[name])
    print("own CPU seconds of a night (a profiler's, so longer), first → last:")
    for name in more[:SHOWN]:
        print(f"  {before[name] / len(first):7.3f} → {after[name] / len(last):7.3f}  {name}")


def run(home: Path, empty: Path, days: int, setting: Setting) -> None:
    """Lives the year, and its beginning once more beside its end."""
    plain = msgspec.structs.replace(setting, profiled=False)
    lived(empty.with_name("warm"), 0, plain)
    first = standing(home, setting.embedder)
    window = min(WINDOW, days - first if first else max(1, days // 3))
    nights, again = [], []
    for place in range(first, days):
        late = place >= days - window
        nights.append(night(home, place, setting if late else plain))
        if late:
            again.append(night(empty, place - days + window, setting))
    tell(nights, first, again)
    with closing(opened(home, days, setting.embedder)) as memory:
        print(f"archive: {memory.status().counts.memories}")
    if setting.profiled:
        growth(again, nights[-window:])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--events", type=int, default=FULL_DAY)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--resident", action="store_true")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    setting = Setting(asked.events, asked.embedder, asked.resident, asked.profile)
    where = "one process" if asked.resident else "a process each"
    print(f"n = {asked.days} days of {asked.events} events, {asked.embedder}, {where}, "
          f"{os.cpu_count()} cores", flush=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        home = asked.home or Path(folder) / "year"
        for place in (home, Path(folder) / "again", Path(folder) / "warm"):
            place.mkdir(parents=True, exist_ok=True)
        run(home, Path(folder) / "again", asked.days, setting)


if __name__ == "__main__":
    main()
