"""MemoryBank: users and their AI companion, ten days each, in Chinese and English.

A bank (`zh_bank.json`) holds the talk by user and day; `zh_gold.jsonl` beside it the questions,
with alternatives of evidence, each a list of `date#index:side`. A question counts as found when an
alternative is there as a whole; one without evidence should rather find nothing.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.adapters.importers.lines import read_lines
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

BANK, GOLD = "_bank.json", "_gold.jsonl"

SIDES = ("query", "response")
"""What the user said, and what the companion answered."""

MORNING = time(9, tzinfo=UTC)


def holds(path: Path) -> bool:
    """Whether a path is a bank, the questions of one, or a folder of banks."""
    if path.is_dir():
        return any(path.glob(f"*{BANK}"))
    return path.name.endswith(GOLD) or path.suffix == ".json"


def read(path: Path) -> Dataset:
    """The banks of a folder, or one bank's file, with their questions. Raises InputError.

    Every second user of a bank, from the first on, is one that constants were chosen on.
    """
    if path.name.endswith(GOLD):
        path = path.with_name(path.name.removesuffix(GOLD) + BANK)
    banks = sorted(path.glob(f"*{BANK}")) if path.is_dir() else [path]
    if not banks:
        raise InputError(f"no *{BANK} in {path}", "give the folder that holds the banks")
    conversations = []
    tuned = set()
    damaged = 0
    for bank in banks:
        language = bank.name.removesuffix(BANK)
        gold = _questions(bank.with_name(f"{language}{GOLD}"))
        damaged += gold.damaged
        for place, (user, value) in enumerate(_users(bank)):
            name = f"{language}/{user}"
            records = tuple(_records(f"memorybank:{name}", value))
            known = {record.ref for record in records if record.ref}
            asked, left_out, bad = _asked(gold.by_user.get(user, ()), language, known)
            conversations.append(
                Conversation(name, records, tuple(asked), user, skipped=left_out, malformed=bad)
            )
            if place % 2 == 0:
                tuned.add(name)
    return Dataset("memorybank", tuple(conversations), damaged, whole=True, tuned=frozenset(tuned))


def _users(bank: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    try:
        value = msgspec.json.decode(bank.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {bank}: {error}", "check the file") from error
    for user, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, dict):
            yield str(user), inner


def _records(source: str, user: Mapping[str, object]) -> Iterator[Record]:
    history = user.get("history")
    for day, turns in history.items() if isinstance(history, dict) else ():
        start = _morning(day)
        for index, turn in enumerate(turns if isinstance(turns, list) else ()):
            for place, side in enumerate(SIDES):
                text = turn.get(side) if isinstance(turn, dict) else None
                if isinstance(text, str) and text.strip():
                    ref = f"{day}#{index}:{side}"
                    yield Record(
                        text=text,
                        source=source,
                        key=ref,
                        ref=ref,
                        ts=start + timedelta(seconds=2 * index + place) if start else None,
                        role="user" if side == "query" else "assistant",
                        session=day,
                    )


def _morning(day: str) -> datetime | None:
    try:
        return datetime.combine(datetime.fromisoformat(day), MORNING)
    except ValueError:
        return None


class _Line(msgspec.Struct):
    """One line of the questions' file."""

    user: str
    question: str
    evidence: list[list[str]]
    type: str = "other"


class _Gold(NamedTuple):
    """Questions by user, and how many lines were damaged."""

    by_user: dict[str, list[_Line]]
    damaged: int


def _questions(gold: Path) -> _Gold:
    found: dict[str, list[_Line]] = {}
    bad = 0
    if not gold.exists():
        raise InputError(f"no questions: {gold} is not there", "keep it beside the bank")
    for _, raw in read_lines(gold):
        if not raw.strip():
            continue
        try:
            line = msgspec.json.decode(raw, type=_Line)
        except msgspec.MsgspecError:
            bad += 1
            continue
        found.setdefault(line.user, []).append(line)
    return _Gold(found, bad)


def _asked(
    lines: "list[_Line] | tuple[()]", language: str, known: set[str]
) -> tuple[list[Question], int, int]:
    """A user's questions; how many had no evidence; how many references named no turn."""
    found = []
    left_out = bad = 0
    for line in lines:
        kinds = (language, f"{language} {line.type}")
        evidence = []
        for refs in filter(None, line.evidence):
            missing = [ref for ref in refs if ref not in known]
            bad += len(missing)
            if not missing:
                evidence.append(tuple(refs))
        left_out += not evidence
        real = any(line.evidence)
        if evidence or not real:
            question = Question(line.question, kinds, tuple(evidence), counts=real, answerable=real)
            found.append(question)
    return found, left_out, bad
