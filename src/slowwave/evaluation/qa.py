"""A user's own question set: events and questions as JSON lines, or banks in MemoryBank's shape.

Two kinds of lines, in any order. Events are those of `import --format jsonl`, with a `ref`:

    {"ref": "e1", "ts": "2026-03-03T09:12:00+08:00", "text": "The ferry leaves from pier nine"}

Questions name the references that answer them, or none when nothing does:

    {"question": "Which pier?", "evidence": ["e1"], "kind": "fact"}
    {"question": "Whose ferry?", "evidence": [["e1", "e4"], ["e9"]]}
    {"question": "What does it cost?", "evidence": []}

A flat list is needed as a whole; of lists, each is an alternative. `conversation` on any line
keeps logs apart within a file; in a folder each `*.jsonl` is a log of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

import msgspec

from slowwave.adapters.importers.jsonl import record
from slowwave.adapters.importers.lines import read_lines
from slowwave.errors import InputError
from slowwave.evaluation import memorybank
from slowwave.evaluation.metrics import Conversation, Dataset, Question
from slowwave.model import Record

NAME = "qa"


@dataclass
class _Log:
    """One conversation as it is read."""

    records: list[Record] = field(default_factory=list)
    lines: list[Mapping[str, object]] = field(default_factory=list)


def read(path: Path) -> Dataset:
    """Banks, a file of JSON lines, or a folder of such files. Raises InputError."""
    if memorybank.holds(path):
        return msgspec.structs.replace(memorybank.read(path), name=NAME)
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"neither banks nor *.jsonl in {path}", "see `slowwave eval --help`")
    conversations = []
    damaged = 0
    for file in files:
        logs, bad = _logs(file)
        damaged += bad
        for name, log in logs.items():
            label = "/".join(filter(None, (file.stem if len(files) > 1 else "", name)))
            conversations.append(_conversation(label or file.stem, log))
    if not any(each.questions for each in conversations):
        raise InputError(f"no questions in {path}", 'a question is a line with "question"')
    return Dataset(NAME, tuple(conversations), damaged)


def _conversation(name: str, log: _Log) -> Conversation:
    known = {each.ref for each in log.records if each.ref}
    questions = []
    skipped = malformed = 0
    for line in log.lines:
        question, unknown = _question(line, known)
        malformed += unknown
        skipped += question is None or not question.evidence
        if question is not None:
            questions.append(question)
    return Conversation(
        name, tuple(log.records), tuple(questions), skipped=skipped, malformed=malformed
    )


def _logs(file: Path) -> tuple[dict[str, _Log], int]:
    """The conversations of a file by name, and how many lines were damaged."""
    logs: dict[str, _Log] = {}
    damaged = 0
    for number, raw in read_lines(file):
        if not raw.strip():
            continue
        value = _value(raw)
        if value is None:
            damaged += 1
            continue
        log = logs.setdefault(str(value.get("conversation") or ""), _Log())
        if isinstance(value.get("question"), str) and "text" not in value:
            log.lines.append(value)
            continue
        found = record(raw, number, UTC)
        if isinstance(found, Record):
            log.records.append(found)
        else:
            damaged += 1
    return logs, damaged


def _value(raw: bytes) -> dict[str, object] | None:
    try:
        return msgspec.json.decode(raw, type=dict[str, object])
    except msgspec.MsgspecError:
        return None


def _question(line: Mapping[str, object], known: set[str]) -> tuple[Question | None, int]:
    """The question of a line, None when its evidence is not there; how many references are not."""
    given = list(_alternatives(line.get("evidence")))
    unknown = sum(ref not in known for refs in given for ref in refs)
    evidence = tuple(refs for refs in given if known.issuperset(refs))
    if given and not evidence:
        return None, unknown
    kind = str(line.get("kind") or "other")
    real = bool(given)
    text = str(line["question"])
    return Question(text, (kind,), evidence, counts=real, answerable=real), unknown


def _alternatives(given: object) -> Iterator[tuple[str, ...]]:
    listed = given if isinstance(given, list) else [given] if given else []
    if any(isinstance(item, list) for item in listed):
        for item in listed:
            refs = tuple(map(str, item if isinstance(item, list) else [item]))
            if refs:
                yield refs
    elif listed:
        yield tuple(map(str, listed))
