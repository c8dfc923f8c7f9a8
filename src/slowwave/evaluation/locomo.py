"""LoCoMo's questions: evidence is turn ids, some written together or damaged."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path

import msgspec

from slowwave.adapters.importers import locomo
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

KINDS: Mapping[object, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
"""The data set's categories. Adversarial questions have a row of their own, outside the total, and
should rather find nothing: they ask of one speaker what the other said."""

TUNED = frozenset({"conv-26", "conv-30", "conv-41", "conv-42"})
"""Conversations that constants of the ranking were chosen on."""

_TURN = re.compile(r"[Dd]?\s*:?\s*(\d+)\s*:\s*(\d+)")


def read(path: Path) -> Dataset:
    """The conversations of a file and their questions. Raises InputError."""
    records: dict[str, list[Record]] = {}
    for record in locomo.FORMAT.read(path, UTC):
        if isinstance(record, Record):
            records.setdefault(record.source.removeprefix("locomo:"), []).append(record)
    conversations = []
    for number, sample in enumerate(_samples(path), start=1):
        name = str(sample.get("sample_id") or f"conversation-{number}")
        turns = {record.ref for record in records.get(name, ()) if record.ref}
        questions = []
        skipped = malformed = 0
        for asked in _questions(sample):
            refs, bad = evidence(asked.get("evidence"), turns)
            malformed += bad
            skipped += not refs
            question = _question(asked, refs)
            if refs or not question.answerable:
                questions.append(question)
        conversations.append(
            Conversation(
                name, tuple(records.get(name, ())), tuple(questions),
                skipped=skipped, malformed=malformed,
            )
        )  # fmt: skip
    return Dataset("locomo", tuple(conversations), tuned=TUNED)


def _question(asked: Mapping[str, object], refs: tuple[str, ...]) -> Question:
    kind = KINDS.get(asked.get("category"), "other")
    real = kind != "adversarial"
    text = str(asked.get("question") or "")
    return Question(text, (kind,), (refs,) if refs else (), counts=real, answerable=real)


def evidence(given: object, turns: set[str]) -> tuple[tuple[str, ...], int]:
    """The turn ids in a question's evidence, each once, and how many pieces were not usable.

    `D8:6; D9:17` is two, `D:11:26` and `D30:05` are repaired; what names no turn of the
    conversation is left out.
    """
    found: dict[str, None] = {}
    bad = 0
    for piece in given if isinstance(given, list) else [given] if given else []:
        named = [f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(str(piece))]
        known = [ref for ref in named if ref in turns]
        bad += len(named) - len(known) if named else 1
        found.update((ref, None) for ref in known)
    return tuple(found), bad


def _samples(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"cannot read {path}: {error}", "give the data set's JSON file, such as locomo10.json"
        ) from error
    for sample in value if isinstance(value, list) else [value]:
        if isinstance(sample, dict):
            yield sample


def _questions(sample: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    asked = sample.get("qa")
    for question in asked if isinstance(asked, list) else ():
        if isinstance(question, dict):
            yield question
