"""A night whose model judges pairs, over a scripted server: right answers and every wrong one."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.dream.cycle import judge as cycle_judge
from slowwave.dream.cycle import night as cycle
from slowwave.dream.reconcile.judge import model as judge_model
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Record
from slowwave.modelling import asking
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    echo,
    failing,
    fenced,
    invented,
    truncated,
)
from slowwave.wiring import Options, open_memory

FIRST = datetime.fromisoformat("2034-06-05T08:00:00+02:00")
OLD = ("I drink tea in the morning", "I'm a vegetarian", "My car is a red Volvo")
NEW = (
    "Mornings start with a cup of tea for me",
    "I had a steak for lunch, and I eat meat whenever I like",
    "I drive a Volvo",
)
RIGHT = dict(zip(zip(OLD, NEW, strict=True), ("same", "contradicts", "same"), strict=True))


def asked_pairs(prompt: str) -> list[tuple[str, str, str]]:
    """The ids of the pairs of a question, each with its known and its new statement."""
    known = r"KNOWN, [\d-]+\n<<(\w+)\n(.*?)\n\2>>"
    pattern = rf"\[(p\d+)\] about[^\n]*\n{known}\nNEW, [\d-]+\n<<\2\n(.*?)\n\2>>"
    return [(one[1], one[3], one[4]) for one in re.finditer(pattern, prompt, re.DOTALL)]


def answer_to(prompt: str, relation: str = "") -> dict[str, Any]:
    """What is right, unless another relation is given for all."""
    return {
        "items": [
            {"pair": pair, "relation": relation or RIGHT.get((known, new), "new"), "words": new}
            for pair, known, new in asked_pairs(prompt)
        ]
    }


class Home:
    """A home with three things known and three said the day after."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.judged: list[str] = []
        self.say: Callable[[str], Any] = answer_to
        self.server = ScriptedModel(self.scripted)
        self.memory: SlowMemory | None = None

    def scripted(self, request: Request) -> Any:
        system = request.body["messages"][0]["content"]
        if not system.startswith("You compare statements"):
            return {"items": []}  # the rules find the claims
        self.judged.append(request.prompt)
        return self.say(request.prompt)

    def open(self, now: str = "2034-06-07T03:00:00+02:00") -> SlowMemory:
        if self.memory is not None:
            self.memory.close()
        environment = {
            "SLOWWAVE_MODEL_BASE_URL": self.server.base_url, "SLOWWAVE_MODEL_NAME": "scripted",
        }  # fmt: skip
        options = Options(home=str(self.folder), now=now, tz="Europe/Helsinki")
        self.memory = open_memory(options, environment)
        return self.memory

    def filled(self) -> SlowMemory:
        memory = self.open()
        for day, texts in enumerate((OLD, NEW)):
            memory.log(
                [
                    Record(text=text, role="user", source="chat", session=f"s{day}{number}",
                           ts=FIRST + timedelta(days=day, minutes=number))
                    for number, text in enumerate(texts)
                ]
            )  # fmt: skip
        memory.dream("2034-06-05", apply=True)
        return memory


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setattr(asking, "PAUSES", (0.0, 0.0, 0.0))
    here = Home(tmp_path / "home")
    with here.server:
        yield here
        if here.memory is not None:
            here.memory.close()


def night(memory: SlowMemory, **how: Any) -> Dream:
    return memory.dream("2034-06-06", apply=True, distiller="llm", **how)


def changes(dream: Dream) -> list[tuple[str, str]]:
    return sorted((change.op, change.after.text) for change in dream.changes)


BY_RULES = sorted(("add", text) for text in NEW)


def test_the_model_decides_where_the_rules_are_unsure(home: Home) -> None:
    dream = night(home.filled())
    assert changes(dream) == [
        ("add", NEW[1]), ("confirm", OLD[0]), ("confirm", OLD[2]), ("supersede", OLD[1]),
    ]  # fmt: skip
    assert all("judged by scripted" in change.reason for change in dream.changes)
    assert all(
        change.scores["judged"] == 1.0 for change in dream.changes if change.op != "supersede"
    )
    (prompt,) = home.judged
    assert prompt.count("KNOWN, 2034-06-05") == len(asked_pairs(prompt))
    assert dream.warnings == ()
    assert [stage.name for stage in dream.stages if stage.name == "judge"] == ["judge"]
    assert home.memory is not None
    (call,) = [one for one in home.memory._store.model_calls("default") if one.purpose == "judge"]
    assert (call.outcome, call.dream_id) == ("ok", dream.dream_id)
    assert call.prompt[:12] in dream.changes[0].reason
    # It can be told by every door that tells reasons, and taken back.
    (tea,) = [one for one in dream.changes if one.after.text == OLD[0]]
    assert "judged by scripted" in home.memory.why(tea.memory_id).changes[-1].reason
    home.memory.rollback(dream.dream_id)
    assert sorted(one.text for one in home.memory.memories(("active",))) == sorted(OLD)


def test_by_the_rules_alone_nobody_is_asked(home: Home) -> None:
    dream = home.filled().dream("2034-06-06", apply=True)
    assert changes(dream) == BY_RULES
    assert home.server.requests == []
    assert not [change for change in dream.changes if "judged" in change.reason]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda _prompt: failing(500), id="500"),
        pytest.param(lambda _prompt: busy(retry_after=30), id="429"),
        pytest.param(lambda _prompt: echo(), id="echo"),
        pytest.param(lambda _prompt: "They look alike to me.", id="prose"),
        pytest.param(lambda _prompt: {"items": []}, id="nothing"),
        pytest.param(
            lambda prompt: {"items": [
                {**item, "pair": f"p{number + 40}"}
                for number, item in enumerate(answer_to(prompt)["items"])
            ]},
            id="wrong ids",
        ),
        pytest.param(
            lambda prompt: {"items": [
                {**item, "words": "I am John Doe"} for item in answer_to(prompt)["items"]
            ]},
            id="invented words",
        ),
        pytest.param(lambda prompt: answer_to(prompt, relation="new"), id="all new"),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_used_leaves_the_rules_decision(
    home: Home, wrong: Callable[[str], Any], request: pytest.FixtureRequest
) -> None:
    home.say = wrong
    dream = night(home.filled())
    assert changes(dream) == BY_RULES
    counted = {item.reason: item.count for item in dream.rejected if "judge" in item.reason}
    case = request.node.callspec.id
    if case == "wrong ids":
        assert counted["judge: no such pair"] == len(asked_pairs(home.judged[0]))
    if case == "invented words":
        assert counted["judge: words not in the statement"] > 0
    if case in ("500", "429", "echo", "prose"):
        assert "did not compare" in dream.warnings[0]
        assert "the rules did" in dream.warnings[0]
    assert len(home.judged) <= 2  # one question, one repair; no waiting for a server


@pytest.mark.parametrize("shape", [fenced, lambda value: invented(value, {
    "pair": "p77", "relation": "contradicts", "words": "John Doe",
}), lambda value: truncated(value, 0.9)], ids=["fenced", "one more", "cut"])  # fmt: skip
def test_what_is_right_in_an_odd_answer_counts(home: Home, shape: Callable[[Any], Any]) -> None:
    home.say = lambda prompt: shape(answer_to(prompt))
    dream = night(home.filled())
    assert [change for change in dream.changes if "judged by scripted" in change.reason]
    assert not [change for change in dream.changes if "John Doe" in str(change)]


def test_a_model_that_calls_all_the_same_merges_nothing_the_guard_forbids(home: Home) -> None:
    home.say = lambda prompt: answer_to(prompt, relation="same")
    dream = night(home.filled())
    assert ("add", NEW[1]) in changes(dream)
    assert not [change for change in dream.changes if change.op == "supersede"]


def test_a_plan_is_the_same_from_the_recorded_answer(home: Home) -> None:
    memory = home.filled()
    planned = memory.dream("2034-06-06", distiller="llm")
    asked = len(home.judged)
    home.say = lambda _prompt: failing(500)
    memory = home.open("2034-06-07T04:00:00+02:00")
    again = memory.dream("2034-06-06", distiller="llm")
    assert len(home.judged) == asked
    assert changes(again) == changes(planned)
    assert [change.reason for change in again.changes] == [one.reason for one in planned.changes]
    applied = memory.apply(again.dream_id)
    assert changes(applied) == changes(planned)
    kept = memory._store.stages("default", "judged")
    assert not [text for text in (*OLD, *NEW) for one in kept.values() if text.encode() in one]


def test_a_plan_that_waited_is_applied_without_asking(home: Home) -> None:
    memory = home.filled()
    planned = memory.dream("2034-06-06", distiller="llm")
    memory.log([Record(text="I play the viola", role="user", source="chat", session="x",
                       ts=FIRST + timedelta(days=-3))])  # fmt: skip
    memory.dream("2034-06-02", apply=True)  # the ledger moved on
    asked = len(home.server.asked)
    applied = memory.apply(planned.dream_id)
    assert len(home.server.asked) == asked
    assert changes(applied) == changes(planned)


def test_a_dry_run_keeps_nothing(home: Home) -> None:
    memory = home.filled()
    dream = memory.dream("2034-06-06", distiller="llm", dry_run=True)
    assert [change for change in dream.changes if "judged by scripted" in change.reason]
    assert memory._store.stages("default", "judged") == {}


def test_a_night_that_was_killed_after_judging_does_not_ask_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = home.filled()

    def killed(*_given: Any, **_more: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cycle, "promote", killed)
        with pytest.raises(KeyboardInterrupt):
            night(memory)
    asked = len(home.server.asked)
    home.say = lambda _prompt: failing(500)
    dream = night(home.open("2034-06-07T03:30:00+02:00"))
    assert len(home.judged) == 1
    assert [change for change in dream.changes if "judged by scripted" in change.reason]
    assert [one for one in home.server.asked[asked:] if "PAIRS" in one.prompt] == []


def test_no_more_than_the_bound_is_asked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_model, "PAIRS", 1)
    monkeypatch.setattr(cycle_judge, "QUESTIONS", 2)
    dream = night(home.filled())
    assert len(home.judged) == 2
    assert [prompt.count("KNOWN") for prompt in home.judged] == [1, 1]
    assert dream.status == "applied"
