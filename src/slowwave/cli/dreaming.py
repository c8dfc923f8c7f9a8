"""Commands of the night: dream, and dreams (show, diff, apply)."""

from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import diff, render
from slowwave.cli.capture import PRESETS
from slowwave.cli.door import Door, Ordered, common, progress_bar
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slowwave.model import Dream


@click.command(
    epilog="""\b
Examples:
  slowwave dream                         plan last night; nothing changes yet
  slowwave dream --apply                 plan and apply it
  slowwave dream --date all --apply      everything that was not dreamed yet
  slowwave dream --dry-run --json        what would change; stores nothing at all
"""
)
@click.option("--date", default="yesterday", show_default=True,
              help="yesterday, today, a day (2026-11-30), or all.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Store nothing at all, not even the plan.")
@click.option("--apply", "apply_", is_flag=True, help="Apply the plan at once.")
@click.option("--preset", type=click.Choice(PRESETS), help="Whose habits to follow [settings].")
@click.option("--distiller", type=click.Choice(("rules",)), default="rules",
              show_default=True, help="What turns the day's words into claims.")  # fmt: skip
@click.option("--progress", "lines", is_flag=True, help="Print progress as lines on stderr.")
@common
def dream(
    door: Door, dry_run: bool, apply_: bool, distiller: str, lines: bool, **night: Any
) -> None:
    """Plan a dream: what the day would change in memory. Applied only when asked."""
    del distiller  # `rules` is the only one yet; the option is there so that scripts may name it
    if dry_run and apply_:
        raise UsageError("--dry-run and --apply exclude each other", "leave one of them out")
    with progress_bar(plain=lines) as progress:
        memory = door.memory(create=not dry_run)
        made = memory.dream(apply=apply_, dry_run=dry_run, progress=progress, **night)
    door.answer(made, lambda: _show_dream(door, made, dry_run))


def _show_dream(door: Door, made: "Dream", dry_run: bool) -> None:
    if made.status == "nothing_to_do":
        click.echo(f"nothing to do: {_why_nothing(door, made.date)}")
        return
    diff.show_diff(made, diff.voices_of(door, diff.spans(made)))
    click.echo()
    if made.status == "applied":
        click.echo(f"applied; read it again: slowwave dreams diff {made.dream_id}")
    elif dry_run:
        click.echo("dry run: nothing was stored")
    elif made.changes:
        click.echo(f"apply it: slowwave dreams apply {made.dream_id}")
    else:
        click.echo("no changes; so that these events are not read again: "
                   f"slowwave dreams apply {made.dream_id}")  # fmt: skip


def _why_nothing(door: Door, date: str) -> str:
    """Why there was nothing to dream, and what there is to do instead."""
    memory = door.memory()
    counts = memory.status().counts
    if not counts.events:
        return "the journal is empty: slowwave log, or slowwave import"
    if date == "all":
        return "every event was already dreamed"
    done = [item for item in memory.dreams() if item.date == date and item.status == "applied"]
    reason = f"{date} was already dreamed ({done[0].dream_id})" if done else f"no event of {date}"
    if not counts.undreamed_events:
        return f"{reason}; every event was already dreamed" if not done else reason
    others = render.plural(counts.undreamed_events, "event")
    return f"{reason}; {others} of other days not dreamed yet: slowwave dream --date all"


@click.group(cls=Ordered, invoke_without_command=True)
@common
def dreams(door: Door) -> None:
    """Review dreams: the list; show, diff and apply one."""
    if click.get_current_context().invoked_subcommand is not None:
        return
    known = door.memory().dreams()
    door.answer(known, lambda: show_dreams(known))


def show_dreams(known: "Sequence[Dream]") -> None:
    """Prints the list of dreams."""
    if not known:
        click.echo("no dream yet: slowwave dream")
        return
    rows = [
        (item.dream_id, item.date, render.minute(item.run_at), item.status.replace("_", " "),
         str(item.input_events), _counts(item))
        for item in known
    ]  # fmt: skip
    render.table(("dream", "date", "run at", "status", "events", "changes"), rows)


def _counts(item: "Dream") -> str:
    changed = item.updated_entries + item.merged_entries + item.confirmed_entries
    return f"+{item.new_entries} ~{changed} -{item.archived_entries}"


@dreams.command("show")
@click.argument("dream_id")
@common
def dreams_show(door: Door, dream_id: str) -> None:
    """One dream: its numbers, stages, and what was left out and why."""
    found = door.memory().dream_by_id(dream_id)
    door.answer(found, lambda: show_dream(found))


def show_dream(found: "Dream") -> None:
    """Prints a dream's numbers, stages, and everything that was left out."""
    diff.show_summary(found)
    click.echo()
    rows = [
        (stage.name, str(stage.came_in), str(stage.went_out), f"{stage.duration_sec:.2f} s")
        for stage in found.stages
    ]
    render.table(("stage", "in", "out", "took"), rows)
    if found.rejections:
        click.echo()
        left = [(item.stage, item.reason, render.clip(item.text, 60))
                for item in found.rejections]  # fmt: skip
        render.table(("stage", "left out because", "text"), left)


@dreams.command("diff")
@click.argument("dream_id")
@common
def dreams_diff(door: Door, dream_id: str) -> None:
    """One dream as a change: before and after, the reason, the scores, the quotes."""
    found = door.memory().dream_by_id(dream_id)
    door.answer(found, lambda: diff.show_diff(found, diff.voices_of(door, diff.spans(found))))


@dreams.command("apply")
@click.argument("dream_id")
@click.option("--only", multiple=True, metavar="CHANGE", help="Apply only this change (repeat).")
@common
def dreams_apply(door: Door, dream_id: str, only: tuple[str, ...]) -> None:
    """Apply a planned dream: all of it, or the listed changes. All or nothing."""
    with progress_bar() as progress:
        applied = door.memory().apply(dream_id, only, progress)
    door.answer(applied, lambda: diff.show_summary(applied))
