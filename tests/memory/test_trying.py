"""On trial, through the front door: prompts get nothing, the ledger gets what they would have."""

from collections.abc import Callable
from typing import Any

import pytest

from slowwave.errors import DiskFull, NotFound
from slowwave.memory import SlowMemory
from slowwave.model import Record, Signal

Opener = Callable[..., SlowMemory]

TALK = (
    ("2026-11-02T09:00:00+08:00", "a", "I keep the spare key of the boathouse under the blue oar"),
    ("2026-11-05T09:00:00+08:00", "b", "the hedgehog in our garden is called Brombeer"),
    ("2026-11-27T18:00:00+08:00", "c", "where is the spare key of the boathouse?"),
    ("2026-11-28T18:00:00+08:00", "d", "thanks!"),
    ("2026-11-28T18:05:00+08:00", "d", "what is the hedgehog in our garden called?"),
    ("2026-11-29T08:00:00+08:00", "e", "the spare key of the boathouse hangs in the shed now"),
)


@pytest.fixture
def memory(open_at: Opener) -> SlowMemory:
    """Words only; the last days hold two questions and what answers them came before."""
    opened = open_at()
    opened.log(
        Record(text=text, source="test", ref=f"r{number}", session=session, ts=ts)  # type: ignore[arg-type]
        for number, (ts, session, text) in enumerate(
            (_moment(ts), session, text) for ts, session, text in TALK
        )
    )
    return opened


def _moment(ts: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(ts)


KEY = "where is the spare key of the boathouse kept"


def refs(memory: SlowMemory, ids: list[str]) -> set[str | None]:
    return {event.ref for event in memory.events(ids).values()}


def test_while_it_runs_prompts_get_nothing_and_the_ledger_all(memory: SlowMemory) -> None:
    before = memory.context(KEY, 600)
    assert before.text
    assert before.would is None
    memory.trial_start(7)
    made = memory.context(KEY, 600, "s9")
    assert (made.text, made.tokens, made.items) == ("", 0, ())
    assert made.would is not None
    assert made.would.tokens > 0
    (entry,) = memory.trial_entries()
    assert entry.id == made.ledger_id
    assert (entry.query, entry.session, entry.trial, entry.caller) == (KEY, "s9", True, "agent")
    assert entry.items
    assert all(one.score >= entry.threshold for one in entry.items)
    assert all(one.score < entry.threshold for one in entry.passed)
    memory.trial_stop()
    assert memory.context(KEY, 600).text == before.text
    assert memory.trial_entries() == [entry]


def test_it_survives_a_restart_and_is_one_spaces_own(memory: SlowMemory, open_at: Opener) -> None:
    memory.trial_start(2)
    again = open_at("2026-12-02T03:00:00+08:00")
    assert again.context(KEY, 600).would is not None
    over = open_at("2026-12-03T03:00:00+08:00")
    assert over.context(KEY, 600).would is None
    standing = over.trial_standing()
    assert standing is not None
    assert not standing.runs(over.now())


def test_forgetting_something_for_good_does_not_end_it(memory: SlowMemory) -> None:
    memory.trial_start(7)
    memory.context("what is the hedgehog called", 600)
    memory.context(KEY, 600)
    memory.forget(memory.forget_plan(text="hedgehog"))
    assert memory.context(KEY, 600).would is not None
    assert all("hedgehog" not in entry.query for entry in memory.trial_entries())


def found(memory: SlowMemory) -> SlowMemory:
    memory.dream("all", apply=True)
    return memory


def test_a_replayed_question_knows_what_was_before_it_and_nothing_else(
    memory: SlowMemory,
) -> None:
    found(memory)
    done = memory.trial_replay(7, 100, 600)
    by_query = {entry.query: entry for entry in done}
    assert [entry.query for entry in done] == [TALK[2][2], TALK[4][2], TALK[5][2]]
    key = by_query[TALK[2][2]]
    assert key.ts == _moment(TALK[2][0])
    assert (key.caller, key.trial, key.session) == ("evaluation", True, "c")
    named = (*key.items, *key.passed)
    sources: set[str | None] = set()
    for item in named:
        if item.type == "memory":
            sources |= {span.ref for span in memory.why(item.id).evidence}
        else:
            sources |= refs(memory, [item.id])
    assert "r0" in sources
    assert not sources & {"r2", "r4", "r5"}
    assert memory.trial_standing() is None
    memory.flush()
    assert memory._store.signals(memory.space) == []


def test_replaying_again_keeps_the_verdicts(memory: SlowMemory) -> None:
    memory.trial_replay(7, 100, 600)
    (first, *_) = memory.trial_waiting(10)
    told = memory.trial_judge(first.sample.id[:8], "right")
    assert told.item.verdict == "right"
    before = memory.trial_entries()
    memory.trial_replay(7, 100, 600)
    strip = [(e.id, e.items, e.passed) for e in before]
    assert [(e.id, e.items, e.passed) for e in memory.trial_entries()] == strip
    assert memory.trial_report().right == 1
    assert first.sample.id not in {one.sample.id for one in memory.trial_waiting(10)}


def test_a_stopped_replay_keeps_what_is_done(memory: SlowMemory) -> None:
    def stop(_what: str, done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.trial_replay(7, 100, 600, stop)
    assert len(memory.trial_entries()) == 2


def test_what_is_judged_is_shown_with_its_day_and_source(memory: SlowMemory) -> None:
    memory.trial_replay(7, 100, 600)
    shown = {one.text: one for one in memory.trial_waiting(50)}
    one = shown[TALK[0][2]]
    assert one.ts == _moment(TALK[0][0])
    assert one.refs == ("r0",)
    with pytest.raises(NotFound):
        memory.trial_judge("jnothing", "right")


def test_a_verdict_reaches_every_time_the_question_was_asked(memory: SlowMemory) -> None:
    memory.trial_start(7)
    memory.context(KEY, 600, "s1")
    memory.context(KEY.upper(), 600, "s2")
    (one, *_) = memory.trial_waiting(50)
    memory.trial_judge(one.sample.id, "wrong")
    verdicts = [
        item.verdict
        for entry in memory.trial_entries()
        for item in (*entry.items, *entry.passed)
        if item.id == one.sample.item.id
    ]
    assert verdicts == ["wrong", "wrong"]
    assert memory.trial_report().wrong == 1


# signals, through the front door


def recalls(memory: SlowMemory) -> list[Signal]:
    memory.flush()
    return memory._store.signals(memory.space)


@pytest.mark.parametrize(
    ("given", "signal", "counted"),
    [
        ({}, True, True),
        ({"caller": "agent", "session": "s1"}, True, True),
        ({}, False, False),
        ({"explain": True}, True, False),
        ({"caller": "job"}, True, False),
        ({"caller": "evaluation"}, True, False),
    ],
)
def test_what_counts_as_a_recall(
    memory: SlowMemory, given: dict[str, Any], signal: bool, counted: bool
) -> None:
    found(memory)
    memory.recall(memory.query(KEY, **given), signal=signal)
    assert bool(recalls(memory)) is counted
    for one in recalls(memory):
        assert (one.caller, one.session) == (
            given.get("caller", "person"),
            given.get("session", ""),
        )


def test_while_a_trial_runs_nothing_of_an_agent_counts(memory: SlowMemory) -> None:
    found(memory)
    memory.trial_start(7)
    memory.context(KEY, 600, "s1")
    memory.recall(memory.query(KEY, caller="agent"))
    assert recalls(memory) == []
    memory.recall(memory.query(KEY))
    assert recalls(memory)


def test_closing_counts_what_waits(memory: SlowMemory, open_at: Opener) -> None:
    found(memory)
    memory.recall(memory.query(KEY))
    memory.close()
    assert recalls(open_at())


def test_a_dream_knows_what_was_asked_a_moment_ago(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slowwave.dream.cycle import night as cycle

    found(memory)
    seen: list[int] = []
    plan = cycle.plan

    def planning(store: Any, night: Any) -> Any:
        seen.append(len(store.signals(night.space)))
        return plan(store, night)

    monkeypatch.setattr(cycle, "plan", planning)
    memory.recall(memory.query(KEY))
    memory.dream("today", dry_run=True)
    assert seen[0] > 0


def test_a_full_disk_does_not_cost_the_answer_and_is_told(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(memory)

    def full(*_: Any) -> None:
        raise DiskFull("no room left")

    monkeypatch.setattr(type(memory._store), "record_signals", full)
    assert memory.recall(memory.query(KEY))
    memory.flush()
    assert memory.uncounted == (1, "no room left")
    assert [one.check for one in memory.diagnose()] == ["signals"]
