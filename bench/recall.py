"""What a recall costs on spaces of 5,000 and 100,000 memories, and the memory a process needs.

    python bench/recall.py [memories …] [--json] [--questions 200] [--cold 5]

As many events, memories (one of each event), words and vectors of both. Each size is measured in a
process of its own, after `WARM_UP` other questions; the cold row is the first question of a fresh
process that has opened the store. The embedding of the question is not in it: its vector is given.

Beside each other in the same run: the whole recall by scope; a question of the six most common
words; a plain FTS5 query (the same words, OR, bm25, ten rows, over the memories); a plain product
of the whole matrix of vectors with the question's. Wall time p50 and p99 and CPU time p50 in ms;
`x` is the CPU p50 by that of the plain FTS5 query (wall time grows with every neighbour on the
machine). Resident memory is that of the whole process, idle, after all questions. Budgets
(quality.md): 100,000: p50 5 ms, p99 20 ms, 350 MB; 5,000: p50 1.5 ms. Vectors are random
directions, words are drawn by Zipf's law: nothing is easier than in real life, but nothing is
measured about quality here (`slowwave eval` does that).
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.ledger import index_row
from slowwave.model import Add, Dream, Event, Evidence, Memory, Vector, short_id
from slowwave.ports import no_progress
from slowwave.recall import index
from slowwave.recall.retrieve import Query, Scope, recall
from slowwave.settings import RecallSettings
from slowwave.text.segment import query_phrases

SPACE = "bench"
START = datetime(2024, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=400)
QUESTIONS = 200
WARM_UP = 50
BATCH = 2_000
DIMENSIONS = 384
MOST_FREQUENT = 100
SCOPES: tuple[Scope, ...] = ("memories", "all", "events")

Row = dict[str, Any]


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
    return " ".join(
        word(min(int(MOST_FREQUENT * dice.paretovariate(0.9)), 40_000)) for _ in range(length)
    )


def word(number: int) -> str:
    """The word of a rank: letters only, so that it is one term."""
    letters = ""
    while number:
        number, place = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[place] + "aeiou"[place % 5]
    return letters + "k"


def fill(store: SqliteStore, embedder: GivenVectors, dice: random.Random, count: int) -> None:
    """Puts so many memories into the space, each with its event; words and vectors of both."""
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
        vectors = [(event.id, dice.randbytes(DIMENSIONS)) for event in events]
        store.put_vectors(SPACE, "event", embedder.name, vectors)
    index.catch_up(store, SPACE, no_progress)


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


def resident_mb() -> float:
    """Resident memory of this process now, in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # not Linux: the most it ever was, in KB
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def timed(name: str, call: Callable[[str], object], questions: Sequence[str]) -> Row:
    """Wall and CPU milliseconds of one call per question."""
    walls, cpus = [], []
    for question in questions:
        began, worked = time.perf_counter(), time.thread_time()
        call(question)
        cpus.append((time.thread_time() - worked) * 1000)
        walls.append((time.perf_counter() - began) * 1000)
    walls.sort()
    cpus.sort()
    middle, last = len(walls) // 2, len(walls) * 99 // 100
    return {"name": name, "n": len(walls), "p50": walls[middle], "p99": walls[last],
            "cpu": cpus[middle]}  # fmt: skip


def recalling(store: SqliteStore, embedder: GivenVectors, scope: Scope) -> Callable[[str], object]:
    """The whole recall, but for the embedding of the question."""
    settings = RecallSettings()

    def whole(text: str) -> object:
        query = Query(text=text, space=SPACE, now=NOW, scope=scope)
        return recall(store, embedder, query, settings)

    return whole


def plain_words(file: Path) -> Callable[[str], object]:
    """A plain FTS5 query over the words of the memories."""
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    name = "words_1_memory_own"
    sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY bm25({name}) LIMIT 10"

    def match(text: str) -> object:
        phrases = (" ".join(phrase) for phrase in query_phrases(text))
        return list(connection.execute(sql, (" OR ".join(f'"{each}"' for each in phrases),)))

    return match


def plain_matrix(embedder: GivenVectors, count: int) -> Callable[[str], object]:
    """A plain product of so many vectors in single precision with the question's."""
    matrix = np.frombuffer(random.Random(1).randbytes(count * DIMENSIONS), np.int8)
    numbers = matrix.reshape(count, DIMENSIONS).astype(np.float32)

    def near(text: str) -> object:
        vector = np.frombuffer(embedder.query(text) or b"", np.int8).astype(np.float32)
        return np.argpartition(-(numbers @ vector), 10)[:10]

    return near


def measured(file: Path, size: int, questions: int) -> list[Row]:
    """All rows of one size, in this process."""
    dice = random.Random(size + 1)
    embedder = GivenVectors(dice)
    warm = [sentence(dice, 6) for _ in range(WARM_UP)]
    asked = [sentence(dice, 6) for _ in range(questions)]
    common = " ".join(word(MOST_FREQUENT + place) for place in range(6))
    found = []
    with closing(SqliteStore(file)) as store:
        for scope in SCOPES:
            call = recalling(store, embedder, scope)
            for question in warm:
                call(question)
            found.append(timed(f"recall, {scope}", call, asked))
        call = recalling(store, embedder, "all")
        call(common)
        found.append(timed("recall, common words", call, [common] * questions))
        memory = resident_mb()
    words, near = plain_words(file), plain_matrix(embedder, size)
    words(common)
    found.append(timed("plain FTS5", words, asked))
    found.append(timed("plain FTS5, common words", words, [common] * (questions // 4)))
    found.append(timed("plain matrix product", near, asked))
    for row in found:
        row["ratio"] = row["cpu"] / next(r["cpu"] for r in found if r["name"] == "plain FTS5")
    return [*found, {"name": "resident memory", "mb": memory}]


def first(file: Path, size: int) -> Row:
    """The first question of a process."""
    dice = random.Random(size + 2)
    embedder = GivenVectors(dice)
    question = sentence(dice, 6)
    with closing(SqliteStore(file)) as store:
        return timed("first", recalling(store, embedder, "all"), [question])


def in_a_process(*arguments: str) -> Any:
    """What a fresh process measured."""
    command = [sys.executable, __file__, *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def table(size: int, rows: Sequence[Row]) -> None:
    """Prints the rows of one size."""
    print(f"{size} memories and as many events, words and vectors of both")
    for row in rows:
        if "mb" in row:
            print(f"  {row['name']:<26} {row['mb']:8.1f} MB")
            continue
        ratio = f"{row['ratio']:6.2f} x" if "ratio" in row else ""
        print(f"  {row['name']:<26} n {row['n']:4}  p50 {row['p50']:8.2f} ms  "
              f"p99 {row['p99']:8.2f} ms  CPU p50 {row['cpu']:8.2f} ms  {ratio}")  # fmt: skip


def main() -> None:
    """Measures each size and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sizes", nargs="*", type=int, default=[5_000, 100_000])
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--cold", type=int, default=5, help="fresh processes for the cold row")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.file is not None:
        size = given.sizes[0]
        done: Any = first(given.file, size) if given.first else measured(
            given.file, size, given.questions
        )  # fmt: skip
        print(json.dumps(done))
        return
    tables: dict[str, list[Row]] = {}
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bench.db"
            dice = random.Random(size)
            with closing(SqliteStore(file)) as store:
                fill(store, GivenVectors(dice), dice, size)
            this = (str(size), "--file", str(file))
            rows = in_a_process(*this, "--questions", str(given.questions))
            colds = [in_a_process(*this, "--first") for _ in range(given.cold)]
            rows.append(cold_row(colds))
        tables[str(size)] = rows
        if not given.json:
            table(size, rows)
    if given.json:
        print(json.dumps({"cores": os.cpu_count(), "sizes": tables}, indent=1))


def cold_row(colds: Sequence[Row]) -> Row:
    """The middle and the worst of first questions."""
    walls = sorted(row["p50"] for row in colds)
    cpus = sorted(row["cpu"] for row in colds)
    middle = len(walls) // 2
    return {"name": "recall, all, cold", "n": len(walls), "p50": walls[middle],
            "p99": walls[-1], "cpu": cpus[middle]}  # fmt: skip


if __name__ == "__main__":
    main()
