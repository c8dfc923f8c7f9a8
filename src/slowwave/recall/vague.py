"""What a vague question means: recency, salience, who said it, its sort, and the running session.

"That thing from last time" shares no word with its answer. What speaks for an answer is when it was
talked about (the running talk, the one before it, the last days), how much it mattered there (what
a memory holds and how important that is, what is still open, what the talk kept coming back to),
who said it and of what sort it is. What was said in the running session right before tells what a
bare "that" is: its words are lent to the question.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from slowwave.model import Event, Memory
from slowwave.ports import Embedder, Phrase, Store
from slowwave.recall import period
from slowwave.recall.candidates import NOTHING
from slowwave.recall.found import Found
from slowwave.recall.pointing import Pointing, pointing
from slowwave.recall.question import Asked, Query, moment
from slowwave.recall.sorts import is_bare, likeness
from slowwave.recall.talks import HALF_LIFE_DAYS, RECENT, Turn, last_turns, turns
from slowwave.text.cited import cited_term
from slowwave.text.segment import fold, query_phrases
from slowwave.text.stopwords import HAN_CHARS

__all__ = ["Pointing", "for_prompt", "found", "lean", "lend", "merged", "pointing"]

LONG_AGO = timedelta(days=90)
"""What goes into a prompt without a session is not older, where a sort of thing is named; else it
is of the last two weeks (N2)."""

LENT_PHRASES = 8
LENT_CHARS = 400

SOME_TURNS = 3
"""Turns from which a session has a topic of its own."""

LEAST_WORTH = 0.5
"""What a turn is worth that shares nothing with its talk. One with hardly a word, or that has
nothing to do with the running session, is worth less, and never certain."""

UNRELATED = 0.4
"""Factor on what shares no word with what the running session lends."""

FULL = 0.8
"""The score of what everything speaks for: vague evidence is never certain."""

OTHER_MOUTH = 0.5
AGENT = 0.9
ASKING = 0.7
THIN = 0.6
"""Factors: said by somebody else than asked for, by the agent, a question, hardly a word."""

LIKENESS = 2.0
"""Power of the likeness of sorts: it counts more than the time."""

ANSWERED = 0.9
"""Share of its likeness that what was said lends to the answer: "which film?" to its title."""

OTHER_SORT = 0.4
"""How sure the best is where nothing tells that it is of the sort that is asked for."""

FOR_A_PROMPT = 0.7
"""Share of the best score below which a vague hit stays out of a prompt."""

MOST_IN_PROMPT = 5

LEANING = 0.15
"""How much being old costs where the question names something and only points besides."""

_Owned = Mapping[str, Sequence[Memory]]


def lend(
    store: Store, embedder: Embedder | None, asked: Asked, pointed: Pointing
) -> tuple[Asked, Pointing | None]:
    """The question as it is searched for: its own content, and what the running session lends.

    A bare pronoun with no session to explain it points at nothing (None). Nothing is lent to what
    points at another talk, nor to a question with content of its own. Raises EmbedderError.
    """
    if pointed.grade == "tie":
        plain = query_phrases(pointed.plain) if pointed.sure else []
        if plain:
            asked = dataclasses.replace(asked, phrases=plain, matter=plain)
        return asked, pointed if pointed.sure else None
    own = [] if is_bare(pointed.what) else query_phrases(pointed.what)
    told = last_turns(store, asked.query)
    if pointed.stopped and not pointed.talk:
        # Who has just begun to talk asks for the talk before.
        pointed = dataclasses.replace(pointed, talk="now" if len(told) >= SOME_TURNS else "last")
    if pointed.talk in {"now", "last"}:
        told = []
    lent = _lent(told, asked, pointed)
    if not lent and not pointed.sure:
        return asked, None
    phrases = list(dict.fromkeys((*own, *lent)))
    vector = asked.vector if own else None
    if lent and embedder is not None:
        vector = embedder.query(" ".join((*(turn.text for turn in told[-2:]), asked.query.text)))
    return dataclasses.replace(asked, phrases=phrases, matter=phrases, vector=vector), pointed


def _lent(told: Sequence[Event], asked: Asked, pointed: Pointing) -> list[Phrase]:
    """What the running session's last turns are about: the user's words first, the newest first."""
    newest = sorted(told, key=lambda turn: (turn.origin != "owner", -turn.seq))
    texts = [turn.text[:LENT_CHARS] for turn in newest]
    if pointed.what and not pointed.bare and not any(pointed.what in fold(text) for text in texts):
        return []  # it names what it means, and that is something else
    now = moment(asked.query)
    phrases = (phrase for text in texts for phrase in query_phrases(period.named(text, now)[1]))
    # Where a function word is in a bigram, it stands between two words.
    whole = (phrase for phrase in phrases if not HAN_CHARS.intersection("".join(phrase)))
    return list(dict.fromkeys(whole))[:LENT_PHRASES]


def found(
    store: Store, asked: Asked, pointed: Pointing
) -> tuple[list[Found], list[Found], list[Found]]:
    """What a vague question may mean, with scores of their own, each list best first.

    Memories, the events they may stand for, and events of the sort that is asked for whose
    memories lost the very words that tell it.
    """
    said = list(turns(store, asked, pointed))
    if not said:
        return [], [], []
    memories = _citing(store, asked.query, [turn.event for turn in said])
    owned: dict[str, list[Memory]] = {}
    for memory in memories.values():
        for span in memory.evidence:
            owned.setdefault(span.event_id, []).append(memory)
    own = query_phrases(pointed.what)
    lent = [phrase for phrase in asked.phrases if phrase not in own]
    worth = _salience(said, owned, _open(store, asked.query), lent)
    like = _likenesses(said, pointed)
    values = [
        turn.weight * worth[turn.event.id] * like[turn.event.id] ** LIKENESS * _told(turn, pointed)
        for turn in said
    ]
    best, top = max(zip(values, said, strict=True), key=lambda each: each[0])
    # How sure the best is depends on its time and its sort; the others stand below it.
    sure = top.weight * (OTHER_SORT + (1 - OTHER_SORT) * like[top.event.id])
    if worth[top.event.id] < LEAST_WORTH:
        sure *= UNRELATED
    scale = FULL * sure / best if best > 0 else 0.0
    scores = {turn.event.id: scale * value for turn, value in zip(said, values, strict=True)}
    held = {one.id: _held(one, scores, like, pointed) for one in memories.values()}
    lost = {
        unit_id
        for unit_id, score in scores.items()
        if unit_id in owned and score > max(held[one.id].relevance for one in owned[unit_id])
    }
    events = [_scored(turn.event, scores[turn.event.id]) for turn in said]
    return (
        _best_first(held.values()),
        _best_first(each for each in events if each.unit.id not in lost),
        _best_first(each for each in events if each.unit.id in lost),
    )


def for_prompt(hits: Sequence[Found], asked: Asked, pointed: Pointing) -> list[Found]:
    """Those of vague hits (best first) that may go into a prompt: of the last days, and clear."""
    query = asked.query
    if not pointed.sure or (pointed.talk == "now" and query.session):
        return []  # the running session is in the prompt already, word for word
    since = moment(query) - (LONG_AGO if pointed.grade == "sort" else RECENT)
    kept = [
        each
        for each in hits
        if each.score >= FOR_A_PROMPT * hits[0].score
        and not each.over
        and (bool(query.session) or _said(each) >= since)
    ]
    return kept[:MOST_IN_PROMPT]


def lean(store: Store, hits: Sequence[Found], asked: Asked, pointed: Pointing) -> list[Found]:
    """What the question's content found, the pointing settling ties among it.

    What was said in the running talk right before is what "that" stands for, and no answer.
    """
    now = moment(asked.query)
    lent = pointed.talk != "now" and pointed.grade != "tie"
    here = {turn.id for turn in last_turns(store, asked.query)} if lent else set()
    kept = []
    for each in hits:
        age = max(timedelta(0), now - _said(each))
        unit = each.unit
        said = [unit.id] if isinstance(unit, Event) else [one.event_id for one in unit.evidence]
        if here.issuperset(said):
            continue
        if isinstance(unit, Event) and pointed.who and unit.origin != pointed.who:
            each.factor *= OTHER_MOUTH
        if pointed.grade == "sort" and pointed.sort:
            # "that book" is in "booking a table" by its letters only.
            like = likeness(unit, pointed.sort, pointed.what)
            each.factor *= OTHER_SORT + (1 - OTHER_SORT) * like
        faded = 0.5 ** (age / timedelta(days=HALF_LIFE_DAYS))
        each.factor *= 1 - LEANING * (1 - faded)
        kept.append(each)
    return kept


def merged(hits: Sequence[Found], meant: Sequence[Found]) -> list[Found]:
    """Both, each unit once with the better of its scores; best first."""
    best: dict[str, Found] = {}
    for each in (*hits, *meant):
        known = best.setdefault(each.unit.id, each)
        if known.score < each.score:
            best[each.unit.id] = each
    return sorted(best.values(), key=lambda each: (-each.score, each.unit.id))


def _scored(unit: Memory | Event, score: float) -> Found:
    return Found(unit, NOTHING, score, strength=1.0)


def _best_first(hits: Iterable[Found]) -> list[Found]:
    return sorted(hits, key=lambda each: (-each.relevance, each.unit.id))


def _said(each: Found) -> datetime:
    return each.unit.last_seen if isinstance(each.unit, Memory) else each.unit.ts


# ── how much they mattered ──────────────────────────────────────────────────────────────────────


def _citing(store: Store, query: Query, events: Sequence[Event]) -> Mapping[str, Memory]:
    phrases = [(cited_term(event.id),) for event in events]
    hits = store.match(query.space, "memory", "own", phrases, mode="any", limit=len(events) * 3)
    known = store.memories_by_id(query.space, [hit.id for hit in hits])
    return {unit_id: memory for unit_id, memory in known.items() if not memory.undone}


def _open(store: Store, query: Query) -> frozenset[str]:
    """The events that opened what is still open."""
    items = store.working(query.space)
    return frozenset(item.event_id for item in items if item.state == "open" and item.event_id)


def _held(
    memory: Memory, scores: Mapping[str, float], like: Mapping[str, float], pointed: Pointing
) -> Found:
    """A memory with the score of its best event, less where it lost the words of the sort."""
    best = max((span.event_id for span in memory.evidence), key=lambda one: scores.get(one, 0.0))
    score = scores.get(best, 0.0)
    if pointed.grade == "sort" and score:
        own = likeness(memory, pointed.sort, pointed.what)
        score *= min(1.0, own / like[best]) ** LIKENESS
    return _scored(memory, score)


def _salience(
    said: Sequence[Turn], owned: _Owned, still_open: frozenset[str], lent: Sequence[Phrase]
) -> dict[str, float]:
    """0–1 by event: how much of its talk's topic it holds, and what became of it."""
    phrases = {turn.event.id: set(query_phrases(turn.event.text[:400])) for turn in said}
    spread: dict[int, Counter[Phrase]] = {}
    for turn in said:
        spread.setdefault(turn.place, Counter()).update(phrases[turn.event.id])
    values = {}
    for turn in said:
        words = phrases[turn.event.id]
        topic = sum(spread[turn.place][phrase] > 1 for phrase in words)
        values[turn.event.id] = (
            min(1.0, topic / 6)
            + min(1.0, len(words) / 10)
            + max((_worth(memory) for memory in owned.get(turn.event.id, ())), default=0.0)
            + (turn.event.id in still_open)
        )
    top = max(values.values(), default=0.0) or 1.0
    return {
        unit_id: (LEAST_WORTH + (1 - LEAST_WORTH) * value / top)
        * (THIN if len(phrases[unit_id]) < 2 else 1.0)
        * (UNRELATED if lent and not phrases[unit_id].intersection(lent) else 1.0)
        for unit_id, value in values.items()
    }


def _worth(memory: Memory) -> float:
    """What became of a turn: a memory, its importance, whether it was pinned or said again."""
    again = min(1.0, (memory.mention_count - 1) / 4)
    return 0.5 + memory.importance / 100 + memory.pinned + 0.5 * again


def _told(turn: Turn, pointed: Pointing) -> float:
    """0–1: whether it was said, and by whom the question tells."""
    event = turn.event
    value = ASKING if event.text.rstrip().endswith(("?", "？")) else 1.0
    if pointed.who and event.origin != pointed.who:
        return value * OTHER_MOUTH
    return value * AGENT if not pointed.who and event.origin == "agent" else value


def _likenesses(said: Sequence[Turn], pointed: Pointing) -> dict[str, float]:
    """0–1 by event: whether it is of the sort that the question tells, 1 where that tells none.

    An answer is of the sort of its question. `said` is newest first in each talk.
    """
    if pointed.grade != "sort":
        return {turn.event.id: 1.0 for turn in said}
    own = [likeness(turn.event, pointed.sort, pointed.what) for turn in said]
    found = {}
    for at, turn in enumerate(said):
        value = own[at]
        before = said[at + 1] if at + 1 < len(said) else None
        if before and before.place == turn.place and before.event.origin != turn.event.origin:
            value = max(value, ANSWERED * own[at + 1])
        found[turn.event.id] = value
    return found
