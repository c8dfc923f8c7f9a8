"""How answers look: tables and colours on a terminal, aligned plain text in a pipe.

Both count display cells, so Chinese lines up. In a pipe there is no colour and no border, and
nothing is cut: a pipe has no width.
"""

import sys
from collections.abc import Sequence
from datetime import datetime

import click
from rich.cells import cell_len

SEPARATOR = "  "


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, flexible: int = -1) -> None:
    """Prints a table; `flexible` is the column that may wrap on a terminal."""
    cleaned = [[" ".join(cell.split()) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _rich_table(columns, cleaned, flexible % len(columns))
    else:
        _plain_table(columns, cleaned)


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]], flexible: int) -> None:
    # Borders and colours are for people: a pipe never pays for loading them.
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold cyan")
    for place, name in enumerate(columns):
        if place == flexible:
            drawn.add_column(name, overflow="fold", ratio=1)
        else:
            drawn.add_column(name, no_wrap=True)
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)


def _plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [list(columns), *(list(row) for row in rows)]
    widths = [max(cell_len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        cells = [
            cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)
        ]
        click.echo(SEPARATOR.join(cells).rstrip())


def heading(text: str) -> None:
    """A line that stands out."""
    click.secho(text, bold=True)


def field(name: str, value: object) -> None:
    """`name: value`, the name dimmed on a terminal."""
    click.echo(click.style(f"{name}: ", dim=True) + str(value))


def minute(moment: datetime) -> str:
    """A moment as people read it."""
    return moment.strftime("%Y-%m-%d %H:%M")


def clip(text: str, cells: int) -> str:
    """At most so many cells of the text, with an ellipsis where it was cut."""
    flat = " ".join(text.split())
    if cell_len(flat) <= cells:
        return flat
    kept = ""
    for character in flat:
        if cell_len(kept + character) > cells - 1:
            break
        kept += character
    return kept + "…"
