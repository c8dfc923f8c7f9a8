"""One conversation as the product keeps it, and what each pipeline answers in it.

A conversation becomes the only space of a temporary store: read by the importer, taken in, indexed,
embedded once, and asked through `recall` as any user would. Vectors are shared by all pipelines.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.errors import UsageError
from slowwave.evaluation.baselines import FUSED, FullText, Tokenizer, Vectors, fused
from slowwave.evaluation.metrics import DEPTH, Answer, Conversation
from slowwave.model import Event, Hit, Vector, text_hash
from slowwave.ports import Embedder, Progress, Store, no_progress
from slowwave.recall import index
from slowwave.recall.retrieve import Query, recall
from slowwave.settings import RecallSettings
from slowwave.text.segment import cjk_share

BASELINES = ("fts", "vector", "rrf")
"""What can be asked for as a baseline, by the names of the option."""

NEED_VECTORS = frozenset({"vector", "rrf"})

OURS, WORDS_ONLY = "slowwave", "slowwave, words only"
WORDS, TRIGRAM, NEAR, FUSION = "fts5", "fts5 trigram", "vectors", "rrf"

CHINESE = 0.3
"""Share of Chinese characters from which a question's words are cut into trigrams."""

MOST_SHARED = 200_000
"""Vectors kept for texts that come again (about 80 MB): haystacks share their sessions."""

ALL = 1_000_000_000


@dataclass(frozen=True)
class Plan:
    """How to measure. `baselines` None: all that are possible; `embedder` None: words only.

    `by_talk` draws conversations for the intervals; `split` divides them into those the product
    was tuned on and the others; `dreamed` names the embedder for nights to be dreamed first, for
    the injection after them. `day` is written beside the results.
    """

    baselines: tuple[str, ...] | None = None
    embedder: Embedder | None = None
    settings: RecallSettings = field(default_factory=RecallSettings)
    limit: int | None = None
    split: bool = False
    by_talk: bool = False
    dreamed: str | None = None
    day: date = field(default_factory=lambda: datetime.now(UTC).date())


class Shared:
    """An embedder that computes nothing twice while a measurement lasts."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vector | None] = {}
        self.name = embedder.name
        self.query = cache(embedder.query)

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """As `Embedder.passages`."""
        if len(self._known) > MOST_SHARED:
            self._known.clear()
        hashes = [text_hash(text) for text in texts]
        missing = {
            key: text for key, text in zip(hashes, texts, strict=True) if key not in self._known
        }
        if missing:
            vectors = self._embedder.passages(list(missing.values()))
            self._known.update(zip(missing, vectors, strict=True))
        return [self._known[key] for key in hashes]


class Room:
    """One conversation, taken in and indexed; `sessions` gives the session of each reference."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        conversation: Conversation,
        now: datetime,
        progress: Progress,
    ) -> None:
        self.store, self.embedder, self.space = store, embedder, conversation.name
        self.now, self._progress = now, progress
        intake = Intake(space=self.space, owner=conversation.owner, now=now)
        take_in(store, conversation.records, intake)
        index.catch_up(store, self.space, no_progress)
        if embedder is not None:
            index.embed_pending(store, embedder, self.space, ALL, progress)
        self.events: list[Event] = store.events_after(self.space, 0, ALL)
        self.sessions: Mapping[str, str] = {
            event.ref or event.id: event.session for event in self.events
        }

    @cached_property
    def plain(self) -> dict[Tokenizer, FullText]:
        """Full-text baselines."""
        names: tuple[Tokenizer, ...] = ("porter unicode61", "trigram")
        return {name: FullText(self.events, name) for name in names}

    @cached_property
    def near(self) -> Vectors | None:
        """The vector baseline."""
        if self.embedder is None:
            return None
        return Vectors(self.events, self.embedder, self._progress)

    def ask(
        self, text: str, settings: RecallSettings, embedder: Embedder | None, depth: int = DEPTH
    ) -> list[Hit]:
        """The product's own recall over the journal."""
        query = Query(text=text, space=self.space, now=self.now, k=depth, scope="events")
        return recall(self.store, embedder, query, settings)

    def inject(self, text: str, settings: RecallSettings, embedder: Embedder | None) -> list[Hit]:
        """What `context` would take in at the default threshold."""
        query = Query(
            text=text, space=self.space, now=self.now, k=settings.k,
            min_score=settings.min_score, for_prompt=True,
        )  # fmt: skip
        return recall(self.store, embedder, query, settings)


@contextmanager
def opened(
    conversation: Conversation,
    embedder: Embedder | None,
    progress: Progress,
    now: datetime | None = None,
) -> Iterator[Room]:
    """A room in a store of its own, asked at `now` or the day after the last words."""
    with TemporaryDirectory(prefix="slowwave-eval-") as folder:
        store = SqliteStore(Path(folder) / "eval.db")
        try:
            yield Room(store, embedder, conversation, now or _after(conversation), progress)
        finally:
            store.close()


def pipelines(plan: Plan, questions: Sequence[str]) -> tuple[str, ...]:
    """The pipelines of a run, baselines first, the product last. Raises UsageError.

    Trigrams come in where questions are Chinese: FTS5 knows no other words of theirs.
    """
    unknown = set(plan.baselines or ()) - set(BASELINES)
    if unknown:
        raise UsageError(
            f"unknown baseline {sorted(unknown)[0]!r}", f"known: {', '.join(BASELINES)}"
        )
    without = plan.embedder is None
    if plan.baselines is not None and without and NEED_VECTORS.intersection(plan.baselines):
        raise UsageError("this baseline needs an embedder", "leave it out, or --no-embedder")
    wanted = BASELINES if plan.baselines is None else plan.baselines
    chosen = []
    if "fts" in wanted:
        chosen.append(WORDS)
        if any(cjk_share(text) > CHINESE for text in questions):
            chosen.append(TRIGRAM)
    if not without:
        chosen += [name for key, name in (("vector", NEAR), ("rrf", FUSION)) if key in wanted]
        chosen.append(WORDS_ONLY)
    return (*chosen, OURS)


def answers(
    room: Room, text: str, names: Sequence[str], settings: RecallSettings, depth: int = DEPTH
) -> dict[str, Answer]:
    """What each pipeline gives for a question, by name: at most `depth` hits."""
    found = {}
    for name in names:
        if name in (OURS, WORDS_ONLY):
            embedder = room.embedder if name == OURS else None
            hits = room.ask(text, settings, embedder, depth)
            found[name] = Answer(tuple(hit.refs for hit in hits), tuple(hit.text for hit in hits))
        else:
            found[name] = _answer(_plain(room, text, name)[:depth])
    return found


def _plain(room: Room, text: str, name: str) -> list[Event]:
    if name == WORDS:
        return room.plain["porter unicode61"].search(text, FUSED)
    if name == TRIGRAM:
        return room.plain["trigram"].search(text, FUSED)
    near = room.near.search(text, FUSED) if room.near is not None else []
    if name == NEAR:
        return near
    words: Tokenizer = "trigram" if cjk_share(text) > CHINESE else "porter unicode61"
    return fused(room.plain[words].search(text, FUSED), near)


def _answer(events: Sequence[Event]) -> Answer:
    refs = tuple((event.ref or event.id,) for event in events)
    return Answer(refs, tuple(event.text for event in events))


def _after(conversation: Conversation) -> datetime:
    """The day after the last words: questions look back."""
    moments = [record.ts for record in conversation.records if record.ts is not None]
    latest = max(moments, default=datetime.fromisoformat("2026-01-01T00:00:00+00:00"))
    return latest + timedelta(days=1)
