"""Working memory: what must be remembered to go on working (N2).

Open projects, to-dos and decisions that still wait. A person adds items; a dream adds his projects
and plans, and what he said is still to do; it marks as done what was said to be finished or whose
memory has ended, and as stalled what nobody spoke of for two weeks, or whose day passed without a
word. Done and stalled items are kept, but not loaded into a context; and what stays silent for long
is not listened for any more.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import msgspec

from slowwave.errors import InputError, NotFound
from slowwave.model import USER, Dream, Event, Memory, WorkItem, WorkState, short_id
from slowwave.ports import Store
from slowwave.text.entities import find_entities
from slowwave.text.intention import completed, has_task, is_over, topic
from slowwave.text.segment import query_phrases, sentences, terms

__all__ = ["STALLED_AFTER", "add", "follow", "mark", "scan"]

STALLED_AFTER = timedelta(days=14)
DORMANT_AFTER = timedelta(days=90)
"""A stalled item that nobody spoke of for so long comes back by its memory or by hand only."""
FINISHES = 0.5
"""The share of an item's content terms that a sentence must hold to say that it is finished."""
LEAST_SHARED = 2
ALIKE = 0.6
"""The share of content terms from which two things to do are one."""
LONGEST = 1_000
"""Characters of an item that a person writes."""
LONGEST_TALK = 2_000
"""Characters of a message in which things to do are looked for: a longer one is a document."""
MOST_TASKS = 40
"""Items that one dream opens by what was said alone."""
OPENING = ("project", "plan")
NO_TASK = ("rule", "preference", "quote", "skill", "lesson")
"""What a memory of these kinds rests on is no thing to do: how to do things, whenever."""
LAPSES = ("expiry", "time", "forget")
"""Routes that end a memory because its time passed, not because anything was said."""

FOLLOWED = "followed"
"""The id under which the store keeps, beside the stages of dreams, which dreams were followed."""
KEPT = 4_096
"""Texts whose terms are kept: each item is looked at once for every thing that is still to do."""
LATELY = 7
"""Applied dreams that are made up for, where a kill came between a dream and its items."""


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
    """Brings the items up to date with an applied dream, and with any lately that a kill left out.

    Safe to repeat.
    """
    space = dream.space
    done = store.stages(space, FOLLOWED)
    lately = [
        head.dream_id
        for head in store.dreams(space)
        if head.status == "applied" and head.by == "night" and head.dream_id != dream.dream_id
    ][:LATELY]
    for missed in (store.dream(space, one) for one in reversed(lately) if one not in done):
        if missed is not None:
            _follow(store, missed, now)
    _follow(store, dream, now)
    stale = done.keys() - set(lately)
    if len(stale) > LATELY:
        store.drop_stages(space, FOLLOWED)
        for dream_id in (*lately, dream.dream_id):
            store.put_stage(space, FOLLOWED, dream_id, b"")


def _follow(store: Store, dream: Dream, now: datetime) -> None:
    events = store.events_by_id(dream.space, dream.event_ids)
    changes = [change for change in dream.changes if change.approved is not False]
    lapsed = {change.memory_id for change in changes if change.route in LAPSES}
    changed = scan(
        store.working(dream.space),
        [change.after for change in changes],
        events.values(),
        now,
        lapsed=lapsed,
    )
    store.put_working(dream.space, changed)
    store.put_stage(dream.space, FOLLOWED, dream.dream_id, b"")


def scan(
    items: Sequence[WorkItem],
    memories: Iterable[Memory],
    events: Iterable[Event],
    now: datetime,
    *,
    lapsed: Collection[str] = (),
) -> list[WorkItem]:
    """The items that a dream changes: opened, spoken of, finished or stalled. Pure.

    `memories` are those the dream changed, as it left them, `lapsed` the ids of those that ended
    because their time passed; `events` what it read.
    """
    known = {item.id: item for item in items}
    standing = dict(known)
    memories = list(memories)
    for memory in memories:
        item = _of_memory(memory, standing.get("w" + memory.id), lapsed, now)
        if item is not None:
            standing[item.id] = item
    said = _Said(event for event in events if event.origin == "owner")
    _open_tasks(standing, said, memories, now)
    for item in list(standing.values()):
        if item.state == "open" or (item.state == "stalled" and now - item.touched < DORMANT_AFTER):
            since = known[item.id].touched if item.id in known else item.opened
            standing[item.id] = _after(item, said, since, now)
    return [item for item in standing.values() if known.get(item.id) != item]


# --- what memories open and end -------------------------------------------------------------------


def _of_memory(
    memory: Memory, had: WorkItem | None, lapsed: Collection[str], now: datetime
) -> WorkItem | None:
    """The item of a memory, as a dream that changed it leaves it; None where there is none."""
    if had is not None and had.state != "done" and memory.status == "retired":
        return _ended(had, now, lapsed=memory.id in lapsed and memory.superseded_by is None)
    if not _under_way(memory, now) or (had is not None and had.state == "done"):
        return None
    day = memory.valid_to or memory.valid_from
    due = day[:10] if day and memory.kind == "plan" else ""
    if had is None:
        return WorkItem(
            id="w" + memory.id, text=memory.text, state="open", opened=memory.first_seen,
            touched=memory.last_seen, due=due,
            event_id=memory.evidence[0].event_id if memory.evidence else "",
        )  # fmt: skip
    item = msgspec.structs.replace(had, text=memory.text, due=due)
    if memory.last_seen <= had.touched:
        return item
    return msgspec.structs.replace(item, state="open", touched=memory.last_seen)


def _ended(item: WorkItem, now: datetime, *, lapsed: bool) -> WorkItem:
    """The item of a memory that ended: done, or stalled where merely its time passed."""
    if lapsed:
        return msgspec.structs.replace(item, state="stalled")
    return msgspec.structs.replace(item, state="done", touched=now)


def _under_way(memory: Memory, now: datetime) -> bool:
    """Whether a memory is a project or a plan of the owner himself that is not over."""
    if memory.kind not in OPENING or memory.subject != USER or memory.negated:
        return False
    if memory.kind == "plan":
        return memory.status in ("active", "candidate")
    ended = memory.valid_to is not None and memory.valid_to[:10] < now.date().isoformat()
    return memory.status == "active" and not ended


# --- what was said --------------------------------------------------------------------------------


class _Sentence(NamedTuple):
    """One sentence, its place in its event, and its content terms."""

    event: Event
    start: int
    end: int
    terms: frozenset[str]

    @property
    def text(self) -> str:
        return self.event.text[self.start : self.end]


class _Said:
    """What was said, found by its terms: each sentence is taken apart once, for all items."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.sentences = [
            _Sentence(event, start, end, _content(event.text[start:end]))
            for event in events
            for start, end in sentences(event.text)
        ]
        self._where: dict[str, list[int]] = {}
        for place, sentence in enumerate(self.sentences):
            for term in sentence.terms:
                self._where.setdefault(term, []).append(place)

    def sharing(self, wanted: frozenset[str]) -> Iterator[tuple[_Sentence, int]]:
        """The sentences with any of these terms and how many, in the order they were said."""
        shared = Counter(place for term in wanted for place in self._where.get(term, ()))
        for place in sorted(shared):
            yield self.sentences[place], shared[place]


def _open_tasks(
    standing: dict[str, WorkItem], said: _Said, memories: Sequence[Memory], now: datetime
) -> None:
    """Opens what the owner said is still to do, where no memory says it, and no item is alike."""
    spoken_for = _spoken_for(memories)
    fresh = 0
    for sentence in said.sentences:
        event = sentence.event
        item_id = short_id("w", event.space, event.id, str(sentence.start))
        if item_id in standing or fresh >= MOST_TASKS or len(event.text) > LONGEST_TALK:
            continue
        spans = spoken_for.get(event.id, ())
        if any(start < sentence.end and sentence.start < end for start, end in spans):
            continue
        if not has_task(sentence.text) or len(sentence.terms) < LEAST_SHARED:
            continue
        if any(_same(item, sentence) for item in standing.values()):
            continue
        fresh += 1
        standing[item_id] = WorkItem(
            id=item_id, text=" ".join(sentence.text.split()), state="open", opened=event.ts,
            touched=event.ts, event_id=event.id, due=_far_day(sentence, now),
        )  # fmt: skip


def _far_day(sentence: _Sentence, now: datetime) -> str:
    """The last day that is named, where silence until then means nothing; else none."""
    from slowwave.text.dates import find_times  # noqa: PLC0415 - grammars: few calls need them

    said = sentence.event.ts.astimezone(now.tzinfo)
    ends = [found.bounds[1] for found in find_times(sentence.text, said) if found.bounds]
    last = max((end[:10] for end in ends if end), default="")
    return last if last > (said + STALLED_AFTER).date().isoformat() else ""


def _spoken_for(memories: Sequence[Memory]) -> dict[str, list[tuple[int, int]]]:
    """The words that memories rest on which open items themselves, or are no task of the owner."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for memory in memories:
        if memory.kind in (*OPENING, *NO_TASK) or memory.subject != USER:
            for span in memory.evidence:
                spans.setdefault(span.event_id, []).append((span.start, span.end))
    return spans


def _same(item: WorkItem, sentence: _Sentence) -> bool:
    """Whether a sentence speaks of what an item already is, or was when it was done later."""
    if item.state == "done" and item.touched < sentence.event.ts:
        return False
    wanted = _content(item.text)
    shared = len(wanted & sentence.terms)
    return shared >= LEAST_SHARED and shared >= ALIKE * min(len(wanted), len(sentence.terms))


def _after(item: WorkItem, said: _Said, since: datetime, now: datetime) -> WorkItem:
    """The item after what was said; nothing from before `since`, when it was last seen to."""
    wanted, names = _content(item.text), _names(item.text)
    least = min(LEAST_SHARED, len(wanted))
    for sentence, shared in said.sharing(wanted | names):
        event = sentence.event
        if event.ts < item.opened or event.id == item.event_id:
            continue
        if event.ts >= since and _finishes(item, sentence, wanted, shared):
            return msgspec.structs.replace(item, state="done", touched=event.ts, closed_by=event.id)
        if shared >= least or names & sentence.terms:
            item = msgspec.structs.replace(item, state="open", touched=max(item.touched, event.ts))
    if item.state == "open" and _silent(item, now):
        return msgspec.structs.replace(item, state="stalled")
    return item


def _finishes(item: WorkItem, sentence: _Sentence, wanted: frozenset[str], shared: int) -> bool:
    """Whether a sentence says that an item is done: a done-word, or the very verb of the item."""
    text = sentence.text
    if shared >= max(min(LEAST_SHARED, len(wanted)), FINISHES * len(wanted)) and is_over(text):
        return True
    verbs = completed(text)
    if not verbs:
        return False
    whole = topic(item.text)
    stems = set(terms(whole))
    for verb in verbs:
        if verb.isascii():
            stem = terms(verb)
            if stem and stem[0] in stems and len(wanted & sentence.terms - set(stem)) > 0:
                return True
        elif verb in whole and any(verb not in term for term in wanted & sentence.terms):
            return True
    return False


def _silent(item: WorkItem, now: datetime) -> bool:
    """Whether its day passed without a word, or nobody spoke of it for long."""
    if item.due:
        day = date.fromisoformat(item.due)
        if now.date() <= day:
            return False
        if item.touched.astimezone(now.tzinfo).date() <= day:
            return True
    return now - item.touched > STALLED_AFTER


@lru_cache(KEPT)
def _content(text: str) -> frozenset[str]:
    """What a text is about, without dates and without saying that it is to be done."""
    phrases = query_phrases(topic(text)) or query_phrases(text)
    return frozenset(term for phrase in phrases for term in phrase)


@lru_cache(KEPT)
def _names(text: str) -> frozenset[str]:
    """The terms of the names in a text: one of them is enough to speak of it."""
    names = [entity.text for entity in find_entities(text) if entity.kind == "name"]
    return frozenset(term for name in names if len(name) > 1 for term in terms(name))
