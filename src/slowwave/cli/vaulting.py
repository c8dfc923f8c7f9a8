"""`slowwave vault`: the Markdown files, in step with the memory in both directions."""

from typing import TYPE_CHECKING

import click

from slowwave.cli import render
from slowwave.cli.door import EXIT_FAILED, EXIT_SKIPPED, Door, Ordered, common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slowwave.vault import Synced

SHOWN = 20
"""How many files are named to a person; --json has them all."""


@click.group(
    cls=Ordered,
    invoke_without_command=True,
    epilog="""\b
Examples:
  slowwave vault                         are the files in step? changes nothing
  slowwave vault sync                    take in my edits, write what changed
  slowwave vault check --json            the same as data; exit code 1 when not in step
""",
)
@common
def vault(door: Door) -> int | None:
    """The Markdown files: MEMORY.md, one file per memory, the diary; bare: check them."""
    if click.get_current_context().invoked_subcommand is not None:
        return None
    return check(door)


@vault.command("sync", epilog="Example:  slowwave vault sync")
@common
def vault_sync(door: Door) -> int:
    """Take in what people wrote in the files, then write what changed.

    An edited line or field becomes a change by hand, a new bullet a new memory, a deleted one is
    demoted to cold storage. Where a memory changed on both sides, nothing is overwritten.
    """
    door.writing = True
    done = door.memory(create=False).vault_sync()
    door.answer(done, lambda: show_synced(done))
    return EXIT_SKIPPED if done.conflicts else 0


@vault.command("check", epilog="Example:  slowwave vault check")
@common
def vault_check(door: Door) -> int:
    """Tell what a sync would write and take in, and what clashes. Changes nothing."""
    return check(door)


def check(door: Door) -> int:
    """Answers with what a sync would do; 0 when the files are in step."""
    found = door.memory(create=False).vault_check()
    door.answer(found, lambda: show_synced(found, done=False))
    return 0 if found.in_step else EXIT_FAILED


def show_synced(found: "Synced", *, done: bool = True) -> None:
    """Prints what was done, or (not `done`) what would be."""
    would = "" if done else "would be "
    for edit in found.imported:
        said = f"“{edit.before}” → “{edit.after}”" if edit.before and edit.after else ""
        words = said or edit.after or edit.before
        note = " to cold storage, `slowwave memories restore` brings it back"
        tail = note if edit.what == "demoted" else ""
        render.line(f"{would}{edit.what}{tail}: {words} ({edit.file})", hang=2)
    dreams = sorted({edit.dream_id for edit in found.imported if edit.dream_id})
    for dream_id in dreams:
        render.line(f"one change set: {dream_id}; `slowwave dreams rollback {dream_id}` undoes it")
    _show_files("written" if done else "to write", found.written)
    _show_files("removed" if done else "to remove", found.removed)
    for clash in found.conflicts:
        which = f" (memory {clash.memory_id})" if clash.memory_id else ""
        label = "conflict" if clash.understood else "not understood"
        render.line(f"{label}: {clash.file}{which}: {clash.reason}", hang=2, fg="red")
    for warning in found.warnings:
        render.line(f"warning: {warning}", hang=2, fg="yellow")
    if found.in_step:
        click.echo("in step: nothing to do")


def _show_files(what: str, names: "Sequence[str]") -> None:
    for name in names[:SHOWN]:
        render.line(f"{what}: {name}", hang=2)
    if len(names) > SHOWN:
        click.echo(f"{what}: {render.plural(len(names) - SHOWN, 'more file')}")
