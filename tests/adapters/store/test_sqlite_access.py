"""Reading goes on whatever the disk and other processes do; writing says at once what is amiss."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from slowwave.adapters.store.sqlite import SqliteStore, connection
from slowwave.adapters.store.sqlite.migrate import CURRENT
from slowwave.errors import DiskFull, NewerHome, StoreBusy, StoreError
from slowwave.model import InjectedItem, Injection, Signal
from slowwave.recall.signals import Recalled, record
from slowwave.testing.contract_recalls import judging
from slowwave.testing.samples import MORNING, add, dream, event, memory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        store.append([event("the kiln is warm")])
    return path


@pytest.fixture
def patient(file: Path) -> Iterator[SqliteStore]:
    """A store that would wait for ten minutes."""
    with closing(SqliteStore(file, busy_seconds=600)) as store:
        yield store


@pytest.fixture
def other(file: Path) -> Iterator[apsw.Connection]:
    """Another process that writes on and on."""
    with closing(apsw.Connection(str(file))) as opened:
        opened.execute("BEGIN IMMEDIATE")
        yield opened
        if opened.in_transaction:
            opened.execute("ROLLBACK")


def said(store: SqliteStore) -> list[str]:
    return [one.text for one in store.events_after("alder", 0, 99)]


def test_who_may_not_wait_does_not(patient: SqliteStore, other: apsw.Connection) -> None:
    with patient.within(0.0):
        for _ in range(3):
            with pytest.raises(StoreBusy):
                patient.append([event("refused")])
        assert said(patient) == ["the kiln is warm"]
    assert other.in_transaction  # all that was while the other wrote
    other.execute("COMMIT")
    with patient.within(0.0):
        patient.append([event("taken")])
    assert said(patient) == ["the kiln is warm", "taken"]


def test_the_time_to_wait_is_one_for_all_that_is_written_within(
    patient: SqliteStore, other: apsw.Connection
) -> None:
    with patient.within(500.0):
        with patient.within(0.06):
            assert patient._wait() == 0.06
            with patient.within(30.0):
                with pytest.raises(StoreBusy):
                    patient.append([event("refused")])
                assert patient._wait() == 0.0
            assert patient._wait() == 0.0
        assert 0 < patient._wait() < 500.0
    assert patient._wait() == 600
    del other


def test_only_the_thread_that_says_so_is_in_a_hurry(
    patient: SqliteStore, other: apsw.Connection
) -> None:
    kept = threading.Thread(target=patient.append, args=([event("patient")],))
    with patient.within(0.0):
        kept.start()
        # Also one that stands in the queue behind somebody patient goes.
        with pytest.raises(StoreBusy):
            patient.append([event("refused")])
    other.execute("COMMIT")
    kept.join(60)
    assert said(patient) == ["the kiln is warm", "patient"]


def test_who_is_stopped_while_he_waits_leaves_nothing_behind(
    patient: SqliteStore, other: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []
    sleep = time.sleep

    def nap(seconds: float) -> None:
        """The user stops it once it waits for the lock."""
        if not naps:
            os.kill(os.getpid(), signal.SIGINT)
        naps.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", nap)
    with pytest.raises(KeyboardInterrupt):
        patient.append([event("given up")])
    patient._writer.close()  # does not wait for the other, who writes still
    assert other.in_transaction
    assert said(patient) == ["the kiln is warm"]


# --- where nothing can be written -----------------------------------------------------------------


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A disk on which the files beside the file cannot be made, until the list is empty."""
    real, standing = connection.connect, [True]

    def connect(path: Path, patience: Any) -> apsw.Connection:
        if standing:
            raise apsw.IOError("disk I/O error")
        return real(path, patience)

    monkeypatch.setattr(connection, "connect", connect)
    from slowwave.adapters.store.sqlite import writer

    monkeypatch.setattr(writer, "connect", connect)
    return standing


def test_a_file_is_read_where_nothing_can_be_written(file: Path, full: list[bool]) -> None:
    assert not connection.log_of(file).exists()
    with closing(SqliteStore(file)) as store:
        assert said(store) == ["the kiln is warm"]
        assert store.check() == []
        assert store.counts("alder").events == 1
        assert "cannot write" in store.trouble
        with pytest.raises(DiskFull) as refused:
            store.append([event("no room")])
        assert refused.value.hint
        full.clear()
        store.append([event("room")])
        assert said(store) == ["the kiln is warm", "room"]
        assert store.trouble == ""


def test_what_is_in_the_log_still_is_read_as_well(file: Path, full: list[bool]) -> None:
    full.clear()
    with closing(SqliteStore(file)) as store:
        store.append([event("committed last")])
        log = connection.log_of(file).read_bytes()
        lies = file.read_bytes()
    # As a crash leaves it: the log is not in the file yet.
    file.write_bytes(lies)
    connection.log_of(file).write_bytes(log)
    full.append(True)
    with closing(SqliteStore(file)) as store:
        assert said(store) == ["the kiln is warm", "committed last"]
        assert not file.with_name(file.name + "-shm").exists()
    assert connection.log_of(file).read_bytes() == log


def test_what_another_writes_later_is_seen(file: Path, full: list[bool]) -> None:
    with closing(SqliteStore(file)) as store:
        assert said(store) == ["the kiln is warm"]
        full.clear()
        with closing(SqliteStore(file)) as another:
            another.append([event("by another")])
        full.append(True)
        assert said(store) == ["the kiln is warm", "by another"]
        assert store.trouble


@pytest.mark.parametrize(
    ("version", "error"), [(CURRENT - 1, DiskFull), (CURRENT + 1, NewerHome), (CURRENT, StoreError)]
)
def test_a_file_that_must_be_changed_first_is_refused(
    file: Path, full: list[bool], version: int, error: type[StoreError]
) -> None:
    with closing(apsw.Connection(str(file))) as opened:
        opened.execute(f"PRAGMA user_version = {version}")
        if version == CURRENT:
            opened.execute("PRAGMA application_id = 7")
    with pytest.raises(error):
        SqliteStore(file)
    assert full


def test_an_empty_file_on_a_full_disk_is_no_memory(tmp_path: Path, full: list[bool]) -> None:
    with pytest.raises(DiskFull):
        SqliteStore(tmp_path / "new.db")
    assert full


def test_a_write_protected_file_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = connection.connect

    def connect(path: Path, patience: Any) -> apsw.Connection:
        real(path, patience).close()
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)

    monkeypatch.setattr(connection, "connect", connect)
    with closing(SqliteStore(file)) as store:
        assert said(store) == ["the kiln is warm"]
        assert "write-protected" in store.trouble


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="no disks to ask there")
def test_a_full_disk_is_called_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "I/O" in connection.reason(file, apsw.IOError("disk I/O error"))
    nothing = shutil.disk_usage(file)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: nothing)
    assert "no room" in connection.reason(file, apsw.IOError("disk I/O error"))


# --- several at once ------------------------------------------------------------------------------


def at_once(works: list[Any]) -> None:
    """Runs all of these, each in a thread of its own, from one moment on."""
    ready = threading.Barrier(len(works))

    def run(work: Any) -> None:
        ready.wait(60)
        work()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)


def test_verdicts_given_at_once_are_all_kept(file: Path) -> None:
    items = tuple(InjectedItem(id=f"me{number}", score=0.5) for number in range(8))
    stores = [SqliteStore(file) for _ in items]
    stores[0].record_injection("alder", Injection(id="in1", ts=MORNING, query="q", items=items))

    def judge(store: SqliteStore, item_id: str) -> Any:
        return lambda: store.amend_injections("alder", ["in1"], judging(item_id, "wrong"))

    at_once([judge(store, item.id) for store, item in zip(stores, items, strict=True)])
    assert {one.verdict for one in stores[0].injections("alder")[0].items} == {"wrong"}
    for store in stores:
        store.close()


def test_an_agent_that_asks_through_many_processes_is_counted_once(file: Path) -> None:
    stores = [SqliteStore(file) for _ in range(8)]
    stores[0].commit(dream(add(memory("Sieve the glaze", id="me1"))), [], MORNING)
    asked = [
        Recalled(
            text=f"what of the glaze, number {number}", ts=MORNING, found=(("me1", 0.9),),
            session="talk", caller="agent",
        )
        for number in range(8)
    ]  # fmt: skip

    def ask(store: SqliteStore, one: Recalled) -> Any:
        return lambda: record(store, "alder", [one])

    at_once([ask(store, one) for store, one in zip(stores, asked, strict=True)])
    found: list[Signal] = stores[0].signals("alder")
    assert len(found) == stores[0].memories("alder")[0].access_count == 1
    for store in stores:
        store.close()
