"""What people read lines up, wraps where it may, and cannot steer their terminal."""

import io
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from slowwave.cli import recalling, render
from slowwave.model import Hit

ROWS = [
    ("m1", "喝茶", "她每天早上喝一壶白毫银针，加一片姜"),
    ("m22", "coffee ☕", "no more than two cups before the 09:40 train"),
    ("m333", "👩‍🌾 👍🏽", "🌶️ is grown on the balcony"),
]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Terminal]:
    """Makes stdout a terminal of so many columns."""

    def of(columns: int) -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", str(columns))
        return stream

    return of


def test_columns_line_up_by_display_cells(capsys: pytest.CaptureFixture[str]) -> None:
    render.table(("id", "title", "text"), ROWS)
    head, *lines = capsys.readouterr().out.splitlines()
    starts = {cell_len(head[: head.index("text")])}
    for line, row in zip(lines, ROWS, strict=True):
        starts.add(cell_len(line[: line.index(row[2])]))
    assert len(starts) == 1


def test_a_pipe_has_no_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    render.table(("id", "text"), [("m1", "很长" * 300)])
    render.line("word " * 300)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "很长" * 300 in lines[1]


@pytest.mark.parametrize("columns", [30, 60, 72, 100, 200])
def test_a_terminal_line_is_never_too_long(
    terminal: Callable[[int], Terminal], columns: int
) -> None:
    screen = terminal(columns)
    long = [(*row[:2], row[2] * 6) for row in ROWS]
    render.table(("id", "title", "text"), long)
    render.line("以后早会一律改到十点半，周三除外。" * 8, indent=6, hang=4)
    plain = _without_colours(screen.getvalue())
    assert max(cell_len(line) for line in plain.splitlines()) <= columns
    for row in long:
        kept = "".join(row[2].split())
        assert kept in "".join(plain.split()).replace("·", "")


def test_a_narrow_terminal_gets_blocks(terminal: Callable[[int], Terminal]) -> None:
    screen = terminal(30)
    render.table(("id", "title", "text"), ROWS)
    lines = _without_colours(screen.getvalue()).splitlines()
    assert lines[0] == "m1 · 喝茶"
    assert lines[1].startswith("  她每天")


def test_no_line_starts_with_a_closing_mark() -> None:
    text = "先把炉温升到八百度，再等半小时，然后（慢慢地）降下来。" * 5
    for width in range(6, 40):
        lines = list(render.wrap(text, width))
        assert "".join(lines) == text
        assert not any(line[0] in "，。）" for line in lines)
        assert not any(line[-1] == "（" for line in lines)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=120), width=st.integers(2, 60), hang=st.integers(0, 8))
def test_wrapping_keeps_every_character(text: str, width: int, hang: int) -> None:
    shown = render.flat(text)
    lines = list(render.wrap(shown, width, hang))
    assert "".join("".join(lines).split()) == "".join(shown.split())
    assert all(cell_len(line) <= max(width, 4) for line in lines)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=80), cells=st.integers(1, 30))
def test_a_clipped_text_fits(text: str, cells: int) -> None:
    assert cell_len(render.clip(text, cells)) <= cells


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]0;owned\x07title",
        "\x1b[2J\x1b[31mred",
        "a\rb",
        "\x9b31m",
        "left\u202eright",
        "\x00\x08",
    ],
)
def test_outside_text_cannot_steer_the_terminal(text: str) -> None:
    shown = render.flat(text)
    assert not any(character in shown for character in "\x1b\x9b\x07\r\x00\x08\u202e")


def test_flat_keeps_what_people_write() -> None:
    text = "👩‍🌾 说：“明天\n\t不去了”  naïve — ﹁好﹂"
    assert render.flat(text) == "👩‍🌾 说：“明天 不去了” naïve — ﹁好﹂"


def test_references_are_shortened_for_people() -> None:
    long = "0d9f6c1e-77aa-4b0e-8c55-2f1e9a7b4c3d#a1b2c3d4"
    assert render.short_ref(long) == "0d9f6c1e…#a1b2c3d4"
    assert render.short_ref("D3:14") == "D3:14"
    assert render.short_ref("notes/2026-03-05.md#7") == "notes/2026-03-05.md#7"
    assert cell_len(render.short_ref("来源" * 40)) <= 48


def test_plurals() -> None:
    assert [render.plural(n, "event") for n in (0, 1, 2)] == ["0 events", "1 event", "2 events"]
    assert render.plural(3, "memory") == "3 memories"


NOW = datetime(2026, 5, 6, 12, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"kind": "plan", "status": "active"}, "plan"),
        ({"kind": "plan", "status": "candidate"}, "plan (candidate)"),
        ({"kind": "fact", "status": "cold"}, "fact (cold)"),
        ({"kind": "fact", "status": "retired"}, "fact (past)"),
        ({"kind": "plan", "status": "active", "valid_to": "2026-05-05"}, "plan (past)"),
        ({"kind": "plan", "status": "active", "valid_to": "2026-05-16"}, "plan"),
        ({"type": "event", "subject": "user", "speaker": "芳"}, "said by you"),
        ({"type": "event", "subject": "user"}, "said by you"),
        ({"type": "event", "subject": "agent"}, "said by agent"),
        ({"type": "event", "subject": "Noor", "speaker": "Noor"}, "said by Noor"),
    ],
)
def test_each_hit_says_what_it_is(
    capsys: pytest.CaptureFixture[str], fields: dict[str, str], what: str
) -> None:
    given = {"id": "x1", "type": "memory", "kind": "message", "text": "…", "score": 0.5, "ts": NOW}
    recalling.show_hits([Hit(**{**given, **fields})], NOW, explain=False)
    head, row = capsys.readouterr().out.splitlines()
    start, end = head.index("what"), head.index("source")
    assert row[start:end].strip() == what


def test_several_references_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    hit = Hit(id="m1", type="memory", kind="fact", status="active", text="t", score=1.0,
              ts=datetime(2026, 1, 2, tzinfo=UTC), refs=("D1:3", "D2:8", "D9:1"))  # fmt: skip
    recalling.show_hits([hit], NOW, explain=False)
    assert "D1:3 +2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("scores", "whole", "shown", "note"),
    [
        ((0.9, 0.6, 0.3, 0.2), False, 2, "2 weaker hits not shown (-k 4 shows all)"),
        ((0.9, 0.6, 0.3, 0.2), True, 4, "weaker:"),
        ((0.2, 0.2, 0.1, 0.1, 0.1), False, 3, "nothing certain; these come nearest"),
        ((0.2, 0.2, 0.1, 0.1, 0.1), True, 5, "nothing certain; these come nearest"),
        ((0.9, 0.5), False, 2, ""),
    ],
)
def test_weak_hits_are_set_apart(
    capsys: pytest.CaptureFixture[str], scores: tuple[float, ...], whole: bool, shown: int,
    note: str,
) -> None:  # fmt: skip
    hits = [Hit(id=f"m{place}", type="memory", kind="fact", status="active", text=f"text {place}",
                score=score, ts=NOW) for place, score in enumerate(scores)]  # fmt: skip
    recalling.show_hits(hits, NOW, explain=False, whole=whole)
    lines = capsys.readouterr().out.splitlines()
    assert sum("text " in line for line in lines) == shown
    assert note in lines if note else len(lines) == shown + 1


def _without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_bare_number_or_date_in_a_block_keeps_its_heading(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    render.table(
        ("id", "state", "opened", "last spoken of", "due", "text"),
        [("w123456789abc", "open", "2031-03-01", "2031-03-04", "", "oil the gate " * 6)],
    )
    first, *rest = capsys.readouterr().out.splitlines()
    assert click.unstyle(first) == ("w123456789abc · open · opened 2031-03-01 · last spoken of")
    assert click.unstyle(rest[0]).startswith("2031-03-04")
