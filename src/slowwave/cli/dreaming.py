"""The command of the night: dream, also what is due, and days that are read again."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.core import ParameterSource

from slowwave.cli import diff, render
from slowwave.cli.capture import PRESETS
from slowwave.cli.door import EXIT_FAILED, Door, common, progress_bar
from slowwave.cli.reviewing import show_nights, show_waiting, told_as_made
from slowwave.errors import UsageError
from slowwave.scheduler import AT, time_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import time

    from slowwave.dream.cycle.desk import Distiller
    from slowwave.model import Dream


@click.command(
    epilog="""\b
Examples:
  slowwave dream                         plan last night; nothing changes yet
  slowwave dream --apply                 plan and apply it
  slowwave dream --date all --apply      everything that was not dreamed yet
  slowwave dream --due                   every missed night, each once (mode review: the oldest)
  slowwave dream --dry-run --json        what would change; stores nothing at all
  slowwave dream --refine 2026-11-30     read a dreamed day again by the model; what differs waits
  slowwave dream --refine week --model M   each day of the last week, by a stronger one
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
@click.option("--refine", metavar="DAY",
              help="Read a day again that was dreamed (yesterday, a day, or week), and plan what "
              "differs; by the model unless --distiller rules.")  # fmt: skip
@click.option("--model", metavar="NAME", help="Another model of the same server [settings].")
@click.option("--progress", "lines", is_flag=True, help="Print progress as lines on stderr.")
@common
def dream(door: Door, dry_run: bool, apply_: bool, lines: bool, due: bool, **night: Any) -> int:
    """Plan a dream: what the day would change in memory. Applied only when asked."""
    at, refine = time_of(night.pop("at")), night.pop("refine")
    _refuse_contradictions(dry_run=dry_run, apply=apply_, due=due, refine=refine)
    _refuse_what_would_not_count(due=due, refine=refine)
    _refuse_idle_model(door, night["distiller"], refine)
    door.options["model"] = night.pop("model")
    door.writing = not dry_run
    if due:
        _dream_due(door, at, apply=apply_, plain=lines, distiller=night["distiller"])
        return 0
    if refine is not None:
        night["date"] = refine
    how = {"apply": apply_, "dry_run": dry_run, **night}
    if refine == "week":
        _refine_week(door, how, plain=lines)
        return 0
    with progress_bar(plain=lines) as progress:
        memory = door.memory(create=not dry_run)
        make = memory.dream if refine is None else memory.refine
        made = make(progress=progress, **how)
        if refine is None and _to_be_read_again(door, made, night):
            made = memory.refine(progress=progress, **how)
    return _answer_dream(door, made, apply=apply_, dry_run=dry_run)


def _refuse_contradictions(*, dry_run: bool, apply: bool, due: bool, refine: str | None) -> None:
    if dry_run and apply:
        raise UsageError("--dry-run and --apply exclude each other", "leave one of them out")
    if dry_run and due:
        raise UsageError("--dry-run and --due exclude each other", "dry-run one --date")
    if refine is not None and due:
        raise UsageError("--refine and --due exclude each other", "leave one of them out")


def _refuse_what_would_not_count(*, due: bool, refine: str | None) -> None:
    """Options that were given and would change nothing: better said than left out in silence."""
    if due and _was_given("date"):
        raise UsageError("--due and --date exclude each other", "--due finds the nights itself")
    for name in ("preset", "again"):
        if due and _was_given(name):
            raise UsageError(
                f"--due goes by the settings, without --{name}", "dream one --date that way"
            )
    if refine is not None and _was_given("date"):
        raise UsageError("--refine and --date exclude each other", "--refine names the day itself")


def _refuse_idle_model(door: Door, distiller: str | None, refine: str | None) -> None:
    """A model that is named where the rules distil would not be asked."""
    if not _was_given("model"):
        return
    # The settings' files; `--help` must not pay for them.
    from slowwave.wiring import Options, read_settings  # noqa: PLC0415

    settings, _ = read_settings(Options(**door.options))
    usual = settings.model.distiller if refine is None else "llm"
    if (distiller or usual) == "rules":
        raise UsageError(
            "--model names a model, but here the rules distil, which ask none",
            "add --distiller llm, or leave --model out",
        )


def _was_given(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


def _to_be_read_again(door: Door, made: "Dream", night: "Mapping[str, Any]") -> bool:
    """Whether somebody asks for the model on a day that others have read: it reads it again."""
    asked = night["distiller"] == "llm" and made.status == "nothing_to_do" and not made.pending
    return asked and door.memory().read_otherwise(made.date, distiller="llm")


def _refine_week(door: Door, how: dict[str, Any], *, plain: bool) -> None:
    """Every day of the last week once more; tells each."""
    del how["date"]
    made = told_as_made(
        door,
        plain,
        lambda memory, progress, told: memory.refine_week(told, progress=progress, **how),
    )

    def show() -> None:
        show_nights(made)
        if not made:
            click.echo("no day of the last week was dreamed yet: slowwave dream --due")
        elif any(item.status == "planned" for item in made):
            click.echo("read one: slowwave dreams diff ID; then dreams apply or dreams reject")

    door.answer(made, show)


def _answer_dream(door: Door, made: "Dream", *, apply: bool, dry_run: bool) -> int:
    """Tells what was made; a plan that was to be applied and is refused has failed."""
    if not apply or made.status != "refused":
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
    made = told_as_made(
        door,
        plain,
        lambda memory, progress, told: memory.dream_due(
            progress, at, told, apply=apply, distiller=distiller
        ),
    )

    def show() -> None:
        show_nights(made)
        waiting = door.memory().waiting()
        if waiting:
            show_waiting(door, waiting)
        elif not made:
            click.echo(f"no night is due: {_why_none_is_due(door)}")

    door.answer(made, show)


def _why_none_is_due(door: Door) -> str:
    report = door.memory().status()
    left = report.counts.undreamed_events - report.set_aside
    if not left:
        return f"every event was already dreamed{_but(report.set_aside)}"
    others = render.plural(left, "event")
    return (f"{others} not dreamed yet are of a day that is not over, or of a night that was "
            "decided or undone: slowwave dream --date all")  # fmt: skip


def _but(aside: int) -> str:
    """What an answer that all was dreamed leaves out."""
    if not aside:
        return ""
    return f", but {render.plural(aside, 'event')} of turns undone or of changes by hand that wait"


def _show_dream(door: Door, made: "Dream", dry_run: bool) -> None:
    if made.status == "nothing_to_do" and (made.pending or made.refined):
        diff.show_summary(made)  # its warnings say what waits, and why
        return
    if made.status == "nothing_to_do":
        click.echo(f"nothing to do: {_why_nothing(door, made.date)}")
        return
    diff.show_whole(door, made)
    click.echo()
    rejected = sum(change.approved is False for change in made.changes)
    if made.status == "rejected":
        asked = "--refine" if made.refined else "--date"
        click.echo("you rejected this before; propose it anew: "
                   f"slowwave dream {asked} {made.date} --again")  # fmt: skip
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
    report = memory.status()
    left, aside = report.counts.undreamed_events - report.set_aside, report.set_aside
    if not report.counts.events:
        return "the journal is empty: slowwave log, or slowwave import"
    if date == "all":
        return f"every event was already dreamed{_but(aside)}"
    done = [item for item in memory.dreams() if item.date == date and item.status == "applied"]
    reason = f"{date} was already dreamed ({done[0].dream_id})" if done else f"no event of {date}"
    if not left:
        return f"{reason}; every event was already dreamed{_but(aside)}" if not done else reason
    others = render.plural(left, "event")
    return f"{reason}; {others} of other days not dreamed yet: slowwave dream --date all"
