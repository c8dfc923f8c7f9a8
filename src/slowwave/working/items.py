"""Items by a person's own hand."""

from datetime import datetime

import msgspec

from slowwave.errors import InputError, NotFound
from slowwave.model import WorkItem, WorkState, short_id
from slowwave.ports import Store
from slowwave.text.wrappers import strip_managed

__all__ = ["add", "mark"]

LONGEST = 1_000
"""Characters of an item that a person writes."""


def add(store: Store, space: str, text: str, now: datetime) -> WorkItem:
    """A new open item; the one that is there when the same text is open already.

    Raises InputError for a text without words, too long for a line, or out of a memory (promise 5).
    """
    line = " ".join(text.split())
    if not line:
        raise InputError("the item has no text", 'write it: slowwave working add "call the bank"')
    if len(line) > LONGEST:
        raise InputError(
            f"the item has {len(line)} characters, more than {LONGEST}", "say it in one line"
        )
    if strip_managed(text) != text:
        raise InputError(
            "the item holds a block that came out of a memory", "write it in your own words"
        )
    for item in store.working(space):
        if item.state == "open" and item.text == line:
            return item
    item = WorkItem(
        id=short_id("w", space, line, now.isoformat()), text=line, state="open", opened=now,
        touched=now,
    )  # fmt: skip
    store.put_working(space, [item])
    return item


def mark(store: Store, space: str, prefix: str, state: WorkState, now: datetime) -> WorkItem:
    """Sets an item's state by hand. Raises NotFound."""
    found = [item for item in store.working(space) if item.id.startswith(prefix)]
    exact = [item for item in found if item.id == prefix] or found
    if len(exact) != 1 or not prefix:
        raise NotFound(f"no single item {prefix!r}", "`slowwave working` lists them")
    item = msgspec.structs.replace(exact[0], state=state, touched=now, closed_by="")
    store.put_working(space, [item])
    return item
