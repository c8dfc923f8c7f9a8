"""Runs LongMemEval: each question in a space of its own, once over turns and once over sessions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from slowwave.evaluation.bootstrap import intervals
from slowwave.evaluation.injection import Given, given, injection_rows
from slowwave.evaluation.longmemeval import (
    CUTS,
    Item,
    Marks,
    items,
    marks,
    marks_of_sessions,
    must_exist,
)
from slowwave.evaluation.metrics import TOTAL, Answer, Asked, gains, percent, rows, score
from slowwave.evaluation.rooms import OURS, Plan, Room, answers, opened, pipelines
from slowwave.evaluation.table import Cut, Official, Table, setting_of
from slowwave.model import Skipped
from slowwave.ports import Progress

__all__ = ["evaluate_longmemeval"]

NAME = "longmemeval"
TURN_DEPTH = 200
"""Turns that are ranked: sessions by their best turn need more of them than the cut-offs."""
SESSION_DEPTH = 50

TURN, BY_TURN, SESSION = "turn", "session by turn", "session"
OFFICIAL, EVERY = "official", "every"


class _Marked(NamedTuple):
    """One question of one pipeline at one level: its measures at each cut-off."""

    talk: str
    kind: str
    counts: bool
    by_cut: tuple[Marks, ...]


@dataclass
class _Sums:
    """What was measured so far; `marked` by pipeline, level and convention."""

    asked: list[Asked] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    marked: dict[tuple[str, str, str], list[_Marked]] = field(default_factory=dict)
    finished: int = 0
    skipped: int = 0
    malformed: int = 0
    stopped: bool = False


def evaluate_longmemeval(path: Path, plan: Plan, progress: Progress) -> Table:
    """The table of a file; `plan.limit` bounds the questions. Raises InputError."""
    must_exist(path)
    names = pipelines(plan, ())
    sums = _Sums()
    try:
        for item in _good(path, plan.limit, sums):
            _measure(sums, item, names, plan, progress)
            sums.finished += 1
            progress(f"{NAME}: questions", sums.finished, plan.limit or 0)
    except KeyboardInterrupt:
        sums.stopped = True
    counted = [each for each in sums.asked if each.question.counts]
    return Table(
        NAME, len(counted), sums.skipped, sums.malformed,
        setting_of(
            plan, sums.finished, plan.limit if sums.stopped else None, stopped=sums.stopped
        ),
        rows(counted, by_talk=plan.by_talk),
        gains(counted, OURS, by_talk=plan.by_talk),
        injection_rows(sums.given, by_talk=plan.by_talk),
        official=tuple(_official(sums)),
    )  # fmt: skip


def _good(path: Path, limit: int | None, sums: _Sums) -> Iterator[Item]:
    def counted() -> Iterator[Item]:
        for found in items(path):
            if isinstance(found, Skipped):
                sums.malformed += 1
            else:
                yield found

    yield from islice(counted(), limit)


def _measure(sums: _Sums, item: Item, names: Sequence[str], plan: Plan, progress: Progress) -> None:
    """Adds one question: both rankings of all pipelines, and what a prompt would get."""
    question, text = item.question, item.question.text
    with opened(item.turns, plan.embedder, progress, item.now) as room:
        by_turn = answers(room, text, names, plan.settings, TURN_DEPTH)
        given_here = list(given(room, question, plan))
    with opened(item.sessions, plan.embedder, progress, item.now) as whole:
        by_session = _sessions(whole, text, names, plan)
    sessions = {each.ref or "": each.session for each in item.turns.records}
    sums.given += given_here
    sums.skipped += not question.counts
    scores = {
        name: score(question, answer, sessions, whole=False) for name, answer in by_turn.items()
    }
    sums.asked.append(Asked(item.turns.name, question, scores))
    for name in names:
        _mark(sums, item, name, _refs(by_turn[name]), by_session[name], sessions)


def _sessions(room: Room, text: str, names: Sequence[str], plan: Plan) -> dict[str, list[str]]:
    found = answers(room, text, names, plan.settings, SESSION_DEPTH)
    return {name: _refs(answer) for name, answer in found.items()}


def _refs(answer: Answer) -> list[str]:
    return list(dict.fromkeys(ref for refs in answer.refs for ref in refs))


def _mark(
    sums: _Sums, item: Item, name: str, turns: list[str], sessions: list[str],
    session_of: Mapping[str, str],
) -> None:  # fmt: skip
    right, best = item.right_turns, list(dict.fromkeys(session_of[ref] for ref in turns))
    measured = {
        (TURN, OFFICIAL): [marks(turns, right, k) for k in CUTS],
        (BY_TURN, OFFICIAL): [marks_of_sessions(turns, right, session_of, k) for k in CUTS],
        (SESSION, OFFICIAL): [marks(sessions, item.right_sessions, k) for k in CUTS],
        (TURN, EVERY): [marks(turns, right, k) for k in CUTS],
        (BY_TURN, EVERY): [marks(best, item.named_sessions, k) for k in CUTS],
        (SESSION, EVERY): [marks(sessions, item.named_sessions, k) for k in CUTS],
    }
    question = item.question
    for (level, convention), at in measured.items():
        counts = convention == EVERY or question.counts
        marked = _Marked(item.turns.name, question.kinds[0], counts, tuple(at))
        sums.marked.setdefault((name, level, convention), []).append(marked)


def _official(sums: _Sums) -> Iterator[Official]:
    for (pipeline, level, convention), marked in sums.marked.items():
        kinds: dict[str, list[_Marked]] = {}
        for each in marked:
            if each.counts:
                kinds.setdefault(TOTAL, []).append(each)
                kinds.setdefault(each.kind, []).append(each)
        for kind in sorted(kinds, key=lambda kind: (kind != TOTAL, kind)):
            those = kinds[kind]
            yield Official(pipeline, level, convention, kind, len(those), tuple(_cuts(those)))


def _cuts(marked: Sequence[_Marked]) -> Iterator[Cut]:
    columns = [[each.by_cut[place].all for each in marked] for place in range(len(CUTS))]
    ends = intervals(columns)
    for place, k in enumerate(CUTS):
        at = [each.by_cut[place] for each in marked]
        end = ends[place]
        yield Cut(
            k,
            percent([each.any for each in at]),
            percent(columns[place]),
            percent([each.ndcg for each in at]),
            None if end is None else (round(100 * end[0], 1), round(100 * end[1], 1)),
        )
