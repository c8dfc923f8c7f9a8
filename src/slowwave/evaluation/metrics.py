"""What is measured: how much of a question's evidence is among the first hits, and at what price.

Recall@k is the share of a question's evidence among its first k hits, averaged over questions.
Where evidence has alternatives, the best one counts. `whole` counts a question only when an
alternative is there as a whole. Sessions are ranked by their best turn.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from slowwave.evaluation.bootstrap import Interval, intervals
from slowwave.model import Record
from slowwave.text.tokens import estimate

TOTAL = "all"
"""The kind of the row that sums up a pipeline."""

DEPTH = 50
"""Hits that are asked for: enough turns to rank ten sessions by their best one."""


class Question(msgspec.Struct, frozen=True):
    """One question: `evidence` are alternatives, each the references that answer it together.

    `kinds` are the rows it counts in, beside the total; `counts` is whether the total takes it.
    `sides` are the references of two statements that cannot both hold now, for a question that
    has such. One that is not `answerable` should rather find nothing; one without evidence has no
    row of recall.
    """

    text: str
    kinds: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]
    counts: bool = True
    sides: tuple[tuple[str, ...], ...] = ()
    answerable: bool = True


class Conversation(msgspec.Struct, frozen=True):
    """One log and what is asked about it. `owner` is the user's name in the log, if any.

    `skipped` of its questions have no usable evidence, `malformed` references of evidence name
    nothing in the log.
    """

    name: str
    records: tuple[Record, ...]
    questions: tuple[Question, ...]
    owner: str = ""
    skipped: int = 0
    malformed: int = 0


class Dataset(msgspec.Struct, frozen=True):
    """Conversations, and how many lines of their files were damaged.

    `whole`: a question counts only when an alternative is found as a whole. `tuned` names the
    conversations that the product's constants were chosen on.
    """

    name: str
    conversations: tuple[Conversation, ...]
    damaged: int = 0
    whole: bool = False
    tuned: frozenset[str] = frozenset()

    @property
    def skipped(self) -> int:
        """Questions without usable evidence."""
        return sum(each.skipped for each in self.conversations)

    @property
    def malformed(self) -> int:
        """Damaged lines and references that name nothing."""
        return self.damaged + sum(each.malformed for each in self.conversations)


class Answer(msgspec.Struct, frozen=True):
    """What a pipeline gave: per hit, best first, the references behind it and its text."""

    refs: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]


class Score(NamedTuple):
    """One question's shares (0–1) among so many turns or sessions, and the tokens of ten turns.

    Sessions are None where the log has only one.
    """

    r5: float
    r10: float
    r20: float
    s1: float | None
    s5: float | None
    tokens10: float


class Asked(NamedTuple):
    """A question of a conversation, and what each pipeline scored on it."""

    talk: str
    question: Question
    scores: Mapping[str, Score]


class Row(msgspec.Struct, frozen=True):
    """One pipeline on one kind of question: percent, and mean tokens of the first ten hits.

    `s1` and `s5` are sessions by their best turn. `ci…` are the ends of 95 % intervals, None
    where there is too little to draw from.
    """

    pipeline: str
    kind: str
    n: int
    r5: float
    r10: float
    r20: float
    tokens10: float
    s1: float | None = None
    s5: float | None = None
    ci5: Interval | None = None
    ci10: Interval | None = None
    ci20: Interval | None = None


class Gain(msgspec.Struct, frozen=True):
    """The product's R@10 minus a baseline's on the same questions: points, 95 % interval."""

    over: str
    kind: str
    n: int
    points: float
    ci: Interval | None


def recall_at(question: Question, answer: Answer, k: int, *, whole: bool) -> float:
    """Share of the question's evidence among the first k hits, 0–1."""
    return _share(question.evidence, {ref for refs in answer.refs[:k] for ref in refs}, whole)


def session_recall_at(
    question: Question, answer: Answer, sessions: Mapping[str, str], k: int, *, whole: bool
) -> float:
    """Share of the evidence's sessions among the first k sessions by best turn, 0–1.

    `sessions` gives the session of each reference.
    """
    ranked = dict.fromkeys(sessions[ref] for refs in answer.refs for ref in refs if ref in sessions)
    evidence = tuple(
        tuple(dict.fromkeys(sessions[ref] for ref in refs if ref in sessions))
        for refs in question.evidence
    )
    return _share(evidence, set(list(ranked)[:k]), whole)


def _share(evidence: Sequence[Sequence[str]], found: set[str], whole: bool) -> float:
    shares = [len(found.intersection(refs)) / len(refs) for refs in evidence if refs]
    best = max(shares, default=0.0)
    return float(best == 1.0) if whole else best


def score(question: Question, answer: Answer, sessions: Mapping[str, str], *, whole: bool) -> Score:
    """What a pipeline's answer to a question is worth."""
    several = len(set(sessions.values())) > 1
    r5, r10, r20 = (recall_at(question, answer, k, whole=whole) for k in (5, 10, 20))
    s1, s5 = (
        session_recall_at(question, answer, sessions, k, whole=whole) if several else None
        for k in (1, 5)
    )
    return Score(r5, r10, r20, s1, s5, float(sum(map(estimate, answer.texts[:10]))))


def rows(asked: Sequence[Asked], *, by_talk: bool = False) -> tuple[Row, ...]:
    """Of each pipeline the total's row and one per kind, in order of name.

    `by_talk` draws conversations instead of questions for the intervals.
    """
    tables = [_kind_rows(kind, those, by_talk=by_talk) for kind, those in kinds(asked).items()]
    return tuple(
        table[place] for place in range(len(tables[0]) if tables else 0) for table in tables
    )


def gains(asked: Sequence[Asked], ours: str, *, by_talk: bool = False) -> tuple[Gain, ...]:
    """What `ours` has over every other pipeline, in total and by kind."""
    found = []
    for kind, those in kinds(asked).items():
        others = [name for name in those[0].scores if name != ours]
        columns = [
            [each.scores[ours].r10 - each.scores[name].r10 for each in those] for name in others
        ]
        ends = intervals(columns, _talks(those, by_talk))
        found += [
            Gain(name, kind, len(those), percent(column), _points(end))
            for name, column, end in zip(others, columns, ends, strict=True)
        ]
    return tuple(found)


def kinds(asked: Sequence[Asked]) -> dict[str, list[Asked]]:
    """Those with evidence by kind, the total first, the others in order of name."""
    found: dict[str, list[Asked]] = {}
    for each in asked:
        question = each.question
        if not question.evidence:
            continue
        for kind in (TOTAL, *question.kinds) if question.counts else question.kinds:
            found.setdefault(kind, []).append(each)
    return dict(sorted(found.items(), key=lambda item: (item[0] != TOTAL, item[0])))


def _kind_rows(kind: str, asked: Sequence[Asked], *, by_talk: bool) -> list[Row]:
    """The rows of one kind. All columns are drawn together, so that pipelines can be compared."""
    scores = {name: [each.scores[name] for each in asked] for name in asked[0].scores}
    shares = {
        name: ([s.r5 for s in of], [s.r10 for s in of], [s.r20 for s in of])
        for name, of in scores.items()
    }
    drawn = intervals([column for three in shares.values() for column in three],
                      _talks(asked, by_talk))  # fmt: skip
    ends = iter(map(_points, drawn))
    return [
        Row(
            pipeline=name,
            kind=kind,
            n=len(of),
            r5=percent(shares[name][0]),
            r10=percent(shares[name][1]),
            r20=percent(shares[name][2]),
            tokens10=round(sum(each.tokens10 for each in of) / len(of), 1),
            s1=_optional([each.s1 for each in of]),
            s5=_optional([each.s5 for each in of]),
            ci5=next(ends),
            ci10=next(ends),
            ci20=next(ends),
        )
        for name, of in scores.items()
    ]


def _talks(asked: Sequence[Asked], by_talk: bool) -> list[str] | None:
    return [each.talk for each in asked] if by_talk else None


def percent(column: Sequence[float]) -> float:
    """The mean of shares in percent."""
    return round(100 * sum(column) / len(column), 1)


def _optional(column: Sequence[float | None]) -> float | None:
    known = [value for value in column if value is not None]
    return percent(known) if known else None


def _points(ends: Interval | None) -> Interval | None:
    return None if ends is None else (round(100 * ends[0], 1), round(100 * ends[1], 1))
