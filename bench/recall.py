"""What a warm recall costs on spaces of 5,000 and 100,000 memories, words and vectors.

    python bench/recall.py [memories …]

Wall time of `recall` in one process after a first question, p50 and p99 over 200 questions, without
the embedding of the question (its vector is given). Beside it the bare word search and the bare
vector search of the same store in the same run. Budgets (quality.md): 100,000: p50 5 ms, p99 20 ms;
5,000: p50 1.5 ms. Vectors are random directions, words drawn by Zipf's law: nothing is easier
than in real life, but nothing is measured about quality here (`slowwave eval` does that).
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.ledger import index_row
from slowwave.model import Add, Dream, Event, Evidence, Memory, Vector, short_id
from slowwave.recall.retrieve import Query, recall
from slowwave.settings import RecallSettings
from slowwave.text.segment import query_phrases

SPACE = "bench"
START = datetime(2024, 1, 1, tzinfo=UTC)
QUESTIONS = 200
BATCH = 2_000
DIMENSIONS = 384


class GivenVectors:
    """An embedder that costs nothing: a random direction for each question."""

    name = "given/1/384"

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """One random vector per text."""
        return [self._dice.randbytes(DIMENSIONS) for _ in texts]

    def query(self, _text: str) -> Vector | None:
        """A random vector."""
        return self._dice.randbytes(DIMENSIONS)


def sentence(dice: random.Random, length: int) -> str:
    """Invented words; the most frequent one is in every eighth sentence, as content words are."""
    return " ".join(word(min(int(100 * dice.paretovariate(0.9)), 40_000)) for _ in range(length))


def word(number: int) -> str:
    """The word of a rank: letters only, so that it is one term."""
    letters = ""
    while number:
        number, place = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[place] + "aeiou"[place % 5]
    return letters + "k"


def fill(store: SqliteStore, embedder: GivenVectors, dice: random.Random, count: int) -> None:
    """Puts so many memories into the space, each with its event, words and vector."""
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        events = [_event(number, sentence(dice, 14)) for number in numbers]
        store.append(events)
        memories = [_memory(event) for event in events]
        changes = tuple(
            Add(id=f"c{memory.id}", memory_id=memory.id, after=memory, reason="", approved=True)
            for memory in memories
        )
        dream = Dream(
            dream_id=f"d{start}", space=SPACE, mode="apply", date="2024-01-01", run_at=START,
            status="applied", changes=changes,
        )  # fmt: skip
        store.commit(dream, [index_row(memory) for memory in memories], START)
        vectors = [(memory.id, dice.randbytes(DIMENSIONS)) for memory in memories]
        store.put_vectors(SPACE, "memory", embedder.name, vectors)


def _event(number: int, text: str) -> Event:
    return Event(
        id=short_id("e", str(number)), space=SPACE, identity=str(number),
        ts=START + timedelta(minutes=number), role="user", kind="message", origin="owner",
        text=text, source="bench",
    )  # fmt: skip


def _memory(event: Event) -> Memory:
    span = Evidence(event_id=event.id, quote=event.text, start=0, end=len(event.text), ts=event.ts)
    return Memory(
        id=short_id("m", event.id), kind="fact", subject="user", title="", text=event.text,
        entities=(), importance=50, confidence=0.8, status="active", standing="standing",
        negated=False, evidence=(span,), dream_id="d", first_seen=event.ts, last_seen=event.ts,
    )  # fmt: skip


def measure(name: str, call: Callable[[str], object], questions: Sequence[str]) -> None:
    """Prints p50 and p99 of one call per question."""
    call(questions[0])
    times = []
    for question in questions:
        began = time.perf_counter()
        call(question)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    middle, worst = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"  {name:<28} p50 {middle:7.2f} ms   p99 {worst:7.2f} ms")


def main() -> None:
    """Measures each size."""
    sizes = [int(given) for given in sys.argv[1:]] or [5_000, 100_000]
    for size in sizes:
        dice = random.Random(size)
        embedder = GivenVectors(dice)
        questions = [sentence(dice, 6) for _ in range(QUESTIONS)]
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "bench.db")
            fill(store, embedder, dice, size)
            print(f"{size} memories, n = {QUESTIONS} questions")
            run(store, embedder, questions)
            store.close()


def run(store: SqliteStore, embedder: GivenVectors, questions: Sequence[str]) -> None:
    """Recall as a whole, and its two searches alone."""
    settings = RecallSettings()
    now = START + timedelta(days=400)

    def whole(text: str) -> object:
        query = Query(text=text, space=SPACE, now=now, scope="memories")
        return recall(store, embedder, query, settings)

    def words(text: str) -> object:
        phrases = query_phrases(text)
        return store.match(SPACE, "memory", "own", phrases, mode="any", limit=settings.candidates)

    def near(text: str) -> object:
        vector = embedder.query(text) or b""
        return store.nearest(SPACE, "memory", embedder.name, vector, settings.candidates)

    measure("recall", whole, questions)
    measure("words alone", words, questions)
    measure("vectors alone", near, questions)


if __name__ == "__main__":
    main()
