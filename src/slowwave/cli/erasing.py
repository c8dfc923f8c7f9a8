"""`slowwave forget`: real deletion with a receipt, and the check of a receipt."""

import sys
from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import EXIT_FAILED, EXIT_STOPPED, Door, common
from slowwave.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slowwave.erasure import Finished, Plan, Proof
    from slowwave.model import Left

SHOWN = 20
"""Lines of each list of the preview; the rest is counted, unless `--show`."""
SHOWN_OTHERS = 5


@click.command(
    epilog="""\b
Examples:
  slowwave forget m3k2                   one memory, and the words it rests on
  slowwave forget e7q4                   one event (or your own ref), and what it alone supports
  slowwave forget --match "Maple Street" everything that holds these words
  slowwave forget --verify r5b7          check a receipt again
"""
)
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--match", metavar="TEXT", help="Everything that holds this text (any case, width "
              "and spacing).")  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Tell what would go; change nothing.")
@click.option("--show", is_flag=True, help="List all that would go, down to the last text.")
@click.option("--by-hand", is_flag=True,
              help="Also cut the words out of what people wrote into files.")  # fmt: skip
@click.option("--verify", metavar="RECEIPT", help="Check a receipt (its id, or a file).")
@common
def forget(
    door: Door, id_: str | None, match: str | None, verify: str | None, **how: Any
) -> int | None:
    """Forget for good: journal, memories, history, index, files. Leaves a receipt.

    Old evidence does not bring it back; a statement made later may.
    """
    if sum(one is not None for one in (id_, match, verify)) != 1:
        raise UsageError(
            "name one thing to forget", "give an id, or --match TEXT; --verify RECEIPT checks one"
        )
    if verify is not None:
        return _verify(door, verify)
    if not (id_ or match or "").strip():
        what = "no text was given" if match is not None else "no id was given"
        raise UsageError(what, 'give a few words of it: slowwave forget --match "Maple Street"')
    if not (how["yes"] or how["dry_run"]) and (door.json or not _asks()):
        raise UsageError(
            "forgetting cannot be undone, and there is no terminal to ask on",
            "look at it with --dry-run, then say --yes",
        )
    from slowwave.answers import gone  # noqa: PLC0415 - start-up counts

    memory = door.memory(create=False)
    plan = memory.forget_plan(id_ or "", match or "")
    if plan.empty:
        raise NotFound("nothing is kept that holds this text", "try fewer words of it")
    if how["dry_run"]:
        door.answer(gone.preview(plan), lambda: show_plan(plan, full=how["show"]))
        return None
    if not how["yes"]:
        show_plan(plan, full=how["show"])
        if not _agrees():
            click.echo("nothing was forgotten", err=True)
            return EXIT_STOPPED
    door.writing = True
    done = memory.forget(plan, by_hand=how["by_hand"])
    door.answer(gone.forgotten(done, plan), lambda: show_done(done, plan))
    return None


def _agrees() -> bool:
    """Whether the person says yes; who leaves the question open does not."""
    try:
        return click.confirm("Forget all of this for good?", err=True)
    except click.Abort:
        click.echo(err=True)
        return False


def _asks() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def show_plan(plan: "Plan", *, full: bool = False) -> None:
    """Prints what a forgetting will take; `full`: all of it."""
    _list("memories", [f"{one.id}  {one.text}" for one in plan.memories], full=full)
    also = [f"{one.id}  {one.text}" for one in plan.also]
    _list("also, for they say the same or rest on these words", also, full=True)
    whole = [one for one in plan.events if not one.remains]
    rest = [one for one in plan.events if one.remains]
    gone = [f"{one.id}  {render.minute(one.ts)}  {one.text}" for one in whole]
    _list("events, whole", gone, full=full)
    cut = [f"{one.id}  {render.minute(one.ts)}  {one.remains}" for one in rest]
    _list("events, in part; this remains", cut, full=full)
    others = [f"{one.where.replace('_', ' ')}: {one.text}" for one in plan.others]
    title = "other texts that hold the words: questions, plans, what dreams left out"
    _list(title, others, full=full, first=SHOWN_OTHERS)
    _show_names(plan.names)


def _list(title: str, lines: "Sequence[str]", *, full: bool, first: int = SHOWN) -> None:
    if not lines:
        return
    render.heading(f"{title} ({len(lines)})")
    shown = lines if full else lines[:first]
    for one in shown:
        text = " ".join(one.split())
        render.line(text if full else render.clip(text, 200), indent=2, hang=2)
    if len(lines) > len(shown):
        render.line(f"… and {len(lines) - len(shown)} more: --show", indent=2, dim=True)


def _show_names(names: int) -> None:
    if names:
        count = render.plural(names, "event")
        render.line(f"note: the words are also part of the session, speaker or source of {count}; "
                    "names are not changed")  # fmt: skip


def show_done(done: "Finished", plan: "Plan") -> None:
    """Prints what went, and where the receipt is."""
    removed = done.receipt.removed
    parts = (
        render.plural(removed.events, "event"),
        render.plural(removed.memories, "memory"),
        render.plural(removed.versions, "version"),
        render.plural(removed.vectors, "vector"),
        f"{render.plural(removed.files, 'file')} cleaned or removed",
    )
    render.line(f"forgotten: {', '.join(parts)}", hang=2)
    _show_left(done.left)
    _show_names(plan.names)
    render.field("receipt", f"{done.receipt.id} ({done.path})")
    render.line(f"check it again: slowwave forget --verify {done.receipt.id}")


def _show_left(left: "Sequence[Left]") -> None:
    for one in left[:SHOWN]:
        render.line(f"left, written by hand: {one.path}, line {one.line}", hang=2)
    if left:
        render.line("these are yours: edit them, or forget with --by-hand", indent=2, dim=True)


def _verify(door: Door, named: str) -> int:
    proof = door.memory(create=False).verify_receipt(named)
    door.answer(proof, lambda: show_proof(proof))
    return 0 if proof.ok else EXIT_FAILED


def show_proof(proof: "Proof") -> None:
    """Prints what a check of a receipt found."""
    for finding in proof.findings:
        render.line(finding, hang=2)
    if proof.ok:
        render.line(f"holds: nothing of receipt {proof.receipt} is left "
                    f"({render.plural(proof.texts, 'stored text')} compared)")  # fmt: skip
