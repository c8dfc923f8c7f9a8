"""Time expressions whose value hangs on what stands beside them in the sentence."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.text.dates import find_times

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
