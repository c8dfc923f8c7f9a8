"""Where the resident dreams: in a thread of the server, or in a process of its own (P11)?

    python bench/resident.py [--readers 8] [--days 4] [--events 400] [--nights 4] [--seconds 8]
                             [--rounds 3] [--embedder none] [--json]

A home of some generated days that were dreamed, and many that wait. Readers are threads of one
process, as in the server: each asks, thinks and asks again. They are measured while nobody dreams,
and while the waiting days are dreamed, night after night: by a thread of the same process, by a
process of its own, and by one that is confined as the resident's is (one core, nice, small).

Milliseconds of a recall, p50 and p99 over all rounds, the nights that were dreamed meanwhile, and
the ratio of p99 to that without a dream.
"""

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from datetime import time as clock

from concurrency import Read, Setting, opened, questions, read, sleep, take_in
from day import FIRST_DAY, ZONE

from slowwave.memory import SlowMemory
from slowwave.servers.resident.child import Child
from slowwave.servers.resident.job import Job
from slowwave.wiring import Options

WARM_UP = 20

Dreamer = Callable[[SlowMemory, Setting, int], int]
"""Dreams one waiting day beside the readers; how many nights came to their end."""


def in_a_thread(memory: SlowMemory, _setting: Setting, day: int) -> int:
    """By this very process, through the store that the readers have."""
    date = (FIRST_DAY + timedelta(days=day)).isoformat()
    return int(memory.dream(date, apply=True).status == "applied")


def in_a_process(setting: Setting, day: int, cores: int, nice: int) -> int:
    """By a process as the resident starts them."""
    now = datetime.combine(FIRST_DAY + timedelta(days=day + 1), clock(3), tzinfo=ZONE)
    options = Options(home=setting.home, now=now.isoformat(), tz="Asia/Shanghai")
    job = Job(options=options, nights=True, cores=cores, nice=nice)
    environment = {**os.environ, "SLOWWAVE_EMBEDDER": setting.embedder}
    child = Child(job, None, lambda: None, environment)
    ending = child.wait(600)
    assert ending is not None
    assert ending.outcome == "done", ending.message
    return sum(one.status == "applied" for one in child.made)


DREAMERS: dict[str, Dreamer | None] = {
    "nobody": None,
    "thread": in_a_thread,
    "process": lambda _memory, setting, day: in_a_process(setting, day, 0, 0),
    "confined": lambda _memory, setting, day: in_a_process(setting, day, 1, 10),
}


@contextmanager
def dreaming(
    dreamer: Dreamer | None, memory: SlowMemory, setting: Setting, first: int
) -> Iterator[list[int]]:
    """Dreams one waiting day after the other, until the readers are done."""
    done: list[int] = []
    enough = threading.Event()

    def work() -> None:
        for day in range(first, first + setting.nights):
            if enough.is_set() or dreamer is None:
                break
            done.append(dreamer(memory, setting, day))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield done
    finally:
        enough.set()
        thread.join()


def measured(setting: Setting, name: str, first: int, seed: int) -> tuple[Read, int]:
    """Readers beside one way to dream; their times, and the nights."""
    asked, found = questions(setting), Read([], [])
    parts: list[Read] = []
    with closing(opened(setting, setting.days + 99)) as memory:
        for question in asked[:WARM_UP]:
            memory.recall(memory.query(question), signal=False)
        with dreaming(DREAMERS[name], memory, setting, first) as nights:
            until = time.monotonic() + setting.seconds
            readers = [
                threading.Thread(
                    target=lambda n=n: parts.append(read(memory, asked, until, seed * 100 + n))
                )
                for n in range(setting.readers)
            ]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
    for part in parts:
        found.add(part)
    return found, sum(nights)


def rounds_of(setting: Setting, rounds: int) -> dict[str, dict[str, object]]:
    """All ways to dream, in turn, so that a busy machine is busy for each of them."""
    times = {name: Read([], []) for name in DREAMERS}
    nights = dict.fromkeys(DREAMERS, 0)
    first = setting.days
    for turn in range(rounds):
        for name in DREAMERS:
            found, done = measured(setting, name, first, turn)
            times[name].add(found)
            nights[name] += done
            first += 0 if name == "nobody" else setting.nights
    idle = times["nobody"].at(0.99)
    return {
        name: {
            "recalls": len(each.times), "nights": nights[name], "errors": each.errors,
            "p50": each.at(0.5), "p99": each.at(0.99), "ratio_p99": each.at(0.99) / idle,
        }
        for name, each in times.items()
    }  # fmt: skip


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--days", type=int, default=4)
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--nights", type=int, default=4, help="waiting days of each measurement")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        setting = Setting(
            home, given.readers, given.days, given.events, given.seconds, given.nights,
            given.embedder,
        )  # fmt: skip
        for day in range(given.days + given.rounds * given.nights * (len(DREAMERS) - 1)):
            take_in(setting, day)
        for day in range(given.days):
            sleep(setting, day)
        found = rounds_of(setting, given.rounds)
    if given.json:
        print(json.dumps(found, indent=1))
        return
    print(f"{given.readers} readers, {given.events} events a day, embedder {given.embedder}")
    for name, row in found.items():
        print(f"  {name:8}  n {row['recalls']:5}  nights {row['nights']:3}  p50 {row['p50']:7.2f}"
              f" ms  p99 {row['p99']:7.2f} ms  {row['ratio_p99']:.2f} x"
              f"{'  ' + str(row['errors']) if row['errors'] else ''}")  # fmt: skip


if __name__ == "__main__":
    main()
