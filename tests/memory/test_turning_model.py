"""Turns read by a model beside the rules, over a scripted server with faults on demand."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.memory import SlowMemory
from slowwave.memory.behind import Behind
from slowwave.memory.turn_mind import FIRST_REST
from slowwave.memory.turning import CaughtUp
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    echo,
    failing,
    fenced,
    holding,
    invented,
    truncated,
)
from slowwave.wiring import Options, open_memory

NOW = "2034-06-07T10:00:00+02:00"
LESSON = "the sandbox forgets its variables with every restart"
ANSWER = f"Alright. I saw along the way that {LESSON}, so I set them anew."
SAID = "My workshop in Tartu has the number 417"


def item(quote: str, event: str = "e1", **fields: Any) -> dict[str, Any]:
    return {
        "evidence": [{"event_id": event, "quote": quote}], "kind": "environment",
        "subject": "user", "text": quote, "importance": 77, "confidence": 0.9,
        "standing": "standing", "valid_from": None, "valid_to": None, "negated": False,
        "entities": [], **fields,
    }  # fmt: skip


class Home:
    """A home with a model whose server answers by purpose."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.distill: Callable[[str], Any] = lambda _prompt: {"items": [item(SAID)]}
        self.lessons: Callable[[str], Any] = lambda _prompt: {"items": []}
        self.judge: Callable[[str], Any] = lambda _prompt: {"items": []}
        self.asked: list[str] = []
        self.server = ScriptedModel(self.scripted)
        self.memories: list[SlowMemory] = []
        self.settings()

    def settings(self, **model: str) -> None:
        lines = [f'{name} = "{value}"' for name, value in {"distiller": "llm", **model}.items()]
        self.folder.mkdir(exist_ok=True)
        text = "\n".join(['preset = "realtime"', "[model]", *lines, ""])
        (self.folder / "slowwave.toml").write_text(text, encoding="utf-8")

    def scripted(self, request: Request) -> Any:
        system = request.body["messages"][0]["content"]
        kinds = {"You read a part": "distill", "You read one": "lessons", "You compare": "judge"}
        kind = next(name for start, name in kinds.items() if system.startswith(start))
        self.asked.append(kind)
        return getattr(self, kind)(request.prompt)

    def open(self, now: str = NOW) -> SlowMemory:
        environment = {
            "SLOWWAVE_MODEL_BASE_URL": self.server.base_url, "SLOWWAVE_MODEL_NAME": "scripted",
            "SLOWWAVE_EMBEDDER": "none",
        }  # fmt: skip
        options = Options(home=str(self.folder), now=now, tz="Europe/Helsinki")
        self.memories.append(open_memory(options, environment))
        return self.memories[-1]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    here = Home(tmp_path / "home")
    with here.server:
        yield here
        for memory in here.memories:
            memory.close()


def learn(memory: SlowMemory, user: str = SAID, assistant: str = "ok") -> CaughtUp:
    before = memory._store.counts(memory.space).events
    ts = memory.now().replace(hour=8) + timedelta(minutes=before)
    memory.log_turn(user, assistant, session="s", ts=ts)
    return memory.catch_up_turns()


def told(done: CaughtUp) -> list[tuple[str, str, str]]:
    return [(one.decision, one.scope, one.text) for dream in done.dreams for one in dream.changes]


# ── what it reads ───────────────────────────────────────────────────────────────────────────────


def test_the_model_reads_a_turn_and_the_host_checks_it(home: Home) -> None:
    memory = home.open()
    (dream,) = learn(memory).dreams
    (change,) = dream.changes
    assert (change.decision, change.text, change.importance) == ("INSERT", SAID, 77)
    assert change.reason.startswith(f"INSERT {change.scope}: ")
    whole = memory.dream_by_id(dream.dream_id)
    assert (whole.by, whole.model_used, whole.warnings) == ("turn", "scripted", ())
    (span,) = memory.why(change.memory_id).evidence
    assert span.quote == SAID
    memory.rollback(dream.dream_id)
    assert memory.memories() == []
    assert memory.catch_up_turns() == CaughtUp((), ())


def test_what_the_model_sees_that_the_rules_do_not(home: Home) -> None:
    said = "tea is what gets me going before the ferry leaves"
    home.distill = lambda _prompt: {"items": [item(said, kind="preference")]}
    assert told(learn(home.open(), said)) == [("INSERT", "personal", said)]


def test_words_for_a_change_by_hand_are_no_talk(home: Home) -> None:
    shown: list[str] = []

    def distill(prompt: str) -> dict[str, Any]:
        shown.append(prompt)
        return {"items": [item(SAID)] if SAID in prompt else []}

    home.distill = distill
    memory = home.open()
    (dream,) = learn(memory).dreams
    memory.wrong(dream.changes[0].memory_id, right="No, the workshop has 904.")
    memory.reject(memory.undecided()[0].dream_id)
    memory.log_turn("The ferry leaves at noon from pier nine.", "ok")
    memory.catch_up_turns()
    assert "pier nine" in shown[-1]
    assert not any("904" in prompt for prompt in shown)


def test_personal_and_world(home: Home) -> None:
    said = "My sister Ilse teaches physics. The harbour fair opens on 9 June."
    home.distill = lambda _prompt: {"items": [
        item("My sister Ilse teaches physics", kind="relationship"),
        item("The harbour fair opens on 9 June", kind="plan", subject="world", standing="dated",
             valid_from="2034-06-09"),
    ]}  # fmt: skip
    found = {(scope, text.rstrip(".")) for _, scope, text in told(learn(home.open(), said))}
    assert ("personal", "My sister Ilse teaches physics") in found
    assert any(scope == "world" and "harbour fair" in text for scope, text in found)


def test_neighbours_are_judged(home: Home) -> None:
    home.distill = lambda _prompt: {"items": []}
    home.judge = lambda prompt: {"items": [
        {"pair": "p1", "relation": "contradicts", "words": prompt.splitlines()[-2]}
    ]}  # fmt: skip
    memory = home.open()
    learn(memory, "我在远帆公司上班")
    done = learn(memory, "我从远帆离职了，现在自己开店")
    assert ("DELETE", "personal", "我在远帆公司上班") in told(done)
    assert "judge" in home.asked
    (gone,) = memory.memories(("retired",))
    assert gone.superseded_by
    assert "judged by scripted" in memory.why(gone.id).changes[-1].reason


def test_lessons_by_model_and_by_pattern_at_most_five(home: Home) -> None:
    home.distill = lambda _prompt: {"items": []}
    quotes = [f"module {name} must be built before the tests" for name in "abcdefg"]
    home.lessons = lambda _prompt: {"items": [
        {"quote": quote, "category": "workflow", "text": quote, "importance": 60 + number}
        for number, quote in enumerate(quotes)
    ]}  # fmt: skip
    answer = "Lesson: never push before the checks are green.\n" + "\n".join(
        f"I saw that {quote}." for quote in quotes
    )
    memory = home.open()
    found = told(learn(memory, "did it work?", answer))
    assert len(found) == 5
    assert {scope for _, scope, _ in found} == {"lesson"}
    assert any("never push" in text for _, _, text in found)
    (dream,) = memory.dreams()
    assert any("more than 5 lessons" in one.reason for one in dream.rejected)


@pytest.mark.parametrize(
    ("lesson", "reason"),
    [
        ({"quote": "the user loves the sandbox", "text": "the user loves the sandbox"}, "quote"),
        ({"quote": LESSON, "text": "the sandbox never forgets its variables"}, "negation"),
        (
            {"quote": LESSON, "text": "the sandbox forgets 40 variables with every restart"},
            "not in",
        ),
    ],
)
def test_a_lesson_that_does_not_stand_there_is_refused(
    home: Home, lesson: dict[str, Any], reason: str
) -> None:
    given = {"category": "learned", "importance": 70, **lesson}
    home.lessons = lambda _prompt: {"items": [given]}
    memory = home.open()
    assert not [one for one in told(learn(memory, SAID, ANSWER)) if one[1] == "lesson"]
    (dream,) = memory.dreams()
    assert any(reason in one.reason or "stronger" in one.reason for one in dream.rejected)


# ── what goes wrong ─────────────────────────────────────────────────────────────────────────────

FAKE = item("I am John Doe of Initech", text="The user is John Doe of Initech")


@pytest.mark.parametrize(
    "answer",
    [
        lambda _prompt: failing(500), lambda _prompt: busy(retry_after=40),
        lambda _prompt: echo(), lambda _prompt: "nice", lambda _prompt: {"items": [FAKE]},
        lambda _prompt: {"items": [item(SAID, event="e9")]},
        lambda _prompt: truncated({"items": [item(SAID), FAKE]}, 0.3),
    ],
    ids=["500", "429", "echo", "prose", "invented", "wrong id", "cut"],
)  # fmt: skip
def test_whatever_it_answers_the_rules_learn_the_turn_and_nothing_else(
    home: Home, answer: Callable[[str], Any]
) -> None:
    home.distill = answer
    memory = home.open()
    assert [text for _, _, text in told(learn(memory, SAID, ANSWER))] == [SAID]
    (dream,) = memory.dreams()
    whole = memory.dream_by_id(dream.dream_id)
    refused = any("unsupported" in one.reason for one in whole.rejections)
    assert refused or "rules" in whole.model_used
    assert bool(whole.warnings) == ("rules" in whole.model_used)


def test_odd_ways_to_say_it_are_understood(home: Home) -> None:
    home.distill = lambda _prompt: fenced(invented({"items": [item(SAID)]}, FAKE))
    memory = home.open()
    assert [text for _, _, text in told(learn(memory))] == [SAID]
    assert memory.memories()[0].importance == 77


def test_a_model_that_failed_is_left_alone_for_a_while(home: Home) -> None:
    home.distill = lambda _prompt: failing(500)
    memory = home.open()
    seconds = [0.0]
    memory._mind._now = lambda: seconds[0]
    learn(memory)
    learn(memory, "I play the viola in Narva")
    assert home.asked == ["distill"]
    (newest, _) = memory.dreams()
    assert newest.model_used == "rules"
    assert "read by the rules alone" in newest.warnings[0]
    seconds[0] = FIRST_REST + 1
    home.distill = lambda _prompt: {"items": []}
    learn(memory, "I sing in Parnu")
    assert home.asked == ["distill", "distill"]
    assert memory._mind.resting == ""


def test_where_the_rules_may_not_the_turn_waits_and_the_attempts_are_bounded(home: Home) -> None:
    home.settings(fallback="fail")
    home.distill = lambda _prompt: failing(500)
    (left,) = learn(home.open()).left
    assert "500" in left.reason
    for _ in range(4):  # a process each
        memory = home.open()
        assert memory.catch_up_turns().dreams == ()
    assert home.asked == ["distill"] * 3
    assert memory.memories() == []
    assert len(memory._store.undreamed(memory.space, None, None)) == 2
    # Another distiller, or a model that answers before it is given up, finds the turn.
    home.settings(distiller="rules")
    assert told(home.open().catch_up_turns()) == [("INSERT", "personal", SAID)]


def test_a_turn_that_waited_is_learned_when_the_model_is_back(home: Home) -> None:
    home.settings(fallback="fail")
    home.distill = lambda _prompt: failing(503)
    assert learn(home.open()).dreams == ()
    home.distill = lambda _prompt: {"items": [item(SAID)]}
    memory = home.open()
    assert [text for _, _, text in told(memory.catch_up_turns())] == [SAID]
    assert memory.memories()[0].importance == 77


@pytest.mark.parametrize(("fallback", "learned"), [("rules", 1), ("fail", 0)])
def test_a_model_elsewhere_is_not_asked_under_local_only(
    home: Home, fallback: str, learned: int
) -> None:
    home.settings(fallback=fallback)
    environment = {
        "SLOWWAVE_MODEL_BASE_URL": "http://192.0.2.7:1/v1", "SLOWWAVE_MODEL_NAME": "far",
        "SLOWWAVE_EMBEDDER": "none",
    }  # fmt: skip
    options = Options(home=str(home.folder), now=NOW, tz="Europe/Helsinki")
    memory = open_memory(options, environment)
    home.memories.append(memory)
    done = learn(memory)
    assert len(done.dreams) == learned
    why = memory.dreams()[0].warnings[0] if learned else done.left[0].reason
    assert "local-only" in why


# ── in nobody's way ─────────────────────────────────────────────────────────────────────────────


def test_the_answer_does_not_wait_for_the_model(home: Home) -> None:
    gate = threading.Event()

    def slow(_prompt: str) -> Any:
        gate.wait(20)
        return {"items": [item(SAID)]}

    home.distill = slow
    memory = home.open()
    memory.turn_end(SAID, "ok", session="s")
    memory.turn_end("I play the viola in Narva", "ok", session="s")
    assert not memory.turns_done(0.05)
    gate.set()
    assert memory.turns_done(20)
    assert len(memory.dreams()) == 2


def test_closing_does_not_wait_for_the_model_and_the_turn_is_found_again(home: Home) -> None:
    begun = threading.Event()

    def never(_prompt: str) -> Any:
        begun.set()
        return holding(60)

    home.distill = never
    memory = home.open()
    memory.turn_end(SAID, "ok", session="s")
    assert begun.wait(20)
    closed = threading.Thread(target=memory.close)
    closed.start()
    closed.join(20)
    assert not closed.is_alive()
    home.server.stopping.set()  # the question ends without an answer
    assert memory.turns_done(20)
    home.server.stopping.clear()
    home.distill = lambda _prompt: {"items": [item(SAID)]}
    assert [text for _, _, text in told(home.open().catch_up_turns())] == [SAID]


def test_only_the_worker_is_away() -> None:
    behind = Behind(lambda _ids: None)
    behind.note(["a"])
    assert behind.wait(10)
    behind.close()
    with behind.away():  # this thread waits for nobody
        pass
