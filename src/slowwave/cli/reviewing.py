"""Reviewing dreams: the list; show, diff, apply, approve, reject and rollback of one."""

from typing import TYPE_CHECKING

import click

from slowwave.cli import diff, render
from slowwave.cli.door import Door, Ordered, common, progress_bar
from slowwave.errors import SlowwaveError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slowwave.memory import SlowMemory
    from slowwave.model import Dream
    from slowwave.ports import Progress


def told_as_made(
    door: Door,
    plain: bool,
    work: "Callable[[SlowMemory, Progress, Callable[[Dream], None]], object]",
    *,
    create: bool = True,
) -> "list[Dream]":
    """The dreams that `work` tells of; where it fails, those made so far are shown first."""
    made: list[Dream] = []
    try:
        with progress_bar(plain=plain) as progress:
            work(door.memory(create=create), progress, made.append)
    except SlowwaveError:
        if not door.json:
            show_nights(made)
        raise
    return made


def show_nights(made: "Sequence[Dream]") -> None:
    """Prints what each of these dreams read and made, in short."""
    for item in made:
        diff.show_summary(item)


def show_waiting(door: Door, waiting: "Sequence[Dream]") -> None:
    """Says which plans wait, and what waits for them."""
    others = f" ({len(waiting)} plans wait: slowwave dreams --waiting)" if waiting[1:] else ""
    click.echo(f"waiting for you: slowwave dreams diff {waiting[0].dream_id}{others}")
    nights = len(door.memory().due())
    if nights:
        click.echo(f"{render.plural(nights, 'later night')} to dream once that is decided: "
                   "slowwave dream --due")  # fmt: skip


def show_next(door: Door) -> None:
    """After a decision: what waits next, where nights wait for a person."""
    memory = door.memory()
    waiting = memory.waiting()
    if waiting:
        show_waiting(door, waiting)
    elif memory.parts.settings.dream.mode == "review" and memory.due():
        click.echo(f"next night ({memory.due()[0]}): slowwave dream --due")


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
    rows = [
        (stage.name, str(stage.came_in), str(stage.went_out), f"{stage.duration_sec:.2f} s")
        for stage in found.stages
    ]
    if rows:  # turns and changes by hand have none
        click.echo()
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
    door.answer(found, lambda: diff.show_whole(door, found))


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
        show_next(door)

    door.answer(applied, show)


def _apply_all(door: Door) -> None:
    """Applies all plans that wait; tells each, also where one could not be applied."""
    made = told_as_made(
        door, False, lambda memory, progress, told: memory.apply_all(progress, told), create=False
    )

    def show() -> None:
        show_nights(made)
        if not made:
            click.echo("no plan waits")
        show_next(door)

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
            show_next(door)

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
    diff.show_whole(door, undone)
    click.echo()
    if undone.built_on:
        rows = [(item.memory_id, item.dream_id, "stays" if item.kept else "gone", item.detail)
                for item in undone.built_on]  # fmt: skip
        render.table(("built on it", "in dream", "now", "how"), rows)
        click.echo()
    click.echo(f"dream {undone.undoes} is undone; "
               f"bring it back: slowwave dreams rollback {undone.dream_id}")  # fmt: skip
