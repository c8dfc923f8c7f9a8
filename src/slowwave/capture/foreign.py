"""Foreign logs → journal: finds the files, recognises each, streams it in, and reports per file.

One bad file never stops the others. A file that cannot be read at all is reported like a damaged
record, as line 0; what was read before the damage stays.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from slowwave.capture.envelope import Intake
from slowwave.capture.intake import TakenIn, take_in
from slowwave.errors import InputError, SlowwaveError, UnknownFormat, UsageError
from slowwave.model import Record, Skipped
from slowwave.ports import Format, Importers, Progress, Store

OWN = "slowwave"
"""The format of an export: more than a journal, so it is not read like the others."""

KNOWN = (
    "slowwave, openclaw, openclaw-session, claude-code, chatgpt, claude-ai, chat-markdown, "
    "claw-yaml, jsonl, locomo, beam"
)


class Restored(NamedTuple):
    """What reading an export did: its events, and how many memories were put back."""

    taken: TakenIn
    memories: int


class Tools(NamedTuple):
    """What reading foreign logs needs; `restore` reads an export."""

    store: Store
    importers: Importers
    intake: Intake
    restore: Callable[[Path], Restored]


FileState = Literal["new", "grown", "unchanged", "empty"]


class FileReport(msgspec.Struct, frozen=True):
    """What one file gave. `format` is None when nothing recognised it.

    `skipped` lists the first damaged records; `unlisted` tells how many there were beyond these.
    `state` is how the file stands to the journal: nothing of it was known, some, or all. `memories`
    are those that an export brought back.
    """

    path: str
    format: str | None
    events: int
    duplicates: int
    skipped: tuple[Skipped, ...]
    unlisted: int = 0
    state: FileState = "empty"
    memories: int = 0


class Imported(msgspec.Struct, frozen=True):
    """What an import did, file by file and in sum."""

    files: tuple[FileReport, ...]
    events: int
    duplicates: int
    skipped: int


def read_all(tools: Tools, paths: Sequence[Path], format_name: str, progress: Progress) -> Imported:
    """Reads every log below `paths`. Raises InputError when there was nothing to read at all."""
    wanted = None if format_name == "auto" else tools.importers.by_name(format_name)
    reports: list[FileReport] = []
    failures: list[SlowwaveError] = []
    for path in paths:
        try:
            reports += _read_path(tools, path, wanted, progress)
        except InputError as error:
            failures.append(error)
            reports.append(_failed(path, error))
    if failures and len(failures) == len(paths):
        raise failures[0]
    return Imported(
        tuple(reports),
        sum(report.events for report in reports),
        sum(report.duplicates for report in reports),
        sum(len(report.skipped) + report.unlisted for report in reports),
    )


def _read_path(
    tools: Tools, path: Path, wanted: Format | None, progress: Progress
) -> list[FileReport]:
    files = list(tools.importers.discover(path))
    reports = []
    for number, file in enumerate(files):
        progress("import", number, len(files))
        try:
            found = tools.importers.recognise(file) if wanted is None or file != path else wanted
        except InputError as error:
            reports.append(_failed(file, error))
            continue
        if found is not None and (wanted is None or found.name == wanted.name):
            reports.append(_read_file(tools, file, found))
    progress("import", len(files), len(files))
    if reports:
        return reports
    if path.is_dir():
        raise UnknownFormat(f"no logs found in {path}", f"known formats: {KNOWN}")
    raise UnknownFormat(f"unknown format: {path}", f"name it with --format; known formats: {KNOWN}")


def _read_file(tools: Tools, file: Path, found: Format) -> FileReport:
    taken, memories = tools.restore(file) if found.name == OWN else _read_log(tools, file, found)
    return FileReport(
        str(file), found.name, taken.events, taken.duplicates, taken.skipped, taken.unlisted,
        _state(taken), memories,
    )  # fmt: skip


def _read_log(tools: Tools, file: Path, found: Format) -> Restored:
    zone = tools.intake.now.tzinfo
    if zone is None:
        raise UsageError("the clock has no time zone", "give --now with an offset")
    stream = _dated(_to_the_damage(found.read(file, zone)), tools.intake.now)
    return Restored(take_in(tools.store, stream, tools.intake), 0)


def _state(taken: TakenIn) -> FileState:
    if taken.events:
        return "grown" if taken.duplicates else "new"
    return "unchanged" if taken.duplicates else "empty"


def _to_the_damage(stream: Iterator[Record | Skipped]) -> Iterator[Record | Skipped]:
    """All a reader gives; where it must stop, that is told as a skipped record instead."""
    try:
        yield from stream
    except InputError as error:
        yield Skipped(0, f"{error.message} ({error.hint})" if error.hint else error.message)
    except OSError as error:
        yield Skipped(0, f"cannot be read: {error.strerror or error}")


def _dated(stream: Iterator[Record | Skipped], now: datetime) -> Iterator[Record | Skipped]:
    """What only the file's last change dates is never of later than now (a copy is newer)."""
    for item in stream:
        by_file = isinstance(item, Record) and item.meta.get("dated_by") == "file"
        if isinstance(item, Record) and by_file and item.ts is not None and item.ts > now:
            yield msgspec.structs.replace(item, ts=now)
        else:
            yield item


def _failed(path: Path, error: SlowwaveError) -> FileReport:
    return FileReport(str(path), None, 0, 0, (Skipped(0, error.message),))
