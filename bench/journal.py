"""What durable logging costs: group commit beside a connection per call, and several processes.

    python bench/journal.py [events]

Each event is one call that returns after its COMMIT reached the disk (WAL, synchronous=FULL). The
baseline does what a simple program does: each call opens the file, writes in a transaction of its
own and closes. All runs of one table use the same disk, so read the ratios.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.model import Event
from slowwave.testing.samples import event

THREADS = 16
PROCESSES = 4
DEFAULT_EVENTS = 8_000

CHILD = """
import sys
from contextlib import closing
from pathlib import Path
from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.testing.samples import event
file, name, count = sys.argv[1:]
events = [event(f"{name}: remark {n} about the kiln") for n in range(int(count))]
with closing(SqliteStore(Path(file))) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for one in events:
        store.append([one])
"""


def from_threads(log: Callable[[Event], object], events: list[Event]) -> float:
    """Seconds until sixteen threads have logged all events, one a call."""
    threads = [
        threading.Thread(target=lambda share=events[k::THREADS]: [log(one) for one in share])
        for k in range(THREADS)
    ]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def log_plainly(file: Path, one: Event) -> None:
    """The baseline: a connection and a transaction for each call."""
    with closing(apsw.Connection(str(file))) as connection:
        connection.set_busy_timeout(60_000)
        connection.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?)",
            (one.id, one.space, one.ts.isoformat(), one.text),
        )
        connection.execute("COMMIT")


def from_processes(file: Path, count: int) -> float:
    """Seconds until four processes have logged so many events together, one a call."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(file), f"process {n}", str(count // PROCESSES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for n in range(PROCESSES)
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    start = time.perf_counter()
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"go\n")
        child.stdin.flush()
    for child in children:
        assert child.wait() == 0
    return time.perf_counter() - start


def row(name: str, count: int, seconds: float, base: float) -> float:
    """Prints one line; returns events per second."""
    rate = count / seconds
    ratio = f"{rate / base:6.1f} x" if base else "   1.0 x"
    print(f"{name:<52}  n={count:<6}  {rate:9,.0f} events/s  {ratio}")
    return rate


def main(count: int) -> None:
    """Prints the table."""
    events = [event(f"remark {n} about the kiln") for n in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.db"
        with closing(apsw.Connection(str(plain))) as connection:
            list(connection.execute("PRAGMA journal_mode = WAL"))
            connection.execute("CREATE TABLE events (id PRIMARY KEY, space, ts, text)")
        few = events[: max(THREADS, count // 10)]
        seconds = from_threads(lambda one: log_plainly(plain, one), few)
        base = row(f"{THREADS} threads, a connection per call", len(few), seconds, 0)

        with closing(SqliteStore(Path(folder) / "threads.db")) as store:
            seconds = from_threads(lambda one: store.append([one]), events)
            assert store.counts("alder").events == count
        row(f"{THREADS} threads, group commit", count, seconds, base)

        with closing(SqliteStore(Path(folder) / "batch.db")) as store:
            start = time.perf_counter()
            store.append(events)
            seconds = time.perf_counter() - start
        row("1 thread, one call with all events", count, seconds, base)

        file = Path(folder) / "processes.db"
        share = count // 4 // PROCESSES * PROCESSES
        seconds = from_processes(file, share)
        with closing(SqliteStore(file)) as store:
            assert store.counts("alder").events == share
        row(f"{PROCESSES} processes, one file, one event a call", share, seconds, base)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_EVENTS)
