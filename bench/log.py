"""How fast `log` is through the front door, and that nothing is lost.

    python bench/log.py [calls per process]

16 threads call `memory.log` with one event each, durable when it returns; the baseline is one
thread doing the same. Then four processes run `slowwave log` at once, so many calls each. Every
acknowledged event is looked for in the journal afterwards.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import slowwave
from slowwave import Record, SlowMemory

THREADS, EACH, ALONE, PROCESSES = 16, 1000, 500, 4


def one(memory: SlowMemory, number: int) -> str:
    """Logs one event and returns its id."""
    text = (
        f"Event {number}: the courier left parcel {number * 7 % 1000} at the side door, 放在门口了"
    )
    taken = memory.log([Record(text=text, source="bench", key=str(number))])
    return taken.ids[0].id


def rate(memory: SlowMemory, threads: int, total: int, first: int) -> tuple[float, set[str]]:
    """Events per second of so many threads, and the ids they were given."""
    found: list[list[str]] = [[] for _ in range(threads)]

    def work(mine: int) -> None:
        found[mine] = [
            one(memory, number) for number in range(first + mine, first + total, threads)
        ]

    running = [threading.Thread(target=work, args=(mine,)) for mine in range(threads)]
    began = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return total / (time.perf_counter() - began), {event for ids in found for event in ids}


def in_process(folder: Path) -> None:
    """One thread, then sixteen."""
    memory = slowwave.open(str(folder))
    alone, first = rate(memory, 1, ALONE, 0)
    together, second = rate(memory, THREADS, THREADS * EACH, ALONE)
    acknowledged = first | second
    kept = {event.id for event in memory.events_since(0)}
    memory.close()
    print(f"1 thread    n={ALONE:<6} {alone:9,.0f} events/s   1.0 x")
    ratio = together / alone
    print(f"{THREADS} threads  n={THREADS * EACH:<6} {together:9,.0f} events/s  {ratio:4.1f} x")
    print(f"acknowledged {len(acknowledged)}, lost {len(acknowledged - kept)}")


def across_processes(folder: Path, calls: int) -> None:
    """Four shells, each running `slowwave log` again and again."""
    loop = (
        "import subprocess, sys\n"
        "bad = 0\n"
        f"for number in range({calls}):\n"
        "    done = subprocess.run([sys.executable, '-m', 'slowwave', 'log', f'caller {sys.argv[1]}"
        " call {number}'], capture_output=True)\n"
        "    bad += done.returncode != 0\n"
        "sys.exit(bad)\n"
    )
    environment = {**os.environ, "SLOWWAVE_HOME": str(folder)}
    running = [
        subprocess.Popen([sys.executable, "-c", loop, str(number)], env=environment)
        for number in range(PROCESSES)
    ]
    failed = sum(process.wait() for process in running)
    memory = slowwave.open(str(folder))
    kept = sum(1 for _ in memory.events_since(0))
    memory.close()
    print(
        f"{PROCESSES} processes x {calls} calls of `slowwave log`: {kept} events, {failed} failed"
    )


def main() -> None:
    """Measures and prints."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    print(f"{os.cpu_count()} cores, synchronous=FULL, secrets masked, identity checked")
    with tempfile.TemporaryDirectory() as folder:
        in_process(Path(folder) / "threads")
        across_processes(Path(folder) / "processes", calls)


if __name__ == "__main__":
    main()
