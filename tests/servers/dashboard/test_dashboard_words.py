"""One table of words, complete in both languages; and how values are shown."""

import re
import string
from datetime import date, datetime
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import Kind, Status
from slowwave.servers.dashboard import reasons, showing, words

FOLDER = Path(words.__file__).parent
TABLE = words.table()
LITERAL = re.compile(r"""\bt\(\s*['"]([a-z_0-9]+\.[A-Za-z_0-9]+)['"]\s*[,)]""")
GROUPED = re.compile(r"""name\(\s*['"]([a-z_]+)['"]""")


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_each_entry_is_there_in_both_languages_with_the_same_values() -> None:
    for key, said in TABLE.items():
        english, chinese = said["en"], said["zh"]
        assert english.strip(), key
        assert chinese.strip(), key
        assert " | " not in chinese, key
        for form in english.split(" | "):
            assert places(form) | {"n"} == places(chinese) | {"n"}, key
        if key != "language.zh":
            assert not re.search("[\u4e00-\u9fff]", english), key


def test_every_entry_that_is_named_is_there() -> None:
    sources = [*FOLDER.glob("templates/*.html"), *FOLDER.rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    missing = sorted(set(LITERAL.findall(text)) - set(TABLE))
    assert not missing
    groups = {key.partition(".")[0] for key in TABLE}
    assert set(GROUPED.findall(text)) <= groups


def test_every_kind_and_status_has_a_name() -> None:
    for kind in get_args(Kind):
        assert words.known(f"kind.{kind}")
    for status in get_args(Status):
        assert words.known(f"status.{status}")


def test_one_and_many() -> None:
    assert words.say("dream.changes", "en", {"n": "1"}, 1) == "1 change"
    assert words.say("dream.changes", "en", {"n": "0"}, 0) == "0 changes"
    assert words.say("dream.changes", "zh", {"n": "1"}, 1) == "1 处更改"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"), ("fr", "en"), ("zh", "zh"), ("zh-TW,en;q=0.8", "zh"),
        ("en;q=0.4, zh;q=0.9", "zh"),
        ("de, zh-Hans;q=0.3, en;q=0.2", "zh"), ("zh;q=0", "en"), ("zh;q=x,en", "en"), ("*", "en"),
    ],
)  # fmt: skip
def test_the_browsers_wishes(header: str, language: str) -> None:
    assert words.accepted(header) == language


@given(st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_any_header_gives_a_language(header: str) -> None:
    assert words.accepted(header) in words.LANGUAGES


def test_days_moments_and_numbers() -> None:
    moment = datetime.fromisoformat("2026-05-03T04:05:00+08:00")
    assert showing.minute(moment, "en") == "3 May 2026 04:05"
    assert showing.minute(moment, "zh") == "2026年5月3日 04:05"
    assert showing.day(date(2026, 5, 3), "en", week=True) == "Sun, 3 May 2026"
    assert showing.day(date(2026, 5, 3), "zh", week=True) == "2026年5月3日 周日"
    assert showing.number(1234567) == "1,234,567"
    assert showing.number(0.5) == "0.5"


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=80, deadline=None)
def test_differences_lose_no_word(before: str, after: str) -> None:
    gone, come = showing.differences(before, after)
    assert "".join(part.text for part in gone) == before
    assert "".join(part.text for part in come) == after
    same = [part.text for part in gone if part.how == "same"]
    assert same == [part.text for part in come if part.how == "same"]


def test_differences_are_of_words_and_of_characters_where_there_are_no_spaces() -> None:
    _, come = showing.differences("port 22 is open", "port 2222 is open")
    assert [part.text for part in come if part.how == "new"] == ["2222"]
    gone, come = showing.differences("净重 500 克", "净重 450 克")
    assert [part.text for part in gone if part.how == "gone"] == ["500"]
    gone, come = showing.differences("住在北门街", "住在翠湖边")
    assert [part.text for part in come if part.how == "new"] == ["翠湖边"]


@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.integers(-3, 50), st.integers(-3, 50)), max_size=6),
)
@settings(max_examples=80, deadline=None)
def test_marks_lose_no_character(text: str, spans: list[tuple[int, int]]) -> None:
    parts = showing.marked(text, spans)
    assert "".join(part.text for part in parts) == text
    marked = {place for at, end in spans for place in range(max(0, at), min(end, len(text)))}
    assert sum(len(part.text) for part in parts if part.how == "quoted") == len(marked)


@given(st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_whatever_is_shown_can_be_sent(text: str) -> None:
    shown = showing.visible(text)
    shown.encode("utf-8")
    assert "\x00" not in shown
    assert len(showing.clip(text, 20)) <= 20


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hello", "en"),
        ("你好 world", "zh-Hans"),
        ("ひらがな漢字", "ja"),
        ("한국어", "ko"),
        ("où", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert showing.language_of(text) == language


def said(text: str) -> str:
    return "".join(part.text for part in reasons.told(text, "zh"))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "new: nothing that is known says this; route salience: importance 80, confidence 0.9, "
            "said plainly",
            "新：已知内容里没有这一条；途径“重要性”：重要性 80，把握 0.9，说得明确",
        ),
        (
            "no longer current since 2026-05-17: “a; b (c)” (both cannot hold: the later one says "
            "that it is over)",
            "自 2026年5月17日 起不再有效：“a; b (c)”（两者不能并存：后一条说它已经结束）",
        ),
        ("route time: 1 quiet day, 3 needed", "途径“时间”：平静 1 天，需要 3 天"),
        ("its time ended on 2026-02-30", "its time ended on 2026-02-30"),
        ("something nobody knows; stays a candidate", "something nobody knows; 仍为候选"),
        ("distill: greeting", "提炼：问候"),
        (
            "INSERT personal: new: nothing that is known says this; stays a candidate",
            "新增（个人）：新：已知内容里没有这一条；仍为候选",
        ),
        ("HURRY personal: stays a candidate", "HURRY personal: stays a candidate"),
        ("", ""),
    ],
)
def test_what_dreams_say_is_said_in_chinese_where_its_shape_is_known(
    english: str, chinese: str
) -> None:
    assert said(english) == chinese
    assert reasons.told(english, "en") == [(english, "en")]


@given(st.text(alphabet="“”(); ab新route:", max_size=60))
@settings(max_examples=60, deadline=None)
def test_what_has_no_known_shape_is_said_as_it_is(text: str) -> None:
    assert said(text) == text


def test_every_shape_has_the_same_holes_in_both_languages() -> None:
    for shape in reasons._book().shapes:
        assert sorted(shape.holes) == sorted(re.findall(r"\{([a-z]+)\}", shape.said))
