"""LongMemEval by its official protocol of retrieval (Wu et al. 2024; xiaowu0162/LongMemEval).

Each question brings a haystack of its own, which becomes a space of its own. Only what the user
said is a document: one turn, or all user turns of a session together. A document is right when its
session is one of evidence and it holds a turn marked `has_answer`. From turns, sessions are ranked
by their best one. Per cut-off: any or all right ones among the first k, and the DCG of the official
code, which does not discount the second place.

Two conventions of what is counted:

    official  without questions that have no answer (`_abs`) and those without a right document,
              which the official code would give a full recall_all
    every     all questions; a session is right when the data set names it, and what has no right
              document counts as not found
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from slowwave.adapters.importers.json_stream import json_values
from slowwave.adapters.importers.stamps import parse_stamp
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Question
from slowwave.model import Record, Skipped

CUTS = (1, 3, 5, 10, 30, 50)
ABSTENTION = "_abs"

_MEMBERS = re.compile(r".*longmemeval.*\.json", re.IGNORECASE)


class Marks(NamedTuple):
    """One question's measures at one cut-off, 0–1."""

    any: float
    all: float
    ndcg: float


class Item(NamedTuple):
    """One question with its haystack, as turns and as sessions; `now` is when it is asked.

    `right_sessions` holds the sessions by the user's turns, `named_sessions` those that the data
    set names.
    """

    turns: Conversation
    sessions: Conversation
    question: Question
    now: datetime | None
    right_turns: frozenset[str]
    right_sessions: frozenset[str]
    named_sessions: frozenset[str]


def items(path: Path) -> Iterator[Item | Skipped]:
    """The questions of a file of any size, one at a time. Raises InputError."""
    for found in json_values(path, _MEMBERS):
        if isinstance(found, Skipped):
            yield found
        elif isinstance(found.value, dict) and isinstance(found.value.get("question"), str):
            yield _item(found.value, f"question-{found.number}")
        else:
            yield Skipped(found.line, f"value {found.number}: not a question")


def must_exist(path: Path) -> None:
    """Raises InputError unless the path is a file."""
    if not path.is_file():
        raise InputError(
            f"cannot read {path}", "give the data set's JSON file, such as longmemeval_s.json"
        )


class _Said(NamedTuple):
    """A user's turn: its document, and whether it holds the answer."""

    record: Record
    right: bool


def _item(value: Mapping[str, object], fallback: str) -> Item:
    name = str(value.get("question_id") or fallback)
    named = frozenset(map(str, _list(value.get("answer_session_ids"))))
    turns: list[Record] = []
    whole: list[Record] = []
    right_turns: set[str] = set()
    right_sessions: set[str] = set()
    for session, said in _sessions(value, name):
        if not said:
            continue
        turns += [each.record for each in said]
        whole.append(_joined(session, said))
        if "answer" not in session and session not in named:
            continue
        right = {each.record.ref or "" for each in said if each.right}
        right_turns |= right
        right_sessions |= {session} if right else set()
    question = _question(value, name, right_turns)
    asked = parse_stamp(str(value.get("question_date") or ""), UTC)
    return Item(
        Conversation(name, tuple(turns), (question,)),
        Conversation(name, tuple(whole), (question,)),
        question,
        asked.ts if asked else None,
        frozenset(right_turns),
        frozenset(right_sessions),
        named,
    )


def _question(value: Mapping[str, object], name: str, right: set[str]) -> Question:
    real = not name.endswith(ABSTENTION)
    kind = str(value.get("question_type") or "other") if real else "abstention"
    evidence = (tuple(sorted(right)),) if right else ()
    counts = real and bool(right)
    return Question(str(value["question"]), (kind,), evidence, counts=counts, answerable=real)


def _sessions(value: Mapping[str, object], name: str) -> Iterator[tuple[str, list[_Said]]]:
    """Each session's id and its user turns; the ids of turns count all turns, from 1."""
    ids = [str(each) for each in _list(value.get("haystack_session_ids"))]
    dates = _list(value.get("haystack_dates"))
    seen: set[str] = set()
    for place, talk in enumerate(_list(value.get("haystack_sessions"))):
        session = ids[place] if place < len(ids) else f"session-{place + 1}"
        if session in seen:
            continue  # the same session twice is one document
        seen.add(session)
        stamp = parse_stamp(str(dates[place]), UTC) if place < len(dates) else None
        yield session, list(_said(talk, name, session, stamp.ts if stamp else None))


def _said(talk: object, name: str, session: str, start: datetime | None) -> Iterator[_Said]:
    for number, turn in enumerate(_list(talk), start=1):
        if not isinstance(turn, dict) or turn.get("role") != "user":
            continue
        text = turn.get("content")
        if not isinstance(text, str) or not text.strip():
            continue
        ref = f"{session}_{number}"
        ts = start + timedelta(seconds=number) if start else None
        record = Record(
            text=text, source=f"longmemeval:{name}", key=ref, ref=ref, ts=ts, session=session
        )
        yield _Said(record, turn.get("has_answer") is True)


def _joined(session: str, said: Sequence[_Said]) -> Record:
    first = said[0].record
    text = " ".join(each.record.text for each in said)
    return Record(
        text=text, source=first.source, key=session, ref=session, ts=first.ts, session=session
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def marks(ranked: Sequence[str], right: frozenset[str], k: int) -> Marks:
    """The measures of a ranking (references, best first, each once); no right ones give zeros."""
    if not right:
        return Marks(0.0, 0.0, 0.0)
    hits = [float(ref in right) for ref in ranked[:k]]
    ideal = dcg([1.0] * min(k, len(right)))
    return Marks(float(any(hits)), float(right.issubset(ranked[:k])), dcg(hits) / ideal)


def marks_of_sessions(
    ranked: Sequence[str], right: frozenset[str], session_of: Mapping[str, str], k: int
) -> Marks:
    """The same for k sessions by a ranking of turns, as in `evaluate_retrieval_turn2session`.

    Turns are taken until they are of k sessions. Right turns only stand for their session: the
    others of it count as one more session, and the DCG goes over turns.
    """
    if not right:
        return Marks(0.0, 0.0, 0.0)
    seen: set[tuple[str, bool]] = set()
    taken: list[str] = []
    for ref in ranked:
        if len(taken) >= k and len(seen) >= k:
            break
        taken.append(ref)
        seen.add((session_of[ref], ref in right))
    wanted = {(session_of[ref], True) for ref in right}
    ideal = dcg([1.0] * min(max(k, len(taken)), len(right)))
    found = wanted & seen
    gained = dcg([float(ref in right) for ref in taken])
    return Marks(float(bool(found)), float(found == wanted), gained / ideal)


def dcg(relevances: Sequence[float]) -> float:
    """rel_1 + Σ rel_i / log2(i) for the places i ≥ 2, as in the official `eval_utils.dcg`."""
    return sum(
        relevance / (math.log2(place) if place > 1 else 1.0)
        for place, relevance in enumerate(relevances, start=1)
    )
