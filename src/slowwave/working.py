"""Working memory: what must be remembered to go on working (N2).

Open projects, to-dos and decisions that still wait. A person adds items; a dream adds the projects
and undated plans it learned of, marks as done what was said to be finished, and as stalled what
nobody spoke of for two weeks. Done and stalled items are kept, but not loaded into a context.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from slowwave.errors import InputError, NotFound
from slowwave.model import Dream, Event, Memory, WorkItem, WorkState, short_id
from slowwave.ports import Store
from slowwave.text.polarity import is_negated
from slowwave.text.segment import query_phrases, sentences

__all__ = ["STALLED_AFTER", "add", "follow", "mark", "scan"]

STALLED_AFTER = timedelta(days=14)
SPEAKS_OF = 0.5
"""The share of an item's content terms that a sentence must hold to speak of it."""
LEAST_SHARED = 2
LONGEST = 1_000
"""Characters of an item that a person writes."""
OPENING = ("project", "plan")

_DONE = re.compile(
    r"(?:[做写弄办交改修读看审签付买订画]|搞定|完成|上线|发布|结束|收工|交付|搞|处理|整理|通过|解决)"
    r"(?:完|好|掉|妥|齐|过)?(?:毕)?了"
    r"|(?:已经?|都|全部|终于|总算|刚刚?)(?:[^，。；,;]{0,6})(?:完成|搞定|做完|写完|办完|交付|上线|结束)"
    r"|(?:已经?|都|全部|终于|总算|刚刚?)[^，。；,;]{1,12}了(?=$|[，。；,;！!])"
    r"|\b(?:finished|completed|done|shipped|submitted|wrapped up|closed|launched|delivered|"
    r"published|signed off|handed in|sent off|merged|paid|booked|solved|sorted|released)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"还没|没有?[^，。]{0,4}完|未完|快要?|差不多|即将|[?？吗]"
    r"|\b(?:not|n't|never|almost|nearly|half|about to|will|going to|before|until|once|when|if)\b",
    re.IGNORECASE,
)


def add(store: Store, space: str, text: str, now: datetime) -> WorkItem:
    """A new open item; the one that is there when the same text is open already."""
    line = " ".join(text.split())
    if not line:
        raise InputError("the item has no text", 'write it: slowwave working add "call the bank"')
    if len(line) > LONGEST:
        raise InputError(
            f"the item has {len(line)} characters, more than {LONGEST}", "say it in one line"
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


def follow(store: Store, dream: Dream, now: datetime) -> None:
    """Brings the items up to date with an applied dream."""
    events = store.events_by_id(dream.space, dream.event_ids)
    left = [change.after for change in dream.changes if change.approved is not False]
    changed = scan(store.working(dream.space), left, events.values(), now)
    store.put_working(dream.space, changed)


def scan(
    items: Sequence[WorkItem], memories: Iterable[Memory], events: Iterable[Event], now: datetime
) -> list[WorkItem]:
    """The items that a dream changes: opened, spoken of, finished or stalled. Pure.

    `memories` are those the dream left active, `events` what it read.
    """
    standing = {item.id: item for item in items}
    for memory in memories:
        item = _of_memory(memory)
        if item is not None:
            standing.setdefault(item.id, item)
    said = [event for event in events if event.origin == "owner"]
    for item in list(standing.values()):
        if item.state != "done":
            standing[item.id] = _after(item, said, now)
    known = {item.id: item for item in items}
    return [item for item in standing.values() if known.get(item.id) != item]


def _of_memory(memory: Memory) -> WorkItem | None:
    """The item of a project or an undated plan of the owner that is under way."""
    under_way = memory.status == "active" and not memory.negated and memory.valid_to is None
    undated = memory.kind != "plan" or memory.valid_from is None
    if memory.kind not in OPENING or not under_way or not undated:
        return None
    return WorkItem(
        id="w" + memory.id, text=memory.text, state="open", opened=memory.first_seen,
        touched=memory.last_seen, event_id=memory.evidence[0].event_id if memory.evidence else "",
    )  # fmt: skip


def _after(item: WorkItem, said: Sequence[Event], now: datetime) -> WorkItem:
    """The item after what was said."""
    wanted = _content(item.text)
    for event in said:
        if event.ts < item.opened or event.id == item.event_id:
            continue
        how = _spoken_of(wanted, event.text)
        if how == "done":
            return msgspec.structs.replace(item, state="done", touched=event.ts, closed_by=event.id)
        if how == "touched":
            item = msgspec.structs.replace(item, state="open", touched=max(item.touched, event.ts))
    if item.state == "open" and now - item.touched > STALLED_AFTER:
        return msgspec.structs.replace(item, state="stalled")
    return item


def _spoken_of(wanted: frozenset[str], text: str) -> Literal["", "touched", "done"]:
    """What a message says of an item: nothing, something, or that it is finished."""
    how: Literal["", "touched", "done"] = ""
    for start, end in sentences(text):
        sentence = text[start:end]
        shared = wanted & _content(sentence)
        if len(shared) < min(LEAST_SHARED, len(wanted)) or len(shared) < SPEAKS_OF * len(wanted):
            continue
        how = "touched"
        over = _DONE.search(sentence) and not _NOT_YET.search(sentence)
        if over and not is_negated(sentence):
            return "done"
    return how


def _content(text: str) -> frozenset[str]:
    return frozenset(term for phrase in query_phrases(text) for term in phrase)
