"""A whole night with a model whose server fails in every way in the middle (cases 11, 12, 59-63).

What was right is kept, what was wrong is refused with a reason, and the next run finishes. People,
places and sentences are invented.
"""

import dataclasses
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave.errors import ModelError, ModelRefused, SettingsError
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Memory, Record
from slowwave.modelling import asking, unfinished
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    chatty,
    echo,
    failing,
    fenced,
    holding,
    invented,
    refusing,
    reset,
    thinking,
    too_long,
    truncated,
    wrong_ids,
)
from slowwave.wiring import Options, open_memory

NOW = "2031-03-04T03:00:00+01:00"
FIRST = datetime.fromisoformat("2031-03-03T08:00:00+01:00")
TOWNS = ("Alsfeld", "Bruchsal", "Coburg", "Dachau", "Erding", "Fulda", "Goslar", "Husum", "Idar",
         "Jena")  # fmt: skip
HARD = 6
"""The chunk in whose turn something goes wrong."""

SMALL = "[dream]\nsegment_chars = 60\n"
FAKE = {"evidence": [{"event_id": "e1", "quote": "I am John Doe of Google"}], "kind": "profile",
        "subject": "user", "text": "The user is John Doe, an engineer at Google", "importance": 90,
        "confidence": 0.9, "standing": "standing"}  # fmt: skip


def sentence(number: int) -> str:
    return f"My storage room in {TOWNS[number]} has the number {number}{number}7"


def number_of(request: Request) -> int:
    """Which chunk a request is about: what stands below LOG."""
    asked = request.prompt.rpartition("\nLOG\n")[2] or request.prompt
    return next(number for number, town in enumerate(TOWNS) if town in asked)


def is_chunk(request: Request) -> bool:
    """Whether this asks what a chunk says: themes and diaries are asked about as well."""
    return "LOG" in request.prompt.splitlines()


def item(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "evidence": [{"event_id": "e1", "quote": sentence(number)}], "kind": "environment",
        "subject": "user", "text": sentence(number), "importance": 61, "confidence": 0.9,
        "standing": "standing", "valid_from": None, "valid_to": None, "negated": False,
        "entities": [], **fields,
    }  # fmt: skip


def right(number: int) -> dict[str, Any]:
    return {"items": [item(number)]}


class Home:
    """A home with ten things said on one day, and a model whose server follows a script."""

    def __init__(self, folder: Path, *hard: Any, settings: str = SMALL, timeout: float = 5) -> None:
        self.folder = folder
        self.hard = list(hard)
        self.answer: Callable[[Request], Any] = self.scripted
        self.server = ScriptedModel(self.answered)
        self.folder.mkdir(exist_ok=True)
        model = f"[model]\ntimeout = {timeout}\n" if "[model]" not in settings else ""
        (folder / "slowwave.toml").write_text(settings + model, encoding="utf-8")
        self.memories: list[SlowMemory] = []

    def answered(self, request: Request) -> Any:
        """What the script says about a chunk; about all else the model has nothing to say."""
        return self.answer(request) if is_chunk(request) else {"items": []}

    def scripted(self, request: Request) -> Any:
        number = number_of(request)
        if number == HARD and self.hard:
            return self.hard.pop(0)
        return right(number)

    def open(self, **more: str) -> SlowMemory:
        environment = {
            "SLOWWAVE_MODEL_BASE_URL": self.server.base_url, "SLOWWAVE_MODEL_NAME": "scripted",
            "SLOWWAVE_EMBEDDER": "none", **more,
        }  # fmt: skip
        memory = open_memory(
            Options(home=str(self.folder), now=NOW, tz="Europe/Berlin"), environment
        )
        self.memories.append(memory)
        return memory

    def filled(self, *texts: str) -> SlowMemory:
        memory = self.open()
        memory.log(
            [
                Record(text=text, source="t", key=str(at), ts=FIRST + timedelta(minutes=at))
                for at, text in enumerate(texts or map(sentence, range(10)))
            ]
        )
        return memory

    @property
    def asked(self) -> list[int]:
        """The chunks that were asked about, in order, each as often as it was."""
        return [number_of(request) for request in self.chunks]

    @property
    def chunks(self) -> list[Request]:
        """The requests that were about chunks."""
        return [request for request in self.server.asked if is_chunk(request)]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses between tries are as long as nothing."""
    monkeypatch.setattr(asking, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Callable[..., Home]]:
    made: list[Home] = []

    def make(*hard: Any, **fields: Any) -> Home:
        new = Home(tmp_path / f"home{len(made)}", *hard, **fields)
        new.server.__enter__()
        made.append(new)
        return new

    yield make
    for one in made:
        for memory in one.memories:
            memory.close()
        one.server.__exit__(None, None, None)


def by_model(memory: SlowMemory, **how: Any) -> Dream:
    return memory.dream(distiller="llm", apply=True, **how)


def known(memory: SlowMemory) -> list[Memory]:
    return memory.memories()


def towns(memory: SlowMemory) -> list[str]:
    return sorted(town for town in TOWNS if any(town in one.text for one in known(memory)))


def reasons(dream: Dream) -> str:
    return "; ".join(item.reason for item in dream.rejected)


ALL_BUT_ONE = sorted(set(TOWNS) - {TOWNS[HARD]})


def test_a_night_without_faults(home) -> None:
    here = home()
    memory = here.filled()
    dream = by_model(memory)
    assert here.asked == list(range(10))
    assert (dream.status, dream.model_used) == ("applied", "scripted")
    assert len(dream.event_ids) == dream.input_events == 10
    assert (dream.pending, dream.warnings) == ((), ())
    assert towns(memory) == list(TOWNS)
    # Found by both: one memory each, not two.
    assert len(known(memory)) == 10
    assert by_model(memory).status == "nothing_to_do"
    assert len(here.asked) == 10


# ── the server fails (case 59) ──────────────────────────────────────────────────────────────────

BREAKS: dict[str, Callable[[], Any]] = {
    "429": lambda: busy(retry_after=0),
    "500": failing,
    "time-out": lambda: holding(20),
    "reset": reset,
}


@pytest.mark.parametrize("name", BREAKS)
def test_nine_are_done_and_one_waits_and_the_next_run_asks_only_it(home, name: str) -> None:
    here = home(*[BREAKS[name]() for _ in range(4)], timeout=0.4)
    memory = here.filled()
    first = by_model(memory)
    assert towns(memory) == ALL_BUT_ONE
    assert len(first.event_ids) == 9
    (pending,) = first.pending
    assert (pending.events, pending.attempts, pending.given_up) == (1, 1, False)
    assert pending.reason
    assert "9 of 10 chunks done" in first.warnings[0]
    assert pending.reason in first.warnings[0]
    before = len(here.asked)
    second = by_model(memory)
    assert here.asked[before:] == [HARD]
    assert (second.input_events, second.pending) == (1, ())
    assert towns(memory) == list(TOWNS)


# ── the model answers oddly (case 61) ───────────────────────────────────────────────────────────

ODD: dict[str, Callable[[Any], Any]] = {
    "fenced": fenced,
    "chatty": chatty,
    "thinking": thinking,
    "single": lambda answer: answer["items"][0],
    "dict for a string": lambda answer: {
        "items": [{**answer["items"][0], "text": {"value": answer["items"][0]["text"]}}]
    },
    "echo and answer": echo,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_ways_to_say_it_are_understood(home, name: str) -> None:
    here = home(ODD[name](right(HARD)))
    memory = here.filled()
    dream = by_model(memory)
    assert (dream.pending, dream.model_used) == ((), "scripted")
    assert len(here.asked) == 10
    assert len(known(memory)) == 10


UNUSABLE: dict[str, Callable[[], Any]] = {
    "truncated": lambda: truncated(right(HARD), 0.4),
    "prose": lambda: "There is a storage room.",
    "nothing": lambda: "",
    "echo": echo,
    "strings": lambda: {"facts": ["The user is John Doe, an engineer at Google"]},
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_answer_that_cannot_be_used_is_never_an_empty_success(home, name: str) -> None:
    here = home(UNUSABLE[name](), UNUSABLE[name]())
    memory = here.filled()
    first = by_model(memory)
    assert towns(memory) == ALL_BUT_ONE
    assert [pending.attempts for pending in first.pending] == [1]
    assert memory.raw_answers()
    second = by_model(memory)
    assert second.pending == ()
    assert towns(memory) == list(TOWNS)
    assert "John" not in str(known(memory))


# ── the model is wrong (cases 11 and 12) ────────────────────────────────────────────────────────

WRONG: dict[str, tuple[Any, str]] = {
    "unknown event": (item(HARD, evidence=[{"event_id": "e9", "quote": sentence(HARD)}]),
                      "unsupported: no such event"),
    "invented": (FAKE, "unsupported: quote not found"),
    "no quote": (item(HARD, evidence=[]), "unsupported: no quote"),
    "other number": (item(HARD, text=sentence(HARD).replace("667", "668")), "details lost"),
    "more than said": (item(HARD, text=f"{sentence(HARD)} and costs 90 euros"),
                       "distill: says more than was said"),
    "prompt": (item(HARD, text="what is limited stays limited"), "repeats the instructions"),
    "contrary": (item(HARD, negated=True,
                      text=sentence(HARD).replace("has the number", "has not the number")),
                 "verify: negation changed"),
    "of another kind": (item(HARD, kind="secret"), "item refused"),
    "out of range": (item(HARD, importance=400), "verify: value out of range"),
    "someone else": (item(HARD, subject="Napoleon"), "verify: subject not in evidence"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused_with_a_reason_and_the_right_beside_it_kept(
    home, name: str
) -> None:
    wrong, reason = WRONG[name]
    here = home({"items": [wrong, item(HARD)]}, {"items": [wrong]}, {"items": [wrong]})
    memory = here.filled()
    dream = by_model(memory)
    assert reason in reasons(dream)
    assert dream.pending == ()
    assert towns(memory) == list(TOWNS)
    assert [one.text for one in known(memory) if TOWNS[HARD] in one.text] == [sentence(HARD)]
    assert "John" not in str(known(memory))


def cited(memory: SlowMemory) -> list[dict[str, str]]:
    """The only event there is, by its own id."""
    (event,) = memory.parts.store.undreamed("default", None, None)
    return [{"event_id": event.id, "quote": event.text}]


def test_all_ids_wrong_gives_nothing_of_the_model(home) -> None:
    here = home()
    memory = here.open()
    memory.log([Record(text=sentence(0), source="t", key="0", ts=FIRST)])
    here.answer = lambda _request: wrong_ids({"items": [item(0, evidence=cited(memory))]})
    assert "no such event" in reasons(by_model(memory))


def test_an_event_may_be_named_by_its_own_id(home) -> None:
    here = home()
    memory = here.open()
    memory.log([Record(text=sentence(0), source="t", key="0", ts=FIRST)])
    own = item(0, evidence=cited(memory), importance=93)
    here.answer = lambda _request: {"items": [own]}
    by_model(memory)
    assert [one.importance for one in known(memory)] == [93]


def test_invented_items_among_right_ones(home) -> None:
    here = home(invented(right(HARD), FAKE, {**FAKE, "evidence": []}))
    memory = here.filled()
    dream = by_model(memory)
    assert {item.reason: item.count for item in dream.rejected if "unsupp" in item.reason} == {
        "distill: unsupported: no quote": 1,
        "distill: unsupported: quote not found": 1,
    }
    assert len(known(memory)) == 10


@pytest.mark.parametrize(
    "answer",
    [
        {"facts": ["User is John Doe, engineer at Google"]},
        {"items": [FAKE]},
        {"items": [{**FAKE, "text": "Clear, specific title (max 12 words)"}]},
        {"items": [{**FAKE, "text": "the statement, understood without the log"}]},
    ],
)
def test_a_greeting_gives_no_memory_whatever_the_model_says(home, answer: Any) -> None:
    here = home()
    here.answer = lambda _request: answer
    memory = here.filled("你好")
    dream = by_model(memory)
    assert known(memory) == []
    assert sum(one.count for one in dream.rejected if one.reason.startswith("distill:")) >= 1
    wanted = ("unsupported", "repeats the instructions")
    assert any(reason in reasons(dream) for reason in wanted)


def test_details_that_were_lost_are_asked_for_once_more(home) -> None:
    here = home({"items": [item(HARD, text=f"My storage room in {TOWNS[HARD]} has a number")]},
                {"items": [item(HARD, importance=97)]})  # fmt: skip
    memory = here.filled()
    dream = by_model(memory)
    assert here.asked.count(HARD) == 2
    assert "lost: 667" in here.chunks[-4].prompt
    assert "details lost" not in reasons(dream)
    assert max(one.importance for one in known(memory)) == 97


# ── attempts over all runs (cases 59 and 60) ────────────────────────────────────────────────────


def test_after_three_attempts_the_rules_take_it_over(home) -> None:
    here = home(*["prose"] * 99)
    memory = here.filled()
    waits = [len(by_model(memory).pending) for _ in range(2)]
    assert waits == [1, 1]
    third = by_model(memory)
    assert third.pending == ()
    assert third.model_used == "scripted + rules (1 of 1 chunk)"
    assert "could not do" in third.warnings[0]
    assert towns(memory) == list(TOWNS)
    assert here.asked.count(HARD) == 3 * 2
    assert by_model(memory).status == "nothing_to_do"


def test_without_the_rules_it_is_given_up_and_listed(home) -> None:
    here = home(*["prose"] * 99, settings=f'{SMALL}[model]\nfallback = "fail"\n')
    memory = here.filled()
    for _ in range(3):
        last = by_model(memory)
    assert [pending.given_up for pending in last.pending] == [True]
    asked = len(here.asked)
    again = by_model(memory)
    assert len(here.asked) == asked
    assert again.status == "nothing_to_do"
    assert "given up" in again.warnings[0]
    assert towns(memory) == ALL_BUT_ONE
    assert memory.status().parts_waiting == 1
    (problem,) = memory.diagnose()
    assert problem.check == "model"
    assert "1 event" in problem.detail
    # Another model has its own tries.
    here.hard.clear()
    other = here.open(SLOWWAVE_MODEL_NAME="stronger")
    assert by_model(other).pending == ()
    assert towns(other) == list(TOWNS)
    assert other.diagnose() == ()


def test_killed_again_and_again_at_the_same_place(home) -> None:
    class Killed(BaseException):
        pass

    here = home()
    memory = here.filled()
    kills = 0

    def deadly(request: Request) -> Any:
        return right(number_of(request))

    here.answer = deadly
    complete = type(memory.parts.model()).complete

    def dies(model: Any, ask: Any) -> Any:
        nonlocal kills
        told = ask.user.rpartition("\nLOG\n")[2] + ask.user[:99]
        if "LOG" in ask.user.splitlines() and TOWNS[HARD] in told:
            kills += 1
            raise Killed
        return complete(model, ask)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(memory.parts.model()), "complete", dies)
        for _ in range(3):
            with pytest.raises(Killed):
                by_model(memory)
        done = by_model(memory)
    assert kills == 3
    assert done.model_used == "scripted + rules (1 of 10 chunks)"
    assert towns(memory) == list(TOWNS)
    assert sorted(here.asked) == sorted(set(range(10)) - {HARD})  # each of the others once


def test_a_process_that_is_killed_while_the_model_is_asked(home) -> None:
    here = home()
    memory = here.filled()
    environment = {**os.environ, "SLOWWAVE_MODEL_BASE_URL": here.server.base_url,
                   "SLOWWAVE_MODEL_NAME": "scripted", "SLOWWAVE_EMBEDDER": "none"}  # fmt: skip
    options = ("--home", str(here.folder), "--now", NOW, "--tz", "Europe/Berlin")
    night = ("dream", "--distiller", "llm", "--apply")
    child = subprocess.Popen([sys.executable, "-m", "slowwave", *options, *night], env=environment)

    def deadly(request: Request) -> Any:
        if number_of(request) == HARD:
            child.send_signal(signal.SIGKILL)
        return right(number_of(request))

    here.answer = deadly
    assert child.wait(60) == -signal.SIGKILL
    assert here.asked == list(range(HARD + 1))
    marks = unfinished.marks(memory.parts.store, "default").values()
    assert [mark.attempts for mark in marks if mark.state != "done"] == [1]
    here.answer = here.scripted
    assert by_model(memory).pending == ()
    assert here.asked == [*range(HARD + 1), *range(HARD, 10)]
    assert towns(memory) == list(TOWNS)


def test_a_kill_between_chunks_asks_nothing_twice(home) -> None:
    class Killed(BaseException):
        pass

    here = home()
    memory = here.filled()

    def stop(name: str, done: int, _total: int) -> None:
        if name == "distill" and done == 4:
            raise Killed

    with pytest.raises(Killed):
        by_model(memory, progress=stop)
    assert here.asked == [0, 1, 2, 3]
    resumed = by_model(memory)
    assert here.asked == list(range(10))
    undisturbed = home()
    other = by_model(undisturbed.filled())
    assert [change.after.text for change in resumed.changes] == [
        change.after.text for change in other.changes
    ]


def test_a_plan_that_is_made_anew_asks_only_about_what_waits(home) -> None:
    here = home("prose", "prose")
    memory = here.filled()
    first = memory.dream(distiller="llm")
    second = memory.dream(distiller="llm")
    assert first.dream_id == second.dream_id
    assert here.asked.count(HARD) == 3
    assert len(here.asked) == 12
    assert (len(first.event_ids), len(second.event_ids)) == (9, 10)
    memory.apply(second.dream_id)
    assert len(here.asked) == 12
    assert towns(memory) == list(TOWNS)
    # What is read is not kept any longer.
    memory.log([Record(text=sentence(3), source="t", key="new", ts=FIRST + timedelta(hours=5))])
    by_model(memory)
    assert len(unfinished.marks(memory.parts.store, "default")) == 1


# ── when nothing can be asked ───────────────────────────────────────────────────────────────────


def test_a_dead_server_is_a_failed_dream(home) -> None:
    here = home()
    here.answer = lambda _request: failing()
    memory = here.filled()
    with pytest.raises(ModelError) as caught:
        by_model(memory)
    assert caught.value.hint
    assert memory.dreams() == []
    assert list((here.folder / "vault" / "dream_logs" / "error").iterdir())
    # It is not asked about all ten, and in the end the rules do it.
    assert len(set(here.asked)) == 3
    with pytest.raises(ModelError):
        by_model(memory)
    assert by_model(memory).model_used == "scripted + rules (10 of 10 chunks)"
    assert towns(memory) == list(TOWNS)


def test_what_the_model_will_not_speak_about_goes_to_the_rules_at_once(home) -> None:
    here = home(refusing("this is against our policy", "content_filter"))
    memory = here.filled()
    dream = by_model(memory)
    assert dream.model_used == "scripted + rules (1 of 10 chunks)"
    assert here.asked.count(HARD) == 1
    assert towns(memory) == list(TOWNS)


def test_no_model_is_a_plain_error(home) -> None:
    memory = home().filled()
    bare = home().open(SLOWWAVE_MODEL_BASE_URL="")
    with pytest.raises(SettingsError, match="no model"):
        by_model(bare)
    assert memory.dream(apply=True).model_used == "rules"


def test_the_budget_of_one_dream(home) -> None:
    here = home(settings=f"{SMALL}[model]\nmax_tokens_per_dream = 12000\n")
    memory = here.filled()
    runs = []
    for _ in range(20):
        dream = by_model(memory)
        if dream.status == "nothing_to_do":
            break
        runs.append(dream)
    assert len(runs) > 1
    assert "of 10 chunks done" in runs[0].warnings[0]
    assert "tokens" in runs[0].warnings[0]
    assert all(dream.model_used == "scripted" for dream in runs)
    assert sorted(here.asked) == list(range(10))
    assert towns(memory) == list(TOWNS)


# ── a very long line (case 63) ──────────────────────────────────────────────────────────────────


def test_one_endless_line_is_split_and_the_rest_goes_on(home) -> None:
    here = home(settings="")
    long = "The tide table of Norderney says high water at six. " * 1_500
    texts = [*map(sentence, range(5)), long, *map(sentence, range(5, 10))]
    sizes: list[int] = []

    def answer(request: Request) -> Any:
        sizes.append(len(request.prompt))
        asked = request.prompt.rpartition("\nLOG\n")[2] or request.prompt
        found = [number for number, town in enumerate(TOWNS) if town in asked]
        return {"items": [item(number, evidence=[{"event_id": f"e{at}", "quote": sentence(number)}])
                          for at, number in enumerate(found, start=1)]}  # fmt: skip

    here.answer = answer
    told: list[tuple[str, int, int]] = []
    memory = here.filled(*texts)
    dream = by_model(memory, progress=lambda *step: told.append(step))
    assert dream.pending == ()
    assert towns(memory) == list(TOWNS)
    assert max(sizes) < 36_000
    assert [step for step in told if step[0] == "distill"][:5] == [
        ("distill", number, 5) for number in range(1, 6)
    ]


def test_what_is_too_long_for_the_model_is_asked_in_halves(home) -> None:
    here = home(settings="")
    here.answer = lambda request: (
        too_long() if sum(town in request.prompt.partition("LOG")[2] for town in TOWNS) > 3
        else {"items": []}
    )  # fmt: skip
    memory = here.filled()
    dream = by_model(memory)
    assert dream.pending == ()
    assert towns(memory) == list(TOWNS)


# ── privacy ─────────────────────────────────────────────────────────────────────────────────────


def test_local_only_asks_no_model_elsewhere(home, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[Any] = []
    here = home()
    memory = here.filled()
    elsewhere = here.open(SLOWWAVE_MODEL_BASE_URL="http://192.0.2.7:8000/v1")
    monkeypatch.setattr(socket.socket, "connect", lambda _self, to: gone.append(to))
    monkeypatch.setattr(
        elsewhere.parts.store, "undreamed", lambda *_: pytest.fail("it read the journal")
    )
    with pytest.raises(ModelRefused) as caught:
        by_model(elsewhere)
    assert "masked" in caught.value.hint
    assert gone == []
    assert known(memory) == []


def test_with_local_only_nothing_leaves_loopback(home, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    connect = socket.socket.connect

    def watched(self: socket.socket, to: Any) -> None:
        asked.append(to)
        connect(self, to)

    monkeypatch.setattr(socket.socket, "connect", watched)
    here = home()
    by_model(here.filled())
    assert asked
    assert {to[0] for to in asked} <= {"127.0.0.1", "::1"}


def test_masked_the_model_sees_placeholders_and_the_memory_the_words(home) -> None:
    here = home(settings="")
    said = "My phone number is 030 5557 1234"
    memory = here.filled(said, "My dentist is Marta Lindqvist")
    real = memory.parts.model()

    class Elsewhere:
        local = False
        name = "scripted"

        def complete(self, ask: Any) -> Any:
            return real.complete(ask)

    def answer(request: Request) -> Any:
        lines = request.prompt.splitlines()
        shown = lines[lines.index("LOG") + 3]
        return {"items": [item(0, kind="profile", text=shown, importance=91,
                               evidence=[{"event_id": "e1", "quote": shown}])]}  # fmt: skip

    here.answer = answer
    model = msgspec.structs.replace(memory.parts.settings.model, privacy="masked")
    settings = msgspec.structs.replace(memory.parts.settings, model=model)
    parts = dataclasses.replace(memory.parts, model=Elsewhere, settings=settings)
    dream = by_model(SlowMemory(parts))
    for private in ("Marta", "Lindqvist", "5557"):
        assert private not in here.server.received_text
    assert dream.model_used == "scripted"
    found = {one.text: one.importance for one in known(memory)}
    assert found[said] == 91
    assert any("Marta Lindqvist" in text for text in found)


# ── rules and model together ────────────────────────────────────────────────────────────────────


def test_a_model_that_finds_nothing_costs_nothing(home) -> None:
    said = [
        "I am allergic to hazelnuts", "以后周报都用蓝色模板",
        "My brother Olle lives in Trondheim", "The backup host is bkp-17.example",
    ]  # fmt: skip
    by_rules = home(settings="").filled(*said)
    by_rules.dream(apply=True)
    here = home(settings="")
    here.answer = lambda _request: {"items": []}
    memory = here.filled(*said)
    by_model(memory)
    assert sorted(one.text for one in known(memory)) == sorted(one.text for one in known(by_rules))


def test_rules_are_the_same_with_a_model_in_the_settings(home) -> None:
    plain = home(settings="").filled()
    with_model = home(settings='[model]\ndistiller = "llm"\n')
    memory = with_model.filled()
    one, other = plain.dream(), memory.dream(distiller="rules")
    assert one.dream_id == other.dream_id
    assert one.changes == other.changes
    with_model.answer = lambda _request: {"items": []}
    assert memory.dream().model_used == "scripted"


def test_a_dry_run_asks_and_stores_nothing(home) -> None:
    here = home()
    memory = here.filled()
    dream = memory.dream(distiller="llm", dry_run=True)
    assert len(here.asked) == 10
    assert len(dream.changes) == 10
    assert memory.dreams() == []
    assert unfinished.marks(memory.parts.store, "default") == {}
    assert memory.parts.store.model_calls("default") == []


def test_a_line_longer_than_the_budget_of_a_dream_is_read_over_several_nights(home) -> None:
    here = home(settings="[dream]\nsegment_chars = 400\n[model]\nmax_tokens_per_dream = 10500\n")
    here.answer = lambda _request: {"items": []}
    memory = here.filled("The tide table of Norderney says high water at six. " * 60)
    left = []
    for _ in range(12):
        dream = by_model(memory)
        left.append(len(dream.pending))
        if not dream.pending:
            break
    assert len(left) > 2
    assert left == sorted(set(left), reverse=True)  # each run came further
    assert left[-1] == 0
    assert len(here.chunks) == len({request.prompt for request in here.chunks})
