"""The frame of work behind an answer's back: one thread, while there is something to do."""

import atexit
import os
import threading
from collections import deque
from typing import Any

import pytest

from slowwave.worker import Worker


class Counting(Worker[int]):
    """Adds up what it is given."""

    name = "counting"

    def _renew(self) -> None:
        super()._renew()
        self.waiting: deque[int] = deque()
        self.done: list[int] = []
        self.gate = threading.Event()
        self.gate.set()
        self.closed = 0

    def give(self, number: int) -> None:
        self._here()
        with self._changed:
            self.waiting.append(number)
            self._set_to_work()

    def finish(self) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._at_work, 20)

    def close(self) -> None:
        self.closed += 1
        self._unhook()

    def _next(self) -> int | None:
        return self.waiting.popleft() if self.waiting else None

    def _do(self, piece: int, deadline: float | None) -> bool:
        assert deadline is None
        assert self.gate.wait(20)
        if piece < 0:
            raise ValueError(piece)
        self.done.append(piece)
        return piece != 13


def threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "counting"]


def test_a_thread_is_there_as_long_as_there_is_work() -> None:
    worker = Counting()
    assert threads() == []
    worker.gate.clear()
    for number in range(3):
        worker.give(number)
    assert len(threads()) == 1
    worker.gate.set()
    assert worker.finish()
    worker.give(3)
    assert worker.finish()
    assert worker.done == [0, 1, 2, 3]
    worker.close()


def test_one_that_stopped_goes_on_with_the_next() -> None:
    worker = Counting()
    worker.gate.clear()
    worker.give(13)
    worker.give(1)
    worker.gate.set()
    assert worker.finish()
    assert worker.done == [13]
    worker.give(2)
    assert worker.finish()
    assert worker.done == [13, 1, 2]
    worker.close()


def test_one_that_broke_is_not_at_work_any_more() -> None:
    worker = Counting()
    worker.waiting.extend([1, -1, 2])
    worker._at_work = True
    with pytest.raises(ValueError, match="-1"):
        worker._run()
    assert worker.finish()
    worker.give(3)
    assert worker.finish()
    assert worker.done == [1, 2, 3]
    worker.close()


def test_the_child_of_a_fork_starts_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Counting()
    worker.waiting.append(1)
    worker._at_work = True  # for a thread that only the parent has
    monkeypatch.setattr(os, "getpid", lambda: -1)
    worker.give(2)
    assert worker.finish()
    assert worker.done == [2]


def test_without_threads_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    worker = Counting()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        worker.give(1)
    assert worker.done == []
    worker.give(2)
    assert worker.finish()
    assert worker.done == [1, 2]


def test_it_is_closed_at_the_exit_unless_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks: list[Any] = []
    monkeypatch.setattr(atexit, "register", hooks.append)
    monkeypatch.setattr(atexit, "unregister", hooks.remove)
    worker = Counting()
    assert hooks == []
    worker.give(1)
    worker.give(2)
    assert hooks == [worker.close]
    worker.finish()
    worker.close()
    assert hooks == []
    worker.close()
