"""What is written behind the answers' back: nobody waits, nothing acknowledged is lost."""

import os
import threading
from contextlib import nullcontext
from datetime import datetime
from typing import Any

import pytest

from slowwave.errors import DiskFull, StoreBusy
from slowwave.model import Injection, Signal
from slowwave.recall import recorder as recorder_module
from slowwave.recall.recorder import Recorder
from slowwave.recall.signals import Recalled

SPACE = "test"


class Recording:
    """A store of signals that can be held up, and that can fail."""

    def __init__(self) -> None:
        self.kept: list[Signal] = []
        self.free = threading.Event()
        self.free.set()
        self.full = False
        self.held = False
        self.tries = 0
        self.entries: list[str] = []

    def signals(self, _space: str, ids: Any = None) -> list[Signal]:
        return [one for one in self.kept if ids is None or one.memory_id in ids]

    def record_signals(self, _space: str, found: list[Signal], admit: Any = None) -> int:
        assert admit is None  # people ask
        self._stand()
        self.kept.extend(found)
        return len(found)

    def add_injection(self, _space: str, entry: Injection, days: int = 0) -> str:
        assert days == 90
        self._stand()
        self.entries.append(entry.id)
        return entry.id

    def within(self, _seconds: float) -> Any:
        return nullcontext()

    def _stand(self) -> None:
        assert self.free.wait(20)
        if self.full:
            raise DiskFull("no room")
        if self.held:
            self.tries += 1
            raise StoreBusy("somebody writes")


NOW = datetime.fromisoformat("2026-05-04T09:00:00+02:00")


def asked(number: int) -> Recalled:
    return Recalled(text=f"which shelf holds box {number}", ts=NOW, found=((f"m{number}", 0.9),))


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "signals"]


def test_nobody_waits_for_a_recall_to_be_counted() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.free.clear()
    for number in range(50):
        recorder.note(asked(number))
    assert store.kept == []
    store.free.set()
    recorder.close()
    assert [one.memory_id for one in store.kept] == [f"m{number}" for number in range(50)]
    assert recorder.lost == 0


def test_there_is_a_thread_only_while_something_waits() -> None:
    before = len(workers())
    recorder = Recorder(Recording(), SPACE)  # type: ignore[arg-type]
    recorder.flush()
    recorder.close()
    assert len(workers()) == before
    recorder.note(asked(1))
    recorder.flush()
    for thread in workers():
        thread.join(20)
    assert len(workers()) == 0


def test_several_threads_lose_nothing() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)

    def work(start: int) -> None:
        for number in range(start, start + 100):
            recorder.note(asked(number))
            if number % 10 == 0:
                recorder.flush()

    threads = [threading.Thread(target=work, args=(100 * place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.close()
    assert len(store.kept) == len({one.memory_id for one in store.kept}) == 600


def test_what_cannot_be_written_is_told_and_the_next_is_written() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.full = True
    recorder.note(asked(1))
    recorder.flush()
    store.full = False
    recorder.note(asked(2))
    recorder.close()
    assert (recorder.lost, recorder.trouble) == (1, "no room")
    assert [one.memory_id for one in store.kept] == ["m2"]


def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder_module, "MOST_WAITING", 3)
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.free.clear()
    recorder.note(asked(0))
    while recorder._waiting:
        threading.Event().wait(0.001)
    for number in range(1, 6):
        recorder.note(asked(number))
    store.free.set()
    recorder.close()
    assert recorder.lost == 2
    assert len(store.kept) == 4


def test_a_child_of_a_fork_leaves_its_parents_recalls_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    # As the child finds it: something waits, for a thread that only the parent has.
    recorder._waiting.append(recorder_module._Noted(asked(1)))
    recorder._at_work = True
    monkeypatch.setattr(os, "getpid", lambda: -1)
    recorder.flush()
    recorder.note(asked(2))
    recorder.close()
    assert [one.memory_id for one in store.kept] == ["m2"]


def test_without_threads_it_is_counted_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        recorder.note(asked(1))
        assert store.kept == []
        recorder.close()
    assert [one.memory_id for one in store.kept] == ["m1"]


def entry(number: int) -> Injection:
    return Injection(id=f"i{number}", ts=NOW, query="which shelf")


def tried(store: Any, times: int) -> None:
    """Returns once so many attempts were made in vain."""
    start = store.tries
    while store.tries < start + times:
        threading.Event().wait(0.001)


def test_an_entry_that_was_written_is_acknowledged() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    recorder.note(asked(1))
    assert recorder.keep(entry(1), 90, wait=20)
    assert store.entries == ["i1"]
    recorder.close()
    assert len(store.kept) == 1


def test_an_entry_that_must_wait_is_not_acknowledged_and_written_later() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.held = True
    assert not recorder.keep(entry(1), 90, wait=0.0)
    recorder.note(asked(1))
    assert not recorder.keep(entry(2), 90, wait=600)  # the first waited in vain: this one does not
    tried(store, 3)
    assert store.entries == []
    store.held = False
    recorder.keep(entry(3), 90, wait=0.0)
    assert recorder.flush(20)
    recorder.close(20)
    assert sorted(store.entries) == ["i1", "i2", "i3"]
    assert len(store.kept) == 1
    assert (recorder.lost, recorder.unkept) == (0, 0)


def test_once_it_was_written_the_next_waits_again() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.held = True
    assert not recorder.keep(entry(1), 90, wait=0.0)
    store.held = False
    while not store.entries:
        threading.Event().wait(0.001)
    assert recorder.keep(entry(2), 90, wait=20)
    recorder.close()


def test_closing_gives_up_after_one_more_attempt_and_tells_what_is_lost() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.held = True
    recorder.keep(entry(1), 90, wait=0.0)
    recorder.note(asked(1))
    recorder.note(asked(2))
    recorder.close(600)
    assert store.tries >= 1
    assert (recorder.lost, recorder.unkept) == (2, 1)
    assert "too long" in recorder.trouble
    assert recorder._at_work is False


def test_what_a_full_disk_refuses_is_not_waited_for() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.full = True
    assert not recorder.keep(entry(1), 90, wait=600)
    recorder.close()
    assert (recorder.unkept, recorder.trouble) == (1, "no room")


def test_without_threads_an_entry_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        assert recorder.keep(entry(1), 90, wait=1)
        store.held = True
        assert not recorder.keep(entry(2), 90, wait=0.0)
        store.held = False
        recorder.close()
    assert store.entries == ["i1", "i2"]
