"""The diary and the names of themes by a model: told where they may be, by the rules where not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.testing.scripted_model import (
    Request,
    ScriptedModel,
    busy,
    cut_off,
    failing,
    fenced,
    reset,
    thinking,
    truncated,
)

LOGGED = (
    "I keep the ladder in the shed of Agneta Palm",
    "The ladder must never stand in the rain",
    "I painted the ladder green last spring",
)
STORY = (
    "The day was small and I walked it slowly. A ladder leans in the shed of Agneta Palm, "
    "and I will know where to look."
)
NAME = "ladder keeping"

pytestmark = pytest.mark.usefixtures("server")


class Server:
    """Answers each kind of question as it is told to."""

    def __init__(self) -> None:
        self.diary: Any = STORY
        self.themes: Any = {"items": [{"theme": 1, "name": NAME}]}
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Any:
        system = request.body["messages"][0]["content"]
        if "dream diary" in system:
            self.asked.append("diary")
            return self.diary
        if "You name themes" in system:
            self.asked.append("themes")
            return self.themes
        self.asked.append("other")
        return {"items": []}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("slowwave.modelling.asking.PAUSES", (0.0, 0.0, 0.0))
    script = Server()
    with ScriptedModel(script) as scripted:
        monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", scripted.base_url)
        monkeypatch.setenv("SLOWWAVE_MODEL_NAME", "scripted")
        yield script


@pytest.fixture
def dreamt(call: Any, made_home: Path) -> Callable[..., tuple[dict[str, Any], str]]:
    """Dreams what was logged; returns the dream and the diary as people read it."""

    def dream(*arguments: str, logged: tuple[str, ...] = LOGGED) -> tuple[dict[str, Any], str]:
        for text in logged:
            call("log", text)
        asked = arguments or ("--distiller", "llm")
        code, made, _ = call("dream", "--date", "all", "--apply", *asked)
        assert code == 0
        return made, (made_home / "vault" / "DREAMS.md").read_text(encoding="utf-8")

    return dream


def reasons(dream: dict[str, Any]) -> list[str]:
    told = (one["reason"] for one in dream["rejected"])
    return [one for one in told if one.startswith(("diary", "themes"))]


def test_the_model_tells(call: Any, dreamt: Any) -> None:
    made, pages = dreamt()
    assert made["diary"]["text"] == STORY
    assert made["diary"]["by"] == "scripted"
    assert STORY in pages
    assert [theme["name"] for theme in made["themes"]][:1] == [NAME]
    assert made["themes"][0]["by"] == "scripted"
    assert reasons(made) == []
    _, calls, _ = call("model", "calls")
    assert {"diary", "themes"} <= {one["purpose"] for one in calls}


def test_the_rules_ask_nobody(server: Server, dreamt: Any) -> None:
    made, pages = dreamt("--distiller", "rules")
    assert server.asked == []
    assert "diary" not in made
    assert "refined" not in made
    assert all("by" not in theme for theme in made["themes"])
    assert STORY not in pages
    assert made["dream_id"] in pages


def test_it_can_be_turned_off(server: Server, dreamt: Any, made_home: Path) -> None:
    (made_home / "slowwave.toml").write_text("[model]\ndiary = false\n", encoding="utf-8")
    made, pages = dreamt()
    assert "diary" not in made
    assert {"diary", "themes"}.isdisjoint(server.asked)
    assert made["dream_id"] in pages


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (failing(500, "no"), "did not answer"),
        (busy(retry_after=0), "did not answer"),
        (reset(), "did not answer"),
        (cut_off(), "did not answer"),
        ("", "answered nothing"),
        (thinking("hm", ""), "no"),
        (truncated("The day was small and I walked"), "cut off"),
        ({"items": []}, "no plain story"),
        (fenced({"text": STORY}), "no plain story"),
        (f"{STORY} Ilse laughed.", "says what is not"),
        ("夜里很静，我把白天的事又走了一遍，什么也没有带走。", "another language"),
    ],
)
def test_what_goes_wrong_is_counted(server: Server, dreamt: Any, fault: Any, reason: str) -> None:
    server.diary = fault
    made, pages = dreamt()
    (told,) = reasons(made)
    assert told.startswith("diary: ")
    assert reason in told
    assert "diary" not in made
    assert made["status"] == "applied"
    assert made["dream_id"] in pages
    assert server.asked.count("diary") == 1  # never tried again


def test_a_theme_that_cannot_be_named_keeps_its_word(server: Server, dreamt: Any) -> None:
    server.themes = {"items": [{"theme": 1, "name": "Ilse's ladder"}, {"theme": 7, "name": "x"}]}
    made, _ = dreamt()
    assert "ladder" in [theme["name"] for theme in made["themes"]]
    assert reasons(made) == [
        "themes: no such theme", "themes: says what is not in its memories",
    ]  # fmt: skip


def test_a_night_of_which_a_part_waits_is_told_by_the_rules(
    call: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Server.__call__

    def refusing(self: Server, request: Request) -> Any:
        answer = told(self, request)
        return "prose" if self.asked[-1] == "other" else answer

    monkeypatch.setattr(Server, "__call__", refusing)
    for text in LOGGED:
        call("log", text)
    _, made, _ = call("dream", "--date", "all", "--distiller", "llm")
    assert made["pending"]
    assert {"diary", "themes"}.isdisjoint(server.asked)


def test_what_is_read_aloud_is_not_learned(call: Any, dreamt: Any) -> None:
    dreamt()
    for distiller in ("llm", "rules"):
        code, _, _ = call("log", f"Last night you wrote: {STORY} ({distiller})")
        assert code == 0
        _, made, _ = call("dream", "--date", "all", "--distiller", distiller, "--apply")
        assert made["new_entries"] == 0
    _, found, _ = call("memories")
    assert len(found) == len(LOGGED)


def test_forgetting_takes_the_story_too(call: Any, dreamt: Any, made_home: Path) -> None:
    made, _ = dreamt()
    code, _, _ = call("forget", "--match", "painted the ladder green", "--yes")
    assert code == 0
    _, left, _ = call("dreams", "show", made["dream_id"])
    assert "diary" not in left
    assert NAME not in [theme["name"] for theme in left["themes"]]
    assert STORY not in (made_home / "vault" / "DREAMS.md").read_text(encoding="utf-8")
    receipt = next((made_home / "receipts").iterdir()).stem
    assert call("forget", "--verify", receipt)[0] == 0


def test_what_was_rejected_is_not_told(call: Any, made_home: Path) -> None:
    for text in LOGGED:
        call("log", text)
    _, planned, _ = call("dream", "--date", "all", "--distiller", "llm")
    first = planned["changes"][0]["id"]
    call("dreams", "reject", planned["dream_id"], "--only", first)
    code, applied, _ = call("dreams", "apply", planned["dream_id"])
    assert (code, applied["status"]) == (0, "applied")
    pages = (made_home / "vault" / "DREAMS.md").read_text(encoding="utf-8")
    assert STORY not in pages
    assert planned["dream_id"] in pages


def test_a_plan_made_again_asks_no_more(call: Any, server: Server) -> None:
    call("log", LOGGED[0])
    _, one, _ = call("dream", "--date", "all", "--distiller", "llm")
    _, two, _ = call("dream", "--date", "all", "--distiller", "llm")
    assert one["diary"] == two["diary"]
    assert server.asked.count("diary") == 1


def test_a_dry_run_tells_nothing(call: Any, server: Server) -> None:
    call("log", LOGGED[0])
    _, made, _ = call("dream", "--date", "all", "--distiller", "llm", "--dry-run")
    assert "diary" not in made
    assert "diary" not in server.asked
