"""Bringing the files in step: when, in which order, and what happens when something goes wrong."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec

from slowwave.errors import FileChanged, InputError, StoreError
from slowwave.health import Problem
from slowwave.model import Clash, Dream, Looked, Memory, Written
from slowwave.vault.edition import edition_of, over_budget
from slowwave.vault.edits import take_in
from slowwave.vault.nouns import Imported, Synced, Taken, Tools

__all__ = ["after", "before_night", "erase", "log_again", "look", "problems", "sync", "warned"]

LATELY = 7
"""Of so many dreams a night makes sure that their logs are there."""
TRIES = 5
"""How often the files may change under our hands before we give up."""


def sync(tools: Tools, *, dry: bool = False, whole: bool = True) -> Synced:
    """Takes in what people wrote, then brings the files in step; `dry` only tells.

    `whole` holds every memory against its file; without it only those that changed since the last
    time, in the ledger or by hand. Raises StoreError (DiskFull) when the files cannot be written;
    what was taken in stays taken in.
    """
    imported: list[Imported] = []
    if not dry:
        log_again(tools, None if whole else LATELY)
    for attempt in range(TRIES):
        looked = look(tools)
        taken = take_in(tools, looked.edits, dry=dry)
        imported += taken.imported
        edition = edition_of(tools, looked, taken.clashes, whole=whole)
        try:
            written = tools.vault.write(edition, looked, dry=dry)
        except FileChanged:
            # Somebody saved one of the files between our look and our write: look again.
            if attempt == TRIES - 1:
                raise
            continue
        break
    answer = _answer(looked, taken, imported, written)
    if over_budget(tools, looked):
        warning = "what people wrote in MEMORY.md fills its budget: nothing else is loaded"
        return msgspec.structs.replace(answer, warnings=(*answer.warnings, warning))
    return answer


def after(tools: Tools, applied: Dream) -> Dream:
    """The files after a change set. The ledger is the truth: what goes wrong here is a warning."""
    try:
        done = sync(tools, whole=False)
    except StoreError as error:
        late = f"the vault is not in step: {error.message}; `slowwave vault sync` tries again"
        warnings: tuple[str, ...] = (late,)
    else:
        warnings = done.warnings
        if done.conflicts:
            number = len(done.conflicts)
            warnings += (f"{number} things in the vault wait for you: `slowwave vault check`",)
    return warned(applied, warnings)


def erase(tools: Tools, memory_ids: Sequence[str]) -> int:
    """Takes forgotten memories out of all files; how many files went or were written anew."""
    gone = tools.vault.erase(memory_ids)
    done = sync(tools)
    return gone + len(done.written) + len(done.removed)


def problems(tools: Tools) -> tuple[Problem, ...]:
    """What `doctor` tells of the files: what waits for a person in them."""
    hint = "`slowwave vault check` names each, with what to do"
    try:
        waiting = sync(tools, dry=True).conflicts
    except StoreError as error:
        return (Problem("vault", error.message, error.hint),)
    number = len(waiting)
    detail = f"{number} {'thing in the vault waits' if number == 1 else 'things in the vault wait'}"
    return (Problem("vault", f"{detail} for you", hint),) if waiting else ()


def _answer(looked: Looked, taken: Taken, imported: Sequence[Imported], written: Written) -> Synced:
    told: dict[tuple[str, str], Clash] = {}
    for clash in (*looked.clashes, *taken.clashes, *written.clashes):
        told.setdefault((clash.file, clash.memory_id), clash)
    return Synced(
        written=written.files,
        imported=tuple(imported),
        conflicts=tuple(told.values()),
        warnings=written.warnings,
        removed=written.removed,
    )


def look(tools: Tools) -> Looked:
    """What people did to the files since they were written. Changes nothing."""
    store, space = tools.store, tools.by.space

    def known(ids: Sequence[str] | None) -> dict[str, Memory]:
        every = ids is None
        found = store.memories(space) if every else store.memories_by_id(space, ids or ()).values()
        return {memory.id: memory for memory in found if not memory.undone}

    return tools.vault.look(known, partial(store.versions, space), tools.zone)


def before_night(tools: Tools, *, edits: bool) -> tuple[str, ...]:
    """What a night must know of the files: new notes, and edits. Returns warnings.

    `edits`: also those, so that they are not taken for a clash with what the night changes; not
    for a mere plan, which changes no memory. What else goes wrong here is told when the files are
    brought in step after the night.
    """
    warnings: list[str] = []
    with suppress(StoreError):
        notes = tools.vault.notes()
        if notes:
            with suppress(InputError):  # not one of them can be read
                done = tools.read(notes)
                warnings += [
                    f"{report.path}:{skipped.line}: {skipped.reason}"
                    for report in done.files
                    for skipped in report.skipped
                ]
            tools.vault.notes_taken(notes)
        if edits:
            take_in(tools, look(tools).edits)
    return tuple(warnings)


def warned(dream: Dream, warnings: Sequence[str]) -> Dream:
    """The dream with further warnings for who asked for it."""
    return msgspec.structs.replace(dream, warnings=(*dream.warnings, *warnings))


def log_again(tools: Tools, latest: int | None = None) -> None:
    """Writes the logs of nights that have lost theirs (N13); only of the latest, if so many."""
    for head in tools.store.dreams(tools.by.space, ("applied",), latest):
        if head.by == "night" and not tools.parts.dream_log.has(head):
            dream = tools.store.dream(tools.by.space, head.dream_id)
            if dream is not None:
                tools.parts.dream_log.write(dream)
