"""What a night's memories and words make of the items. Pure; it reads language."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from slowwave.model import USER, Event, Memory, WorkItem, short_id
from slowwave.text.entities import find_entities
from slowwave.text.intention import completed, has_task, is_over, topic
from slowwave.text.lately import lately
from slowwave.text.passed_on import own_spans
from slowwave.text.segment import query_phrases, sentences, terms
from slowwave.working.state import OPENING, STALLED_AFTER, of_memory, silent, taken_back

__all__ = ["STALLED_AFTER", "scan"]

DORMANT_AFTER = timedelta(days=90)
"""A stalled item that nobody spoke of for so long comes back by its memory or by hand only."""
FINISHES = 0.5
"""The share of an item's content terms that a sentence must hold to say that it is finished."""
LEAST_SHARED = 2
ALIKE = 0.6
"""The share of content terms from which two things to do are one."""
LONGEST_TALK = 2_000
"""Characters of a message in which things to do are looked for: a longer one is a document."""
MOST_TASKS = 40
"""Items that one dream opens by what was said alone."""
NO_TASK = ("rule", "preference", "quote", "skill", "lesson")
"""What a memory of these kinds rests on is no thing to do: how to do things, whenever."""
KEPT = 4_096
"""Texts whose terms are kept: each item is looked at once for every thing that is still to do."""


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
        item = of_memory(memory, standing.get("w" + memory.id), lapsed, now)
        if item is not None:
            standing[item.id] = item
    said = _Said(event for event in events if event.origin == "owner")
    _open_tasks(standing, said, memories, now)
    for item in list(standing.values()):
        if item.state == "open" or (item.state == "stalled" and now - item.touched < DORMANT_AFTER):
            since = known[item.id].touched if item.id in known else item.opened
            standing[item.id] = _after(item, said, since, now)
    return [item for item in standing.values() if known.get(item.id) != item]


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
    """What was said, found by its terms: each sentence is taken apart once, for all items.

    What the owner only passed on says neither what he has to do nor what is done (R6).
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self.sentences = [
            _Sentence(event, start, end, _content(event.text[start:end]))
            for event in events
            for low, high in own_spans(event.text)
            for start, end in _within(event.text, low, high)
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


def _within(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """The sentences of a part of a text, by their places in the whole."""
    return ((low + start, low + end) for start, end in sentences(text[low:high]))


def _open_tasks(
    standing: dict[str, WorkItem], said: _Said, memories: Sequence[Memory], now: datetime
) -> None:
    """Opens what the owner said is still to do, where no memory says it, and no item is alike."""
    spoken_for = _spoken_for(memories)
    fresh = 0
    for sentence in said.sentences:
        event = sentence.event
        item_id = short_id("w", event.space, event.id, str(sentence.start))
        had = standing.get(item_id)
        if had is not None and taken_back(had):
            standing[item_id] = msgspec.structs.replace(had, state="open", closed_by="")
        if had is not None or fresh >= MOST_TASKS or len(event.text) > LONGEST_TALK:
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
    if item.state == "open" and silent(item, now):
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


@lately(KEPT)
def _content(text: str) -> frozenset[str]:
    """What a text is about, without dates and without saying that it is to be done."""
    phrases = query_phrases(topic(text)) or query_phrases(text)
    return frozenset(term for phrase in phrases for term in phrase)


@lately(KEPT)
def _names(text: str) -> frozenset[str]:
    """The terms of the names in a text: one of them is enough to speak of it."""
    names = [entity.text for entity in find_entities(text) if entity.kind == "name"]
    return frozenset(term for name in names if len(name) > 1 for term in terms(name))
