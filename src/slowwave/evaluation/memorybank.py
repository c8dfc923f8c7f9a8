"""MemoryBank: users and their AI companion, ten days each, in Chinese and English.

A bank (`zh_bank.json`) holds the talk by user and day; `zh_gold.jsonl` beside it the questions,
with alternatives of evidence, each a list of `date#index:side`. A question counts as found when an
alternative is there as a whole.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import msgspec

from slowwave.adapters.importers.lines import read_lines
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

BANK, GOLD = "_bank.json", "_gold.jsonl"

SIDES = ("query", "response")
"""What the user said, and what the companion answered."""

MORNING = time(9, tzinfo=UTC)


def read(path: Path) -> Dataset:
    """The banks of a folder, or one bank's file, with their questions. Raises InputError."""
    banks = sorted(path.glob(f"*{BANK}")) if path.is_dir() else [path]
    if not banks:
        raise InputError(f"no *{BANK} in {path}", "give the folder that holds the banks")
    conversations = []
    skipped = malformed = 0
    for bank in banks:
        language = bank.name.removesuffix(BANK)
        questions, left_out, bad = _questions(bank.with_name(f"{language}{GOLD}"), language)
        skipped += left_out
        malformed += bad
        for user, value in _users(bank):
            records = tuple(_records(f"memorybank:{language}/{user}", value))
            asked = tuple(questions.get(user, ()))
            conversations.append(Conversation(f"{language}/{user}", records, asked, user))
    return Dataset("memorybank", tuple(conversations), skipped, malformed, whole=True)


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
        start = datetime.combine(datetime.fromisoformat(day), MORNING)
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
                        ts=start + timedelta(seconds=2 * index + place),
                        role="user" if side == "query" else "assistant",
                        session=day,
                    )


def _questions(gold: Path, language: str) -> tuple[dict[str, list[Question]], int, int]:
    """Questions by user; how many had no evidence; how many lines were damaged."""
    found: dict[str, list[Question]] = {}
    left_out = bad = 0
    if not gold.exists():
        raise InputError(f"no questions: {gold} is not there", "keep it beside the bank")
    for _, raw in read_lines(gold):
        try:
            line = msgspec.json.decode(raw, type=_Line)
        except msgspec.MsgspecError:
            bad += bool(raw.strip())
            continue
        evidence = tuple(tuple(refs) for refs in line.evidence if refs)
        if not evidence:
            left_out += 1
            continue
        kinds = (language, f"{language} {line.type}")
        found.setdefault(line.user, []).append(Question(line.question, kinds, evidence))
    return found, left_out, bad


class _Line(msgspec.Struct):
    """One line of the questions' file."""

    user: str
    question: str
    evidence: list[list[str]]
    type: str = "other"
