"""Commands of the clock: schedule (install, show, remove)."""

from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common
from slowwave.scheduler import AT, next_run, time_of

if TYPE_CHECKING:
    from datetime import datetime

    from slowwave.adapters.schedule import Nightly

SCHEDULERS = ("systemd", "launchd", "cron")
DEFAULT_AT = f"{AT:%H:%M}"


@click.group(
    cls=Ordered,
    invoke_without_command=True,
    epilog="""\b
Examples:
  slowwave schedule install              every night at 02:00, by your own clock
  slowwave schedule install --at 03:30   at another time (replaces the first)
  slowwave schedule install --print      what would be written, without installing
  slowwave schedule remove
""",
)
@common
def schedule(door: Door) -> None:
    """Let the system dream every night, and make up for missed ones; bare: what is installed."""
    if click.get_current_context().invoked_subcommand is None:
        _show(door)


@schedule.command(
    "install",
    epilog="""\b
Examples:
  slowwave schedule install
  slowwave schedule install --at 03:30 --dry-run
  slowwave schedule install --with cron --print
""",
)
@click.option("--at", default=DEFAULT_AT, show_default=True, help="Time of your day, HH:MM.")
@click.option("--with", "scheduler", type=click.Choice(SCHEDULERS),
              help="Which scheduler [the one this machine has].")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--print", "only_text", is_flag=True,
              help="Print the units or lines to add by hand, and do nothing.")  # fmt: skip
@common
def schedule_install(
    door: Door, at: str, scheduler: str | None, dry_run: bool, only_text: bool
) -> None:
    """Dream every night at a time of your day. Safe to repeat; another time replaces the first."""
    nightly, now = _nightly(door, at, dry_run=dry_run)
    name = scheduler or ""
    if only_text:
        text = nightly.text(name)
        door.answer({"installed": False, "text": text}, lambda: click.echo(text, nl=False))
        return
    chosen, files, note = nightly.install(name)
    answer = {
        "installed": not dry_run,
        "scheduler": chosen,
        "at": f"{nightly.job.at:%H:%M}",
        "next_run": next_run(now, nightly.job.at),
        "files": [str(path) for path in files],
        "done": nightly.machine.done,
        "note": note,
    }
    door.answer(answer, lambda: _show_installed(answer, dry_run=dry_run))


def _show_installed(answer: dict[str, Any], *, dry_run: bool) -> None:
    for step in answer["done"]:
        render.line(step, hang=2, dim=True)
    verb = "would run" if dry_run else "runs"
    again = "" if answer["done"] else " (already installed: nothing to do)"
    click.echo(f"{answer['scheduler']} {verb} every night at {answer['at']}{again}")
    render.field("next", render.minute(answer["next_run"]))
    if answer["note"]:
        render.field("note", answer["note"])
    click.echo("dry run: nothing was done" if dry_run else "undo it: slowwave schedule remove")


@schedule.command("show")
@common
def schedule_show(door: Door) -> None:
    """What is installed for this home, and when it runs next."""
    _show(door)


def _show(door: Door) -> None:
    nightly, now = _nightly(door, DEFAULT_AT)
    found = nightly.show()
    if found is None:
        door.answer(
            {"installed": False}, lambda: click.echo("not scheduled: slowwave schedule install")
        )
        return
    coming = next_run(now, time_of(found.at)) if found.at and found.active else None
    answer = {
        "installed": True,
        "scheduler": found.scheduler,
        "at": found.at,
        "active": found.active,
        "next_run": coming,
        "files": found.files,
        "text": found.text,
    }

    def show() -> None:
        render.field("scheduler", found.scheduler)
        render.field("at", found.at or "unknown (edited by hand)")
        asleep = "never: it is not running; `slowwave schedule install` starts it"
        render.field("next", render.minute(coming) if coming else asleep)
        click.echo()
        for line in found.text.splitlines():
            click.echo(render.flat(line))

    door.answer(answer, show)


@schedule.command("remove")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@common
def schedule_remove(door: Door, dry_run: bool) -> None:
    """Take the nightly job of this home off the system; nothing of it stays."""
    nightly, _ = _nightly(door, DEFAULT_AT, dry_run=dry_run)
    files = nightly.remove()
    done = nightly.machine.done
    answer = {"removed": bool(done) and not dry_run, "files": [str(path) for path in files],
              "done": done}  # fmt: skip

    def show() -> None:
        for step in done:
            render.line(step, hang=2, dim=True)
        ending = "dry run: nothing was done" if dry_run else "removed"
        click.echo(ending if done else "not scheduled: nothing to remove")

    door.answer(answer, show)


def _nightly(door: Door, at: str, *, dry_run: bool = False) -> "tuple[Nightly, datetime]":
    from slowwave.wiring import Options, nightly  # noqa: PLC0415 - start-up counts

    return nightly(Options(**door.options), at, dry_run=dry_run)
