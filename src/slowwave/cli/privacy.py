"""`privacy`: what may leave this machine, shown before it does."""

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from slowwave.privacy.preview import Leaving, LeavingLine

_PLACEHOLDER = re.compile(r"\[[A-Z]{2,8}-\d{1,6}\]")


@click.group(
    cls=Ordered,
    epilog="""\b
Examples:
  slowwave privacy preview                       last night, as a model would see it
  slowwave privacy preview --text "call Ana, 138 0013 8077"
  cat notes.txt | slowwave privacy preview --stdin
""",
)
def privacy() -> None:
    """What may leave this machine, and what a model elsewhere would see instead."""


@privacy.command("preview")
@click.option("--date", default="yesterday", show_default=True,
              help="What of one day waits to be dreamed: yesterday, today, a day such as "
              "2026-11-30; or of all days: all.")  # fmt: skip
@click.option("--text", help="This text instead of a day.")
@click.option("--stdin", "from_stdin", is_flag=True, help="The text on stdin instead of a day.")
@common
def privacy_preview(door: Door, date: str, text: str | None, *, from_stdin: bool) -> None:
    """Show exactly what a model that is not on this machine would see. Nothing is sent.

    Each question stands there letter by letter as the model would get it. Names, numbers,
    addresses, secrets and words of health are replaced by placeholders such as [PERSON-1]; below
    each line stands what they stand for, which never leaves.
    """
    if text is not None and from_stdin:
        raise UsageError("--text and --stdin exclude each other", "give one of them")
    if from_stdin:
        text = _stdin()
    found = door.memory(create=text is not None).leaving(date, text)
    door.answer(found, lambda: show_leaving(found))


def _stdin() -> str:
    # None where the process was started without one.
    stream: Any = sys.stdin
    if stream is None:
        raise UsageError("there is no standard input to read", "pipe a text into it")
    raw: bytes = stream.buffer.read()
    return raw.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")


def show_leaving(found: "Leaving") -> None:
    """Prints what would leave, what of it was masked, and the legend."""
    render.line(found.reason, fg="yellow" if found.leaves else "green", bold=True)
    if found.model:
        render.field("model", found.model)
    render.field("privacy", found.privacy)
    if not found.segments:
        click.echo(_nothing(found.date))
        return
    if found.instructions:
        told = render.plural(len(found.instructions), "character")
        render.field("instructions", f"{told}, the same for everybody (--json shows them)")
    for number, segment in enumerate(found.segments, start=1):
        click.echo()
        title = f"question {number} of {len(found.segments)}: " if found.date else ""
        render.heading(f"{title}{render.plural(segment.characters, 'character')}")
        for line in segment.lines:
            _show_line(line)
    click.echo()
    if found.counts:
        rows = [(kind, str(number)) for kind, number in found.counts.items()]
        render.table(("masked", "times"), rows)
    elif found.privacy == "open" and found.leaves:
        click.echo("nothing is masked")
    else:
        click.echo("nothing private was found")


def _nothing(date: str) -> str:
    """Why there is no question about a day, or about any."""
    if date == "all":
        return "nothing waits to be dreamed: a model would be asked nothing"
    return f"nothing of {date} waits to be dreamed: a model would be asked nothing"


def _show_line(line: "LeavingLine") -> None:
    safe = "".join(char if char.isprintable() else "�" for char in line.text.expandtabs())
    click.echo("  " + _PLACEHOLDER.sub(lambda match: click.style(match[0], fg="cyan"), safe))
    for value in line.values:
        render.line(f"{value.placeholder} = {value.text}", indent=6, dim=True)
