"""What people wrote in the files, as changes by hand."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from slowwave import review
from slowwave.errors import SlowwaveError
from slowwave.model import Clash, Dream, Edit, Memory
from slowwave.text.markdown import line_of, shown
from slowwave.vault.nouns import Imported, Taken, Tools

__all__ = ["take_in"]


def take_in(tools: Tools, edits: Sequence[Edit], *, dry: bool = False) -> Taken:
    """Turns edits into changes by hand, one change set each; with `dry` only tells which.

    Safe to repeat: what the ledger says already is left out.
    """
    imported: list[Imported] = []
    clashes: list[Clash] = []
    for edit in edits:
        known = tools.store.memories_by_id(tools.by.space, [edit.memory_id])
        memory = known.get(edit.memory_id)
        try:
            wanted = _wanted(tools, edit, memory)
            if wanted is None:
                continue
            dream = None if dry else wanted()
        except SlowwaveError as error:
            clashes.append(Clash(file=edit.file, reason=error.message, memory_id=edit.memory_id))
            continue
        if dream is not None:
            tools.settled(dream)
        imported.append(_told(edit, dream))
    return Taken(tuple(imported), tuple(clashes))


class _Both(SlowwaveError):
    """The file and the memory changed in different ways."""


def _wanted(tools: Tools, edit: Edit, memory: Memory | None) -> Callable[[], Dream] | None:
    """The change an edit asks for; None when nothing is left to do. Raises SlowwaveError."""
    if edit.what == "add":
        return _addition(tools, edit)
    if memory is None or memory.undone:
        raise _Both(f"memory {edit.memory_id} is not there any more")
    now = _CURRENT[edit.what](memory)
    if _same(now, edit.after) or (edit.what == "delete" and now != "active"):
        return None
    if not _same(memory.text if edit.what == "delete" else now, edit.before):
        raise _Both(
            f"the memory changed too since this was written: it says {now!r} now, the file "
            f"{edit.after!r}; settle it with `slowwave memories edit`, or undo the edit"
        )
    return partial(_change, tools, edit)


def _change(tools: Tools, edit: Edit) -> Dream:
    """An edit of a memory as a change by hand."""
    store, by, key = tools.store, tools.by, edit.memory_id
    match edit.what:
        case "text":
            return review.edit(store, by, key, edit.after)
        case "importance":
            return review.set_importance(store, by, key, int(edit.after))
        case "pinned":
            return review.pin(store, by, key, pinned=edit.after == "true")
        case "status" if edit.after == "active":
            return review.restore(store, by, key)
        case _:
            return review.demote(store, by, key)


_CURRENT: Mapping[str, Callable[[Memory], str]] = MappingProxyType(
    {
        "text": lambda memory: memory.text,
        "importance": lambda memory: str(memory.importance),
        "pinned": lambda memory: str(memory.pinned).lower(),
        "status": lambda memory: memory.status,
        "delete": lambda memory: memory.status,
    }
)


def _addition(tools: Tools, edit: Edit) -> Callable[[], Dream] | None:
    line = line_of(edit.after)
    known = tools.store.memories(tools.by.space, ("active", "candidate"))
    if any(line in (shown(memory), line_of(memory.text)) for memory in known):
        return None
    return lambda: review.add_by_hand(tools.store, tools.by, edit.after, edit.kind)


def _same(one: str, other: str) -> bool:
    return line_of(one) == line_of(other)


def _told(edit: Edit, dream: Dream | None) -> Imported:
    what = {"delete": "demoted", "text": "edited", "add": "added"}.get(edit.what, edit.what)
    made = dream.changes[0].memory_id if dream and dream.changes else ""
    return Imported(
        file=edit.file,
        what=what,
        memory_id=edit.memory_id or made,
        before=edit.before,
        after=edit.after,
        dream_id=dream.dream_id if dream else "",
    )
