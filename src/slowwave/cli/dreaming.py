"""Commands of the night: dream, and dreams (show, diff, approve, reject, apply, rollback)."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from slowwave.cli import diff, render
from slowwave.cli.capture import PRESETS
from slowwave.cli.door import EXIT_FAILED, Door, Ordered, common, progress_bar
from slowwave.errors import SlowwaveError, UsageError
from slowwave.scheduler import AT, time_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import time

    from slowwave.dream.cycle_desk import Distiller
    from slowwave.model import Dream


@click.command(
    epilog="""\b
Examples:
  slowwave dream                         plan last night; nothing changes yet
  slowwave dream --apply                 plan and apply it
  slowwave dream --date all --apply      everything that was not dreamed yet
  slowwave dream --due                   every missed night, each once (mode review: the oldest)
  slowwave dream --dry-run --json        what would change; stores nothing at all
"""
)
@click.option("--date", default="yesterday", show_default=True,
              help="yesterday, today, a day (2026-11-30), or all.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Store nothing at all, not even the plan.")
@click.option("--apply", "apply_", is_flag=True, help="Apply the plan at once.")
@click.option(
    "--due",
    is_flag=True,
    help="Every night that is due, each once; for schedulers. Applied in mode auto or with "
    "--apply; in mode review the oldest, once nothing waits.",
)
@click.option("--at", default=f"{AT:%H:%M}", show_default=True,
              help="With --due: the time of your day from which last night is due.")  # fmt: skip
@click.option("--again", is_flag=True, help="Propose anew what you rejected before.")
@click.option("--preset", type=click.Choice(PRESETS), help="Whose habits to follow [settings].")
@click.option("--distiller", type=click.Choice(("rules", "llm")),
              help="What turns the day's words into claims: the rules, or the language model with "
              "the rules beside it [settings: rules].")  # fmt: skip
@click.option("--progress", "lines", is_flag=True, help="Print progress as lines on stderr.")
@common
def dream(door: Door, dry_run: bool, apply_: bool, lines: bool, due: bool, **night: Any) -> int:
    """Plan a dream: what the day would change in memory. Applied only when asked."""
    if dry_run and apply_:
        raise UsageError("--dry-run and --apply exclude each other", "leave one of them out")
    at = time_of(night.pop("at"))
    door.writing = not dry_run
    if due:
        if dry_run:
            raise UsageError("--dry-run and --due exclude each other", "dry-run one --date")
        _dream_due(door, at, apply=apply_, plain=lines, distiller=night["distiller"])
        return 0
    with progress_bar(plain=lines) as progress:
        memory = door.memory(create=not dry_run)
        made = memory.dream(apply=apply_, dry_run=dry_run, progress=progress, **night)
    if not apply_ or made.status != "refused":
        door.answer(made, lambda: _show_dream(door, made, dry_run))
        return 0
    why = f"dream {made.dream_id} was refused: {_why_refused(made)}"
    hint = f"nothing was changed; read it with `slowwave dreams diff {made.dream_id}`"
    error = {"type": "DreamError", "message": why, "hint": hint}
    told = {**msgspec.to_builtins(made, builtin_types=(datetime,)), "error": error}
    door.answer(told, lambda: _show_dream(door, made, dry_run))
    click.echo(f"slowwave: {render.flat(why)}", err=True)
    return EXIT_FAILED


def _dream_due(
    door: Door, at: "time", *, apply: bool, plain: bool, distiller: "Distiller | None"
) -> None:
    """All nights that are due; tells each, or that they are done."""
    made: list[Dream] = []
    try:
        with progress_bar(plain=plain) as progress:
            door.memory().dream_due(progress, at, made.append, apply=apply, distiller=distiller)
    except SlowwaveError:
        if not door.json:
            _show_nights(made)
        raise

    def show() -> None:
        _show_nights(made)
        waiting = door.memory().waiting()
        if waiting:
            _show_waiting(door, waiting)
        elif not made:
            click.echo("no night is due: every finished day was dreamed already")

    door.answer(made, show)


def _show_nights(made: "Sequence[Dream]") -> None:
    for item in made:
        diff.show_summary(item)


def _show_waiting(door: Door, waiting: "Sequence[Dream]") -> None:
    """Says which plans wait, and what waits for them."""
    others = f" ({len(waiting)} plans wait: slowwave dreams --waiting)" if waiting[1:] else ""
    click.echo(f"waiting for you: slowwave dreams diff {waiting[0].dream_id}{others}")
    nights = len(door.memory().due())
    if nights:
        click.echo(f"{render.plural(nights, 'later night')} to dream once that is decided: "
                   "slowwave dream --due")  # fmt: skip


def _show_next(door: Door) -> None:
    """After a decision: what waits next, where nights wait for a person."""
    memory = door.memory()
    waiting = memory.waiting()
    if waiting:
        _show_waiting(door, waiting)
    elif memory.parts.settings.dream.mode == "review" and memory.due():
        click.echo(f"next night ({memory.due()[0]}): slowwave dream --due")


def _show_dream(door: Door, made: "Dream", dry_run: bool) -> None:
    if made.status == "nothing_to_do" and made.pending:
        diff.show_summary(made)  # its warnings say what waits, and why
        return
    if made.status == "nothing_to_do":
        click.echo(f"nothing to do: {_why_nothing(door, made.date)}")
        return
    diff.show_diff(made, diff.voices_of(door, diff.spans(made)))
    click.echo()
    rejected = sum(change.approved is False for change in made.changes)
    if made.status == "rejected":
        click.echo("you rejected this before; propose it anew: "
                   f"slowwave dream --date {made.date} --again")  # fmt: skip
    elif made.status == "refused":
        click.echo(f"refused, nothing is changed: {_why_refused(made)}")
    elif made.status == "applied":
        click.echo(f"applied; read it again: slowwave dreams diff {made.dream_id}")
    elif dry_run:
        click.echo("dry run: nothing was stored")
    elif rejected < len(made.changes):
        if rejected:
            click.echo(f"{render.plural(rejected, 'change')} you rejected before stay out "
                       "(anew: --again)")  # fmt: skip
        click.echo(f"apply it: slowwave dreams apply {made.dream_id}")
    else:
        what = "all of it was rejected before" if rejected else "no changes"
        click.echo(f"{what}; so that these events are not read again: "
                   f"slowwave dreams apply {made.dream_id}")  # fmt: skip


def _why_refused(made: "Dream") -> str:
    """The gates that were not passed."""
    return "; ".join(f"gate {gate.name}: {gate.detail}" for gate in made.gates if not gate.ok)


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
@click.option("--waiting", is_flag=True, help="Only the plans that wait, oldest night first.")
@common
def dreams(door: Door, waiting: bool) -> None:
    """Review dreams: the list; read, approve, reject, apply or undo one."""
    if click.get_current_context().invoked_subcommand is not None:
        return
    memory = door.memory(create=False)
    known = memory.undecided() if waiting else memory.dreams()
    none = "no plan waits" if waiting else "no dream yet: slowwave dream"
    door.answer(known, lambda: show_dreams(known, none))


def show_dreams(known: "Sequence[Dream]", none: str = "no dream yet: slowwave dream") -> None:
    """Prints the list of dreams, or what `none` says where there are none."""
    if not known:
        click.echo(none)
        return
    rows = [
        (item.dream_id, item.date, render.minute(item.run_at), item.status.replace("_", " "),
         item.by, str(item.input_events), _counts(item))
        for item in known
    ]  # fmt: skip
    render.table(("dream", "date", "run at", "status", "by", "events", "changes"), rows)


def _counts(item: "Dream") -> str:
    changed = item.updated_entries + item.merged_entries + item.confirmed_entries
    return f"+{item.new_entries} ~{changed} -{item.archived_entries}"


@dreams.command("show")
@click.argument("dream_id")
@common
def dreams_show(door: Door, dream_id: str) -> None:
    """One dream: its numbers, stages, and what was left out and why."""
    found = door.memory(create=False).dream_by_id(dream_id)
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
    found = door.memory(create=False).dream_by_id(dream_id)
    door.answer(found, lambda: diff.show_diff(found, diff.voices_of(door, diff.spans(found))))


@dreams.command("apply")
@click.argument("dream_id", required=False)
@click.option("--only", multiple=True, metavar="CHANGE", help="Apply only this change (repeat).")
@click.option("--all", "every", is_flag=True,
              help="Every plan that waits, oldest night first, each planned anew where others were "
              "applied since.")  # fmt: skip
@common
def dreams_apply(door: Door, dream_id: str | None, only: tuple[str, ...], every: bool) -> None:
    """Apply a planned dream: all of it, or the listed changes. All or nothing."""
    door.writing = True
    if every:
        if dream_id or only:
            raise UsageError("--all names every plan that waits", "leave out the id and --only")
        _apply_all(door)
        return
    if not dream_id:
        raise UsageError("which dream?", "give its id, `last`, or --all for all that wait")
    with progress_bar() as progress:
        applied = door.memory(create=False).apply(dream_id, only, progress)

    def show() -> None:
        diff.show_summary(applied)
        _show_next(door)

    door.answer(applied, show)


def _apply_all(door: Door) -> None:
    """Applies all plans that wait; tells each, also where one could not be applied."""
    made: list[Dream] = []
    try:
        with progress_bar() as progress:
            door.memory(create=False).apply_all(progress, made.append)
    except SlowwaveError:
        if not door.json:
            _show_nights(made)
        raise

    def show() -> None:
        _show_nights(made)
        if not made:
            click.echo("no plan waits")
        _show_next(door)

    door.answer(made, show)


@dreams.command("approve")
@click.argument("dream_id")
@click.option("--only", multiple=True, metavar="CHANGE", help="Approve only this change (repeat).")
@common
def dreams_approve(door: Door, dream_id: str, only: tuple[str, ...]) -> None:
    """Approve a plan, or single changes of it. `apply` then takes just what was approved."""
    decided = door.memory(create=False).approve(dream_id, only)
    door.answer(decided, lambda: _show_decided(decided))


@dreams.command("reject")
@click.argument("dream_id")
@click.option("--only", multiple=True, metavar="CHANGE", help="Reject only this change (repeat).")
@common
def dreams_reject(door: Door, dream_id: str, only: tuple[str, ...]) -> None:
    """Reject a plan, or single changes of it (and those that stand on them)."""
    decided = door.memory(create=False).reject(dream_id, only)

    def show() -> None:
        _show_decided(decided)
        if decided.status == "rejected":
            _show_next(door)

    door.answer(decided, show)


def _show_decided(decided: "Dream") -> None:
    """Prints how a plan stands after a decision, and what comes next."""
    render.heading(f"dream {decided.dream_id} · {decided.date} · {decided.status}")
    marks = [change.approved for change in decided.changes]
    render.line(f"{marks.count(True)} approved, {marks.count(False)} rejected, "
                f"{marks.count(None)} undecided")  # fmt: skip
    if decided.status == "rejected":
        click.echo("rejected: nothing of it will be applied")
        return
    if marks.count(True) and marks.count(None):
        click.echo("apply takes the approved ones; what is undecided is left out")
    click.echo(f"apply it: slowwave dreams apply {decided.dream_id}")


@dreams.command("rollback")
@click.argument("dream_id")
@common
def dreams_rollback(door: Door, dream_id: str) -> None:
    """Undo an applied dream, also weeks later. What came after stays; what built on it is listed.

    The undoing is a dream of its own: rolling that one back brings everything back.
    """
    undone = door.memory(create=False).rollback(dream_id)
    door.answer(undone, lambda: _show_rollback(door, undone))


def _show_rollback(door: Door, undone: "Dream") -> None:
    diff.show_diff(undone, diff.voices_of(door, diff.spans(undone)))
    click.echo()
    if undone.built_on:
        rows = [(item.memory_id, item.dream_id, "stays" if item.kept else "gone", item.detail)
                for item in undone.built_on]  # fmt: skip
        render.table(("built on it", "in dream", "now", "how"), rows)
        click.echo()
    click.echo(f"dream {undone.undoes} is undone; "
               f"bring it back: slowwave dreams rollback {undone.dream_id}")  # fmt: skip
