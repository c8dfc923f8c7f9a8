"""What a week of the log is about, before any dream has read it (P13).

People see by it what a memory would be made of before they turn it on. What is counted are
messages; those that ask and those that answer are one exchange, since an answer is about what was
asked. Exchanges of one meaning make a topic, in whatever language each was written, and the words
that set it apart from the rest of the week name it. Made from the journal alone; nothing is stored.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

import msgspec

from slowwave.dream.topics.groups import grouped
from slowwave.dream.topics.names import Directions, named
from slowwave.model import (
    EMBEDDED_KINDS,
    EMBEDDED_ORIGINS,
    SAID_BY_HAND,
    Event,
    day_of,
)
from slowwave.text.noise import knowledge_spans, noise_reason

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]

__all__ = ["Example", "Topic", "Topics", "topics_of"]

TOPICS = 8
"""As many are told of; what is left is `other`."""
LEAST = 2
"""Exchanges that a topic has: what was said once is no topic of a week."""
MOST = 600
"""Exchanges that are compared with each other; of a longer log evenly spread ones are."""
READ, REPLY_READ = 1200, 400
"""Characters of an exchange that are read, and of each reply in it: it must not drown the asker."""
REPLY_WEIGHT = 0.4
PAUSE = timedelta(minutes=30)
"""What is said after a longer silence is a new exchange, and its neighbours lend it nothing."""
EXAMPLES, CLIP = 3, 160


class Example(msgspec.Struct, frozen=True):
    """A message of a topic: the event, when it was said, the beginning of its words."""

    event_id: str
    ts: datetime
    text: str


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """What several exchanges of the week are about.

    `name` is the word or phrase that sets it apart, `words` are the next ones. `share` is that of
    the messages that were read, 0–1; `days` counts its messages by day (ISO), quiet days left out.
    """

    name: str
    words: tuple[str, ...]
    messages: int
    share: float
    days: dict[str, int]
    examples: tuple[Example, ...]


class Topics(msgspec.Struct, frozen=True, kw_only=True):
    """The topics of a span of the log, largest first.

    `first` and `last` are its days (ISO, both included; "" where nothing was said at all).
    `messages` were read: those of `topics`, and `other` that belong to none. `left_out` were not,
    since nothing is said in them: tools, greetings, code, what came out of a memory. `by` tells
    whether messages were compared by meaning, or by their words alone (no embedder).
    """

    first: str
    last: str
    messages: int
    left_out: int
    other: int
    by: str
    topics: tuple[Topic, ...]


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked and what was answered to it, or a message that nobody answered.

    `parts` are the readable words of each message, with whether the agent said it.
    """

    session: str
    ts: datetime
    ended: datetime
    events: tuple[Event, ...]
    parts: tuple[tuple[str, bool], ...]

    @property
    def text(self) -> str:
        """Its words as one text, replies cut short."""
        cut = (words[: REPLY_READ if reply else READ] for words, reply in self.parts)
        return "\n".join(cut)[:READ]


def topics_of(
    events: Sequence[Event],
    days: tuple[str, str],
    zone: tzinfo,
    directions: Directions,
    people: Iterable[str],
) -> Topics:
    """The topics of these events. Deterministic; nothing in it makes it fail.

    `days` are the first and the last one (ISO); `people` the names of those who take part, which
    name no topic. Costs up to `MOST`² comparisons.
    """
    exchanges = _exchanges(events)
    read = sum(len(one.events) for one in exchanges)
    looked = _spread(exchanges, MOST)
    texts = [one.text for one in looked]
    meaning = _meaning(looked, directions) if len(looked) >= LEAST else None
    groups = grouped(texts, _before(looked), meaning)
    groups = [group for group in groups if len(group) >= LEAST]
    groups.sort(key=lambda group: (-sum(len(looked[at].events) for at in group), group))
    speakers = {event.speaker for event in events if event.speaker}
    titles = named(texts, groups, meaning, directions, {*people, *speakers})
    # Where only some were looked at, each of these stands for its neighbours.
    scale = read / sum(len(one.events) for one in looked) if looked else 1.0
    made: list[Topic] = []
    for group, title in zip(groups, titles, strict=True):
        if title and len(made) < TOPICS:
            members = [looked[at] for at in group]
            made.append(_topic(title, members, read, scale, zone))
    return Topics(
        first=days[0],
        last=days[1],
        messages=read,
        left_out=len(events) - read,
        other=max(0, read - sum(one.messages for one in made)),
        by="words" if meaning is None else "meaning",
        topics=tuple(made),
    )


def _meaning(exchanges: Sequence[Exchange], directions: Directions) -> "Numbers | None":
    """A direction for each exchange: what was asked, and less of it what was answered."""
    parts = [(words, reply) for one in exchanges for words, reply in one.parts]
    rows = directions([words for words, _ in parts])  # whole: so may have been embedded before
    if rows is None:
        return None
    import numpy as np  # noqa: PLC0415 - slow to import; only a picture of a week needs it

    made = np.zeros((len(exchanges), rows.shape[1]), dtype=np.float32)
    at = 0
    for place, one in enumerate(exchanges):
        for _, reply in one.parts:
            made[place] += rows[at] * (REPLY_WEIGHT if reply and len(one.parts) > 1 else 1.0)
            at += 1
    whole: Numbers = made / (np.linalg.norm(made, axis=1, keepdims=True) + 1e-9)
    return whole


def _topic(
    title: tuple[str, ...], members: Sequence[Exchange], read: int, scale: float, zone: tzinfo
) -> Topic:
    """A topic with its figures; `members` are its exchanges, the most typical first."""
    days = Counter(day_of(event.ts, zone).isoformat() for one in members for event in one.events)
    count = int(sum(days.values()) * scale)
    return Topic(
        name=title[0],
        words=title[1:],
        messages=count,
        share=round(count / read, 4),
        days={day: int(number * scale) for day, number in sorted(days.items())},
        examples=tuple(_example(one) for one in members[:EXAMPLES]),
    )


def _example(exchange: Exchange) -> Example:
    event, (words, _) = exchange.events[0], exchange.parts[0]
    flat = " ".join(words.split())
    return Example(event.id, event.ts, flat if len(flat) <= CLIP else f"{flat[: CLIP - 1]}…")


def _exchanges(events: Sequence[Event]) -> list[Exchange]:
    """In the order in which they began. Messages without anything to read are left out."""
    talks: dict[str, list[Event]] = {}
    for event in sorted(events, key=lambda event: (event.ts, event.seq)):
        talks.setdefault(event.session, []).append(event)
    made: list[Exchange] = []
    for talk in talks.values():
        made += _of_talk(talk)
    return sorted(made, key=lambda one: (one.ts, one.events[0].seq))


def _of_talk(talk: Sequence[Event]) -> list[Exchange]:
    made: list[Exchange] = []
    for event in talk:
        words = _readable(event)
        if not words:
            continue
        reply = event.origin == "agent"
        last = made[-1] if made else None
        near = last is not None and event.ts - last.ended <= PAUSE
        if last is not None and near and reply:
            made[-1] = msgspec.structs.replace(
                last,
                ended=event.ts,
                events=(*last.events, event),
                parts=(*last.parts, (words, True)),
            )
            continue
        made.append(
            Exchange(
                session=event.session, ts=event.ts, ended=event.ts, events=(event,),
                parts=((words, reply),),
            )
        )  # fmt: skip
    return made


def _readable(event: Event) -> str:
    """What a person or the agent says in a message; "" where that is nothing."""
    spoken = event.kind in EMBEDDED_KINDS and event.origin in EMBEDDED_ORIGINS
    if not spoken or event.source == SAID_BY_HAND:
        return ""
    text = event.text[: 4 * READ]
    if noise_reason(text) is not None:
        return ""
    return "\n".join(text[start:end] for start, end in knowledge_spans(text)).strip()


def _before(exchanges: Sequence[Exchange]) -> list[int]:
    """For each exchange the place of the one that it goes on with; −1 where it opens a talk."""
    last: dict[str, int] = {}
    before: list[int] = []
    for at, one in enumerate(exchanges):
        place = last.get(one.session, -1)
        near = place >= 0 and one.ts - exchanges[place].ended <= PAUSE
        before.append(place if near else -1)
        last[one.session] = at
    return before


def _spread(exchanges: Sequence[Exchange], most: int) -> list[Exchange]:
    """At most so many of them, evenly spread."""
    count = len(exchanges)
    if count <= most:
        return list(exchanges)
    return [exchanges[at * count // most] for at in range(most)]
