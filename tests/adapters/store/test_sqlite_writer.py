"""Group commit: together, durable, and no job pays for another's failure."""

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.adapters.store.sqlite.writer import Writer
from slowwave.errors import StoreError

Work = Callable[[apsw.Connection], Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.db"
    with closing(apsw.Connection(str(path))) as connection:
        list(connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE pots (name PRIMARY KEY)"))
    return path


def pots(file: Path) -> list[str]:
    with closing(apsw.Connection(str(file))) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM pots ORDER BY name")]


def throw(name: str) -> Work:
    return lambda connection: connection.execute("INSERT INTO pots VALUES (?)", (name,))


def run_together(writer: Writer, works: dict[str, Work]) -> dict[str, BaseException | None]:
    """Hands all in while the writer is held up, so that they land in one group."""
    held, go = threading.Event(), threading.Event()

    def hold(_connection: apsw.Connection) -> None:
        held.set()
        go.wait(10)

    outcomes: dict[str, BaseException | None] = {}

    def run(name: str, work: Work) -> None:
        try:
            writer.run(work)
            outcomes[name] = None
        except (apsw.Error, ValueError) as error:
            outcomes[name] = error

    threads = [threading.Thread(target=writer.run, args=(hold,))]
    threads[0].start()
    held.wait(10)
    threads += [threading.Thread(target=run, args=item) for item in works.items()]
    for thread in threads[1:]:
        thread.start()
    while writer._jobs.qsize() < len(works):
        pass
    go.set()
    for thread in threads:
        thread.join()
    return outcomes


def test_the_result_of_the_work_is_returned_and_durable(file: Path) -> None:
    with closing(Writer(file, 5)) as writer:
        assert writer.run(lambda _: 7) == 7
        writer.run(throw("bowl"))
        assert pots(file) == ["bowl"]


def test_jobs_that_wait_together_are_committed_together(file: Path) -> None:
    with closing(Writer(file, 5)) as writer:
        commits: list[int] = []
        writer.run(lambda c: c.set_commit_hook(lambda: bool(commits.append(1))))
        commits.clear()
        outcomes = run_together(writer, {f"pot{n:02}": throw(f"pot{n:02}") for n in range(30)})
        assert set(outcomes.values()) == {None}
        assert len(commits) == 1
    assert len(pots(file)) == 30


def test_a_job_that_fails_fails_alone(file: Path) -> None:
    def half(connection: apsw.Connection) -> None:
        throw("half")(connection)
        raise ValueError("changed its mind")

    with closing(Writer(file, 5)) as writer:
        works = {"a": throw("a"), "half": half, "b": throw("b"), "again": throw("b")}
        outcomes = run_together(writer, works)
    failed = {name for name, error in outcomes.items() if error}
    assert isinstance(outcomes["half"], ValueError)
    assert len(failed & {"b", "again"}) == 1
    assert pots(file) == ["a", "b"]


def test_a_lost_transaction_takes_only_the_job_that_lost_it(file: Path) -> None:
    def lose(connection: apsw.Connection) -> None:
        throw("lost")(connection)
        connection.execute("ROLLBACK")

    with closing(Writer(file, 5)) as writer:
        outcomes = run_together(writer, {"a": throw("a"), "lose": lose, "b": throw("b")})
        assert {name for name, error in outcomes.items() if error} == {"lose"}
        assert pots(file) == ["a", "b"]
        writer.run(throw("c"))
    assert pots(file) == ["a", "b", "c"]


def test_a_full_file_fails_the_large_job_and_keeps_the_small_ones(file: Path) -> None:
    def huge(connection: apsw.Connection) -> None:
        connection.execute("INSERT INTO pots VALUES (zeroblob(9000000))")

    with closing(Writer(file, 5)) as writer:
        writer.run(lambda c: c.execute("PRAGMA max_page_count = 50"))
        outcomes = run_together(writer, {"a": throw("a"), "huge": huge, "b": throw("b")})
        assert isinstance(outcomes["huge"], apsw.FullError)
        assert (outcomes["a"], outcomes["b"]) == (None, None)
    assert pots(file) == ["a", "b"]


def test_a_busy_file_fails_after_the_wait_and_all_who_wait_fail_with_it(file: Path) -> None:
    with closing(Writer(file, 0.2)) as writer, closing(connect(file, Patience(5))) as other:
        writer.run(lambda _: None)
        other.execute("BEGIN IMMEDIATE")
        outcomes: list[BaseException] = []

        def run(name: str) -> None:
            with pytest.raises(apsw.BusyError) as refused:
                writer.run(throw(name))
            outcomes.append(refused.value)

        threads = [threading.Thread(target=run, args=(f"pot{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(outcomes) == 8
        other.execute("COMMIT")
        writer.run(throw("late"))
    assert pots(file) == ["late"]


def test_closing_waits_for_the_queue_and_refuses_what_comes_later(file: Path) -> None:
    writer = Writer(file, 5)
    outcomes = run_together(writer, {f"pot{n}": throw(f"pot{n}") for n in range(5)})
    writer.close()
    writer.close()
    assert len(outcomes) == len(pots(file)) == 5
    with pytest.raises(StoreError, match="closed"):
        writer.run(throw("late"))


def test_a_file_that_cannot_be_opened_is_said_to_the_caller(tmp_path: Path) -> None:
    with closing(Writer(tmp_path / "nowhere" / "x.db", 1)) as writer:
        with pytest.raises(apsw.CantOpenError):
            writer.run(throw("a"))
        with pytest.raises(apsw.CantOpenError):
            writer.run(throw("b"))
