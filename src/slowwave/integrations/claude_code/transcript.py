"""A transcript, read on from where it was left: a long session must not be read whole every turn.

Claude Code appends to its transcript. The bytes that were read, and a digest of the last of them,
are noted in Slowwave's home; what follows goes to the importer as a file of the same name, with
the lines before it left blank, so that every line keeps its number. It begins some turns earlier: a
tool's result belongs to its call, a prompt typed ahead to the row that repeats it. What is known is
not taken twice.
"""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from slowwave.wiring import replace_file

__all__ = ["Marks", "Taken", "take_on"]

SLICE = 1024 * 1024
"""Bytes that are taken in at once; the mark moves on after each of them."""

OVERLAP = 256 * 1024
"""Bytes before the mark in which the turn is looked for with which to begin."""

LONGEST = 64 * 1024 * 1024
"""Bytes of a row or an answer that is read as a whole; longer rows are pictures."""

TURNS_BACK = 2
LAST = 1024
"""Bytes before the mark by which a transcript is known again."""

KEPT_DAYS = 60
_USER = (b'"type":"user"', b'"type": "user"')
_ANSWERED = (b'"type":"assistant"', b'"type": "assistant"')
_RESULT = b"tool_use_id"
_PART = "part-"
_LEFT_OVER = 600
"""Seconds after which no call can still be at work on a part."""

Import = Callable[[Path], int]
"""Takes in a file of rows; how many events were new."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """How far a transcript was read: its bytes and lines, and a digest of the last bytes."""

    path: str
    size: int
    lines: int
    last: str


class Taken(msgspec.Struct, frozen=True):
    """What a call took in; `whole` is False where time ended first."""

    events: int
    whole: bool


class Marks:
    """Where transcripts were left, one small file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def part(self, name: str, blank: int, body: bytes) -> Iterator[Path]:
        """A file of this name that holds the rows behind so many blank lines.

        It lies in the home, not in the system's folder for such things: what was said is private.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix=_PART, dir=self._folder) as folder:
            path = Path(folder) / name
            with path.open("wb") as stream:
                stream.write(b"\n" * blank)
                stream.write(body)
            yield path

    def sweep(self) -> None:
        """Removes what a killed call left: parts of transcripts."""
        for folder in self._folder.glob(f"{_PART}*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _LEFT_OVER:
                    shutil.rmtree(folder, ignore_errors=True)

    def _file(self, path: Path) -> Path:
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return self._folder / f"{name}.json"

    def get(self, path: Path) -> Mark | None:
        """The mark of a transcript that still begins as it did."""
        mark = _decoded(self._file(path))
        if mark is None or mark.path != str(path):
            return None
        try:
            with path.open("rb") as stream:
                stream.seek(max(mark.size - LAST, 0))
                known = _digest(stream.read(min(mark.size, LAST)))
        except OSError:
            return None
        return mark if known == mark.last else None

    def put(self, mark: Mark) -> None:
        """Notes a mark. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(self._file(Path(mark.path)), msgspec.json.encode(mark))

    def behind(self, but: Path) -> Iterator[Path]:
        """Other transcripts that have grown since, the newest first; old marks are removed."""
        grown: list[tuple[float, Path]] = []
        for file in self._folder.glob("*.json"):
            mark = _decoded(file)
            try:
                found = Path(mark.path).stat() if mark is not None else None
            except OSError:
                found = None
            if mark is not None and found is not None and Path(mark.path) != but:
                if found.st_size != mark.size:
                    grown.append((found.st_mtime, Path(mark.path)))
            elif found is None and _is_old(file):
                with suppress(OSError):
                    file.unlink()
        yield from (path for _, path in sorted(grown, reverse=True))


def take_on(path: Path, marks: Marks, take: Import, *, until: float, settled: bool = True) -> Taken:
    """Takes in what a transcript holds beyond its mark, slice by slice, until `time.monotonic()`
    says so. Unless it is `settled`, an answer at its end may still grow, and is left.

    Raises OSError, and what `take` raises; what was taken in before stays taken.
    """  # fmt: skip
    mark = marks.get(path)
    events = 0
    with path.open("rb") as stream:
        end = os.fstat(stream.fileno()).st_size
        at, lines = (mark.size, mark.lines) if mark is not None else (0, 0)
        while at < end:
            if time.monotonic() >= until:
                return Taken(events, whole=False)
            begin, first = _turn_before(stream, at, lines)
            body, after = _next(stream, begin, at, settled=settled)
            if after <= at:
                break  # only half a row, or an answer that may grow, has come so far
            with marks.part(path.name, first, body) as rows:
                events += take(rows)
            at, lines = after, first + body.count(b"\n")
            marks.put(Mark(path=str(path), size=at, lines=lines, last=_digest(_tail(stream, at))))
    return Taken(events, whole=True)


def _next(stream: BinaryIO, begin: int, at: int, *, settled: bool) -> tuple[bytes, int]:
    """The rows from `begin` to some way beyond `at`, and where they end; `at` where none is whole.

    They end before a prompt or between two answers: an answer is not to be read in two pieces.
    """
    size, known = SLICE, at - begin
    while True:
        stream.seek(begin)
        body = stream.read(known + size)
        full = len(body) == known + size
        body = body[: body.rfind(b"\n") + 1]
        kept = _whole_turns(body, known) if full else len(body)
        if not full and not settled:
            kept = _whole_answers(body, known)
        if kept > known or not full:
            return body[:kept], begin + max(kept, known)
        if size > LONGEST:
            if len(body) > known:
                return body, begin + len(body)
            row, after = _blank(stream, at)
            return body[:known] + row, after
        size *= 4


def _blank(stream: BinaryIO, at: int) -> tuple[bytes, int]:
    """A blank line in the place of a row that is too long for any reader."""
    stream.seek(at)
    while piece := stream.readline(SLICE):
        if piece.endswith(b"\n"):
            return b"\n", stream.tell()
    return b"", at


def _whole_turns(body: bytes, known: int) -> int:
    """How much of the rows ends before a prompt, or else between two answers."""
    place = len(body)
    for row in reversed(_rows(body)):
        place -= len(row)
        if place <= known:
            break
        if _is_typed(row):
            return place
    return _whole_answers(body, known)


def _whole_answers(body: bytes, known: int) -> int:
    """How much of the rows is left without the last answer and the results of its tools.

    More may come of both, and a result without its call could not be told from another's words.
    """
    place = cut = len(body)
    name = ""
    for row in reversed(_rows(body)):
        this = _answer_of(row)
        if place <= known or _is_typed(row) or (name and this and this != name):
            break
        place -= len(row)
        if this:
            name, cut = this, place
    return max(cut, known)


def _answer_of(row: bytes) -> str:
    """The name of the answer that a row is a part of; empty for all others."""
    if not any(sign in row for sign in _ANSWERED):
        return ""
    try:
        message = json.loads(row)["message"]
        return str(message["id"]) if isinstance(message, dict) else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def _is_typed(row: bytes) -> bool:
    """Whether a row is, by the look of it, a prompt."""
    return _RESULT not in row and any(sign in row for sign in _USER)


def _turn_before(stream: BinaryIO, at: int, lines: int) -> tuple[int, int]:
    """Where to begin: some prompts before the mark, and how many lines stand before that.

    Where there are not so many nearby, with a row that is no part of an answer.
    """
    begin = max(at - OVERLAP, 0)
    stream.seek(begin)
    body = stream.read(at - begin)
    if begin:
        body = body[body.find(b"\n") + 1 :]
    found, seen, place = at, 0, at
    for row in reversed(_rows(body)):
        place -= len(row)
        if any(sign in row for sign in _USER):
            found = place
            seen += _RESULT not in row
            if seen == TURNS_BACK:
                break
    else:
        found = 0 if begin == 0 else found
    return found, lines - body[found - at + len(body) :].count(b"\n")


def _rows(body: bytes) -> list[bytes]:
    return [part + b"\n" for part in body.split(b"\n")[:-1]]


def _tail(stream: BinaryIO, at: int) -> bytes:
    stream.seek(max(at - LAST, 0))
    return stream.read(min(at, LAST))


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


def _decoded(file: Path) -> Mark | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Mark)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None


def _is_old(file: Path) -> bool:
    with suppress(OSError):
        return time.time() - file.stat().st_mtime > KEPT_DAYS * 86_400
    return False
