"""Commands by which a person changes the archive himself, and settles what the night could not."""

import sys
from typing import TYPE_CHECKING

import click

from slowwave.cli import diff, render
from slowwave.cli.archive import memories
from slowwave.cli.door import Door, Ordered, common
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slowwave.model import Dream, Memory
    from slowwave.review import ByHand


def _changed(door: Door, memory_id: str, what: "ByHand", **options: object) -> None:
    """Does one change by hand and answers with the memory as it stands then."""
    memory = door.memory(create=False)
    made = memory.by_hand(what, memory_id, **options)
    after = made.changes[0].after
    door.answer(after, lambda: show_by_hand(door, made))


def show_by_hand(door: Door, made: "Dream") -> None:
    """Prints a change by hand, and how to undo it."""
    diff.show_diff(made, diff.voices_of(door, diff.spans(made)))
    click.echo()
    click.echo(f"undo it: slowwave dreams rollback {made.dream_id}")


@memories.command("edit")
@click.argument("memory_id")
@click.argument("text", required=False)
@click.option("--importance", type=click.IntRange(0, 100), help="Set the importance as well.")
@common
def memories_edit(door: Door, memory_id: str, text: str | None, importance: int | None) -> None:
    """Set the text of a memory to your own words; they are journaled and become its evidence.

    Without TEXT your editor opens.
    """
    if text is None and importance is None:
        if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError(
                "no new text was given, and there is no terminal for an editor",
                "write it as the second argument",
            )
        text = click.edit(door.memory(create=False).why(memory_id).memory.text)
        if text is None or not text.strip():
            raise UsageError("no new text was given", "write it as the second argument")
    if importance is not None:
        if (
            text is not None
            and text.strip() != door.memory(create=False).why(memory_id).memory.text
        ):
            door.memory(create=False).by_hand("edit", memory_id, text=text)
        _changed(door, memory_id, "importance", importance=importance)
        return
    _changed(door, memory_id, "edit", text=text)


@memories.command("pin")
@click.argument("memory_id")
@common
def memories_pin(door: Door, memory_id: str) -> None:
    """Pin a memory: it never fades, and is always loaded."""
    _changed(door, memory_id, "pin")


@memories.command("unpin")
@click.argument("memory_id")
@common
def memories_unpin(door: Door, memory_id: str) -> None:
    """Let go of a pinned memory."""
    _changed(door, memory_id, "unpin")


@memories.command("demote")
@click.argument("memory_id")
@common
def memories_demote(door: Door, memory_id: str) -> None:
    """Put a memory into cold storage: out of ordinary recall, never deleted."""
    _changed(door, memory_id, "demote")


@memories.command("restore")
@click.argument("memory_id")
@common
def memories_restore(door: Door, memory_id: str) -> None:
    """Bring a cold, retired or quarantined memory back."""
    _changed(door, memory_id, "restore")


@click.group(cls=Ordered, invoke_without_command=True)
@common
def conflicts(door: Door) -> None:
    """What cannot hold together and nobody could settle: both sides, with their words."""
    if click.get_current_context().invoked_subcommand is None:
        found = door.memory(create=False).conflicts()
        from slowwave.answers.kept import conflict  # noqa: PLC0415 - start-up counts

        door.answer([conflict(group) for group in found], lambda: show_conflicts(door, found))


def show_conflicts(door: Door, found: "Sequence[tuple[Memory, ...]]") -> None:
    """Prints each conflict with both sides."""
    if not found:
        click.echo("no conflicts")
        return
    for group in found:
        render.heading(f"conflict {group[0].id}")
        for memory in group:
            render.line(f"{memory.id}  {memory.text}", indent=2, hang=len(memory.id) + 2)
            voices = diff.voices_of(door, memory.evidence)
            for span in memory.evidence:
                render.line(diff.quote(span, voices), indent=6, hang=1, dim=True)
        click.echo(f"settle it: slowwave conflicts resolve {group[0].id} --keep ID")


@conflicts.command("resolve")
@click.argument("memory_id")
@click.option("--keep", required=True, metavar="ID", help="The memory that holds.")
@common
def conflicts_resolve(door: Door, memory_id: str, keep: str) -> None:
    """Settle a conflict: one side stays, the others give way to it, dated and kept."""
    made = door.memory(create=False).resolve(memory_id, keep)
    door.answer(made, lambda: show_by_hand(door, made))
