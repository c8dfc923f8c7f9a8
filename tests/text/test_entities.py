"""Entities: what must survive a rewording."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.entities import find_entities, number_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我的车位是 C3-204", [("code", "C3-204")]),
        ("升级到 v3.0.2", [("version", "v3.0.2")]),
        ("库在 10.20.0.7:6543", [("code", "10.20.0.7:6543")]),
        ("备份放 /mnt/cold/a", [("path", "/mnt/cold/a")]),
        ("花了 1,250 元", [("amount", "1,250 元")]),
        ("it costs $1,250", [("amount", "$1,250")]),
        ("见 https://wiki.example/p?q=1。", [("url", "https://wiki.example/p?q=1")]),
        ("写信到 ada@mill.example", [("url", "ada@mill.example")]),
        ("六月十二号见", [("date", "六月十二号")]),
        ("on June 12", [("date", "June 12")]),
        ("下午 3 点半开会", [("time", "3 点半")]),
        ("at 4:45 pm", [("time", "4:45 pm")]),
        ("扩到 6 台", [("number", "6")]),
        ("二十四个箱子", [("number", "二十四")]),
        ("我妹妹叫高岚", [("name", "高岚")]),
        ("找王老师签字", [("name", "王老师")]),
        ("my boss is Ada Bell", [("name", "Ada Bell")]),
        ("《潮汐》写完了", [("title", "《潮汐》")]),
        ("set max_retries in conf.toml", [("code", "max_retries"), ("path", "conf.toml")]),
    ],
)
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(entity.kind, entity.text) for entity in find_entities(text)] == expected


@pytest.mark.parametrize(
    "text", ["今天天气很好", "Please look at it", "risk-based", "老板说老师在老家"]
)
def test_plain_words_are_none(text: str) -> None:
    assert find_entities(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三十六", 36),
        ("两", 2),
        ("一百零五", 105),
        ("三万五", 30_005),
        ("1,250", 1250),
        ("12%", 12),
        ("x", None),
    ],
)
def test_values(text: str, value: float | None) -> None:
    assert number_value(text) == value


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=100))
def test_spans_are_exact_and_apart(text: str) -> None:
    end = 0
    for entity in find_entities(text):
        assert text[entity.start : entity.end] == entity.text
        assert entity.start >= end
        end = entity.end
