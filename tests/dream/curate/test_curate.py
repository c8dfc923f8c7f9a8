"""What MEMORY.md loads: which memories, in which order and section, within which budget."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.curate.sections import curate, pointer_of
from slowwave.model import SECTION_TITLES
from slowwave.testing.samples import MORNING, memory
from slowwave.text.tokens import estimate

TODAY = date(2031, 3, 20)
MONTH = timedelta(days=31)


def loaded(*memories, budget: int = 12_000, **options) -> list[str]:
    sections = curate(memories, budget, **options).sections
    return [one.text for part in sections for one in part.memories]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "emotion"}, {"kind": "quote"}, {"standing": "one_off"}, {"standing": "temporary"},
        {"status": "candidate"}, {"status": "cold"}, {"status": "retired"},
        {"status": "quarantined"}, {"undone": True}, {"superseded_by": "m2"},
        {"standing": "dated", "valid_from": "2031-03-19"},
        {"standing": "dated", "valid_from": "2031-03-25", "valid_to": "2031-03-19T12:00:00+08:00"},
        {"valid_to": "2031-03-01"}, {"expires_at": "2031-03-19"},
    ],
)  # fmt: skip
def test_what_never_gets_in(fields: dict) -> None:
    assert loaded(memory("The ferry leaves at nine", pinned=True, **fields), today=TODAY) == []


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"standing": "dated", "valid_from": "2031-03-20"}, {"valid_from": "2029-01-01"},
        {"standing": "dated", "valid_from": "2031-03-01", "valid_to": "2031-04-01"},
        {"expires_at": "2031-03-21"},
    ],
)  # fmt: skip
def test_what_holds_is_loaded(fields: dict) -> None:
    assert loaded(memory("The ferry leaves at nine", **fields), today=TODAY)


def test_pinned_then_important_then_new() -> None:
    vital = memory("vital", importance=95, last_seen=MORNING - timedelta(days=700))
    fresh = memory("fresh", importance=60)
    older = memory("older", importance=60, last_seen=MORNING - timedelta(days=9))
    pinned = memory("pinned", importance=10, pinned=True)
    assert loaded(older, fresh, vital, pinned) == ["pinned", "vital", "fresh", "older"]


def test_the_order_does_not_change_by_waiting() -> None:
    memories = [memory(f"{n}", importance=40 + 7 * n % 50, last_seen=MORNING - n * MONTH)
                for n in range(20)]  # fmt: skip
    first = loaded(*memories, today=TODAY)
    assert loaded(*memories, today=TODAY + timedelta(days=3_000)) == first


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("Work and technology", {"kind": "project"}),
        ("Work and technology", {"kind": "skill"}),
        ("Work and technology", {"text": "The archive lies in /srv/archive/2031"}),
        ("Work and technology", {"kind": "preference", "text": "Always use Postgres v15.3"}),
        ("Life and taste", {"kind": "preference"}),
        ("Life and taste", {"kind": "profile"}),
        ("How to work with me", {"kind": "rule"}),
        ("How to work with me", {"kind": "rule", "text": "Send the summary every Monday"}),
        ("How to work with me", {"kind": "preference", "text": "Tables, few words, short replies"}),
        ("How to work with me", {"kind": "preference", "text": "长度都用公制单位"}),
        ("Chronicle and agreements", {"kind": "rule", "text": "On May 3, 2031 fly to Turku"}),
        ("Chronicle and agreements", {"kind": "plan"}),
        ("Chronicle and agreements", {"kind": "plan", "text": "Deploy the server at nine"}),
        ("Chronicle and agreements", {"kind": "environment", "standing": "dated"}),
        ("Life and taste", {"kind": "environment", "text": "Two vitamin tablets each morning"}),
        ("Life and taste", {"kind": "fact", "text": "Reach me at ida@kiln.example"}),
        ("Life and taste", {"kind": "environment", "text": "我家住址是青杨小区3号楼"}),
        ("Life and taste", {"kind": "project", "text": "膝盖每月要去医院复查"}),
        ("Life and taste", {"kind": "fact", "text": "Window seat on every flight"}),
        ("Work and technology", {"kind": "profile", "text": "从这周起喷窑改造由我接手"}),
        ("Work and technology", {"kind": "fact", "text": "My colleague reviews the release"}),
        ("Work and technology", {"kind": "preference", "text": "写代码用等宽字体的编辑器"}),
        ("People", {"kind": "relationship"}),
        ("People", {"kind": "preference", "subject": "Ilse"}),
    ],
)
def test_sections(section: str, fields: dict) -> None:
    made = curate([memory(**({"text": "The plums are ripe"} | fields))], 1_000)
    titles = next(titles for titles in SECTION_TITLES if section in titles)
    assert [part.title in titles for part in made.sections] == [True]


def test_titles_follow_the_language() -> None:
    made = curate([memory("周末去爬山", kind="plan"), memory("喝乌龙", kind="preference")], 1_000)
    assert [part.title for part in made.sections] == ["生活与喜好", "纪事与约定"]


def test_inside_a_section_the_newer_of_the_equally_important_comes_first() -> None:
    rows = [
        memory("vital", importance=95, last_seen=MORNING - timedelta(days=900)),
        memory("older", importance=68, last_seen=MORNING - timedelta(days=9)),
        memory("newer", importance=63, last_seen=MORNING),
        memory("pinned", importance=10, pinned=True),
    ]
    assert loaded(*rows) == ["pinned", "vital", "newer", "older"]


def test_no_line_twice() -> None:
    made = curate(
        [memory("We live in Turku"), memory("So we live in Turku!", id="m2"),
         memory("we live in Turku haha", id="m3", last_seen=MORNING - MONTH)], 1_000,
    )  # fmt: skip
    assert [len(part.lines) for part in made.sections] == [1]
    assert made.left_out == 0


@pytest.mark.parametrize("first", [0, 1])
def test_what_a_longer_line_says_has_none_of_its_own(first: int) -> None:
    texts = ["Odile eats no mussels", "Odile eats no mussels, so no paella for the studio"]
    rows = [memory(text, id=f"m{n}", importance=90 if n == first else 50)
            for n, text in enumerate(texts)]  # fmt: skip
    made = curate(rows, 1_000)
    assert loaded(*rows) == texts[1:]
    assert made.left_out == 0


@given(
    st.lists(st.text(min_size=1, max_size=80), max_size=30, unique=True),
    st.integers(0, 900),
    st.one_of(st.none(), st.integers(0, 900)),
)
@settings(max_examples=60, deadline=None)
def test_never_over_the_budget(texts: list[str], budget: int, chars: int | None) -> None:
    memories = [memory(text, importance=number) for number, text in enumerate(texts)]
    made = curate(memories, budget, most_chars=chars)
    kept = [one for part in made.sections for one in part.memories]
    assert len(kept) + made.left_out <= len(memories)
    whole = "".join(f"\n## {part.title}\n\n" + "".join(f"- {one}\n" for one in part.lines)
                    for part in made.sections)  # fmt: skip
    assert made.tokens <= max(budget, 0)
    if chars is not None:
        assert (
            not kept or len("".join(line for part in made.sections for line in part.lines)) <= chars
        )
    assert estimate(whole) <= made.tokens


def test_the_pointer() -> None:
    assert pointer_of(0, chinese=True) == ""
    assert pointer_of(1, chinese=False).startswith("1 more memory in long_term/")
    assert "另有 7 条" in pointer_of(7, chinese=True)
