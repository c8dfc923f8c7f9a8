"""The public face of dates: spans, annotation, validity, and what no text may do to them."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.calendar_lunar import lunar_day, solar_term
from slowwave.text.dates import TimeExpr, annotate, find_times, validity

SHANGHAI = ZoneInfo("Asia/Shanghai")
LONDON = ZoneInfo("Europe/London")
NEW_YORK = ZoneInfo("America/New_York")

FRIDAY = datetime(2026, 5, 1, 9, 30, tzinfo=SHANGHAI)

_WORDS = (
    "明天|下周三|上午|三点半|2026年|5月|31号|到|至|每|隔周|周一|半|个|前|后|三|十|的|农历|"
    "除夕|next |last |Friday |week |in |"
    "three |days |ago |May |3rd |of |the |every |other |at |5|pm |half |past |"
    "to |through |2026-|02-30|12:60|/|.|:| |（|）|2月29日|99999999|9999年12月31日|0001-01-01|🎉"
)
PIECES = [*_WORDS.split("|"), "\n", "\ud800"]


def only(text: str, now: datetime = FRIDAY) -> TimeExpr:
    (found,) = find_times(text, now)
    return found


class TestSpans:
    @pytest.mark.parametrize(
        ("text", "expr"),
        [
            ("😀那我明天下午两点半过去", "明天下午两点半"),
            ("我哥下个月六號回來", "下个月六號"),
            ("So, Tuesday at 5:15 pm then?", "Tuesday at 5:15 pm"),
            ("Shut from 3 June to 9 June for repairs", "3 June to 9 June"),
        ],
    )
    def test_the_expression_is_the_exact_piece_of_the_text(self, text: str, expr: str) -> None:
        found = only(text)
        assert found.expr == expr
        assert text[found.start : found.end] == expr

    def test_several_in_order(self) -> None:
        found = find_times("昨天交了稿，明天改，下周五终审。Then lunch on Monday.", FRIDAY)
        assert [t.value for t in found] == ["2026-04-30", "2026-05-02", "2026-05-08", "2026-05-04"]

    def test_behind_a_long_beginning(self) -> None:
        text = "无关的话。\n" * 3000 + "后天见"
        found = only(text)
        assert (found.expr, found.value) == ("后天", "2026-05-03")
        assert text[found.start : found.end] == "后天"

    def test_a_full_date_beside_a_relative_word_wins(self) -> None:
        assert only("今天 2026-02-15 交接").value == "2026-02-15"


class TestMoments:
    @pytest.mark.parametrize(
        ("at", "text", "value"),
        [
            ("2026-05-01T00:40", "还没睡，明天再说", "2026-05-02"),
            ("2026-05-01T01:10", "今晚睡不着", "2026-05-01"),
            ("2026-05-01T01:10", "昨晚喝多了", "2026-04-30"),
            ("2026-05-01T23:40", "凌晨两点喂奶", "2026-05-02T02:00"),
            ("2026-05-01T01:10", "早上六点的闹钟", "2026-05-01T06:00"),
            ("2026-05-01T02:20", "三点前必须睡", "2026-05-01T03:00"),
            ("2026-05-01T15:00", "上午十点开的会", "2026-05-01T10:00"),
            ("2026-05-01T15:00", "上午十点要开会", "2026-05-02T10:00"),
            ("2026-05-01T09:00", "三点开会", "2026-05-01T15:00"),
            ("2026-05-01T16:00", "三点开过会了", "2026-05-01T15:00"),
            ("2026-12-31T22:00", "过两个小时就是新的一年", "2027-01-01T00:00"),
        ],
    )
    def test_late_and_bare_hours(self, at: str, text: str, value: str) -> None:
        now = datetime.fromisoformat(at).replace(tzinfo=SHANGHAI)
        assert find_times(text, now)[0].value == value

    def test_an_hour_that_the_clock_change_skips(self) -> None:
        now = datetime(2026, 3, 28, 20, 0, tzinfo=LONDON)
        assert only("Ring me at 1:30am tomorrow", now).value == "2026-03-29T02:30"

    def test_real_time_over_a_clock_change(self) -> None:
        now = datetime(2026, 11, 1, 0, 30, tzinfo=NEW_YORK)
        assert only("Wake me in two hours", now).value == "2026-11-01T01:30"

    def test_day_first_or_month_first_by_region(self) -> None:
        at = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
        text = "The hearing is 03/04/2026."
        assert only(text, at.replace(tzinfo=LONDON)).value == "2026-04-03"
        assert only(text, at.replace(tzinfo=NEW_YORK)).value == "2026-03-04"
        assert only(text, at.replace(tzinfo=timezone(timedelta(hours=-5)))).value == "2026-03-04"
        assert only("The hearing is 13/04/2026.", at.replace(tzinfo=NEW_YORK)).value == "2026-04-13"

    def test_a_naive_moment_is_read_as_utc(self) -> None:
        assert only("明天", FRIDAY.replace(tzinfo=None)).value == "2026-05-02"

    @pytest.mark.parametrize(
        "text",
        ["2026年2月30日交货", "4月31号见", "Due February 30, 2027.", "2026-13-01", "25:61 开始"],
    )
    def test_a_day_that_does_not_exist_is_none(self, text: str) -> None:
        assert find_times(text, FRIDAY) == []

    def test_leap_days(self) -> None:
        assert only("2月29号过生日", datetime(2027, 12, 1, tzinfo=SHANGHAI)).value == "2028-02-29"
        assert (
            only("a year from now", datetime(2028, 2, 29, 9, tzinfo=LONDON)).value == "2029-02-28"
        )


class TestAnnotate:
    @pytest.mark.parametrize(
        ("text", "want"),
        [
            ("昨天去了云冈石窟", "昨天（2026-04-30）去了云冈石窟"),
            ("We went there yesterday.", "We went there yesterday (2026-04-30)."),
            ("下周出差", "下周（2026-05-04～2026-05-10）出差"),
            ("Next week I travel", "Next week (2026-05-04 – 2026-05-10) I travel"),
            ("明天下午三点体检", "明天下午三点（2026-05-02）体检"),
            ("半小时后提醒我", "半小时后（2026-05-01 10:00）提醒我"),
            ("前年五月20号去了云南", "前年五月20号（2024-05-20）去了云南"),
            ("Call me at 4 tomorrow", "Call me at 4 tomorrow (2026-05-02 16:00)"),
            ("2026年5月20日见面", "2026年5月20日见面"),
            ("6月18号大促", "6月18号大促"),
            ("每周三游泳", "每周三游泳"),
            ("On 3 June 2026 we sign", "On 3 June 2026 we sign"),
            ("没有时间", "没有时间"),
        ],
    )
    def test_the_day_stands_beside_the_word(self, text: str, want: str) -> None:
        assert annotate(text, find_times(text, FRIDAY)) == want

    @pytest.mark.parametrize(
        "text",
        [
            "昨天和前天都下雨，下周出差",
            "Yesterday was fine; tomorrow at 4 I leave, back next week.",
        ],
    )
    def test_annotating_twice_changes_nothing(self, text: str) -> None:
        once = annotate(text, find_times(text, FRIDAY))
        later = FRIDAY + timedelta(days=40)
        assert once != text
        assert annotate(once, find_times(once, later)) == once
        assert annotate(once, find_times(once, FRIDAY)) == once


class TestValidity:
    @pytest.mark.parametrize(
        ("text", "want"),
        [
            ("后天体检", ("2026-05-03", "2026-05-03")),
            ("明天下午三点体检", ("2026-05-02T15:00+08:00", "2026-05-02T15:00+08:00")),
            ("下周出差", ("2026-05-04", "2026-05-10")),
            ("今年很忙，6月2号交稿", ("2026-06-02", "2026-06-02")),
            ("每周三游泳", (None, None)),
            ("随便哪天", (None, None)),
        ],
    )
    def test_of_a_plan(self, text: str, want: tuple[str | None, str | None]) -> None:
        assert validity(find_times(text, FRIDAY)) == want


class TestAnyText:
    @settings(max_examples=60, deadline=None)
    @given(st.text(max_size=300))
    def test_never_raises(self, text: str) -> None:
        check(text, FRIDAY)

    @settings(max_examples=100, deadline=None)
    @given(
        st.lists(st.sampled_from(PIECES), max_size=14),
        st.sampled_from(
            [
                FRIDAY,
                datetime(2028, 2, 29, 0, 5, tzinfo=NEW_YORK),
                datetime(1, 1, 1, 0, 0, tzinfo=SHANGHAI),
                datetime(9999, 12, 31, 23, 59, tzinfo=NEW_YORK),
                datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
            ]
        ),
    )
    def test_never_raises_on_times_put_together(self, pieces: list[str], now: datetime) -> None:
        check("".join(pieces), now)

    @pytest.mark.parametrize(
        "unit",
        [
            "一",
            "1",
            "每周一、",
            "at ",
            "Monday and ",
            "3-",
            "12:",
            "a/",
            "v1.",
            "二十",
            "《",
            "到",
            "(",
            " ",
        ],
    )
    def test_long_repetitions_end(self, unit: str) -> None:
        text = unit * (20_000 // len(unit))
        assert len(find_times(text, FRIDAY)) <= len(text)


def check(text: str, now: datetime) -> None:
    found = find_times(text, now)
    assert found == find_times(text, now)
    ends = [0]
    for each in found:
        assert text[each.start : each.end] == each.expr
        assert each.start >= ends[-1]
        assert each.expr
        ends.append(each.end)
    annotate(text, found)
    validity(found)


class TestLunar:
    @pytest.mark.parametrize(
        ("lunar", "solar"),
        [
            ((2024, 1, 1), "2024-02-10"),
            ((2025, 8, 15), "2025-10-06"),
            ((2023, 5, 5), "2023-06-22"),
            ((2033, 12, 1), "2034-01-20"),
        ],
    )
    def test_days(self, lunar: tuple[int, int, int], solar: str) -> None:
        assert str(lunar_day(*lunar)) == solar

    def test_beyond_the_table(self) -> None:
        assert lunar_day(1900, 1, 1) is None
        assert lunar_day(2026, 13, 1) is None
        assert lunar_day(2025, 12, 30) is None

    def test_solar_terms(self) -> None:
        assert str(solar_term(2025, "清明")) == "2025-04-04"
        assert str(solar_term(2024, "冬至")) == "2024-12-21"
        assert solar_term(2024, "立秋前") is None
