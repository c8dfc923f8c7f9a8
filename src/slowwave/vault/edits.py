"""What people wrote in the files, as one change set by hand."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from slowwave import review
from slowwave.errors import InputError, SlowwaveError
from slowwave.model import Change, Clash, Demote, Edit, Event, Memory, Restore, Update
from slowwave.text.listing import listed, undated
from slowwave.text.markdown import line_of, shown
from slowwave.vault.nouns import Imported, Taken, Tools

__all__ = ["take_in"]


def take_in(tools: Tools, edits: Sequence[Edit], *, dry: bool = False) -> Taken:
    """Turns edits into one change set by hand, so that one id undoes them; `dry` only tells which.

    What cannot be taken in is told and stays in its file. Safe to repeat: what the ledger says
    already is left out.
    """
    ids = sorted({edit.memory_id for edit in edits if edit.memory_id})
    known = tools.store.memories_by_id(tools.by.space, ids) if ids else {}
    drafts = dict(known)
    wanted: list[Edit] = []
    clashes: list[Clash] = []
    for edit in edits:
        try:
            draft = _draft(tools, edit, drafts.get(edit.memory_id), wanted)
        except SlowwaveError as error:
            clashes.append(_clash(edit, error))
            continue
        if draft is not None:
            wanted.append(edit)
        if isinstance(draft, Memory):
            drafts[edit.memory_id] = draft
    if dry:
        return Taken(tuple(_told(edit, edit.memory_id) for edit in wanted), tuple(clashes))
    imported, refused = _carry_out(tools, wanted, known)
    return Taken(imported, (*clashes, *refused))


class _Both(SlowwaveError):
    """The file and the memory changed in different ways."""


def _clash(edit: Edit, error: SlowwaveError) -> Clash:
    """Why an edit is not taken in, and what a person can do about it."""
    if isinstance(error, _Both):
        return Clash(file=edit.file, reason=error.message, memory_id=edit.memory_id)
    way_out = "delete the file to have it written again" if "/" in edit.file else "take it out"
    reason = f"{error.message}. Correct it there, or {way_out}"
    return Clash(file=edit.file, reason=reason, memory_id=edit.memory_id, understood=False)


# ── what an edit asks for ───────────────────────────────────────────────────────────────────────


def _draft(
    tools: Tools, edit: Edit, memory: Memory | None, before: Sequence[Edit]
) -> Memory | str | None:
    """The memory as an edit would leave it (of a new one its text), None when all is done.

    `before` are the edits that come first. Raises SlowwaveError for what cannot be done.
    """
    if edit.what == "add":
        return _addition(tools, edit, before)
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
    return _edited(tools, edit, memory)


def _edited(tools: Tools, edit: Edit, memory: Memory) -> Memory:
    """The memory as an edit leaves it. Raises InputError, UsageError for what no memory can be."""
    match edit.what:
        case "text":
            review.check_words(edit.after)
            if not edit.after.strip():
                raise InputError("the new text is empty", "nothing was changed")
            return msgspec.structs.replace(memory, text=edit.after.strip())
        case "importance":
            review.check_importance(int(edit.after))
            return msgspec.structs.replace(memory, importance=int(edit.after))
        case "pinned":
            return msgspec.structs.replace(memory, pinned=edit.after == "true")
        case "status" if edit.after == "active":
            return review.restored(memory, tools.by)
        case _:
            if memory.status not in ("active", "candidate"):
                raise InputError(f"memory {memory.id} is {memory.status} already")
            return msgspec.structs.replace(memory, status="cold")


_CURRENT: Mapping[str, Callable[[Memory], str]] = MappingProxyType(
    {
        "text": lambda memory: memory.text,
        "importance": lambda memory: str(memory.importance),
        "pinned": lambda memory: str(memory.pinned).lower(),
        "status": lambda memory: memory.status,
        "delete": lambda memory: memory.status,
    }
)


def _addition(tools: Tools, edit: Edit, before: Sequence[Edit]) -> str | None:
    review.check_words(edit.after)
    line = line_of(edit.after)
    if any(other.what == "add" and line_of(other.after) == line for other in before):
        return None
    known = tools.store.memories(tools.by.space, ("active", "candidate"))
    said = undated(line)
    for memory in known:
        own = undated(listed(memory, tools.zone))
        if line in (shown(memory), line_of(memory.text)) or said == own:
            return None
    return edit.after


def _same(one: str, other: str) -> bool:
    return line_of(one) == line_of(other)


# ── doing it ────────────────────────────────────────────────────────────────────────────────────


def _carry_out(
    tools: Tools, wanted: Sequence[Edit], known: Mapping[str, Memory]
) -> tuple[tuple[Imported, ...], list[Clash]]:
    """Journals the words, and applies one change per memory, all of them together."""
    groups: dict[str, list[Edit]] = {}
    for number, edit in enumerate(wanted):
        groups.setdefault(edit.memory_id or f"+{number}", []).append(edit)
    made: list[tuple[Change, list[Edit]]] = []
    events: list[Event] = []
    refused: list[Clash] = []
    for key, group in groups.items():
        try:
            change = _change(tools, group, known.get(key), events)
        except SlowwaveError as error:
            refused += [_clash(edit, error) for edit in group]
        else:
            made.append((change, group))
    if not made:
        return (), refused
    dream = review.settle(tools.store, tools.by, [change for change, _ in made], events)
    tools.settled(dream)
    ids = {id(edit): change.memory_id for change, group in made for edit in group}
    told = [_told(edit, ids[id(edit)], dream.dream_id) for edit in wanted if id(edit) in ids]
    return tuple(told), refused


def _change(
    tools: Tools, edits: Sequence[Edit], before: Memory | None, events: list[Event]
) -> Change:
    """All edits of one memory as one change; new words are journaled, and added to `events`."""
    store, by = tools.store, tools.by
    if before is None:
        event, span = review.said(store, by, edits[0].after, "note", "")
        events.append(event)
        return review.added(by, event, span, edits[0].kind)
    kind: type[Update] | type[Demote] | type[Restore] = Update
    after, reasons = before, []
    for edit in edits:
        match edit.what:
            case "text":
                event, span = review.said(store, by, edit.after, "correction", before.id)
                events.append(event)
                after = review.edited(after, event, span)
                reasons.append("edited")
            case "importance":
                after = msgspec.structs.replace(after, importance=int(edit.after))
                reasons.append(f"importance {edit.after}")
            case "pinned":
                after = msgspec.structs.replace(after, pinned=edit.after == "true")
                reasons.append("pinned" if after.pinned else "unpinned")
            case "status" if edit.after == "active":
                after, kind = review.restored(after, by), Restore
                reasons.append("restored")
            case _:
                after, kind = msgspec.structs.replace(after, status="cold"), Demote
                reasons.append("demoted")
    return review.by_hand(kind, before, after, f"{', '.join(reasons)} by hand", by)


def _told(edit: Edit, memory_id: str, dream_id: str = "") -> Imported:
    what = {"delete": "demoted", "text": "edited", "add": "added"}.get(edit.what, edit.what)
    return Imported(
        file=edit.file,
        what=what,
        memory_id=memory_id,
        before=edit.before,
        after=edit.after,
        dream_id=dream_id,
    )
