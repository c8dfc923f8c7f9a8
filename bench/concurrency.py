"""One dream writes, eight readers recall: does anybody fail, and how much slower is a reader?

    python bench/concurrency.py [--readers 8] [--days 4] [--events 400] [--seconds 8] [--rounds 3]
                                [--nights 6] [--mode threads|processes|both] [--embedder none]
                                [--json]

A home of some generated days that were dreamed, and some that wait. Each round measures the readers
twice, one right after the other: while nobody writes, and while a process of its own dreams the
waiting days, night after night, until the readers are done. A reader asks, thinks for `PAUSE`
seconds and asks again; its recalls count as signals, as everybody's do. Readers are threads of one
process, or processes.

Wall time of a recall, p50 and p99 over all questions of all rounds, errors, nights that were
committed meanwhile, and the ratio of the two p99. Budget (issue 3): no error, ratio at most 3.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from datetime import time as clock

import msgspec
from day import FIRST_DAY, ZONE, day_of_events

from slowwave.errors import SlowwaveError
from slowwave.memory import SlowMemory
from slowwave.wiring import Options, open_memory

PAUSE = 0.1
WARM_UP = 20
ASKED = 300
"""Different questions; a reader draws among them."""


class Read(msgspec.Struct):
    """Milliseconds of each recall of one reader or more, and what went wrong."""

    times: list[float] = []
    errors: list[str] = []

    def add(self, other: "Read") -> None:
        """Takes in what another one measured."""
        self.times += other.times
        self.errors += other.errors

    def at(self, share: float) -> float:
        """The time that this share of the recalls stays below."""
        return sorted(self.times)[min(len(self.times) - 1, int(len(self.times) * share))]


class Setting(msgspec.Struct, frozen=True):
    """How it is measured."""

    home: str
    readers: int
    days: int
    events: int
    seconds: float
    nights: int
    embedder: str


def opened(setting: Setting, day: int) -> SlowMemory:
    """The memory in the small hours after a day."""
    now = datetime.combine(FIRST_DAY + timedelta(days=day + 1), clock(3), tzinfo=ZONE)
    options = Options(home=setting.home, now=now.isoformat(), tz="Asia/Shanghai")
    return open_memory(options, {"SLOWWAVE_EMBEDDER": setting.embedder})


def take_in(setting: Setting, day: int) -> None:
    """Logs a day, and has it indexed as every question does."""
    with closing(opened(setting, day)) as memory:
        lines = enumerate(day_of_events(day, setting.events), start=1)
        memory.log([memory.event_line(msgspec.json.encode(line), number) for number, line in lines])
        memory.recall(memory.query("nothing"), signal=False)


def sleep(setting: Setting, day: int) -> str:
    """Dreams a day; how the dream ended."""
    with closing(opened(setting, day)) as memory:
        date = (FIRST_DAY + timedelta(days=day)).isoformat()
        return memory.dream(date, apply=True).status


def questions(setting: Setting) -> list[str]:
    """Some words of what was said on the first days."""
    dice = random.Random(7)
    said = [
        str(line["text"])
        for day in range(setting.days)
        for line in day_of_events(day, setting.events)
        if line.get("text")
    ]
    return [dice.choice(said)[:60] for _ in range(ASKED)]


def read(memory: SlowMemory, asked: Sequence[str], until: float, seed: int) -> Read:
    """Asks until a moment of the monotonic clock."""
    dice, done = random.Random(seed), Read([], [])
    while time.monotonic() < until:
        question = dice.choice(asked)
        began = time.perf_counter()
        try:
            memory.recall(memory.query(question))
        except SlowwaveError as error:
            done.errors.append(f"{type(error).__name__}: {error}")
        done.times.append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE * dice.uniform(0.5, 1.5))
    return done


def by_threads(setting: Setting, seed: int) -> Read:
    """All readers as threads of this process."""
    asked, done = questions(setting), Read([], [])
    with closing(opened(setting, setting.days)) as memory:
        for question in asked[:WARM_UP]:
            memory.recall(memory.query(question), signal=False)
        until = time.monotonic() + setting.seconds
        found: list[Read] = []
        threads = [
            threading.Thread(
                target=lambda n=n: found.append(read(memory, asked, until, seed * 100 + n))
            )
            for n in range(setting.readers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for each in found:
        done.add(each)
    if len(found) < setting.readers:
        done.errors.append(f"{setting.readers - len(found)} readers broke off")
    return done


def by_processes(setting: Setting, seed: int) -> Read:
    """Each reader as a process; they start to count when all of them have warmed up."""
    alone = msgspec.structs.replace(setting, readers=1)
    command = [sys.executable, __file__, "--reader", msgspec.json.encode(alone).decode()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [
        subprocess.Popen([*command, "--seed", str(seed * 100 + n)], **pipes)  # type: ignore[call-overload]
        for n in range(setting.readers)
    ]
    done = Read([], [])
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        told, _ = child.communicate()
        if child.returncode:
            done.errors.append(f"a reader ended with {child.returncode}")
        else:
            done.add(msgspec.json.decode(told, type=Read))
    return done


def as_reader(setting: Setting, seed: int) -> None:
    """A reader in this process, told by its parent when to begin."""
    asked = questions(setting)
    with closing(opened(setting, setting.days)) as memory:
        for question in asked[:WARM_UP]:
            memory.recall(memory.query(question), signal=False)
        print("ready", flush=True)
        sys.stdin.readline()
        done = read(memory, asked, time.monotonic() + setting.seconds, seed)
    print(msgspec.json.encode(done).decode())


def as_dreamer(setting: Setting, first: int) -> None:
    """Dreams one waiting day after the other until the parent has heard enough."""
    enough = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        enough.set()

    threading.Thread(target=listen, daemon=True).start()
    print("ready", flush=True)
    for day in range(first, first + setting.nights):
        print(sleep(setting, day), flush=True)
        if enough.is_set():
            break


def while_dreaming(setting: Setting, mode: str, seed: int, first: int) -> tuple[Read, list[str]]:
    """The readers beside a dreaming process; what they measured, and how the nights ended."""
    command = [sys.executable, __file__, "--dreamer", msgspec.json.encode(setting).decode()]
    with subprocess.Popen(
        [*command, "--seed", str(first)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as dreamer:  # fmt: skip
        dreamer.stdout.readline()  # type: ignore[union-attr]
        done = MODES[mode](setting, seed)
        told, _ = dreamer.communicate()
        if dreamer.returncode:
            done.errors.append(f"the dreamer ended with {dreamer.returncode}")
    return done, told.split()


MODES = {"threads": by_threads, "processes": by_processes}


def measured(setting: Setting, mode: str, rounds: int, first: int) -> dict[str, object]:
    """All rounds of one mode: idle and busy in turn."""
    idle, busy = Read([], []), Read([], [])
    nights: list[str] = []
    for turn in range(rounds):
        idle.add(MODES[mode](setting, turn))
        done, ended = while_dreaming(setting, mode, turn, first + turn * setting.nights)
        busy.add(done)
        nights += ended
    return {
        "mode": mode, "readers": setting.readers, "nights": nights,
        "errors": idle.errors + busy.errors, "n_idle": len(idle.times), "n_busy": len(busy.times),
        "idle_p50": idle.at(0.5), "idle_p99": idle.at(0.99),
        "busy_p50": busy.at(0.5), "busy_p99": busy.at(0.99),
        "ratio_p99": busy.at(0.99) / idle.at(0.99),
    }  # fmt: skip


def main() -> None:
    """Measures each mode and prints it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--days", type=int, default=4)
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--nights", type=int, default=6, help="waiting days of each round")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mode", choices=[*MODES, "both"], default="both")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--reader", help=argparse.SUPPRESS)
    parser.add_argument("--dreamer", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.reader:
        return as_reader(msgspec.json.decode(given.reader, type=Setting), given.seed)
    if given.dreamer:
        return as_dreamer(msgspec.json.decode(given.dreamer, type=Setting), given.seed)
    modes = list(MODES) if given.mode == "both" else [given.mode]
    found = []
    for mode in modes:
        with tempfile.TemporaryDirectory() as home:
            setting = Setting(
                home, given.readers, given.days, given.events, given.seconds, given.nights,
                given.embedder,
            )  # fmt: skip
            for day in range(given.days + given.rounds * given.nights):
                take_in(setting, day)
            for day in range(given.days):
                sleep(setting, day)
            found.append(measured(setting, mode, given.rounds, given.days))
    report(found, setting, as_json=given.json)
    return None


def report(found: Sequence[dict[str, object]], setting: Setting, *, as_json: bool) -> None:
    """Prints what was measured."""
    about = {"cores": os.cpu_count(), "days": setting.days, "events_a_day": setting.events,
             "embedder": setting.embedder, "pause_seconds": PAUSE}  # fmt: skip
    if as_json:
        print(json.dumps({**about, "modes": found}, indent=1))
        return
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    for row in found:
        print(f"{row['readers']} {row['mode']}: {row['nights']} nights, {row['errors']} errors")
        for when in ("idle", "busy"):
            print(f"  {when}  n {row[f'n_{when}']:5}  p50 {row[f'{when}_p50']:8.2f} ms  "
                  f"p99 {row[f'{when}_p99']:8.2f} ms")  # fmt: skip
        print(f"  p99 while a dream is written: {row['ratio_p99']:.2f} x idle")


if __name__ == "__main__":
    main()
