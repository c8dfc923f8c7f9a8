from datetime import UTC, datetime

import pytest

from slowwave.model import Event
from slowwave.recall.sorts import SORTS, likeness, sort_of


def said(text: str) -> Event:
    return Event(
        id="e1", space="s", identity="1", ts=datetime(2026, 6, 1, tzinfo=UTC), role="user",
        kind="message", origin="owner", text=text, source="test",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("noun", "sort"), [("小说", "writing"), ("guy", "person"), ("宏", "code"), ("ferry", "")]
)
def test_the_sort_of_a_noun(noun: str, sort: str) -> None:
    assert sort_of(noun) == sort


@pytest.mark.parametrize(
    ("sort", "noun", "like", "unlike"),
    [
        ("writing", "书", "我在读《雾中灯塔》，写得真好", "书房要刷成浅绿色"),
        ("person", "人", "会计叫骆安，明天来", "煤气灶的火有点小"),
        ("trouble", "issue", "the pump fails whenever it is cold", "we had soup by the lake"),
        ("code", "脚本", "wrote a python tool for the invoices", "the kitchen is painted blue"),
        ("place", "餐厅", "巷口那家店的馄饨好吃", "明早记得浇花"),
        ("file", "link", "see https://example.org/a", "the dog slept all day"),
    ],
)
def test_things_of_a_sort_are_told_by_their_signs(
    sort: str, noun: str, like: str, unlike: str
) -> None:
    assert likeness(said(like), sort, noun) >= 0.5
    assert likeness(said(unlike), sort, noun) < 0.5


def test_the_noun_itself_is_the_surest_sign() -> None:
    assert likeness(said("the old ferry leaks"), "", "ferry") == 1.0
    assert likeness(said("ferryman"), "", "ferry") == 0.0
    assert all(sort.han and sort.latin for sort in SORTS.values())
