"""BEAM's questions: evidence is message ids; abstention has none: it should rather find nothing."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path

import msgspec

from slowwave.adapters.importers import beam
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

CHAT, QUESTIONS = "chat.json", "probing_questions.json"
ABSTENTION = "abstention"

TUNED = frozenset({"1", "3", "5", "7"})
"""Chats of the 100K set that constants of the ranking were chosen on. The frames of wishes
(`recall.guidance`) were written with the questions of all chats in sight."""


def read(path: Path) -> Dataset:
    """The chats below a folder, each with its questions beside it. Raises InputError."""
    folders = sorted(
        (chat.parent for chat in path.rglob(CHAT) if (chat.parent / QUESTIONS).exists()),
        key=lambda folder: (folder.parent, len(folder.name), folder.name),
    )
    if not folders:
        raise InputError(
            f"no {CHAT} with a {QUESTIONS} beside it below {path}",
            "give the folder that holds the chats, such as beam/100K",
        )
    conversations = []
    for folder in folders:
        found = beam.FORMAT.read(folder / CHAT, UTC)
        records = tuple(record for record in found if isinstance(record, Record))
        known = {record.ref for record in records if record.ref}
        questions = []
        skipped = malformed = 0
        for kind, asked in _questions(folder / QUESTIONS):
            named = tuple(dict.fromkeys(ids(asked.get("source_chat_ids"))))
            refs = tuple(ref for ref in named if ref in known)
            malformed += len(named) - len(refs)
            skipped += not refs
            text = str(asked.get("question") or "")
            if refs:
                questions.append(Question(text, (kind,), (refs,), sides=_sides(asked, known)))
            elif kind == ABSTENTION:
                questions.append(Question(text, (kind,), (), counts=False, answerable=False))
        conversations.append(
            Conversation(
                folder.name, records, tuple(questions), skipped=skipped, malformed=malformed
            )
        )
    return Dataset("beam", tuple(conversations), tuned=TUNED)


SIDES = (("original_info", "updated_info"), ("first_statement", "second_statement"))
"""How the questions label two statements that cannot both hold."""


def _sides(asked: Mapping[str, object], known: set[str]) -> tuple[tuple[str, ...], ...]:
    """The references of both statements, where a question labels two and both are known."""
    given = asked.get("source_chat_ids")
    for labels in SIDES:
        if isinstance(given, dict) and all(label in given for label in labels):
            sides = tuple(tuple(ref for ref in ids(given[name]) if ref in known) for name in labels)
            return sides if all(sides) else ()
    return ()


def ids(given: object) -> Iterator[str]:
    """Message ids, out of a list, or an object of lists, however deep."""
    if isinstance(given, dict):
        given = list(given.values())
    if isinstance(given, list):
        for inner in given:
            yield from ids(inner)
    elif isinstance(given, int | str) and not isinstance(given, bool):
        yield str(given)


def _questions(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "check the file") from error
    for kind, asked in value.items() if isinstance(value, dict) else ():
        for question in asked if isinstance(asked, list) else ():
            if isinstance(question, dict):
                yield str(kind), question
