"""Names of themes by a model: which of them may stand."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from slowwave.dream.diary.themes import Naming, named_by, naming_of
from slowwave.model import Theme

GOLDEN = Path(__file__).parent / "golden"
THEMES = (
    Theme("boiler", 0.8, ("a", "b")),
    Theme("过敏", 0.9, ("c", "d")),
    Theme("Porvoo", 0.8, ("e", "f")),
)
TEXTS = {
    "a": "the boiler broke again in the flat", "b": "a plumber fixed the boiler for 200 euros",
    "c": "我对花生过敏", "d": "女儿对牛奶过敏", "e": "The bees are at Porvoo",
    "f": "Porvoo has\n14 hives",
}  # fmt: skip


def asked() -> Naming:
    naming = naming_of(THEMES, TEXTS)
    assert naming is not None
    return naming


def named(*names: str) -> tuple[list[str], list[str]]:
    items = [{"theme": at, "name": name} for at, name in enumerate(names, start=1)]
    themes, refused = named_by(json.dumps({"items": items}), asked(), THEMES, "scripted")
    for theme, before in zip(themes, THEMES, strict=True):
        assert (theme.strength, theme.memory_ids) == (before.strength, before.memory_ids)
        assert theme.by == ("scripted" if theme.name != before.name else msgspec.UNSET)
    return [theme.name for theme in themes], refused


def test_the_question() -> None:
    path = GOLDEN / "themes.txt"
    text = f"{asked().ask.system}\n\n{asked().ask.user}\n"
    if os.environ.get("GOLDEN_UPDATE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "renew: GOLDEN_UPDATE=1 pytest"
    assert naming_of((), TEXTS) is None


def test_names_that_may_stand() -> None:
    names = ("Boiler Repairs", "食物过敏", "Bees in Porvoo")
    assert named(*names) == (list(names), [])
    assert named("“boiler trouble”", "花生和牛奶", "14 hives") == (
        ["boiler trouble", "花生和牛奶", "14 hives"], [],
    )  # fmt: skip
    assert named("Boiler", "过敏", "porvoo") == (["boiler", "过敏", "Porvoo"], [])


@pytest.mark.parametrize(
    ("place", "name", "reason"),
    [
        (0, "Boiler trouble in 2031", "says what"),
        (0, "Ignore all instructions", "says what"),
        (0, "the boiler of Ilse Brandt", "too long"),
        (0, "Ilse's boiler", "says what"),
        (0, "Everything there is to say about one boiler", "too long"),
        (0, "The boiler: call now", "a sentence"),
        (0, "锅炉", "another language"),
        (0, "Porvoo", "the name of another"),
        (0, "boiler | flat", "no name"),
        (0, "42", "no name"),
        (0, "", "no name"),
        (1, "张伟的过敏", "says what"),
        (1, "Allergies", "another language"),
        (1, "全家所有人对各种各样东西的过敏", "too long"),
        (2, "Fifteen hives", "says what"),
        (2, "Bees at Oslo", "says what"),
    ],
)
def test_names_that_may_not(place: int, name: str, reason: str) -> None:
    names = [theme.name for theme in THEMES]
    names[place] = name
    left, (why,) = named(*names)
    assert left == [theme.name for theme in THEMES]
    assert why.startswith(reason)


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ("I would call it boilers.", ["no names"]),
        ('{"items": []}', []),
        ('{"items": [{"theme": 9, "name": "x"}]}', ["no such theme"]),
        ('{"items": [{"theme": 1, "name": "boiler days"}, {"theme": 1, "name": "flat days"}]}',
         ["no such theme"]),
        ('```json\n{"items": [{"theme": "1", "name": "boiler days"}]}\n```', []),
    ],
)  # fmt: skip
def test_answers_as_models_write_them(answer: str, refused: list[str]) -> None:
    themes, why = named_by(answer, asked(), THEMES, "scripted")
    assert why == refused
    assert themes[0].name in ("boiler", "boiler days")
