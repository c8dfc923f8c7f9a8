"""`recall` and `context` answer from what can be read, whatever the disk and others do."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from slowwave.memory import SlowMemory, base
from slowwave.model import Record

ASKED = "where is the spare key of the boathouse kept"


@pytest.fixture
def memory(open_at: Any, monkeypatch: pytest.MonkeyPatch) -> SlowMemory:
    """Words only, indexed; it waits for others as shortly as it can."""
    for name in ("INDEX_WAIT", "LEDGER_WAIT", "CLOSE_WAIT"):
        monkeypatch.setattr(base, name, 0.0)
    opened: SlowMemory = open_at()
    opened.log(
        [Record(text="the spare key of the boathouse hangs behind the barometer", source="me")]
    )
    assert opened.recall(opened.query("barometer"), signal=False)
    return opened


@pytest.fixture
def other(memory: SlowMemory) -> Iterator[apsw.Connection]:
    """Another process that writes on and on."""
    file = Path(memory.parts.home) / "slowwave.db"
    with closing(apsw.Connection(str(file))) as opened:
        opened.execute("BEGIN IMMEDIATE")
        yield opened
        if opened.in_transaction:
            opened.execute("ROLLBACK")


def test_a_prompt_gets_its_block_while_another_writes(
    memory: SlowMemory, other: apsw.Connection
) -> None:
    first, second = memory.context(ASKED, 600, "s1"), memory.context(ASKED, 600, "s2")
    assert "barometer" in first.text
    assert second.text == first.text
    assert first.ledger_id == second.ledger_id == ""  # nothing is acknowledged yet
    assert memory.injections() == []
    assert other.in_transaction
    other.execute("COMMIT")
    memory.flush()
    # It was written once the other was done, and the next one is acknowledged again.
    assert {one.session for one in memory.injections()} == {"s1", "s2"}
    third = memory.context("barometer", 600, "s3")
    memory.flush()
    assert memory.injection("last").session == "s3"
    assert third.ledger_id in {"", memory.injection("last").id}
    assert memory.remarks == ()


def test_an_acknowledged_entry_is_found(
    memory: SlowMemory, open_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "LEDGER_WAIT", 60.0)
    given = memory.context(ASKED, 600, "s1")
    assert given.ledger_id
    with closing(open_at()) as another:
        assert another.injection(given.ledger_id).session == "s1"


def test_what_was_not_written_by_the_end_is_told(
    memory: SlowMemory, other: apsw.Connection
) -> None:
    assert memory.recall(memory.query(ASKED)) != []
    assert memory.context(ASKED, 600).ledger_id == ""
    memory.close()
    assert other.in_transaction
    assert "ledger entry could not be written" in "".join(memory.remarks)


def test_what_came_in_last_waits_for_its_index(memory: SlowMemory, other: apsw.Connection) -> None:
    other.execute("COMMIT")
    memory.log([Record(text="the rowing club meets on Fridays at six", source="me")])
    other.execute("BEGIN IMMEDIATE")
    found = memory.recall(memory.query("barometer"), signal=False)
    assert [hit.text[:13] for hit in found] == ["the spare key"]
    assert memory.recall(memory.query("rowing club"), signal=False) == []
    assert any("not indexed yet" in remark for remark in memory.remarks)
    other.execute("COMMIT")
    while not memory.recall(memory.query("rowing club"), signal=False):
        pass  # one try is short: a loaded machine may need another
    assert memory.remarks == ()


def test_on_trial_as_well(memory: SlowMemory, other: apsw.Connection) -> None:
    other.execute("COMMIT")
    memory.trial_start(7)
    other.execute("BEGIN IMMEDIATE")
    given = memory.context(ASKED, 600, "s1")
    assert given.would is not None
    assert given.would.items
    assert given.ledger_id == ""
    other.execute("COMMIT")
    memory.flush()
    assert [one.session for one in memory.trial_entries()] == ["s1"]


def test_verdicts_are_given_on_what_stands(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the ledger and writing a verdict another may have given his."""
    monkeypatch.setattr(base, "LEDGER_WAIT", 60.0)
    memory.log([Record(text="the boathouse key for the shed is painted green", source="me")])
    given = memory.context("boathouse key", 600)
    first, second = (item.id for item in given.items[:2])
    amend = type(memory._store).amend_injections
    others: list[str] = []

    def amended(store: Any, *arguments: Any) -> None:
        if not others:
            others.append(second)
            memory.wrong(second)
        amend(store, *arguments)

    monkeypatch.setattr(type(memory._store), "amend_injections", amended)
    memory.wrong(first)
    verdicts = {item.id: item.verdict for item in memory.injection(given.ledger_id).items}
    assert (verdicts[first], verdicts[second]) == ("wrong", "wrong")
