from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.recall.period import looks_ahead, named

NOW = datetime(2026, 6, 1, 12, tzinfo=timezone(timedelta(hours=8)))  # a Monday
EVER = date.min.isoformat()
TODAY = "2026-06-01"


def days(text: str) -> list[tuple[str, str]]:
    return [(first.isoformat(), last.isoformat()) for first, last in named(text, NOW)[0]]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did I do last weekend", "2026-05-30", "2026-05-31"),
        ("in spring 2023 what did we plant", "2023-03-01", "2023-05-31"),
        ("前天晚上吃了什么", "2026-05-30", "2026-05-30"),
        ("where was I in the last two weeks", "2026-05-18", TODAY),
        ("what was said between May and July 2025", "2025-05-01", "2025-07-31"),
        ("去年夏天去哪了", "2025-06-01", "2025-08-31"),
    ],
)
def test_a_period_is_reckoned_from_now(text: str, first: str, last: str) -> None:
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("everything since Wednesday", "2026-05-27", TODAY),
        ("since February what have I paid", "2026-02-01", TODAY),
        ("三月份以来花了多少", "2026-03-01", TODAY),
        ("自从上周四", "2026-05-28", TODAY),
        ("until April who was my landlord", EVER, "2026-04-30"),
        ("before May 2026 which gym did I use", EVER, "2026-04-30"),
        ("去年十月之前我住哪", EVER, "2025-09-30"),
        ("上周五以前发的", EVER, "2026-05-28"),
        ("截至昨天一共多少", EVER, "2026-05-31"),
        ("after 10 May did it rain", "2026-05-11", TODAY),
        ("四月以后吃过药吗", "2026-04-01", TODAY),
        ("2024年以前", EVER, "2023-12-31"),
    ],
)
def test_one_end_may_be_open(text: str, first: str, last: str) -> None:
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    ("text", "day"),
    [("三天以后", "2026-06-04"), ("两个月以前", "2026-04-01"), ("五天前", "2026-05-27")],
)
def test_before_and_after_belong_to_a_duration(text: str, day: str) -> None:
    assert days(text) == [(day, day)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I do on Wednesday", ["2026-05-27"]),
        ("what will I do on Wednesday", ["2026-06-03"]),
        ("周三有什么安排", ["2026-06-03"]),
        ("Wednesday standup", ["2026-05-27", "2026-06-03"]),
        ("圣诞节去了哪里", ["2025-12-25"]),
    ],
)
def test_a_question_looks_back_unless_it_asks_for_what_is_to_come(
    text: str, expected: list[str]
) -> None:
    assert [first for first, _ in days(text)] == expected


def test_the_rest_is_without_the_period_and_its_frame() -> None:
    assert named("since March what have I bought", NOW)[1].strip() == "what have I bought"
    assert named("三月份以来我都买了啥", NOW)[1].strip() == "我都买了啥"
    assert named("no day at all", NOW) == ((), "no day at all")


def test_looking_ahead() -> None:
    assert looks_ahead("what am I doing tomorrow")
    assert looks_ahead("下周有什么安排")
    assert not looks_ahead("what did I plan last week")


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="上下周三月五号前后以之来年天12 sinceMaybfor", max_size=40))
def test_any_text_is_read(text: str) -> None:
    periods, rest = named(text, NOW)
    assert len(rest) == len(text)
    assert all(first <= last or first > NOW.date() for first, last in periods)
