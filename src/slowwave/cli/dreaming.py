"""Commands of the night: dream, and dreams (show, diff, apply)."""

from typing import Any

import click

from slowwave.cli import diff, render
from slowwave.cli.capture import PRESETS
from slowwave.cli.door import Door, common, progress_bar
from slowwave.errors import UsageError


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
@click.option("--distiller", type=click.Choice(("rules", "llm")), default="rules",
              show_default=True)  # fmt: skip
@click.option("--progress", "lines", is_flag=True, help="Print progress as lines on stderr.")
@common
def dream(
    door: Door, dry_run: bool, apply_: bool, distiller: str, lines: bool, **night: Any
) -> None:
    """Plan a dream: what the day would change in memory. Applied only when asked."""
    if distiller == "llm":
        raise UsageError("this version distils by rules only", "leave --distiller out")
    if dry_run and apply_:
        raise UsageError("--dry-run and --apply exclude each other", "leave one of them out")
    with progress_bar(plain=lines) as progress:
        made = door.memory().dream(apply=apply_, dry_run=dry_run, progress=progress, **night)

    def show() -> None:
        diff.show_diff(made)
        click.echo()
        match made.status:
            case "planned" if dry_run:
                click.echo("dry run: nothing was stored")
            case "planned":
                click.echo(f"apply it: slowwave dreams apply {made.dream_id}")
            case "applied":
                click.echo(f"applied; read it again: slowwave dreams diff {made.dream_id}")
            case _:
                click.echo("nothing to do: no event that was not dreamed yet")

    door.answer(made, show)


@click.group(invoke_without_command=True)
@common
def dreams(door: Door) -> None:
    """Review dreams: the list; show, diff and apply one."""
    if click.get_current_context().invoked_subcommand is not None:
        return
    known = door.memory().dreams()

    def show() -> None:
        rows = [
            (item.dream_id, item.date, render.minute(item.run_at), item.status.replace("_", " "),
             str(item.input_events), f"+{item.new_entries} ~{item.updated_entries}")
            for item in known
        ]  # fmt: skip
        render.table(("dream", "date", "run at", "status", "events", "changes"), rows)

    door.answer(known, show)


@dreams.command("show")
@click.argument("dream_id")
@common
def dreams_show(door: Door, dream_id: str) -> None:
    """One dream: its numbers, stages, and what was left out and why."""
    found = door.memory().dream_by_id(dream_id)

    def show() -> None:
        diff.show_summary(found)
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

    door.answer(found, show)


@dreams.command("diff")
@click.argument("dream_id")
@common
def dreams_diff(door: Door, dream_id: str) -> None:
    """One dream as a change: before and after, the reason, the scores, the quotes."""
    found = door.memory().dream_by_id(dream_id)
    door.answer(found, lambda: diff.show_diff(found))


@dreams.command("apply")
@click.argument("dream_id")
@click.option("--only", multiple=True, metavar="CHANGE", help="Apply only this change (repeat).")
@common
def dreams_apply(door: Door, dream_id: str, only: tuple[str, ...]) -> None:
    """Apply a planned dream: all of it, or the listed changes. All or nothing."""
    with progress_bar() as progress:
        applied = door.memory().apply(dream_id, only, progress)
    door.answer(applied, lambda: diff.show_summary(applied))
