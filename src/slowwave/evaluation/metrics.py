"""What is measured: how much of a question's evidence is among the first hits, and at what price.

Recall@k is the share of a question's evidence among its first k hits, averaged over questions.
Where evidence has alternatives, the best one counts. `whole` counts a question only when an
alternative is there as a whole.
"""

from collections.abc import Sequence

import msgspec

from slowwave.model import Record
from slowwave.text.tokens import estimate

TOTAL = "all"
"""The kind of the row that sums up a pipeline."""

DEPTH = 20
"""Hits that are asked for."""


class Question(msgspec.Struct, frozen=True):
    """One question: `evidence` are alternatives, each the references that answer it together.

    `kinds` are the rows it counts in, beside the total; `counts` is whether the total takes it.
    `sides` are the references of two statements that cannot both hold now, for a question that
    has such.
    """

    text: str
    kinds: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]
    counts: bool = True
    sides: tuple[tuple[str, ...], ...] = ()


class Conversation(msgspec.Struct, frozen=True):
    """One log and what is asked about it. `owner` is the user's name in the log, if any."""

    name: str
    records: tuple[Record, ...]
    questions: tuple[Question, ...]
    owner: str = ""


class Dataset(msgspec.Struct, frozen=True):
    """Conversations, how many questions were left out, and how many references were not usable."""

    name: str
    conversations: tuple[Conversation, ...]
    skipped: int = 0
    malformed: int = 0
    whole: bool = False


class Row(msgspec.Struct, frozen=True):
    """One pipeline on one kind of question: percent, and mean tokens of the first ten hits."""

    pipeline: str
    kind: str
    n: int
    r5: float
    r10: float
    r20: float
    tokens10: float


class Table(msgspec.Struct, frozen=True):
    """A finished measurement. `n` is the number of questions in the total."""

    dataset: str
    n: int
    skipped: int
    malformed: int
    table: tuple[Row, ...]


class Answer(msgspec.Struct, frozen=True):
    """What a pipeline gave: per hit, best first, the references behind it and its text."""

    refs: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]


def recall_at(question: Question, answer: Answer, k: int, *, whole: bool) -> float:
    """Share of the question's evidence among the first k hits, 0–1."""
    found = {ref for refs in answer.refs[:k] for ref in refs}
    shares = [len(found.intersection(refs)) / len(refs) for refs in question.evidence if refs]
    best = max(shares, default=0.0)
    return float(best == 1.0) if whole else best


def rows(
    pipeline: str, asked: Sequence[tuple[Question, Answer]], *, whole: bool
) -> tuple[Row, ...]:
    """The total's row and one per kind, in order of name."""
    kinds: dict[str, list[tuple[Question, Answer]]] = {}
    for question, answer in asked:
        names = (TOTAL, *question.kinds) if question.counts else question.kinds
        for kind in names:
            kinds.setdefault(kind, []).append((question, answer))
    ordered = sorted(kinds, key=lambda kind: (kind != TOTAL, kind))
    return tuple(_row(pipeline, kind, kinds[kind], whole=whole) for kind in ordered)


def _row(pipeline: str, kind: str, asked: Sequence[tuple[Question, Answer]], *, whole: bool) -> Row:
    def percent(k: int) -> float:
        shares = [recall_at(question, answer, k, whole=whole) for question, answer in asked]
        return round(100 * sum(shares) / len(shares), 1)

    tokens = [sum(map(estimate, answer.texts[:10])) for _, answer in asked]
    return Row(
        pipeline, kind, len(asked), percent(5), percent(10), percent(20),
        round(sum(tokens) / len(tokens), 1),
    )  # fmt: skip
