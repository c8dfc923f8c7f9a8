"""A small world for recall: an in-memory store, events and memories in a line each."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.ledger import index_row
from slowwave.model import Add, Dream, Event, Evidence, Hit, Memory, Vector, short_id
from slowwave.ports import no_progress
from slowwave.recall import index
from slowwave.recall.retrieve import Query, recall
from slowwave.settings import RecallSettings
from slowwave.text.segment import terms

SPACE = "test"
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


class WordEmbedder:
    """Vectors of word counts: texts with the same words are near, whatever their order."""

    name = "words/1/64"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        self.embedded.extend(texts)
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Vector | None:
        counts = [0] * 64
        for term in terms(text):
            counts[crc32(term.encode()) % 64] += 1
        peak = max(counts)
        return bytes(127 * count // peak for count in counts) if peak else None


class World:
    """One space of one store."""

    def __init__(self) -> None:
        self.store = InMemoryStore()
        self.embedder: WordEmbedder | None = None

    def say(self, text: str, **fields: Any) -> Event:
        number = len(self.store.events_after(SPACE, 0, 10_000))
        given: dict[str, Any] = {
            "id": short_id("e", str(number)),
            "space": SPACE,
            "identity": str(number),
            "ts": NOW - timedelta(days=30) + timedelta(minutes=number),
            "role": "user",
            "kind": "message",
            "origin": "owner",
            "text": text,
            "source": "test",
            "session": "s1",
            "ref": f"r{number}",
        }
        return self.store.append([Event(**{**given, **fields})]).stored[0]

    def learn(self, event: Event, **fields: Any) -> Memory:
        span = Evidence(
            event_id=event.id, quote=event.text, start=0, end=len(event.text), ref=event.ref,
            ts=event.ts, speaker=event.speaker,
        )  # fmt: skip
        given: dict[str, Any] = {
            "id": short_id("m", event.id, event.text, str(sorted(fields.items(), key=str))),
            "kind": "fact",
            "subject": "user",
            "title": event.text,
            "text": event.text,
            "entities": (),
            "importance": 60,
            "confidence": 0.8,
            "status": "active",
            "standing": "standing",
            "negated": False,
            "evidence": (span,),
            "dream_id": "d1",
            "first_seen": event.ts,
            "last_seen": event.ts,
        }
        memory = Memory(**{**given, **fields})
        change = Add(
            id=f"c{memory.id}", memory_id=memory.id, after=memory, reason="", approved=True
        )
        dream = Dream(
            dream_id=f"d{memory.id}", space=SPACE, mode="apply", date="2026-06-14", run_at=NOW,
            status="applied", changes=(change,),
        )  # fmt: skip
        self.store.commit(dream, [index_row(memory)], NOW)
        return memory

    def ask(self, text: str, **options: Any) -> list[Hit]:
        index.catch_up(self.store, SPACE, no_progress)
        if self.embedder is not None:
            index.embed_pending(self.store, self.embedder, SPACE, 10_000, no_progress)
        settings = options.pop("settings", RecallSettings())
        query = msgspec.convert({"text": text, "space": SPACE, "now": NOW, **options}, Query)
        return recall(self.store, self.embedder, query, settings)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()
