"""A question, and what it is limited to."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Literal

import msgspec

from slowwave.model import Kind, Vector, day_of
from slowwave.ports import Embedder, Store
from slowwave.recall import index, rank
from slowwave.settings import RecallSettings
from slowwave.text.segment import Phrase, cjk_share, query_phrases

Scope = Literal["all", "memories", "events"]

Days = tuple[tuple[date, date], ...]
"""First and last day of each period."""

QUESTION_CHARS = 4_000
"""What of a question is read: a pasted page asks with its beginning, and must not take seconds."""

EMBED_WHILE_WAITING = 16
"""Memories without a vector that a recall embeds before it searches."""


_TIME_WORD = re.compile(
    r"\d|[今昨明前后去当那][天日年晚晨早]|[天年日月号周旬]|星期|礼拜|季度|[春夏秋冬]|节|最近|刚才|现在"
    r"|\b(?:today|tonight|yesterday|tomorrow|now|current(?:ly)?|ago|last|next|past|recent(?:ly)?"
    r"|(?:week|month|year|day|night|morning|evening|afternoon|weekend|season|quarter|decade)s?"
    r"|(?:mon|tues?|wednes|thurs?|fri|satur|sun)day"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|spring|summer|autumn|fall|winter|christmas|easter|halloween|thanksgiving|holidays?)\b",
    re.IGNORECASE,
)
"""Words that times are made of (a closed class): without any of them no day can be named."""


_ME = re.compile(r"[我俺咱]|\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_YOU = re.compile(
    r"[你您](?!能|可以|会|还?记得|知道)"
    r"|(?<!can )(?<!could )(?<!would )(?<!will )\byou(?:r|rs)?\b(?! (?:remember|know|recall))",
    re.IGNORECASE,
)
"""The agent as one who said something, not as one who is asked ("can you tell me")."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """One question and what the answer is limited to.

    `kind` and `subject` leave only memories. `since` and `until` bound when it was said (until is
    exclusive), `as_of` asks for what held then. `explain` fills `Hit.scores`. `for_prompt` leaves
    out what is not fit to be read as an answer without anybody looking.
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

    @property
    def filtered(self) -> bool:
        """Whether candidates will be thrown away."""
        given = (self.kind, self.subject, self.since, self.until, self.as_of)
        return any(bound is not None for bound in given)


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as it is searched for; `matter` are its phrases without those that name days."""

    query: Query
    settings: RecallSettings
    phrases: list[Phrase]
    matter: list[Phrase]
    vector: Vector | None
    embedder: str
    share: float
    weights: rank.Weights
    days: Days

    @property
    def zone(self) -> tzinfo:
        """The user's zone."""
        return self.query.now.tzinfo or UTC

    @property
    def today(self) -> date:
        """The user's day."""
        return day_of(self.query.now, self.zone)

    @property
    def about_me(self) -> bool:
        """Whether the question is about the one who asks, and not about what the agent said."""
        return bool(_ME.search(self.query.text)) and not self.about_you

    @property
    def about_you(self) -> bool:
        """Whether the question is about what the agent said."""
        return bool(_YOU.search(self.query.text))

    @property
    def about_today(self) -> bool:
        """Whether the question is about this very day."""
        return (self.today, self.today) in self.days


def ask(store: Store, embedder: Embedder | None, query: Query, settings: RecallSettings) -> Asked:
    """The question cut into words, embedded, and searched for days. Raises EmbedderError."""
    query = msgspec.structs.replace(query, text=query.text[:QUESTION_CHARS])
    vector, name = None, ""
    if embedder is not None:
        vector = embedder.query(query.text)
        name = embedder.name
        if query.scope != "events":
            index.embed_memories(store, embedder, query.space, EMBED_WHILE_WAITING)
    days, rest = _days(query)
    # Without the time beside it a run of characters falls apart otherwise: 今晚吃 is 今晚 and 吃.
    matter = query_phrases(rest) if days else []
    phrases = list(dict.fromkeys((*query_phrases(query.text), *matter)))
    share = cjk_share(query.text)
    return Asked(
        query=query,
        settings=settings,
        phrases=phrases,
        matter=matter if days else phrases,
        vector=vector,
        embedder=name,
        share=share,
        weights=rank.weights(settings, share),
        days=days,
    )


def _days(query: Query) -> tuple[Days, str]:
    """First and last day of every time that the question names, and the question without them."""
    if not _TIME_WORD.search(query.text):
        return (), query.text
    # The calendars take a third of a cold recall to load: only a question with a time pays that.
    from slowwave.text.dates import find_times  # noqa: PLC0415

    spans = []
    rest = query.text
    for found in find_times(query.text, query.now):
        if found.kind == "recurring" or found.bounds is None:
            continue
        try:
            first, last = (date.fromisoformat(bound[:10]) for bound in found.bounds)
        except ValueError:
            continue  # an open end: it names no days
        spans.append((first, last))
        blank = " " * (found.end - found.start)
        rest = rest[: found.start] + blank + rest[found.end :]
    return tuple(spans), rest
