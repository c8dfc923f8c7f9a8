"""Real time through the front door: what a turn teaches, at once, traceable and reversible."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from slowwave import ledger
from slowwave.dream import turn
from slowwave.errors import StalePlan
from slowwave.memory import SlowMemory
from slowwave.memory.turning import CaughtUp
from slowwave.model import SAID_IN_TURN, Record
from slowwave.text.frame import MEMORY_CLOSE, MEMORY_OPEN

Opener = Callable[..., SlowMemory]

DAY = "2026-12-01T10:00:00+08:00"
NIGHT = "2026-12-02T03:00:00+08:00"


@pytest.fixture
def memory(open_at: Opener) -> SlowMemory:
    return open_at(DAY)


def learn(memory: SlowMemory, user: str, assistant: str = "ok", session: str = "s") -> CaughtUp:
    """Each turn a minute after the one before."""
    before = memory._store.counts(memory.space).events
    ts = memory.now().replace(hour=8) + timedelta(minutes=before)
    memory.log_turn(user, assistant, session=session, ts=ts)
    return memory.catch_up_turns()


def decided(done: CaughtUp) -> list[tuple[str, str]]:
    return [(one.decision, one.text) for dream in done.dreams for one in dream.changes]


def texts(memory: SlowMemory, *statuses: Any) -> list[str]:
    return [one.text for one in memory.memories(statuses or ("active", "candidate"))]


# --- INSERT, UPDATE, SKIP, DELETE ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "scope"),
    [
        ("I'm allergic to walnuts", "personal"),
        ("My brother is called Anselm", "personal"),
        ("From now on answer me in short paragraphs", "personal"),
        ("我在青藤公司上班", "personal"),
        ("以后给我的周报都用表格", "personal"),
        ("Nadia's birthday party is on 12 December", "world"),
        ("项目组的小周下个月调去成都", "world"),
    ],
)
def test_what_is_new_is_inserted(memory: SlowMemory, said: str, scope: str) -> None:
    (dream,) = learn(memory, said).dreams
    (change,) = dream.changes
    assert (change.decision, change.op, change.scope) == ("INSERT", "add", scope)
    assert change.reason.startswith(f"INSERT {scope}: ")
    whole = memory.dream_by_id(dream.dream_id)
    assert (whole.by, whole.mode, whole.status) == ("turn", "apply", "applied")
    (span,) = memory.why(change.memory_id).evidence
    assert span.quote in said


@pytest.mark.parametrize(
    ("first", "richer"),
    [
        ("I play the cello", "I play the cello in the Harbour Orchestra"),
        ("I'm allergic to walnuts", "I'm allergic to walnuts and hazelnuts"),
        ("我对芒果过敏", "我对芒果过敏，吃了会起疹子"),
        ("我每周跑步三次", "我每周跑步三次，每次五公里"),
    ],
)
def test_what_is_richer_updates(memory: SlowMemory, first: str, richer: str) -> None:
    learn(memory, first)
    assert decided(learn(memory, richer)) == [("UPDATE", richer)]
    assert texts(memory) == [richer]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I'm allergic to walnuts", "As I said, I'm allergic to walnuts"),
        ("I prefer tea over coffee", "I prefer tea over coffee!"),
        ("我喜欢喝乌龙茶", "对了，我喜欢喝乌龙茶"),
        ("我对芒果过敏", "我对芒果过敏"),
    ],
)
def test_what_is_known_is_skipped(memory: SlowMemory, first: str, again: str) -> None:
    learn(memory, first)
    assert decided(learn(memory, again)) == [("SKIP", first)]
    (known,) = memory.memories(("active",))
    assert (known.text, known.mention_count) == (first, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Bergen", "I moved to Trieste, I don't live in Bergen any more"),
        ("My favourite editor is Vim", "Actually my favourite editor is Helix now"),
        ("I don't eat meat", "I eat meat again"),
        ("我住在苏州", "我搬到厦门了，不住苏州了"),
        ("我不吃辣", "我现在能吃辣了"),
    ],
)
def test_what_is_contradicted_is_retired_with_its_history(
    memory: SlowMemory, old: str, new: str
) -> None:
    learn(memory, old)
    assert ("DELETE", old) in decided(learn(memory, new))
    assert texts(memory) == [new]
    (gone,) = memory.memories(("retired",))
    assert gone.text == old
    assert gone.superseded_by
    assert len(memory._store.versions(memory.space, gone.id)) == 2


def test_a_yes_to_the_last_turns_proposal_counts(memory: SlowMemory) -> None:
    learn(memory, "how should I name branches?", "Shall I always use the prefix feat/ from now on?")
    (dream,) = learn(memory, "yes please", "done").dreams
    assert "feat/" in dream.changes[0].text


# --- whose words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        "You live in Bergen and you love sailing.",
        "As far as I know, the user is allergic to walnuts.",
        "Lesson: the user prefers tea over coffee",
        "你住在苏州，对芒果过敏。",
        "学到了：用户喜欢喝乌龙茶",
        "I live in a data centre and my favourite colour is blue.",
    ],
)
def test_the_agents_claims_never_become_facts(memory: SlowMemory, claim: str) -> None:
    assert learn(memory, "what do you know about me?", claim).dreams == ()
    assert memory.memories() == []


def test_what_came_out_of_memory_is_not_learned(memory: SlowMemory) -> None:
    block = (
        f'{MEMORY_OPEN} retrieved="2026-12-01" trust="untrusted">\n'
        "- [slowwave 2026-11-30 · profile] I live in Bergen\n"
        "- [slowwave 2026-11-30 · lesson] Lesson: always label the cables first\n"
        f"{MEMORY_CLOSE}"
    )
    for user, assistant in (
        (block, "ok"),
        (f"{block}\nwhat is next?", f"{block}\nNothing."),
        ("hm", block),
    ):
        assert learn(memory, user, assistant).dreams == ()
    assert decided(learn(memory, f"{block}\nI play the cello", "ok")) == [
        ("INSERT", "I play the cello")
    ]


def test_lessons_come_with_their_category_and_are_found_for_the_next_prompt(
    memory: SlowMemory,
) -> None:
    said = "Mistake: I pushed the branch before the checks had finished"
    (dream,) = learn(memory, "did it work?", f"No.\n{said}").dreams
    (change,) = dream.changes
    assert (change.scope, change.kind) == ("lesson", "lesson")
    (known,) = memory.memories()
    assert (known.subject, known.kind) == ("agent", "lesson")
    assert known.title.startswith("mistake: ")
    (span,) = memory.why(known.id).evidence
    assert said.endswith(span.quote)
    given = {one.id for one in memory.context("push my branch", 600).items}
    assert known.id in given
    assert span.event_id not in given
    assert memory.context("what is the capital of Peru", 600).items == ()
    assert learn(memory, "and now?", said).dreams == ()


# --- small dreams --------------------------------------------------------------------------------


def test_a_turn_can_be_undone_and_is_not_learned_again(open_at: Opener) -> None:
    memory = open_at(DAY)
    learn(memory, "I live in Bergen")
    (dream,) = learn(memory, "I moved to Trieste, I don't live in Bergen any more").dreams
    undone = memory.rollback(dream.dream_id)
    assert texts(memory) == ["I live in Bergen"]
    assert memory.catch_up_turns() == CaughtUp((), ())
    memory = open_at(NIGHT)
    memory.dream("yesterday", apply=True)
    assert texts(memory) == ["I live in Bergen"]
    assert memory.dream_due() == []  # that night had nothing to do, and nothing changed since
    memory.rollback(undone.dream_id)
    assert len(texts(memory)) == 1
    assert texts(memory) != ["I live in Bergen"]


def test_the_night_does_not_read_a_turn_again_but_comes_all_the_same(open_at: Opener) -> None:
    memory = open_at(DAY)
    learn(memory, "I play the cello", "Lesson: ask for the tuning first")
    assert memory._store.undreamed(memory.space, None, None) == []
    memory = open_at(NIGHT)
    assert [day.isoformat() for day in memory.due()] == ["2026-12-01"]
    (night,) = memory.dream_due()
    assert (night.input_events, night.new_entries) == (0, 0)
    assert sorted(texts(memory)) == ["I play the cello", "ask for the tuning first"]


def test_a_turn_without_anything_new_is_left_to_the_night(open_at: Opener) -> None:
    memory = open_at(DAY)
    assert learn(memory, "what is two and two?", "four") == CaughtUp((), ())
    assert memory.dreams() == []
    memory = open_at(NIGHT)
    assert memory.dream("yesterday", apply=True).input_events == 2


def test_what_a_gate_refuses_waits_for_the_night(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(memory, "I live in Bergen")
    gates = msgspec.structs.replace(memory.parts.settings.dream.gates, changes_per_day=0)
    dream = msgspec.structs.replace(memory.parts.settings.dream, gates=gates)
    settings = msgspec.structs.replace(memory.parts.settings, dream=dream)
    from dataclasses import replace

    monkeypatch.setattr(memory, "parts", replace(memory.parts, settings=settings))
    (left,) = learn(memory, "I play the cello").left
    assert "runaway" in left.reason
    assert texts(memory) == ["I live in Bergen"]
    monkeypatch.undo()
    assert decided(memory.catch_up_turns()) == [("INSERT", "I play the cello")]


def test_in_mode_review_nothing_is_believed_unseen(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    dream = msgspec.structs.replace(memory.parts.settings.dream, mode="review")
    settings = msgspec.structs.replace(memory.parts.settings, dream=dream)
    monkeypatch.setattr(memory, "parts", replace(memory.parts, settings=settings))
    (left,) = learn(memory, "I play the cello").left
    assert "review" in left.reason
    assert memory.memories() == []


def test_what_a_waiting_plan_has_read_is_left_to_it(memory: SlowMemory) -> None:
    memory.log_turn("I play the cello", "ok")
    plan = memory.dream("today")
    assert plan.status == "planned"
    assert memory.catch_up_turns().dreams == ()
    memory.reject(plan.dream_id)
    assert memory.catch_up_turns().dreams == ()
    assert memory.memories() == []


# --- behind the reply ----------------------------------------------------------------------------


def test_turn_end_logs_first_and_learns_behind(memory: SlowMemory) -> None:
    taken = memory.turn_end("I play the cello", "Lesson: ask for the tuning first", session="a")
    assert len(taken.ids) == 2
    said = memory.events([one.id for one in taken.ids])
    assert [(one.role, one.origin, one.source, one.session) for one in said.values()] == [
        ("user", "owner", SAID_IN_TURN, "a"),
        ("assistant", "agent", SAID_IN_TURN, "a"),
    ]
    assert memory.turns_done(60)
    assert memory.turns_failed == (0, "")
    assert sorted(texts(memory)) == ["I play the cello", "ask for the tuning first"]


def test_the_same_turn_twice_is_one_turn(memory: SlowMemory) -> None:
    ts = datetime.fromisoformat("2026-12-01T09:00:00+08:00")
    first = memory.turn_end("I play the cello", "nice", session="a", ts=ts, channel="slack")
    again = memory.turn_end("I play the cello", "nice", session="a", ts=ts, channel="slack")
    assert (len(first.ids), again.ids, again.duplicates) == (2, (), 2)
    memory.turns_done(60)
    (known,) = memory.memories()
    assert known.mention_count == 1


def test_turns_of_several_threads_are_all_learned_once(memory: SlowMemory) -> None:
    def talk(first: int) -> None:
        for number in range(first, first + 4):
            memory.turn_end(f"I moved crate {number} to bay {number}", "ok", session=f"s{first}")

    threads = [threading.Thread(target=talk, args=(first,)) for first in (10, 20, 30)]
    for thread in threads:
        thread.start()
    memory.catch_up_turns()
    for thread in threads:
        thread.join()
    assert memory.turns_done(60)
    known = texts(memory, "active", "candidate", "retired")
    assert len(known) == len(set(known)) == 12
    assert memory.turns_failed == (0, "")


def test_half_a_turn_is_taken_too(memory: SlowMemory) -> None:
    assert len(memory.turn_end("I play the cello", " ").ids) == 1
    assert memory.turn_end("", "").ids == ()
    memory.turns_done(60)
    assert texts(memory) == ["I play the cello"]


def test_what_a_process_left_is_found_by_the_next_turn(open_at: Opener) -> None:
    memory = open_at(DAY)
    memory.log_turn("I play the cello", "nice", session="a")
    memory.log([Record(text="I collect stamps", source="elsewhere")])
    memory = open_at(DAY)
    memory.turn_end("我对芒果过敏", "记住了", session="b")
    assert memory.turns_done(60)
    # What was said elsewhere is the night's.
    assert sorted(texts(memory)) == ["I play the cello", "我对芒果过敏"]


def test_or_by_the_night(open_at: Opener) -> None:
    memory = open_at(DAY)
    memory.log_turn("I play the cello", "nice", session="a")
    memory = open_at(NIGHT)
    memory.dream("yesterday", apply=True)
    assert texts(memory) == ["I play the cello"]
    assert memory.catch_up_turns() == CaughtUp((), ())


def test_a_ledger_that_moves_on_is_read_again_once(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []
    real = ledger.apply

    def stale(*given: Any, **more: Any) -> Any:
        tries.append("try")
        if len(tries) == 1:
            raise StalePlan("moved on", "again")
        return real(*given, **more)

    monkeypatch.setattr(turn.ledger, "apply", stale)
    assert decided(learn(memory, "I play the cello")) == [("INSERT", "I play the cello")]
    assert len(tries) == 2

    def always(*_given: Any, **_more: Any) -> Any:
        raise StalePlan("moved on", "again")

    monkeypatch.setattr(turn.ledger, "apply", always)
    (left,) = learn(memory, "我对芒果过敏").left
    assert "moved on" in left.reason


def test_a_night_that_a_turn_overtook_is_planned_again(
    memory: SlowMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.log([Record(text="I collect stamps", source="elsewhere")])
    memory.log_turn("I play the cello", "nice")
    from slowwave.dream.plans import waiting

    real = memory.apply
    began: list[str] = []

    def late(dream_id: str, *given: Any, **more: Any) -> Any:
        if not began:
            began.append(dream_id)
            monkeypatch.setattr(waiting, "planned", lambda *_given: set())
            assert memory.catch_up_turns().dreams
        return real(dream_id, *given, **more)

    monkeypatch.setattr(memory, "apply", late)
    done = memory.dream("today", apply=True)
    assert (done.status, done.dream_id != began[0]) == ("applied", True)
    assert sorted(texts(memory)) == ["I collect stamps", "I play the cello"]
    assert memory.dream_by_id(began[0]).status == "rejected"
