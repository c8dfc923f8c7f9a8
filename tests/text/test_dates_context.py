"""Time expressions whose value hangs on what stands beside them in the sentence."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.text.dates import annotate, find_times

WEDNESDAY = datetime(2026, 11, 18, 12, tzinfo=ZoneInfo("Asia/Shanghai"))


def values(text: str) -> list[object]:
    return [found.value for found in find_times(text, WEDNESDAY)]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("out from December 14, back on the 19th", "2026-12-19"),
        ("in Graz from 3 December, home on the 8th", "2026-12-08"),
        ("flying out Dec 28, back on the 4th", "2027-01-04"),
        ("12月20号去，26号回来", "2026-12-26"),
        ("12月28号出发，3号回", "2027-01-03"),
        ("the dentist is on December 14 and rent is due on the 1st", "2026-12-01"),
    ],
)
def test_a_day_of_the_month_follows_the_day_before_it(text: str, last: str) -> None:
    assert values(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The stand-up moved to Thursday", "2026-11-19"),
        ("the vet pushed the check-up to Friday", "2026-11-20"),
        ("our call was rescheduled to Tuesday", "2026-11-24"),
        ("周日给岳父过七十大寿", "2026-11-22"),
        ("周六给孩子过生日", "2026-11-21"),
    ],
)
def test_what_is_moved_or_celebrated_is_ahead(text: str, day: str) -> None:
    assert values(text) == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the wedding is on Tuesday the 12th", "2027-01-12"),
        ("see you on Tuesday the 24th", "2026-11-24"),
        ("Friday the 4th works", "2026-12-04"),
        ("下月底 28 号交房", "2026-12-28"),
        ("月底30号发工资", "2026-11-30"),
    ],
)
def test_two_names_of_one_day_agree(text: str, day: str) -> None:
    assert values(text) == [day]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I stopped smoking in January", "2026-01-01"),
        ("my brother enlisted in March", "2026-03-01"),
        ("we closed the shop back in February", "2026-02-01"),
        ("she retired in May", "2026-05-01"),
    ],
)
def test_a_month_of_what_is_done_is_past(text: str, start: str) -> None:
    (value,) = values(text)
    assert isinstance(value, dict)
    assert value["from"] == start


@pytest.mark.parametrize("text", ["下个月中考", "下月中考，孩子要早睡", "下个月高考"])
def test_an_exam_next_month_is_not_in_its_middle(text: str) -> None:
    assert values(text) == [{"from": "2026-12-01", "to": "2026-12-31"}]


@pytest.mark.parametrize("text", ["干了十来年了", "认识二十来年", "攒了几来年"])
def test_a_count_of_years_is_no_date(text: str) -> None:
    assert values(text) == []


def test_some_sunday_is_not_the_coming_one() -> None:
    assert "2026-11-22" not in values("the baptism is on a Sunday in March")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("no sugar in my tea any more since January", "2026-01-01"),
        ("she has been on the night shift since Friday", "2026-11-13"),
        ("my shoulder hurts since the 20th", "2026-10-20"),
        ("I have kept bees since last March", "2026-03-01"),
        ("自从十二月我就戒了烟", "2025-12-01"),
        ("打从周五起就嗓子疼", "2026-11-13"),
        ("十二月以来一直没下雨", "2025-12-01"),
        ("last December we moved", "2025-12-01"),
    ],
)
def test_what_holds_since_a_day_began_before(text: str, start: str) -> None:
    value = values(text)[0]
    assert (value["from"] if isinstance(value, dict) else value) == start


def test_what_goes_on_is_not_written_as_if_it_had_ended() -> None:
    text = "we have rented this barn since May 2019"
    assert annotate(text, find_times(text, WEDNESDAY)) == f"{text} (2019-05-01)"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Since Friday is a holiday, bring it on Thursday", "2026-11-20"),
        ("电话打完了，牙医约在二十号", "2026-11-20"),
        ("已经约了装修师傅周五上门", "2026-11-20"),
        ("周五下午约了律师", "2026-11-20"),
        ("挂了周一的号", "2026-11-23"),
        ("周五约了老同学，聊得很开心", "2026-11-13"),
        ("周五开了会", "2026-11-13"),
    ],
)
def test_what_is_arranged_is_ahead_until_it_came(text: str, day: str) -> None:
    assert values(text)[0] == day


@pytest.mark.parametrize(
    ("text", "expr"),
    [
        ("明天早点叫我", "明天"),
        ("周五晚些时候再打给你", "周五"),
        ("20号早一点出门", "20号"),
        ("后天早起赶集", "后天"),
        ("明天早八点开门", "明天早八点"),
        ("周五晚去听戏", "周五晚"),
    ],
)
def test_earlier_and_later_are_no_part_of_the_day(text: str, expr: str) -> None:
    assert [found.expr for found in find_times(text, WEDNESDAY)] == [expr]
