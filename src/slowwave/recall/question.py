"""A question, and what it is limited to."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Literal

import msgspec

from slowwave.model import Caller, Kind, Vector, day_of
from slowwave.ports import Embedder, Store
from slowwave.recall import index, period, rank
from slowwave.recall.guidance import asks_for_work
from slowwave.recall.period import Days
from slowwave.settings import RecallSettings
from slowwave.text.later import later
from slowwave.text.segment import Phrase, cjk_share, query_phrases

Scope = Literal["all", "memories", "events"]

QUESTION_CHARS = 4_000
"""What of a question is read: a pasted page asks with its beginning, and must not take seconds."""

EMBED_WHILE_WAITING = 16
"""Memories without a vector that a recall embeds before it searches."""


_ME = re.compile(r"[我俺咱]|\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_YOU = re.compile(
    r"[你您](?!能|可以|会|还?记得|知道)"
    r"|(?<!can )(?<!could )(?<!would )(?<!will )\byou(?:r|rs)?\b(?! (?:remember|know|recall))",
    re.IGNORECASE,
)
"""The agent as one who said something, not as one who is asked ("can you tell me")."""


_THIS_DAY = later(
    r"今[天日早晚]|当天|\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE
)


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question and what the answer is limited to.

    `kind` and `subject` leave only memories. `since` and `until` bound when it was said (until is
    exclusive), `as_of` asks for what held then. `explain` fills `Hit.scores`. `for_prompt` leaves
    out what is not fit to be read as an answer without anybody looking. `session` is the running
    conversation, `caller` who asks.
    """

    text: str
    space: str
    now: datetime
    k: int = 8
    scope: Scope = "all"
    kind: Kind | None = None
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    include_cold: bool = False
    min_score: float = 0.0
    explain: bool = False
    for_prompt: bool = False
    session: str = ""
    caller: Caller = "person"

    @property
    def filtered(self) -> bool:
        """Whether candidates will be thrown away."""
        given = (self.kind, self.subject, self.since, self.until, self.as_of)
        return any(bound is not None for bound in given)


def moment(query: Query) -> datetime:
    """The moment at which a question stands, in the user's zone: `as_of`, else now."""
    return (query.as_of or query.now).astimezone(query.now.tzinfo or UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as it is searched for.

    `rest` is its text without the words that name days, `matter` are the phrases of that.
    `for_work`: it asks for something to be done. `about_you`: it is about what the agent said;
    `about_me`: about the one who asks, and not about what the agent said.
    """

    query: Query
    settings: RecallSettings
    phrases: list[Phrase]
    matter: list[Phrase]
    vector: Vector | None
    embedder: str
    share: float
    weights: rank.Weights
    days: Days
    rest: str
    for_work: bool
    about_you: bool
    about_me: bool

    @property
    def zone(self) -> tzinfo:
        """The user's zone."""
        return self.query.now.tzinfo or UTC

    @property
    def today(self) -> date:
        """The day at which the question is asked: the user's day, or that of `as_of`."""
        return day_of(moment(self.query), self.zone)

    @property
    def about_today(self) -> bool:
        """Whether the question is about this very day."""
        return bool(self.days) and (self.today, self.today) in self.days


def _but_that_day(named: Days, query: Query) -> Days:
    """The days that are named, without the one as of which it is asked.

    "What was the port on 7 April", as of that day, asks for what held then, whenever it was said;
    "what is on today" does ask about that very day.
    """
    if query.as_of is None or _THIS_DAY.search(query.text):
        return named
    day = day_of(query.as_of, query.now.tzinfo or UTC)
    return tuple(span for span in named if span != (day, day))


def ask(store: Store, embedder: Embedder | None, query: Query, settings: RecallSettings) -> Asked:
    """The question cut into words, embedded, and searched for days. Raises EmbedderError."""
    query = msgspec.structs.replace(query, text=query.text[:QUESTION_CHARS])
    vector, name = None, ""
    if embedder is not None:
        vector = embedder.query(query.text)
        name = embedder.name
        if query.scope != "events":
            index.embed_memories(store, embedder, query.space, EMBED_WHILE_WAITING)
    named, rest = period.named(query.text, moment(query))
    # Without the time beside it a run of characters falls apart otherwise: 今晚吃 is 今晚 and 吃.
    matter = query_phrases(rest) if named else []
    days = _but_that_day(named, query)
    phrases = list(dict.fromkeys((*query_phrases(query.text), *matter)))
    share = cjk_share(query.text)
    for_work = asks_for_work(query.text)
    # "What would you suggest" asks the agent, and is not about what it said.
    about_you = bool(_YOU.search(query.text)) and not for_work
    return Asked(
        query=query,
        settings=settings,
        phrases=phrases,
        matter=matter if named else phrases,
        vector=vector,
        embedder=name,
        share=share,
        weights=rank.weights(settings, share),
        days=days,
        rest=rest,
        for_work=for_work,
        about_you=about_you,
        about_me=bool(_ME.search(query.text)) and not about_you,
    )
