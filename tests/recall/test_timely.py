"""First and last times, "when" questions, and whole periods."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)  # a Monday


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T10:00:00+00:00")


def texts(hits: list[Any]) -> list[str]:
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("when did I first go rowing", 0),
        ("the first time I went rowing", 0),
        ("when did I last go rowing", 2),
        ("my most recent rowing trip", 2),
    ],
)
def test_the_first_and_the_last_time(world: Any, text: str, which: int) -> None:
    said = [
        world.say("went rowing in the morning fog", ts=at("2026-02-03"), session="2026-02-03"),
        world.say(
            "went rowing with the twins, calm water", ts=at("2026-03-04"), session="2026-03-04"
        ),
        world.say("went rowing against the wind", ts=at("2026-04-05"), session="2026-04-05"),
    ]
    world.say("the sailing club has a new roof and two benches", ts=at("2026-01-01"))
    assert world.ask(text)[0].id == said[which].id


@pytest.mark.parametrize(
    ("text", "which"), [("第一次去浮潜", 0), ("最早什么时候去浮潜的", 0), ("最近一次浮潜", 1)]
)
def test_the_first_and_the_last_time_in_chinese(world: Any, text: str, which: int) -> None:
    said = [
        world.say("今天去浮潜，看见了海龟", ts=at("2026-02-03")),
        world.say("又去浮潜，水有点浑", ts=at("2026-04-05")),
    ]
    world.say("浴室的灯换好了", ts=at("2026-04-06"))
    assert world.ask(text)[0].id == said[which].id


def test_when_favours_what_is_dated(world: Any) -> None:
    world.say("the chimney sweep was here and liked the cat", ts=at("2026-05-20"))
    dated = world.say("the chimney sweep comes on 3 July", ts=at("2026-05-01"))
    assert world.ask("when does the chimney sweep come")[0].id == dated.id


@pytest.mark.parametrize(
    "text", ["what happened last week", "上周都发生了什么", "上周我做了什么", "recap of last week"]
)
def test_a_period_is_told_by_what_mattered_over_its_days(world: Any, text: str) -> None:
    grave = world.learn(world.say("signed the lease of the boathouse", ts=at("2026-06-09")),
                        importance=90)  # fmt: skip
    minor = [
        world.learn(world.say(f"sanded plank number {n}", ts=at("2026-06-09")), importance=50)
        for n in range(3)
    ]
    other = world.learn(world.say("阿婆的助听器修好了", ts=at("2026-06-11")), importance=45)
    world.learn(world.say("what is of another week", ts=at("2026-05-28")), importance=95)
    found = [hit.id for hit in world.ask(text)]
    assert found[0] == grave.id
    assert found[1] == other.id
    assert set(found) == {grave.id, other.id, *(one.id for one in minor)}


def test_a_period_is_told_also_before_any_dream(world: Any) -> None:
    world.say("the mast was stepped at noon", ts=at("2026-06-10"))
    world.say("ok", ts=at("2026-06-10"))
    world.say("an older remark on ropes", ts=at("2026-05-10"))
    assert texts(world.ask("what happened last week")) == ["the mast was stepped at noon"]


@pytest.mark.parametrize("text", ["what is planned for next week", "下周有什么安排"])
def test_what_is_to_come_is_found_by_its_day(world: Any, text: str) -> None:
    told = world.say("the surveyor visits the mill", ts=at("2026-04-02"))
    plan = world.learn(
        told, kind="plan", standing="dated", valid_from="2026-06-24", valid_to="2026-06-24"
    )
    world.learn(world.say("the mill has three floors", ts=at("2026-04-02")))
    assert [hit.id for hit in world.ask(text)] == [plan.id]


def test_what_only_names_the_day_belongs_to_it(world: Any) -> None:
    moved = world.learn(
        world.say("review moved from Wednesday (2026-06-17) to Friday", ts=at("2026-06-14")),
        kind="plan", standing="dated", valid_from="2026-06-19", valid_to="2026-06-19",
    )  # fmt: skip
    assert [hit.id for hit in world.ask("what is planned for Wednesday")] == [moved.id]


def test_lately_is_the_last_two_weeks(world: Any) -> None:
    new = world.learn(world.say("the sail loft is being rewired", ts=at("2026-06-08")))
    world.learn(world.say("the old jib was sold", ts=at("2026-03-08")))
    assert [hit.id for hit in world.ask("最近在忙什么")] == [new.id]
    assert [hit.id for hit in world.ask("what have I been up to lately")] == [new.id]


def test_a_question_with_matter_is_no_list(world: Any) -> None:
    rain = world.say("it rained on the regatta", ts=at("2026-06-10"))
    world.say("the mast was stepped at noon", ts=at("2026-06-10"))
    assert world.ask("did it rain last week")[0].id == rain.id


def test_as_of_moves_the_weekend(world: Any) -> None:
    now = world.say("walked the ridge with Odile", ts=at("2026-06-13"), session="2026-06-13")
    then = world.say("walked the marsh with Odile", ts=at("2026-05-30"), session="2026-05-30")
    assert world.ask("walked with Odile last weekend")[0].id == now.id
    asked_at = datetime(2026, 6, 1, 23, tzinfo=UTC)
    assert world.ask("walked with Odile last weekend", as_of=asked_at)[0].id == then.id
    assert NOW - asked_at > timedelta(days=7)
