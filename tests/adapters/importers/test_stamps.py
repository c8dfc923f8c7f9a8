"""The zoo of times: as ISO, as chat programs print them, as people write them."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers.stamps import find_day, parse_stamp

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
DAY = date(2031, 9, 14)

FULL = [
    ("2031-09-13T18:09:01+00:00", "2031-09-14T02:09:01+08:00"),
    ("2031-09-13T18:09:01.250Z", "2031-09-14T02:09:01.250000+08:00"),
    ("2031-09-13T18:09Z", "2031-09-14T02:09:00+08:00"),
    ("2031-09-13T18:09:01-0300", "2031-09-13T18:09:01-03:00"),
    ("2031-09-13T18:09:01+05:30", "2031-09-13T18:09:01+05:30"),
    ("2031-09-13 18:09", "2031-09-13T18:09:00+08:00"),
    ("2031-09-13 8:09", "2031-09-13T08:09:00+08:00"),
    ("2031/9/3 8:09:07", "2031-09-03T08:09:07+08:00"),
    ("2031.9.3 20:09", "2031-09-03T20:09:00+08:00"),
    ("2031年9月3日 上午8:09", "2031-09-03T08:09:00+08:00"),
    ("2031年9月3日 星期三 下午8时09分", "2031-09-03T20:09:00+08:00"),
    ("2031年9月3日20:09:11", "2031-09-03T20:09:11+08:00"),
    ("2031年9月3日 晚上9点半", "2031-09-03T21:30:00+08:00"),
    ("September 3, 2031 8:09 PM", "2031-09-03T20:09:00+08:00"),
    ("Sep 3, 2031, 8:09:10 am", "2031-09-03T08:09:10+08:00"),
    ("3rd of September 2031, 8pm", "2031-09-03T20:00:00+08:00"),
    ("8:09 pm on 3 September, 2031", "2031-09-03T20:09:00+08:00"),
    ("12:09 am on 3 September, 2031", "2031-09-03T00:09:00+08:00"),
    ("Wed 2031-09-03 20:09 GMT-3", "2031-09-03T20:09:00-03:00"),
    ("Wed, 03 Sep 2031 20:09:00 +0200", "2031-09-03T20:09:00+02:00"),
    ("September 3, 2031 at 8:09 PM GMT+5:30", "2031-09-03T20:09:00+05:30"),
    ("September 3, 2031 at 8:09 PM MDT", "2031-09-03T20:09:00-06:00"),
    ("Wed Sep  3 20:09:00 2031", "2031-09-03T20:09:00+08:00"),
    ("9/30/31, 23:59", "2031-09-30T23:59:00+08:00"),
    ("30/09/2031, 23:59:58", "2031-09-30T23:59:58+08:00"),
    ("30.09.2031 23:59", "2031-09-30T23:59:00+08:00"),
    ("9/30/2031 11:59 PM", "2031-09-30T23:59:00+08:00"),
    ("2031-09-03 24:00", "2031-09-04T00:00:00+08:00"),
    ("1946720400", "2031-09-09T19:40:00+08:00"),
    ("1946720400.5", "2031-09-09T19:40:00.500000+08:00"),
    ("1946720400000", "2031-09-09T19:40:00+08:00"),
    ("(2031-09-13 18:09)", "2031-09-13T18:09:00+08:00"),
    ("２０３１年９月３日 ２０：０９", "2031-09-03T20:09:00+08:00"),
]

PARTIAL = [
    ("昨天 23:59", "2031-09-13T23:59:00+08:00"),
    ("前天 下午3点半", "2031-09-12T15:30:00+08:00"),
    ("今天 8:05", "2031-09-14T08:05:00+08:00"),
    ("昨晚 9:15", "2031-09-13T21:15:00+08:00"),
    ("Yesterday at 11:59 pm", "2031-09-13T23:59:00+08:00"),
    ("9月3日 8:05", "2031-09-03T08:05:00+08:00"),
    ("23:59", "2031-09-14T23:59:00+08:00"),
    ("9:05 AM", "2031-09-14T09:05:00+08:00"),
    ("下午3点", "2031-09-14T15:00:00+08:00"),
    ("10:30:15", "2031-09-14T10:30:15+08:00"),
]

NONE = [
    "", "hello", "下午好", "0", "12 apples", "2031-02-30", "2031-13-45 99:99", "1:60", "v1.2.3",
    "room 42", "NaN", "9" * 40, "\x00", "2031", "昨天的事",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FULL)
def test_full_times(text: str, expected: str) -> None:
    found = parse_stamp(text, SHANGHAI)
    assert found is not None
    assert found.ts == datetime.fromisoformat(expected)
    assert found.ts.utcoffset() == datetime.fromisoformat(expected).utcoffset()
    assert found.clock
    assert found.sure


@pytest.mark.parametrize(("text", "expected"), PARTIAL)
def test_partial_times_need_a_day(text: str, expected: str) -> None:
    found = parse_stamp(text, SHANGHAI, DAY)
    assert found is not None
    assert found.ts == datetime.fromisoformat(expected)
    assert parse_stamp(text, SHANGHAI) is None


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_time_is_never_today(text: str) -> None:
    assert parse_stamp(text, SHANGHAI) is None


@pytest.mark.parametrize("text", [*NONE[:4], *NONE[5:9]])
def test_what_is_no_time_is_no_time_of_a_known_day_either(text: str) -> None:
    assert parse_stamp(text, SHANGHAI, DAY) is None


@pytest.mark.parametrize(
    "text",
    ["2031-09-03", "20310903", "2031.9.3", "Sep 3 2031", "September-03-2031", "2031年9月3日"],
)
def test_days_without_a_clock(text: str) -> None:
    found = parse_stamp(text, SHANGHAI)
    assert found is not None
    assert found.ts == datetime(2031, 9, 3, tzinfo=SHANGHAI)
    assert not found.clock


def test_ambiguous_zone_names() -> None:
    """CST is China's for a user in China, and unsure for one in New York."""
    text = "September 3, 2031 at 8:09 PM CST"
    at_home = parse_stamp(text, SHANGHAI)
    abroad = parse_stamp(text, NEW_YORK)
    assert at_home is not None
    assert at_home.sure
    assert abroad is not None
    assert not abroad.sure
    known = parse_stamp("2031-09-03 20:09 EDT", NEW_YORK)
    assert known is not None
    assert known.sure


@pytest.mark.parametrize("text", ["2031-03-09 02:30", "2031-11-02 01:30"])
def test_gap_and_fold_of_clock_changes(text: str) -> None:
    found = parse_stamp(text, NEW_YORK)
    assert found is not None
    assert found.ts.astimezone(UTC).year == 2031


def test_naive_and_aware_times_can_be_sorted() -> None:
    """Case 35."""
    texts = ["2031-08-08T19:12:06.120414", "2031-08-08T19:12:06.120414+00:00", "2031-08-08 03:00"]
    found = [stamp for text in texts if (stamp := parse_stamp(text, SHANGHAI))]
    assert len(sorted(found)) == 3


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("chat-2031-09-03-retro.md", date(2031, 9, 3)),
        ("2031-09-03-events.yaml", date(2031, 9, 3)),
        ("export_20310903_1200.txt", date(2031, 9, 3)),
        ("聊天 2031年9月3日.md", date(2031, 9, 3)),
        ("notes.md", None),
        ("v3-12.md", None),
    ],
)
def test_days_in_names(text: str, day: date | None) -> None:
    assert find_day(text) == day


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789:./-年月日 昨天apmTZ+CSTgmtjanuary下午点半", max_size=40))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = parse_stamp(text, SHANGHAI, DAY)
    assert found is None or found.ts.astimezone(UTC) is not None
