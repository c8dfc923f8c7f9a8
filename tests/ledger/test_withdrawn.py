"""Words for a change by hand count as long as that change does."""

from collections.abc import Callable
from datetime import datetime

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Record

QUESTION = "where do I keep the copper sheets"


@pytest.fixture
def memory(open_at: Callable[..., SlowMemory]) -> SlowMemory:
    memory = open_at()
    memory.log(
        Record(text=text, source="t", ts=datetime.fromisoformat(f"2026-11-28T10:0{n}:00+08:00"))
        for n, text in enumerate(("I keep the copper sheets in shed two", "I live in Ghent"))
    )
    memory.dream("all", apply=True)
    return memory


def found(memory: SlowMemory, question: str = QUESTION) -> str:
    hits = [
        hit
        for scope in ("all", "events", "memories")
        for hit in memory.recall(memory.query(question, scope=scope))
    ]
    return " | ".join(hit.text for hit in hits)


def sheets(memory: SlowMemory) -> str:
    return next(one.id for one in memory.memories() if "sheets" in one.text)


@pytest.mark.parametrize("way", ["wrong", "edit"])
def test_undone_words_are_out_of_recall_and_back_when_they_are_redone(
    memory: SlowMemory, way: str
) -> None:
    right = "I keep the copper sheets in the cellar of the mill"
    if way == "wrong":
        made = memory.wrong(sheets(memory), right, apply=True).correction
    else:
        made = memory.by_hand("edit", sheets(memory), text=right)
    assert made is not None
    assert "mill" in found(memory)
    undone = memory.rollback(made.dream_id)
    assert "mill" not in found(memory)
    assert "mill" not in found(memory, "what did I say today")
    assert "shed two" in found(memory)
    assert "mill" not in memory.context(QUESTION, 600).text
    memory.rollback(undone.dream_id)
    assert "mill" in found(memory)


def test_words_of_a_rejected_plan_are_out_and_those_of_one_that_waits_are_not(
    memory: SlowMemory,
) -> None:
    made = memory.wrong(sheets(memory), "I keep the copper sheets in the cellar of the mill")
    assert made.correction is not None
    assert "mill" in found(memory)
    memory.reject(made.correction.dream_id)
    assert "mill" not in found(memory)


def test_the_same_words_said_otherwise_stay(memory: SlowMemory) -> None:
    made = memory.wrong(sheets(memory), "The roof of the mill is new", apply=True).correction
    assert made is not None
    said = datetime.fromisoformat("2026-11-29T10:00:00+08:00")
    memory.log([Record(text="The roof of the mill is new", source="t", ts=said)])
    memory.rollback(made.dream_id)
    [hit, *_] = memory.recall(memory.query("what about the roof of the mill"))
    assert (hit.text, hit.ts) == ("The roof of the mill is new", said)
