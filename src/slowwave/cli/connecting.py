"""`connect`: this memory inside the agents that people run, put in and out with one command."""

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from slowwave.cli import render
from slowwave.cli.door import EXIT_FAILED, Door, NamedPath, common
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slowwave.integrations.connect import Asked, Check, Found, Outcome

NAMES = ("openclaw", "claude-code", "hermes")
FEW = 5
"""Files that are told one by one."""

URL = "http://127.0.0.1:8377"


@click.command(
    epilog="""\b
Examples:
  slowwave connect                       what is on this machine, and what is connected
  slowwave connect claude-code           hooks, a skill, and the MCP server
  slowwave connect hermes --dry-run      what would be written, without writing
  slowwave connect openclaw --check      whether it works
  slowwave connect claude-code --undo    takes out exactly what was put in
"""
)
@click.argument("name", required=False, type=click.Choice(NAMES))
@click.option("--home-dir", "folder", type=NamedPath(), metavar="DIR",
              help="The agent's own folder, or yours that holds it [~].")  # fmt: skip
@click.option("--undo", is_flag=True, help="Take it out again; nothing of it stays.")
@click.option("--check", is_flag=True, help="Tell whether it works; nothing is changed.")
@click.option("--dry-run", "dry", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--url", default=URL, show_default=True,
              help="Of openclaw: where `slowwave serve` answers.")  # fmt: skip
@click.option("--beside", is_flag=True, help="Of openclaw: keep its own memory, and add to it.")
@click.option("--force", is_flag=True, help="With --undo: also what still waits to be delivered.")
@common
def connect(door: Door, name: str | None, *, undo: bool, check: bool, **how: Any) -> int:
    """Put this memory into an agent: OpenClaw, Claude Code or Hermes. Safe to repeat.

    Settings of the agent are edited in place, comments and all; what was put where is written down
    in Slowwave's home. Bare: what is on this machine.
    """
    # Nobody else needs them; start-up counts.
    from slowwave.integrations import connect as connecting  # noqa: PLC0415

    _refuse_mixed(name, undo=undo, check=check, **how)
    _refuse_url(name, how["url"])
    asked = _asked(door, name or "", how)
    if name is None:
        rows = connecting.found(asked.home, asked.environment, asked.folder)
        door.answer({"hosts": rows}, lambda: _show_found(rows))
        return 0
    if check:
        checks = connecting.check(asked)
        ok = all(one.ok for one in checks)
        answer = {"name": name, "ok": ok, "checks": checks}
        door.answer(answer, lambda: _show_checks(name, checks))
        return 0 if ok else EXIT_FAILED
    door.writing = not asked.dry
    outcome = connecting.disconnect(asked) if undo else connecting.connect(asked)
    answer = {"name": outcome.name, "host": outcome.host, "changed": outcome.changed,
              "dry_run": asked.dry, "undo": undo, "connected": outcome.connected,
              "done": outcome.done, "kept": outcome.kept, "remarks": outcome.remarks}  # fmt: skip
    door.answer(answer, lambda: _show_outcome(outcome, dry=asked.dry))
    return 0


def _refuse_mixed(
    name: str | None, *, undo: bool, check: bool, dry: bool, force: bool, beside: bool, **_: Any
) -> None:
    """UsageError for options that say two things, or nothing here."""
    if name is None and (undo or check or dry or force or beside):
        raise UsageError("which agent is meant?", f"slowwave connect {'|'.join(NAMES)}")
    if check and (undo or dry):
        raise UsageError("--check changes nothing", "leave out --undo and --dry-run")
    if force and not undo:
        raise UsageError("--force belongs to --undo", "leave it out; connecting is safe to repeat")
    if beside and name != "openclaw":
        raise UsageError("--beside is of openclaw only", f"leave it out with {name}")


def _refuse_url(name: str | None, url: str) -> None:
    if url != URL and name != "openclaw":
        raise UsageError("--url is of openclaw only", "leave it out, or name openclaw")
    if not _is_server(url):
        raise UsageError(
            f"--url {url!r} is no address of a server", f"write it like the usual one: {URL}"
        )


def _is_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _asked(door: Door, name: str, how: dict[str, Any]) -> "Asked":
    from slowwave.integrations.connect import Asked  # noqa: PLC0415 - as above
    from slowwave.settings import home_of  # noqa: PLC0415

    folder: Path | None = how["folder"]
    if folder is not None and not folder.expanduser().is_dir():
        raise UsageError(f"--home-dir {folder} is no folder", "name one that is there")
    return Asked(
        name=name,
        home=home_of(os.environ, door.options["home"]),
        folder=folder,
        space=door.options["space"] or "",
        tz=door.options["tz"] or "",
        url=how["url"],
        beside=how["beside"],
        dry=how["dry"],
        force=how["force"],
        environment=dict(os.environ),
    )


def _show_found(rows: "list[Found]") -> None:
    told = [
        (one.name, "connected" if one.connected else "found" if one.there else "not here", one.host)
        for one in rows
    ]
    render.table(("agent", "state", "folder"), told)
    waiting = [one.name for one in rows if one.there and not one.connected]
    if waiting:
        click.echo(f"next: slowwave connect {waiting[0]}")


def _show_checks(name: str, checks: "list[Check]") -> None:
    for one in checks:
        sign = click.style("ok  ", fg="green") if one.ok else click.style("FAIL", fg="red")
        click.echo(f"{sign}  {one.name}: {render.flat(one.detail)}")
    if not checks[0].ok:
        click.echo(f"next: slowwave connect {name}")


def _show_outcome(outcome: "Outcome", *, dry: bool) -> None:
    for step in _told(outcome.done):
        render.line(step, hang=2, dim=True)
    for path in outcome.kept:
        render.line(f"kept, as it was changed: {path}", hang=2, fg="yellow")
    for remark in outcome.remarks:
        render.line(f"note: {remark}", hang=2, fg="yellow")
    if not outcome.changed:
        state = "already connected" if outcome.connected else "not connected: nothing to undo"
        click.echo(f"{outcome.title}: {state}")
        return
    if dry:
        click.echo("dry run: nothing was done")
        return
    verb = "connected" if outcome.connected else "disconnected"
    click.echo(click.style(f"{outcome.title}: {verb}", bold=True))
    if outcome.next:
        render.field("next", outcome.next)
    if outcome.connected:
        click.echo(f"see whether it works: slowwave connect {outcome.name} --check")


def _told(steps: "Sequence[str]") -> "Iterator[str]":
    """The steps for people: many files of one folder are told as their number."""
    for verb, same in itertools.groupby(steps, key=lambda step: step.partition(" ")[0]):
        names = [step.partition(" ")[2] for step in same]
        if len(names) <= FEW:
            yield from (f"{verb} {name}" for name in names)
        else:
            yield f"{verb} {render.plural(len(names), 'file')} in {os.path.commonpath(names)}"
