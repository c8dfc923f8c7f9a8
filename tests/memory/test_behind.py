"""Work behind an answer's back: in order, bounded, and nothing is lost when it fails."""

import threading
from collections.abc import Sequence

from slowwave.errors import SlowwaveError, StoreBusy
from slowwave.memory.behind import MOST_WAITING, Behind


def test_first_all_that_was_left_then_piece_by_piece() -> None:
    done: list[Sequence[str] | None] = []
    behind = Behind(done.append)
    behind.note(["a"])
    assert behind.wait(10)
    assert done == [None]
    behind.note(["b"])
    behind.note(["c"])
    assert behind.wait(10)
    assert done == [None, ["b"], ["c"]]
    behind.close()


def test_note_returns_while_work_stands_still_and_the_queue_is_bounded() -> None:
    begun, gate, done = threading.Event(), threading.Event(), []  # type: ignore[var-annotated]

    def work(ids: Sequence[str] | None) -> None:
        begun.set()
        gate.wait(10)
        done.append(ids)

    behind = Behind(work)
    behind.note(["first"])
    assert begun.wait(10)
    for number in range(3 * MOST_WAITING):
        behind.note([str(number)])
    assert not behind.wait(0.01)
    gate.set()
    assert behind.wait(10)
    assert done[0] is None
    assert None in done[1:]
    assert len(done) <= MOST_WAITING + 2
    behind.close()


def test_a_failure_is_told_and_does_not_stop_the_next() -> None:
    done = []

    def work(ids: Sequence[str] | None) -> None:
        if ids is None:
            raise StoreBusy("the store is busy", "try again")
        done.append(ids)

    behind = Behind(work)
    behind.note(["a"])
    behind.wait(10)
    behind.note(["b"])
    behind.wait(10)
    assert done == [["b"]]
    assert (behind.failed, behind.trouble) == (1, "the store is busy")
    behind.close()


def test_closing_waits_for_the_piece_under_way_and_leaves_the_rest() -> None:
    begun, gate, done = threading.Event(), threading.Event(), []  # type: ignore[var-annotated]

    def work(ids: Sequence[str] | None) -> None:
        begun.set()
        gate.wait(10)
        done.append(ids)

    behind = Behind(work)
    behind.note(["a"])
    assert begun.wait(10)
    behind.note(["b"])
    closer = threading.Thread(target=behind.close)
    closer.start()
    gate.set()
    closer.join(10)
    assert not closer.is_alive()
    assert len(done) <= 2
    behind.note(["c"])
    assert behind.wait(10)
    assert ["c"] not in done


def test_closing_does_not_wait_for_work_that_is_away() -> None:
    begun, gate = threading.Event(), threading.Event()
    told: list[str] = []

    def work(_ids: Sequence[str] | None) -> None:
        try:
            with behind.away():
                begun.set()
                gate.wait(10)
                raise StoreBusy("the other side failed")
        except SlowwaveError as error:
            told.append(error.message)
            raise

    behind = Behind(work)
    behind.note(["a"])
    assert begun.wait(10)
    behind.close()  # returns although the work is not done
    assert told == []
    gate.set()
    assert behind.wait(10)
    assert told == ["the memory was closed"]
