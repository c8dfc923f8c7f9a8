"""Who somebody is, said from either end: one memory, whatever subject it is filed under."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Claim, Evidence, Kind, Memory


def claim(text: str, day: int, kind: Kind = "fact", subject: str = "user") -> Claim:
    said = datetime(2026, 5, day, 9, tzinfo=UTC)
    span = Evidence(event_id=f"e{day}-{text}", quote=text, start=0, end=len(text), ts=said)
    return Claim(kind=kind, subject=subject, text=text, evidence=(span,), standing="standing")


def settled(*claims: Claim) -> list[Memory]:
    """The memories after one night, words only."""
    done = reconcile(
        claims, (), dream_id="d", space="home", now=datetime(2026, 5, 30, tzinfo=UTC),
        cosine=lambda _a, _b: None,
    )  # fmt: skip
    return [change.after for change in done.changes]


@pytest.mark.parametrize(
    ("one", "other", "subject"),
    [
        ("我女儿叫小满", "小满是我女儿", "小满"),
        ("我家狗叫芝麻", "芝麻是我家狗", "芝麻"),
        ("我闺女叫阿棠", "阿棠是我女儿", "阿棠"),
        ("Wren is my daughter", "My daughter is called Wren", "Wren"),
        ("Our plumber is Gil Harte", "Gil Harte is our plumber", "Gil Harte"),
    ],
)
def test_who_somebody_is_may_be_said_from_either_end(one: str, other: str, subject: str) -> None:
    for filed in ("user", subject):
        (memory,) = settled(claim(one, 3, "relationship"), claim(other, 9, subject=filed))
        assert {span.quote for span in memory.evidence} == {one, other}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My daughter is called Wren", "Wren is my niece"),
        ("My daughter is called Wren", "Robin is my daughter"),
        ("我女儿叫小满", "小满是我外甥女"),
        ("我女儿叫小满", "小禾是我女儿"),
        ("我女儿叫小满", "小满不是我女儿"),
    ],
)
def test_another_name_or_role_is_another_fact(one: str, other: str) -> None:
    memories = settled(claim(one, 3), claim(other, 9))
    assert all(len(memory.evidence) == 1 for memory in memories)
