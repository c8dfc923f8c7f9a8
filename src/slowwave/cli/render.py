"""How answers look: tables and colours on a terminal, aligned plain text in a pipe.

Both count display cells, so Chinese lines up. In a pipe there is no colour and no border, and
nothing is cut or wrapped: a pipe has no width. Text of logs and memories comes from outside, so
whatever could steer a terminal is made visible first (`flat`).
"""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime

import click
from rich.cells import cell_len

from slowwave.model import USER
from slowwave.text.counting import plural

__all__ = [
    "clip", "field", "flat", "heading", "line", "minute", "plural", "short_ref", "table",
    "terminal_width", "who", "wrap",
]  # fmt: skip

SEPARATOR = "  "

LEAST_CELLS = 28
"""A wrapping column narrower than this cannot be read: the row is written as a block instead."""

MOST_CELLS = 110
"""Lines of prose are no longer than this, however wide the terminal is."""

_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
"""Controls (an escape sequence starts with one) and marks that turn the reading direction."""

_UNIT = re.compile(
    r"\s+|[（《「『【]*(?:[^\s\u2e80-\uffef]+|.)[，。、；：？！）》」』】”’…]*", re.S
)
"""Where a line may break: between words, and beside every Chinese character; never before a
closing mark, never after an opening one."""

_UUID = re.compile(r"\b([0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.I)
_LONGEST_REF = 32


def flat(text: str) -> str:
    """The text on one line, with nothing in it that a terminal would obey."""
    return _STEERING.sub("�", " ".join(text.split()))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, flexible: int = -1) -> None:
    """Prints a table; `flexible` is the column that wraps where the terminal is too narrow."""
    cleaned = [[flat(cell) for cell in row] for row in rows]
    place = flexible % len(columns)
    widths = _widths(columns, cleaned)
    if sys.stdout.isatty():
        fixed = sum(widths) - widths[place] + len(SEPARATOR) * (len(columns) - 1)
        room = terminal_width() - fixed
        if room < min(widths[place], LEAST_CELLS):
            _blocks(columns, cleaned, place)
            return
        widths[place] = min(widths[place], room)
    click.secho(_row(columns, widths), bold=True, fg="cyan")
    for row in cleaned:
        first, *rest = list(wrap(row[place], widths[place])) or [""]
        click.echo(_row([*row[:place], first, *row[place + 1 :]], widths))
        inset = sum(widths[:place]) + len(SEPARATOR) * place
        for part in rest:
            click.echo(" " * inset + part)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)
    )
    return SEPARATOR.join(padded).rstrip()


def _blocks(columns: Sequence[str], rows: Sequence[Sequence[str]], flexible: int) -> None:
    """Each row as its short cells, with the long one below: for narrow terminals.

    Nothing stands above a cell here: where it is a mere number or date, its heading goes with it.
    """
    for row in rows:
        short = [
            f"{name} {cell}" if cell[0].isdecimal() else cell
            for place, (name, cell) in enumerate(zip(columns, row, strict=True))
            if place != flexible and cell
        ]
        line(" · ".join(short), fg="cyan")
        line(row[flexible], indent=2)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(cell_len(cell) for cell in (name, *(row[place] for row in rows)))
        for place, name in enumerate(columns)
    ]


def line(text: str, *, indent: int = 0, hang: int = 0, fg: str | None = None, dim: bool = False,
         bold: bool = False) -> None:  # fmt: skip
    """A line of prose; on a terminal it wraps at words, `hang` cells further in."""
    shown = flat(text)
    width = min(terminal_width(), MOST_CELLS) - indent if sys.stdout.isatty() else 0
    for number, part in enumerate(wrap(shown, width, hang)):
        inset = " " * (indent + (hang if number else 0))
        click.echo(inset + click.style(part, fg=fg, dim=dim or None, bold=bold or None))


def wrap(text: str, width: int, hang: int = 0) -> Iterator[str]:
    """The text in pieces of at most `width` cells, later ones `hang` cells shorter; 0 = whole."""
    room = width if width > 0 else cell_len(text)
    current = ""
    for unit in _UNIT.findall(text):
        for piece in _fitting(unit, max(width - hang, 1) if width > 0 else room):
            if current and cell_len(current) + cell_len(piece.rstrip()) > room:
                yield current.rstrip()
                room = max(width - hang, 1)
                current = piece.lstrip()
            else:
                current += piece
    if current.strip() or not text:
        yield current.rstrip()


def _fitting(unit: str, width: int) -> Iterator[str]:
    """A word, cut where it is longer than a line."""
    if cell_len(unit) <= width:
        yield unit
        return
    start = used = 0
    for place, character in enumerate(unit):
        cells = cell_len(character)
        if used + cells > width and place > start:
            yield unit[start:place]
            start, used = place, 0
        used += cells
    yield unit[start:]


def terminal_width() -> int:
    """Cells of a line of the terminal (COLUMNS wins)."""
    return shutil.get_terminal_size((80, 24)).columns


def heading(text: str) -> None:
    """A line that stands out."""
    line(text, bold=True)


def field(name: str, value: object) -> None:
    """`name: value`, the name dimmed on a terminal."""
    click.echo(click.style(f"{name}: ", dim=True) + flat(str(value)))


def minute(moment: datetime) -> str:
    """A moment as people read it."""
    return moment.strftime("%Y-%m-%d %H:%M")


def who(subject: str) -> str:
    """Whom a memory is about: the owner reads `you`."""
    return "you" if subject == USER else subject


def short_ref(ref: str) -> str:
    """A source reference at a length people can read: `8e2b7d14…#c4515084`. JSON has it whole."""
    short = _UUID.sub(r"\1…", flat(ref))
    if cell_len(short) <= _LONGEST_REF:
        return short
    half = _LONGEST_REF // 2
    return clip(short, half) + short[-half + 1 :]


def clip(text: str, cells: int) -> str:
    """At most so many cells of the text, with an ellipsis where it was cut."""
    shown = flat(text)
    if cell_len(shown) <= cells:
        return shown
    kept = used = 0
    for character in shown:
        used += cell_len(character)
        if used > cells - 1:
            break
        kept += 1
    return shown[:kept] + "…"
