"""Several processes at once, and processes that are killed: nothing acknowledged is lost."""

import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.testing.samples import event

APPEND = """
import sys
from contextlib import closing
from pathlib import Path
from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.testing.samples import event
name, count = sys.argv[2], int(sys.argv[3])
with closing(SqliteStore(Path(sys.argv[1]))) as store:
    for n in range(count):
        store.append([event(f"{name} pot {n}")])
"""

# Two threads that log and one that dreams. What has returned is printed, and only that.
BUSY = """
import itertools, json, os, sys, threading
from pathlib import Path
from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.testing.samples import MORNING, add, dream, event, quoting, words
store, life = SqliteStore(Path(sys.argv[1])), sys.argv[2]

def say(kind, ids):
    os.write(1, (json.dumps([kind, ids]) + "\\n").encode())

def log(name):
    for n in itertools.count():
        kept = store.append([event(f"{life} {name} {n} part {part}") for part in range(3)]).stored
        say("event", [found.id for found in kept])

def night():
    for n in itertools.count():
        kept = store.append([event(f"{life} told {n} {part}") for part in range(3)]).stored
        store.index_events("alder", [words(found.id, "told pot") for found in kept])
        store.put_vectors("alder", "event", "e", [(found.id, b"\\x05\\x07") for found in kept])
        told = [quoting(found, id=f"me-{life}-{n}-{found.seq}") for found in kept]
        dream_id = f"dr-{life}-{n}"
        plan = dream(*map(add, told), dream_id=dream_id, event_ids=tuple(e.id for e in kept))
        store.commit(plan, [words(one.id, "told") for one in told], MORNING)
        say("dream", [dream_id])

for work, arguments in ((log, ("a",)), (log, ("b",)), (night, ())):
    threading.Thread(target=work, args=arguments).start()
"""


def append_at_once(file: Path, processes: int, count: int) -> None:
    children = [
        subprocess.Popen([sys.executable, "-c", APPEND, str(file), f"potter {n}", str(count)])
        for n in range(processes)
    ]
    assert [child.wait(timeout=120) for child in children] == [0] * processes


def live_and_die(file: Path, life: int, lines: int) -> list[tuple[str, list[str]]]:
    """Kills a busy process after it has acknowledged so many things; returns all of these."""
    child = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(file), f"life{life}"], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    said = [child.stdout.readline() for _ in range(lines)]
    time.sleep(life % 7 * 0.001)  # not always right after a commit
    child.kill()
    said += child.stdout.readlines()
    child.stdout.close()
    child.wait()
    whole = [line for line in said if line.endswith(b"\n")]
    return [tuple(json.loads(line)) for line in whole]


def kill_often(file: Path, times: int) -> None:
    known: dict[str, set[str]] = {"event": set(), "dream": set()}
    for life in range(times):
        for kind, ids in live_and_die(file, life, 20 + 13 * (life % 5)):
            known[kind].update(ids)
        with closing(SqliteStore(file)) as store:
            assert store.check() == []
            events = store.events_after("alder", 0, 10**9)
            assert known["event"] <= {found.id for found in events}
            dreams = {found.dream_id for found in store.dreams("alder")}
            assert known["dream"] <= dreams
            # Batches and commits are whole or not there at all.
            assert len(events) % 3 == 0
            assert len(store.memories("alder")) == 3 * len(dreams)
            read = len(events) - len(store.undreamed("alder", None, None))
            assert read == 3 * len(dreams)
            assert store.append([event(f"life goes on {life} {n}") for n in range(3)]).stored
    assert known["event"]
    assert known["dream"]


def test_processes_that_write_at_once_lose_nothing(file: Path) -> None:
    append_at_once(file, 4, 250)
    with closing(SqliteStore(file)) as store:
        kept = store.events_after("alder", 0, 2000)
        assert len({found.text for found in kept}) == len(kept) == 1000
        assert store.check() == []


def test_a_killed_process_loses_nothing_it_acknowledged(file: Path) -> None:
    kill_often(file, 5)


@pytest.mark.slow
def test_a_process_killed_fifty_times_loses_nothing_it_acknowledged(file: Path) -> None:
    kill_often(file, 50)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"
