"""Commands that take things in: init, log, import."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import EXIT_SKIPPED, Door, NamedPath, common, progress_bar, stdin_lines
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from slowwave.capture.foreign import Imported
    from slowwave.memory import SlowMemory
    from slowwave.model import Record, Skipped

PRESETS = (
    "balanced", "nightly", "recall", "openclaw", "openclaw-classic",
    "realtime", "verified", "platform",
)  # fmt: skip
FORMATS = (
    "auto", "openclaw", "openclaw-session", "claude-code", "chatgpt", "claude-ai",
    "chat-markdown", "claw-yaml", "jsonl", "locomo", "beam", "slowwave",
)  # fmt: skip
ROLES = ("user", "assistant", "tool", "system")
KINDS = ("message", "tool_call", "tool_result", "note", "correction", "seed")

SHOWN_SKIPS = 5
"""How many skipped records of a file are shown to a person; --json has them all."""


@click.command(
    epilog="""\b
Examples:
  slowwave --tz Asia/Shanghai init
  slowwave init --workspace .            work in place on the OpenClaw workspace here
"""
)
@click.option("--preset", type=click.Choice(PRESETS), help="Whose habits to follow [balanced].")
@click.option("--workspace", type=NamedPath(), metavar="DIR",
              help="An OpenClaw workspace whose MEMORY.md and DREAMS.md to keep.")  # fmt: skip
@common
def init(door: Door, preset: Any, workspace: Path | None) -> None:
    """Make a home: a folder with the database and the settings."""
    from slowwave.wiring import Options, initialise  # noqa: PLC0415 - start-up counts

    memory = initialise(Options(**door.options), preset, workspace=workspace)
    home = memory.parts.home
    made = {
        "home": str(home),
        "db": str(home / "slowwave.db"),
        "vault": str(home / "vault"),
        "preset": memory.parts.settings.preset,
    }
    if memory.parts.settings.vault.workspace:
        made["workspace"] = memory.parts.settings.vault.workspace
    memory.close()

    def show() -> None:
        for name, value in made.items():
            render.field(name, value)

    door.answer(made, show)


@click.command(
    epilog="""\b
Examples:
  slowwave log "I am allergic to peanuts"
  slowwave log 今日重点：给域名续费 --seed
  slowwave log --stdin < today.jsonl
"""
)
@click.argument("text", required=False)
@click.option("--role", type=click.Choice(ROLES), default="user", show_default=True)
@click.option("--session", default="", help="The conversation it belongs to.")
@click.option("--speaker", help="Who said it, when it was not you.")
@click.option("--channel", help="Where it was said (telegram, slack …).")
@click.option("--kind", type=click.Choice(KINDS), default="message", show_default=True)
@click.option("--ts", help="When it was said (ISO 8601) [now].")
@click.option("--seed", is_flag=True, help="Today's most important thing: always remembered.")
@click.option("--stdin", is_flag=True, help="Read JSON lines instead of TEXT.")
@common
def log(door: Door, text: str | None, stdin: bool, seed: bool, **fields: Any) -> int:
    """Append an event to the journal. Durable when it returns."""
    if stdin == (text is not None):
        raise UsageError("give either TEXT or --stdin", 'slowwave log "what happened"')
    if seed:
        fields["kind"] = "seed"
    door.writing = True
    memory = door.memory()
    items: Iterator[Record | Skipped] = (
        (memory.event_line(raw, number) for number, raw in stdin_lines())
        if stdin
        else iter([_record(memory, text or "", fields)])
    )
    taken = memory.log(items)
    from slowwave.answers.taken import logged  # noqa: PLC0415 - start-up counts

    def show() -> None:
        click.echo(f"{taken.events} logged, {taken.duplicates} already known")
        tell_skipped("stdin", taken.skipped)

    door.answer(logged(taken), show)
    return EXIT_SKIPPED if taken.skipped else 0


def _record(memory: "SlowMemory", text: str, fields: dict[str, Any]) -> "Record | Skipped":
    """One event from the options, read by the same rules as a JSON line."""
    import msgspec  # noqa: PLC0415 - `--help` needs none

    line = {"text": text, **{name: value for name, value in fields.items() if value}}
    raw = msgspec.json.encode(_clean(line))
    found = memory.event_line(raw, 1)
    reason = getattr(found, "reason", None)
    if reason is not None:
        raise UsageError(f"not an event: {reason}", "`slowwave log --help` shows the options")
    return found


def _clean(line: dict[str, Any]) -> dict[str, Any]:
    """Bytes of the command line that were not valid text are replaced, not fatal."""
    return {
        name: value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for name, value in line.items()
    }


@click.command(
    "import",
    epilog="""\b
Examples:
  slowwave import ~/.openclaw ~/.claude/projects
  slowwave import conversations.zip
  slowwave import chats/ --format chat-markdown
""",
)
@click.argument("paths", nargs=-1, required=True, type=NamedPath(readable=False))
@click.option("--format", "format_name", type=click.Choice(FORMATS), default="auto",
              show_default=True, help="Only needed where a format is not recognised.")  # fmt: skip
@common
def import_(door: Door, paths: tuple[Path, ...], format_name: str) -> int:
    """Read foreign logs, files or folders. Safe to repeat: what is known is not taken twice.

    Of a folder that was imported before, new files and what was added to the others are taken.
    """
    door.writing = True
    with progress_bar() as progress:
        done = door.memory().import_paths(paths, format_name, progress)
    folders = any(path.is_dir() for path in paths)
    door.answer(done, lambda: show_import(done, folders=folders))
    return EXIT_SKIPPED if done.skipped else 0


def show_import(done: "Imported", *, folders: bool = False) -> None:
    """Prints what each file gave; what was skipped goes to stderr.

    `folders`: some of it came from a folder, where more may appear.
    """
    rows = [
        (report.format or "?", str(report.events), str(report.duplicates),
         str(len(report.skipped)), report.path)
        for report in done.files
    ]  # fmt: skip
    render.table(("format", "new", "known", "skipped", "file"), rows)
    for report in done.files:
        tell_skipped(report.path, report.skipped)
    back = sum(report.memories for report in done.files)
    if back:
        click.echo(f"{render.plural(back, 'memory')} put back, with their dreams and versions")
    events = render.plural(done.events, "new event")
    click.echo(f"{events}, {done.duplicates} already known, {done.skipped} skipped")
    if done.duplicates:
        states = Counter(report.state for report in done.files)
        told = ", ".join(f"{states[name]} {name}" for name in ("new", "grown", "unchanged"))
        click.echo(f"of {render.plural(len(done.files), 'file')}: {told}")
    if folders:
        click.echo("what is added there later is taken when you import the folder again")
    if done.events and not back:
        click.echo(
            "next: slowwave dream --date all   (plans; `slowwave dreams apply last` applies)"
        )


def tell_skipped(place: str, skipped: "Sequence[Skipped]") -> None:
    """Says on stderr which records were left out and why, the first few of them."""
    for item in skipped[:SHOWN_SKIPS]:
        spot = f"{place}:{item.line}" if item.line else place
        click.echo(f"skipped {render.flat(f'{spot}: {item.reason}')}", err=True)
    if len(skipped) > SHOWN_SKIPS:
        more = len(skipped) - SHOWN_SKIPS
        click.echo(f"skipped {render.flat(place)}: {more} more (--json lists all)", err=True)
