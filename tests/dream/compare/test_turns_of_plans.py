"""Plans moved, called off and holds let go in other words; people under one name; what lasts."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.compare.reading.label import things_apart
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.turns.due_day import NEW_DAY, TWO_DAYS, other_day
from slowwave.dream.compare.turns.hold import released
from slowwave.dream.compare.turns.new_day import rescheduled
from slowwave.dream.compare.turns.reschedule import replanned
from slowwave.dream.distill.acts.own_name import introduces
from slowwave.dream.reconcile.coreference import people_of
from slowwave.model import Claim, Evidence, Kind, Memory, Standing

SAID = datetime(2026, 5, 6, 10, tzinfo=UTC)


def _claim(text: str, subject: str = "user", kind: Kind = "fact") -> Claim:
    span = Evidence(event_id="e", quote=text, start=0, end=len(text), ts=SAID)
    return Claim(kind=kind, subject=subject, text=text, evidence=(span,))


def _memory(
    text: str, when: str | None = None, subject: str = "user", standing: Standing = "dated"
) -> Memory:
    return Memory(
        id="m", kind="plan" if when else "relationship", subject=subject, title=text, text=text,
        entities=(), importance=60, confidence=0.9, status="active", standing=standing,
        negated=False, evidence=(), dream_id="d", first_seen=SAID, last_seen=SAID,
        valid_from=when, valid_to=when,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "later", "ends"),
    [
        ("试讲定在下周二", "试讲往后挪两天", True),
        ("The tasting is on June 9th", "we brought the tasting forward to the 3rd", True),
        ("周四看牙", "牙医改约到下周一了", True),
        ("Dinner with the Marlows on Friday", "We had to bail on dinner with the Marlows", True),
        ("5月15号去面试远禾", "远禾的面试黄了", True),
        ("周五晚上和同学聚餐", "周六的聚餐取消了", False),
        ("Choir practice is on May 12", "The board meeting moved up a day", False),
        ("Team dinner is on Thursday", "The team lunch got called off", False),
        ("The recital is on Sunday", "the recital has not been cancelled", False),
        ("Book club at Mira's on Monday", "Monday's book club isn't happening", True),
        ("Picnic at the lake on Sunday", "We aren't doing the picnic on Sunday", True),
        ("Picnic at the lake on Sunday", "we haven't cancelled the picnic", False),
    ],
)
def test_a_plan_ends_when_it_is_moved_or_called_off(plan: str, later: str, ends: bool) -> None:
    assert bool(replanned(read(plan).folded, read(later).folded)) is ends


@pytest.mark.parametrize(
    ("had", "later", "day"),
    [
        ("2026-05-12", "试讲往后挪两天", "2026-05-14"),
        ("2026-05-20", "答辩提前一周", "2026-05-13"),
        ("2026-05-11", "They postponed my driving test by a week", "2026-05-18"),
        ("2026-06-30", "The audit slipped by a month", "2026-07-30"),
    ],
)
def test_a_step_gives_the_new_day(had: str, later: str, day: str) -> None:
    moved = rescheduled(_claim(later), _memory("x", had))
    assert (moved.kind, moved.valid_from) == ("plan", day)
    assert day in moved.text


@pytest.mark.parametrize(
    ("hold", "later", "free"),
    [
        ("Deploy freeze until further notice", "The deploy freeze is over", True),
        ("Hold all merges for now", "you can merge again", True),
        ("合同先压着，暂时不签", "合同可以签了", True),
        ("代码冻结，先别合并", "冻结解除了", True),
        ("Don't email Brask for now", "you can email Tolne again", False),
        ("代码冻结，先别合并", "冻结还没解除", False),
        ("Deploy freeze until further notice", "The deploy freeze isn't over", False),
    ],
)
def test_a_hold_ends_when_it_is_let_go(hold: str, later: str, free: bool) -> None:
    assert bool(released(read(hold).folded, read(later).folded)) is free


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("I moved crate 10 to bay 3", "I moved crate 11 to bay 4", True),
        ("I moved crate 10 to bay 3", "I moved crate 10 to bay 4", False),
        ("7号柜放的是茶", "8号柜放的是茶", True),
        ("我住在3号楼", "我住在5号楼", False),
    ],
)
def test_numbered_things_are_told_apart(one: str, other: str, apart: bool) -> None:
    assert things_apart(read(one).folded, read(other).folded) is apart


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("每月3号交房租", "房租改成每月5号交", NEW_DAY),
        ("Rent is due on the 1st", "Rent is due on the 4th", TWO_DAYS),
        ("Rent is due on the 1st", "Rent is due on the 1st", ""),
        ("5月3号交房租", "5月5号去爬山", ""),
    ],
)
def test_a_monthly_duty_has_one_day(one: str, other: str, reason: str) -> None:
    assert other_day(read(one), read(other)) == reason


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("this is Ilse from billing", True),
        ("everyone calls me Bo", True),
        ("大家都叫我老樊", True),
        ("本人阚小舟", True),
        ("本人很满意", False),
        ("This is great news", False),
    ],
)
def test_who_introduces_himself(text: str, own: bool) -> None:
    assert introduces(text, read(text).folded) is own


def test_a_role_is_filed_by_the_name_that_is_known_for_it() -> None:
    known = [_memory("my sister Runa lives in Bergen", None, "Runa", "standing")]
    people = people_of([], known)
    assert people.filed(_claim("My sister is a pilot", "My sister")).subject == "Runa"
    assert people.filed(_claim("Runa can't eat nuts")).subject == "Runa"
    assert people.filed(_claim("Runa and I live in Bergen")).subject == "user"


def test_two_sisters_stay_two() -> None:
    known = [
        _memory("my sister Runa lives in Bergen", None, "Runa", "standing"),
        _memory("my sister Tove lives in Oslo", None, "Tove", "standing"),
    ]
    assert people_of([], known).subject_of("my sister") == "my sister"
