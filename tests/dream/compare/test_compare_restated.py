"""What says again what has changed, and plans that are put off in other words."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.relation import Statement, compare
from slowwave.dream.compare.turns.hold import released
from slowwave.dream.compare.turns.reschedule import replanned
from slowwave.dream.compare.turns.restated import restated
from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Claim, Evidence

LYON = "I do not live in Metz any more, I live in Rouen"


@pytest.mark.parametrize(
    ("earlier", "later", "how"),
    [
        (LYON, "I live in Rouen", "again"),
        (LYON, "I live in Metz", "back"),
        (LYON, "I live in Rouen, near the river", ""),
        (LYON, "I don't live in Rouen", ""),
        ("I live in Rouen", "I live in Rouen", ""),
        ("I no longer work at Halden Bank, I'm at Merrow Press", "I work at Merrow Press", "again"),
        ("I don't take the bus any more, I cycle to work", "I cycle to work", "again"),
        ("My number isn't 4410 any more, it's 7723", "My number is 7723", "again"),
        ("I don't play the cello any more, I play the harp", "I play the cello", "back"),
        ("我不住在苏州了，现在住在无锡", "我住在无锡", "again"),
        ("我不住在苏州了，现在住在无锡", "我住在苏州", "back"),
        ("我不喝咖啡了，改喝绿茶", "我喝绿茶", "again"),
    ],
)
def test_what_only_says_the_outcome_again(earlier: str, later: str, how: str) -> None:
    assert restated(read(earlier), read(later)) == how
    found = compare(Statement(text=earlier), Statement(text=later))
    if how:
        assert found.relation == ("same" if how == "again" else "contradicts")


def claim(text: str, day: int, negated: bool = False) -> Claim:
    span = Evidence(
        event_id=f"e{day}",
        quote=text,
        start=0,
        end=len(text),
        ts=datetime(2026, 5, day, tzinfo=UTC),
    )
    return Claim(
        kind="profile", subject="user", text=text, evidence=(span,), negated=negated, rule="test"
    )


def test_said_again_it_confirms_the_memory() -> None:
    done = reconcile(
        [claim(LYON, 3, negated=True), claim("I live in Rouen", 20)], (), dream_id="d", space="s",
        now=datetime(2026, 5, 30, tzinfo=UTC), cosine=lambda _a, _b: None,
    )  # fmt: skip
    (memory,) = {change.after.id: change.after for change in done.changes}.values()
    assert (memory.text, memory.status, len(memory.evidence)) == (LYON, "candidate", 2)


@pytest.mark.parametrize(
    ("plan", "later", "ended"),
    [
        ("打算秋天去京都看红叶，大概十一月中旬", "我决定把去京都的旅行推迟到明年春天", True),
        ("我计划八月去西藏徒步", "西藏之行改到明年五月", True),
        ("我准备六月去冰岛环岛", "冰岛的旅行推到九月了", True),
        ("打算国庆去桂林漂流", "桂林那趟推迟到元旦", True),
        ("We plan to visit Lisbon in October", "I postponed the Lisbon trip to next spring", True),
        ("I want to go to Kyoto in autumn", "I've moved the Kyoto trip to next spring", True),
        ("I'm going to Oslo in June", "The Oslo visit is pushed back to May", True),
        ("打算秋天去京都看红叶", "我决定把去奈良的旅行推迟到明年春天", False),
        ("We plan to visit Lisbon in October", "the Porto trip is postponed to next spring", False),
        ("周四去看牙", "旅行推迟到明年春天", False),
        ("周三下午五点上竖琴课", "这周没有竖琴课", True),
        ("周五下午开预算会", "周五没有预算会了", True),
        ("cello lesson on Wednesday at five", "no cello lesson this week", True),
        ("Budget meeting on Friday at three", "there's no budget meeting this week", True),
        ("I play tennis on Friday with Olaf", "no cello lesson this week", False),
        ("cello lesson on Wednesday at five", "no cello lesson on Monday", False),
        ("周五下午开预算会", "周五没有空", False),
    ],
)  # fmt: skip
def test_a_plan_put_off_in_other_words(plan: str, later: str, ended: bool) -> None:
    assert bool(replanned(read(plan).folded, read(later).folded)) is ended


@pytest.mark.parametrize(
    ("hold", "later", "free"),
    [
        ("No deploys to the mirror until further notice", "mirror deploys are fine again", True),
        ("三号仓库的货先别发", "三号仓库的货可以发了", True),
        ("Don't send anyone to the side door for now", "the side door is open again", True),
        ("Don't book the harp room until further notice", "the harp room is available again", True),
        ("No pushes to the mirror for now", "pushes to the mirror are ok again", True),
        ("Hold off on the gazette for now", "gazette is fine again", True),
        ("No deploys to the mirror until further notice", "hold off on the mirror deploys", False),
        ("No deploys to the mirror for now", "the mirror deploys are due by May 28 now", False),
        ("三号仓库的货先别发", "五号仓库的货可以出了", False),
    ],
)
def test_a_hold_is_over_in_other_words(hold: str, later: str, free: bool) -> None:
    assert bool(released(read(hold).folded, read(later).folded)) is free
