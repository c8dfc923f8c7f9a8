"""BEAM's questions: evidence is message ids; abstention has none and is left out."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path

import msgspec

from slowwave.adapters.importers import beam
from slowwave.errors import InputError
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

CHAT, QUESTIONS = "chat.json", "probing_questions.json"


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
    skipped = malformed = 0
    for folder in folders:
        found = beam.FORMAT.read(folder / CHAT, UTC)
        records = tuple(record for record in found if isinstance(record, Record))
        known = {record.ref for record in records if record.ref}
        questions = []
        for kind, asked in _questions(folder / QUESTIONS):
            named = tuple(dict.fromkeys(ids(asked.get("source_chat_ids"))))
            refs = tuple(ref for ref in named if ref in known)
            malformed += len(named) - len(refs)
            if refs:
                text = str(asked.get("question") or "")
                questions.append(Question(text, (kind,), (refs,), sides=_sides(asked, known)))
            else:
                skipped += 1
        conversations.append(Conversation(folder.name, records, tuple(questions)))
    return Dataset("beam", tuple(conversations), skipped, malformed)


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
