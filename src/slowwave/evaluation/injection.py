"""Knowing when not to: what the default threshold lets into a prompt.

A question that can be answered should get something, one that cannot nothing. Asked the way
`context` asks, over the events of a conversation nobody dreamed yet, or over one dreamed through.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import msgspec

from slowwave.evaluation.bootstrap import Interval, intervals
from slowwave.evaluation.metrics import TOTAL, Conversation, Question, percent
from slowwave.evaluation.quality_nights import Setting, live
from slowwave.evaluation.quality_nights import opened as home_opened
from slowwave.evaluation.rooms import OURS, WORDS_ONLY, Plan, Room
from slowwave.model import Hit
from slowwave.ports import Progress
from slowwave.settings import RecallSettings

Over = Literal["events", "dreamed"]

BUDGET = 100_000
"""Tokens of a block: what is kept out is kept out by judgement and not for want of room."""


class Given(NamedTuple):
    """What one question got: whether anything, and whether a turn of its evidence is among it."""

    talk: str
    question: Question
    pipeline: str
    over: Over
    something: bool
    evidence: bool


class InjectionRow(msgspec.Struct, frozen=True):
    """How often the right thing was done, in percent, with the ends of the 95 % interval.

    Right is something for a question that can be `answerable`, nothing for one that cannot.
    `evidence` is how often what went in held a turn of the evidence (None where there is none).
    """

    pipeline: str
    over: Over
    answerable: bool
    kind: str
    n: int
    right: float
    ci: Interval | None
    evidence: float | None


def given(room: Room, question: Question, plan: Plan) -> Iterator[Given]:
    """What goes into a prompt before any night, with and without vectors."""
    embedders = {OURS: room.embedder}
    if room.embedder is not None:
        embedders[WORDS_ONLY] = None
    for pipeline, embedder in embedders.items():
        hits = room.inject(question.text, plan.settings, embedder)
        yield _given(room.space, question, pipeline, "events", hits)


def given_dreamed(talk: Conversation, plan: Plan, progress: Progress) -> Iterator[Given]:
    """What goes into a prompt after the whole conversation was dreamed through, night by night."""
    setting = Setting(plan.dreamed or "none")
    with TemporaryDirectory(prefix="slowwave-eval-") as folder:
        home = Path(folder)
        (home / "slowwave.toml").write_text(_toml(plan.settings), encoding="utf-8")
        lived = live(home, talk, setting, progress)
        with home_opened(home, lived.morning, setting) as memory:
            for question in talk.questions:
                query = memory.query(question.text)
                hits, _ = memory.candidates(query)
                block = memory.block(query, hits, BUDGET)
                yield _given(talk.name, question, OURS, "dreamed", hits if block.items else [])


def _toml(settings: RecallSettings) -> str:
    """These settings for a home. JSON writes numbers, truth and plain text as TOML does."""
    values = msgspec.to_builtins(settings)
    lines = (f"{name} = {msgspec.json.encode(value).decode()}" for name, value in values.items())
    return "\n".join(["[recall]", *lines, ""])


def injection_rows(found: Sequence[Given], *, by_talk: bool) -> tuple[InjectionRow, ...]:
    """Of each pipeline the answerable and the unanswerable questions, in total and by kind."""
    groups: dict[tuple[Over, str, bool, str], list[Given]] = {}
    for each in found:
        question = each.question
        for kind in (TOTAL, *question.kinds):
            key = (each.over, each.pipeline, not question.answerable, kind)
            groups.setdefault(key, []).append(each)
    ordered = sorted(groups, key=lambda key: (key[:3], key[3] != TOTAL, key[3]))
    rows = []
    for key in ordered:
        # The only kind there is says what the total says.
        over, pipeline, unanswerable, kind = key
        same = groups[over, pipeline, unanswerable, TOTAL]
        if kind == TOTAL or len(groups[key]) < len(same):
            rows.append(_row(groups[key], kind, by_talk=by_talk))
    return tuple(rows)


def _row(found: Sequence[Given], kind: str, *, by_talk: bool) -> InjectionRow:
    first = found[0]
    answerable = first.question.answerable
    right = [float(each.something is answerable) for each in found]
    (ends,) = intervals([right], [each.talk for each in found] if by_talk else None)
    return InjectionRow(
        first.pipeline, first.over, answerable, kind, len(found), percent(right),
        None if ends is None else (round(100 * ends[0], 1), round(100 * ends[1], 1)),
        percent([float(each.evidence) for each in found]) if answerable else None,
    )  # fmt: skip


def _given(talk: str, question: Question, pipeline: str, over: Over, hits: Sequence[Hit]) -> Given:
    wanted = {ref for refs in question.evidence for ref in refs}
    seen = {ref for hit in hits for ref in hit.refs}
    return Given(talk, question, pipeline, over, bool(hits), bool(wanted & seen))
