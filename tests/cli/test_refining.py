"""`slowwave dream --refine`: a day read again, the difference as a plan; also when the model fails.

A day of a few things that only a model takes for claims, read by a weak one and then by others.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    echo,
    failing,
    fenced,
    invented,
    reset,
    truncated,
    wrong_ids,
)

SHED = "The shed smells of tar, and that's Agneta's doing"
CURTAINS = "Tarja no longer wants the blue curtains, she asked for the green ones from Lahti"
DOOR = "The cellar door sticks when it rains"
LADDER = "I keep the ladder in the shed of Agneta Palm"
SAID = (SHED, CURTAINS, DOOR, LADDER)
DAY = "2026-11-30"
NIGHT = "--date", DAY, "--distiller", "llm"
AGAIN = "--refine", DAY

Item = dict[str, Any]


def item(text: str, quote: str = "", **fields: Any) -> Item:
    known = {"kind": "fact", "subject": "world", "importance": 70, "confidence": 0.9,
             "standing": "standing"}  # fmt: skip
    return {"quote": quote or text, "text": text, **known, **fields}


WEAK = [item("The shed smells of tar"), item("she asked for the green ones from Lahti")]
STRONG = [item(CURTAINS, subject="Tarja", kind="preference", negated=True), item(DOOR),
          item(LADDER, subject="user", kind="environment", importance=90)]  # fmt: skip


class Models:
    """Several models on one server; each finds its items wherever their words are shown."""

    def __init__(self) -> None:
        self.items: dict[str, list[Item]] = {"weak": WEAK, "strong": STRONG}
        self.faults: dict[str, Any] = {}
        self.asked: list[tuple[str, str]] = []

    def __call__(self, request: Request) -> Any:
        system, user = (one["content"] for one in request.body["messages"][:2])
        if "worth remembering" not in system:
            return {"items": []}
        name = request.body["model"]
        self.asked.append((name, user))
        asked_about = user.partition("LOG\n")[2]
        for words, fault in self.faults.items():
            if words in asked_about:
                return fault
        shown = re.findall(r"\[(e\d+)\][^\n]*\n<<\w+\n(.*?)\n\w+>>", user, re.S)
        return {"items": [
            {**{key: value for key, value in one.items() if key != "quote"},
             "evidence": [{"event_id": event_id, "quote": one["quote"]}]}
            for one in self.items[name] for event_id, text in shown if one["quote"] in text
        ]}  # fmt: skip


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, made_home: Path) -> Iterator[Models]:
    monkeypatch.setattr("slowwave.modelling.asking.PAUSES", (0.0, 0.0, 0.0))
    # Two chunks: the first two sentences, and the others.
    (made_home / "slowwave.toml").write_text("[dream]\nsegment_chars = 300\n", encoding="utf-8")
    script = Models()
    with ScriptedModel(script, models=("weak", "strong")) as server:
        monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", server.base_url)
        monkeypatch.setenv("SLOWWAVE_MODEL_NAME", "weak")
        yield script


@pytest.fixture
def day(call: Any, models: Models) -> None:
    """A day that the weak model has read."""
    for hour, text in enumerate(SAID):
        call("log", text, "--ts", f"{DAY}T{10 + hour}:00:00+08:00")
    code, dream, _ = call("dream", *NIGHT, "--apply")
    assert (code, dream["status"]) == (0, "applied")
    models.asked.clear()


def found(call: Any, *statuses: str) -> set[str]:
    _, memories, _ = call("memories")
    wanted = statuses or ("active", "candidate")
    return {one["text"] for one in memories if one["status"] in wanted}


def changed(dream: Item) -> list[tuple[str, str]]:
    return sorted((one["op"], one["after"]["text"]) for one in dream["changes"])


STRONG_CHANGES = [
    ("add", CURTAINS), ("add", DOOR), ("demote", "The shed smells of tar"),
    ("supersede", "she asked for the green ones from Lahti"), ("update", LADDER),
]  # fmt: skip


# ── the difference ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("day")
def test_a_plan_of_what_differs(call: Any, models: Models) -> None:
    before = found(call)
    code, plan, _ = call("dream", *AGAIN, "--model", "strong")
    assert (code, plan["status"], plan["by"], plan["date"]) == (0, "planned", "refinement", DAY)
    assert (plan["model_used"], plan["event_ids"], plan["input_events"]) == ("strong", [], 4)
    assert changed(plan) == STRONG_CHANGES
    told = plan["refined"]
    assert told["before"] == "weak"
    sizes = {name: len(told[name]) for name in ("dreams", "added", "changed", "ended", "same")}
    assert sizes == {"dreams": 1, "added": 2, "changed": 1, "ended": 2, "same": 0}
    assert {name for name, _ in models.asked} == {"strong"}
    assert found(call) == before  # nothing is changed before somebody says so
    _, waiting, _ = call("dreams", "--waiting")
    assert [one["dream_id"] for one in waiting] == [plan["dream_id"]]


@pytest.mark.usefixtures("day")
def test_it_is_applied_and_undone_like_any(call: Any) -> None:
    before = found(call)
    _, plan, _ = call("dream", *AGAIN, "--model", "strong")
    code, applied, _ = call("dreams", "apply", plan["dream_id"])
    assert (code, applied["status"]) == (0, "applied")
    assert found(call) == {CURTAINS, DOOR, LADDER}
    _, same, _ = call("dream", *AGAIN, "--model", "strong")
    assert (same["status"], same["changes"], len(same["refined"]["same"])) == (
        "nothing_to_do", [], 3,
    )  # fmt: skip
    assert call("doctor")[0] == 0
    assert call("dreams", "rollback", plan["dream_id"])[0] == 0
    assert found(call) == before
    assert call("dream", "--due")[1] == []


@pytest.mark.usefixtures("day")
def test_single_changes_are_chosen(call: Any) -> None:
    _, plan, _ = call("dream", *AGAIN, "--model", "strong")
    door = next(one["id"] for one in plan["changes"] if one["after"]["text"] == DOOR)
    call("dreams", "apply", plan["dream_id"], "--only", door)
    assert DOOR in found(call)
    assert "The shed smells of tar" in found(call)
    _, again, _ = call("dream", *AGAIN, "--model", "strong")
    # What was left out is not proposed as new; `--again` does.
    assert {one["approved"] for one in again["changes"]} == {False}
    _, anew, _ = call("dream", *AGAIN, "--model", "strong", "--again")
    assert {one["approved"] for one in anew["changes"]} == {None}


@pytest.mark.usefixtures("day")
def test_what_a_person_did_stays(call: Any) -> None:
    _, memories, _ = call("memories")
    ids = {one["text"]: one["id"] for one in memories}
    call("memories", "pin", ids["The shed smells of tar"])
    call("memories", "edit", ids["she asked for the green ones from Lahti"], "Green ones, please")
    _, plan, _ = call("dream", *AGAIN, "--model", "strong", "--apply")
    assert {"The shed smells of tar", "Green ones, please"} <= found(call)
    assert set(plan["refined"]["kept"]) >= {ids["The shed smells of tar"]}
    assert not {one["memory_id"] for one in plan["changes"]} & {
        ids["The shed smells of tar"], ids["she asked for the green ones from Lahti"],
    }  # fmt: skip


@pytest.mark.usefixtures("day")
def test_another_reading_brings_it_back(call: Any) -> None:
    call("dream", *AGAIN, "--model", "strong", "--apply")
    assert "The shed smells of tar" in found(call, "cold")
    _, plan, _ = call("dream", *AGAIN, "--model", "weak", "--apply")
    assert ("restore", "The shed smells of tar") in changed(plan)
    assert "The shed smells of tar" in found(call)


@pytest.mark.usefixtures("day")
def test_the_model_on_a_day_that_another_one_read(call: Any) -> None:
    _, plan, _ = call("dream", *NIGHT, "--model", "strong")
    assert (plan["by"], changed(plan)) == ("refinement", STRONG_CHANGES)
    _, same, _ = call("dream", *NIGHT)
    assert (same["by"], same["status"]) == ("night", "nothing_to_do")
    _, ruled, _ = call("dream", "--date", DAY)
    assert (ruled["by"], ruled["status"]) == ("night", "nothing_to_do")


@pytest.mark.usefixtures("day")
def test_what_is_rejected_stays_rejected(call: Any) -> None:
    before = found(call)
    _, plan, _ = call("dream", *AGAIN, "--model", "strong")
    call("dreams", "reject", plan["dream_id"])
    _, again, _ = call("dream", *AGAIN, "--model", "strong", "--apply")
    assert (again["dream_id"], again["status"]) == (plan["dream_id"], "rejected")
    assert found(call) == before
    _, anew, _ = call("dream", *AGAIN, "--model", "strong", "--again")
    assert (anew["status"], changed(anew)) == ("planned", STRONG_CHANGES)


@pytest.mark.usefixtures("day")
def test_the_rules_read_it_again_and_cost_nothing(call: Any, models: Models) -> None:
    _, plan, _ = call("dream", *AGAIN, "--distiller", "rules", "--dry-run")
    assert (models.asked, plan["model_used"]) == ([], "rules")


@pytest.mark.usefixtures("day")
def test_people_read_it(made_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = ["--home", str(made_home), "--tz", "Asia/Shanghai", "--now", "2026-12-01T03:00:00+08:00"]
    assert run([*home, "dream", *AGAIN, "--model", "strong"]) == 0
    shown = capsys.readouterr().out
    assert "read again: 2 added, 1 changed, 2 ended, 0 the same, 0 kept" in shown
    assert "by weak" in shown
    assert run([*home, "dreams", "apply", "last"]) == 0
    assert run([*home, "dream", *AGAIN, "--model", "strong"]) == 0
    assert "3 the same" in capsys.readouterr().out
    assert "weak" not in (made_home / "vault" / "DREAMS.md").read_text(encoding="utf-8")


# ── what a model cannot do ──────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize(
    "fault",
    [failing(500, "no"), busy(retry_after=0), reset(), "prose", truncated('{"items": [{"evid'),
     echo()],
)  # fmt: skip
def test_a_part_that_fails_waits_and_nothing_is_decided_of_it(
    call: Any, models: Models, fault: Any
) -> None:
    models.faults[SHED] = fault
    code, plan, _ = call("dream", *AGAIN, "--model", "strong")
    (pending,) = plan["pending"]
    assert (code, pending["given_up"], pending["events"] < len(SAID)) == (0, False, True)
    # Of the first chunk nothing comes, goes or is called the same.
    assert changed(plan) == [("add", DOOR), ("update", LADDER)]
    assert plan["refined"]["ended"] == []
    _, status, _ = call("status")
    assert (status["parts_waiting"], status["counts"]["undreamed_events"]) == (0, 0)
    assert call("dreams", "apply", plan["dream_id"])[0] == 0
    models.faults.clear()
    models.asked.clear()
    _, rest, _ = call("dream", *AGAIN, "--model", "strong", "--apply")
    assert len(models.asked) == 1  # only about the part that waited
    assert rest["pending"] == []
    assert found(call) == {CURTAINS, DOOR, LADDER}


@pytest.mark.usefixtures("day")
def test_a_part_is_given_up_and_stays_as_it_is(call: Any, models: Models) -> None:
    models.faults[SHED] = "prose"
    for _ in range(4):
        _, plan, _ = call("dream", *AGAIN, "--model", "strong")
    assert [one["given_up"] for one in plan["pending"]] == [True]
    assert "rules" not in plan["model_used"]
    assert call("doctor")[0] == 0
    assert changed(plan) == [("add", DOOR), ("update", LADDER)]


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize("fault", [wrong_ids, invented, fenced])
def test_what_is_invented_changes_nothing(
    call: Any, models: Models, fault: Callable[..., Any]
) -> None:
    models.items["strong"] = [item("Odo lives in Vaasa"), *STRONG]
    models.faults[SHED] = fault(
        {"items": [{**item("Odo lives in Vaasa"), "evidence": [
            {"event_id": "e1", "quote": "Odo lives in Vaasa"}]}]}
    )  # fmt: skip
    call("dream", *AGAIN, "--model", "strong", "--apply")
    assert not any("Vaasa" in text for text in found(call, "active", "candidate", "cold"))


@pytest.mark.usefixtures("day")
def test_a_model_that_is_not_there_fails_loudly(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    code, told, _ = call("dream", *AGAIN, "--model", "strong")
    assert (code, told["error"]["type"]) == (1, "ModelUnreachable")
    _, dreams, _ = call("dreams")
    assert len(dreams) == 1


@pytest.mark.usefixtures("day")
def test_a_plan_that_was_overtaken_is_made_anew(call: Any) -> None:
    _, plan, _ = call("dream", *AGAIN, "--model", "strong")
    call("log", "The cellar door sticks when it rains", "--ts", "2026-11-29T09:00:00+08:00")
    call("dream", "--date", "2026-11-29", "--distiller", "llm", "--model", "strong", "--apply")
    code, told, _ = call("dreams", "apply", plan["dream_id"])
    assert (code, told["error"]["type"]) == (1, "StalePlan")
    assert f"--refine {DAY}" in told["error"]["hint"]
    _, fresh, _ = call("dream", *AGAIN, "--model", "strong", "--apply")
    assert fresh["status"] == "applied"
    _, old, _ = call("dreams", "show", plan["dream_id"])
    assert (old["status"], old["replaced_by"]) == ("rejected", fresh["dream_id"])
    _, memories, _ = call("memories")
    assert sum(one["text"] == DOOR and one["status"] == "active" for one in memories) == 1


# ── which days ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("day")
def test_a_week(call: Any, models: Models) -> None:
    call("log", DOOR, "--ts", "2026-11-27T09:00:00+08:00")
    call("log", "The shed smells of tar", "--ts", "2026-11-20T09:00:00+08:00")
    call("dream", "--date", "2026-11-27", "--distiller", "llm", "--apply")
    call("dream", "--date", "2026-11-20", "--distiller", "llm", "--apply")
    models.asked.clear()
    code, plans, _ = call("dream", "--refine", "week", "--model", "strong")
    assert (code, [one["date"] for one in plans]) == (0, ["2026-11-27", DAY])
    assert {name for name, _ in models.asked} == {"strong"}


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (AGAIN, "NotFound"),
        (("--refine", "all"), "UsageError"),
        (("--refine", "soon"), "UsageError"),
        ((*AGAIN, "--due"), "UsageError"),
    ],
)
def test_what_cannot_be_read_again(call: Any, arguments: tuple[str, ...], error: str) -> None:
    code, told, _ = call("dream", *arguments)
    assert (code, told["error"]["type"]) == (2 if error == "UsageError" else 1, error)
    assert told["error"]["hint"]


@pytest.mark.usefixtures("day")
def test_what_was_said_since_is_left_to_the_night(call: Any) -> None:
    call("log", "I work at the harbour in Vaasa", "--ts", f"{DAY}T20:00:00+08:00")
    _, plan, _ = call("dream", *AGAIN, "--model", "strong", "--apply")
    assert plan["input_events"] == 4
    _, status, _ = call("status")
    assert status["counts"]["undreamed_events"] == 1


@pytest.mark.usefixtures("day")
def test_without_a_model(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLOWWAVE_MODEL_BASE_URL")
    code, told, _ = call("dream", *AGAIN)
    assert (code, told["error"]["type"]) == (2, "SettingsError")
    assert "--distiller rules" in told["error"]["hint"]


@pytest.mark.usefixtures("models")
def test_a_model_that_the_rules_helped_is_not_asked_again(call: Any, models: Models) -> None:
    call("log", DOOR, "--ts", f"{DAY}T10:00:00+08:00")
    models.faults[DOOR] = "prose"
    for _ in range(3):
        _, made, _ = call("dream", *NIGHT, "--apply")
    assert made["model_used"].startswith("weak + rules")
    models.asked.clear()
    _, again, _ = call("dream", *NIGHT, "--apply")
    assert (again["by"], again["status"], models.asked) == ("night", "nothing_to_do", [])
