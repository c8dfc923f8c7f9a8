"""`slowwave export`: everything to a file that `import` reads back, or the day files of N1."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import Door, NamedPath, common, progress_bar
from slowwave.errors import NotFound, UsageError

if TYPE_CHECKING:
    from slowwave.memory import SlowMemory
    from slowwave.ports import Progress

FORMATS = ("jsonl", "markdown", "claw-yaml")
STDOUT = Path("-")
BY_ENDING = {".md": "markdown", ".markdown": "markdown", ".yaml": "claw-yaml", ".yml": "claw-yaml"}
DAYS = "claw-yaml"


@click.command(
    epilog="""\b
Examples:
  slowwave export backup.jsonl           everything; `slowwave import backup.jsonl` reads it back
  slowwave export backup.jsonl.gz        the same, packed
  slowwave export memory.md              a page to read, that can be imported as well
  slowwave export - | ssh box 'cat > copy.jsonl'
  slowwave export short_term/ --format claw-yaml            one YAML file for each day
  slowwave export today.yaml --date today                   one day
"""
)
@click.argument("file", type=NamedPath(allow_dash=True), metavar="FILE")
@click.option("--format", "format_name", type=click.Choice(FORMATS),
              help="By default what FILE ends in (.md, .yaml), else jsonl.")  # fmt: skip
@click.option("--date", metavar="DAY", help="Only this day (yesterday, today, a date): claw-yaml.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@click.option("--progress", "plain", is_flag=True, help="Lines of progress on stderr.")
@common
def export(
    door: Door, file: Path, format_name: str | None, date: str | None, force: bool, plain: bool
) -> None:
    """Write everything of this space to FILE (`-`: stdout), to read it back with `import`.

    Events with their ids, memories with all versions, dreams and plans, signals, open items, the
    injection ledger, what was forgotten. Not the settings, and nothing that is made anew from it.
    """
    wanted = format_name or BY_ENDING.get(file.suffix.lower(), DAYS if date else "jsonl")
    if date and wanted != DAYS:
        raise UsageError("--date goes with --format claw-yaml", "an export has all days")
    if file == STDOUT and door.json:
        raise UsageError("both the export and the answer would go to stdout",
                         "name a file, or leave out --json")  # fmt: skip
    memory = door.memory(create=False)
    with progress_bar(plain=plain) as progress:
        if wanted == DAYS:
            answer = _days(memory, file, date, force=force)
        else:
            answer = _whole(memory, file, wanted, progress, force=force)
    if file != STDOUT:
        door.answer(answer, lambda: _show(answer))


def _whole(
    memory: "SlowMemory", file: Path, wanted: str, progress: "Progress", *, force: bool
) -> dict[str, Any]:
    _refuse(file, force=force)
    made = memory.export(markdown=wanted == "markdown", progress=progress)
    size = _write(file, (line + b"\n" for line in made.lines), force=force)
    return {
        "file": str(file), "format": wanted, "events": made.events, "memories": made.memories,
        "dreams": made.dreams, "bytes": size,
    }  # fmt: skip


def _days(memory: "SlowMemory", file: Path, date: str | None, *, force: bool) -> dict[str, Any]:
    """One day into one file, or each day into a file of a folder."""
    if date not in (None, "all"):
        [made] = memory.day_files(date or "")
        if not made.events:
            raise NotFound(f"nothing was said on {made.name[:10]}", "`slowwave status` tells when")
        target = file / made.name if file.is_dir() else file
        _refuse(target, force=force)
        size = _write(target, [made.text.encode()], force=force)
        return {"file": str(target), "format": DAYS, "events": made.events, "bytes": size}
    if file == STDOUT or (file.suffix.lower() in BY_ENDING and not file.is_dir()):
        raise UsageError("this format has one file for each day",
                         "name a folder, or one day with --date")  # fmt: skip
    return _folder(memory, file, force=force)


def _folder(memory: "SlowMemory", folder: Path, *, force: bool) -> dict[str, Any]:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", "name a folder: one file for each day goes there")
    days = list(memory.day_files())
    if not days:
        raise NotFound("nothing was said yet", "`slowwave import` or `slowwave log` first")
    folder.mkdir(parents=True, exist_ok=True)
    for made in days:
        _refuse(folder / made.name, force=force)
    size = sum(_write(folder / made.name, [made.text.encode()], force=force) for made in days)
    return {
        "file": str(folder), "format": DAYS, "events": sum(made.events for made in days),
        "files": [made.name for made in days], "bytes": size,
    }  # fmt: skip


def _refuse(file: Path, *, force: bool) -> None:
    """Before the work begins: what could not be written in the end."""
    from slowwave.wiring import refuse_target  # noqa: PLC0415 - start-up counts

    if file != STDOUT:
        refuse_target(file, replace=force)


def _write(file: Path, pieces: Iterable[bytes], *, force: bool) -> int:
    """Writes a file as a whole, packed where its name says so; how many bytes it was before."""
    from slowwave.wiring import new_file  # noqa: PLC0415 - start-up counts

    if file == STDOUT:
        return _pour(pieces, sys.stdout.buffer.write)
    with new_file(file, replace=force) as stream:
        if file.suffix.lower() != ".gz":
            return _pour(pieces, stream.write)
        import gzip  # noqa: PLC0415 - only for a packed one

        packed = gzip.GzipFile("", "wb", fileobj=stream, mtime=0)
        size = _pour(pieces, packed.write)
        packed.close()
        return size


def _pour(pieces: Iterable[bytes], write: Callable[[bytes], object]) -> int:
    size = 0
    for piece in pieces:
        write(piece)
        size += len(piece)
    sys.stdout.flush()
    return size


def _show(answer: dict[str, Any]) -> None:
    parts = [render.plural(answer["events"], "event")]
    if "memories" in answer:
        parts += [render.plural(answer["memories"], "memory"),
                  render.plural(answer["dreams"], "dream")]  # fmt: skip
    if "files" in answer:
        parts.append(f"{render.plural(len(answer['files']), 'file')} of a day each")
    render.line(f"exported to {answer['file']}: {', '.join(parts)}")
    click.echo("it holds your words: keep it where only you can read it")
    if "memories" in answer:
        click.echo(f"read it back: slowwave --home NEW import {answer['file']}")
