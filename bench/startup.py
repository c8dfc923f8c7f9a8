"""What starting costs: CPU seconds of `--help` and of a cold `recall` on a home of 5,000 events.

    python bench/startup.py [events]

CPU seconds (user + system, of the child process), best and median of seven runs, beside a bare
`python -c pass` in the same run. Budgets (quality.md): --help 0.15 s, cold recall 0.45 s. Our
modules are compiled first, as an installation does it (and `make`): without, each start compiles
them anew, which takes half as much again. The home is indexed and not dreamed, and each event gets
a random vector of the default embedder's: a search costs the same, and nothing is measured about
quality here.
"""

import compileall
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import slowwave
from slowwave.wiring import Options, open_memory

RUNS = 7
DAYS = 9
DIMENSIONS = 384
PLACES = ("Lisbon", "泉州", "Ghent", "Turku", "苏州", "Graz", "Leeds", "厦门")
THINGS = (
    "ordered clay",
    "repaired the kiln",
    "called the bank",
    "写了周报",
    "订了机票",
    "read a paper",
)


def cpu_of(command: Sequence[str]) -> float:
    """User and system CPU seconds of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(name: str, command: Sequence[str], bare: float) -> float:
    """Prints one row and returns the median."""
    times = sorted(cpu_of(command) for _ in range(RUNS))
    middle = statistics.median(times)
    ratio = f"{middle / bare:5.1f} x" if bare else "    –  "
    print(f"{name:<34}  best {times[0]:.3f} s  median {middle:.3f} s  {ratio} bare python")
    return middle


def make_home(folder: Path, events: int) -> list[str]:
    """A home with so many events, indexed and embedded; returns the command that opens it."""
    log = folder / "events.jsonl"
    with log.open("w", encoding="utf-8") as stream:
        for number in range(events):
            row = {
                "ref": f"n{number}",
                "ts": f"2026-05-{number * DAYS // events + 1:02d}T{number % 24:02d}:10:00Z",
                "session": f"s{number // 20}",
                "text": f"On trip {number} I {THINGS[number % 6]} in {PLACES[number % 8]}.",
            }
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    command = [sys.executable, "-m", "slowwave", "--home", str(folder / "home")]
    wordy = os.environ | {"SLOWWAVE_EMBEDDER": "none"}
    for step in (["import", str(log)], ["recall", "kiln"]):
        subprocess.run([*command, *step], check=True, stdout=subprocess.DEVNULL, env=wordy)
    give_vectors(folder / "home")
    return command


def give_vectors(home: Path) -> None:
    """Random vectors for all events of a home."""
    dice = random.Random(1)
    with closing(open_memory(Options(home=str(home)))) as memory:
        store, embedder = memory.parts.store, memory.parts.embedder()
        if embedder is None:
            return
        waiting = store.unembedded(memory.space, "event", embedder.name, 10**9)
        given = [(item.id, dice.randbytes(DIMENSIONS)) for item in waiting]
        store.put_vectors(memory.space, "event", embedder.name, given)


def main() -> None:
    """Measures and prints."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    print(f"n = {RUNS} runs each, {os.cpu_count()} cores, home of {events} events")
    compileall.compile_dir(Path(slowwave.__file__).parent, quiet=1)
    bare = measure("python -c pass", [sys.executable, "-c", "pass"], 0.0)
    measure("slowwave --help", [sys.executable, "-m", "slowwave", "--help"], bare)
    with tempfile.TemporaryDirectory() as folder:
        command = make_home(Path(folder), events)
        ask = [*command, "recall", "where did I repair the kiln"]
        measure(f"slowwave recall, {events} events", ask, bare)


if __name__ == "__main__":
    main()
