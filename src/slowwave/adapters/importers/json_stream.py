"""JSON exports of any size, value by value, also out of ZIP archives.

A chat export is one array on one line that may run to gigabytes. It is cut at the borders of its
elements without being parsed, and each element is decoded alone: memory follows the largest
conversation, and a damaged one costs itself and not those behind it. An event parser such as
ijson stops for good at the first damaged byte.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from slowwave.adapters.importers.lines import HEAD_BYTES, decode_json, plain_head
from slowwave.adapters.importers.opening import opened
from slowwave.errors import InputError
from slowwave.model import Skipped

MAX_VALUE = 64 * 1024 * 1024
"""Largest element that is decoded (bytes); a larger one is skipped and counted."""

MAX_DEPTH = 10_000
"""Deepest nesting that is followed; no parser could decode a tenth of it."""

MAX_RATIO, SMALL_MEMBER = 200, 256 * 1024 * 1024
"""A larger ZIP member that shrank by more than this is a bomb: chats shrink to a tenth."""

_CHUNK = 1024 * 1024
_NOTHING = b", \t\r\n\xef\xbb\xbf"  # between elements, and a byte order mark before the first
_ZIP_MAGIC = b"PK\x03\x04"


class _NoExport(ValueError):
    """The bytes can be no export: nested or packed beyond all measure."""


_BREAKS = (
    _NoExport,
    OSError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
)
"""Every way a ZIP member can fail: damaged, unknown compression, encrypted (RuntimeError)."""

# Possessive repeats: a run is skipped in one call and never scanned twice.
_PLAIN = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


class Value(NamedTuple):
    """One decoded value: its place in the file (from 1), the line it starts on, the value."""

    number: int
    line: int
    value: object


class _Piece(NamedTuple):
    """The bytes of one value; None when there were more than MAX_VALUE."""

    line: int
    raw: bytes | None


def json_values(path: Path, wanted: re.Pattern[str]) -> Iterator[Value | Skipped]:
    """The elements of a file's top array, or its top values one after another.

    Of a ZIP archive, those of every member whose base name matches `wanted`, in order of name.
    Raises NotFound or InputError for a file that cannot be opened; later damage is a Skipped.
    """
    number = 0
    for name, source in _sources(path, wanted):
        where = f"{name}: " if name else ""
        try:
            with source() as stream:
                for piece in split(stream.read):
                    number += 1
                    yield _decoded(number, piece, where)
        except _BREAKS as error:
            yield Skipped(0, f"{where}damaged: {error}")


def head_of(path: Path, head: bytes, wanted: re.Pattern[str]) -> bytes:
    """`head` as UTF-8; of a ZIP archive, the first bytes of its first wanted member."""
    if not head.startswith(_ZIP_MAGIC):
        return plain_head(path, head)
    try:
        with zipfile.ZipFile(path) as archive:
            for name in _members(archive, wanted):
                with archive.open(name) as member:
                    return member.read(HEAD_BYTES)
    except (*_BREAKS, ValueError):
        return b""
    return b""


def split(read: Callable[[int], bytes]) -> Iterator[_Piece]:
    """Cuts a stream of JSON at the borders of its elements, in one pass and bounded memory."""
    splitter = _Splitter()
    while data := read(_CHUNK):
        yield from splitter.feed(data)
    yield from splitter.end()


class _Splitter:
    """Where the scan stands: the unfinished value's bytes, the depth, inside a string or not.

    Elements stand at `level`: 1 inside a top array, 0 outside. What lies between two containers
    at that level (numbers, strings, damage) comes out as one value of its own.
    """

    def __init__(self) -> None:
        self._data = b""
        self._start = 0  # of the value being read, in _data
        self._at = 0  # how far _data is scanned
        self._depth = 0
        self._level = 0
        self._string = False
        self._line = 1
        self._large = False

    def feed(self, data: bytes) -> Iterator[_Piece]:
        """The values that end in `data`."""
        self._data = self._data[self._start :] + data
        self._at -= self._start
        self._start = 0
        while self._advance():
            byte = self._data[self._at : self._at + 1]
            self._at += 1
            if byte in b"{[":
                yield from self._open(byte)
            else:
                yield from self._close()
        if len(self._data) - self._start > MAX_VALUE:
            self._large = True
        if self._large:
            self._skip_to(self._at)

    def end(self) -> Iterator[_Piece]:
        """What is left: a torn value, or scalars after the last container."""
        self._at = len(self._data)
        yield from self._between(self._at)

    def _advance(self) -> bool:
        """Moves to the next bracket that counts; False when more bytes are needed."""
        while True:
            pattern = _IN_STRING if self._string else _PLAIN
            match = pattern.match(self._data, self._at)
            self._at = match.end() if match else self._at
            byte = self._data[self._at : self._at + 1]
            if byte == b'"':
                self._string = not self._string
                self._at += 1
            else:
                # A lone backslash: the second half of an escape is not here yet.
                return byte not in (b"", b"\\")

    def _open(self, byte: bytes) -> Iterator[_Piece]:
        if self._depth == self._level:
            yield from self._between(self._at - 1)
            if byte == b"[" and self._depth == 0:
                self._level = 1
                self._skip_to(self._at)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _NoExport("nested too deeply")

    def _close(self) -> Iterator[_Piece]:
        if self._depth <= self._level:
            yield from self._between(self._at - 1)
            self._skip_to(self._at)
            self._depth = self._level = 0
            return
        self._depth -= 1
        if self._depth == self._level:
            yield self._take(self._at)

    def _between(self, end: int) -> Iterator[_Piece]:
        piece = self._take(end)
        if piece.raw is None or piece.raw.strip(_NOTHING):
            yield piece

    def _take(self, end: int) -> _Piece:
        raw = self._data[self._start : end]
        blank = len(raw) - len(raw.lstrip(b", \t\r\n"))
        line = self._line + raw.count(b"\n", 0, blank)
        piece = _Piece(line, None if self._large else raw[blank:].rstrip(b", \t\r\n"))
        self._large = False
        self._skip_to(end)
        return piece

    def _skip_to(self, end: int) -> None:
        self._line += self._data.count(b"\n", self._start, end)
        self._start = end


def _decoded(number: int, piece: _Piece, where: str) -> Value | Skipped:
    if piece.raw is None:
        reason = f"larger than {MAX_VALUE // 1024 // 1024} MiB"
        return Skipped(piece.line, f"{where}value {number}: {reason}")
    try:
        return Value(number, piece.line, decode_json(piece.raw))
    except ValueError as error:
        return Skipped(piece.line, f"{where}value {number}: {error}")


def _sources(
    path: Path, wanted: re.Pattern[str]
) -> Iterator[tuple[str, Callable[[], AbstractContextManager[IO[bytes]]]]]:
    """Names and openers: the file itself without a name, or the wanted members of a ZIP."""
    with opened(path) as file:
        packed = file.peek(4).startswith(_ZIP_MAGIC)
    if not packed:
        yield "", partial(opened, path)
        return
    try:
        archive = zipfile.ZipFile(path)
    except (*_BREAKS, ValueError) as error:
        raise InputError(
            f"cannot read the archive {path}: {error}", "unpack it and import the folder"
        ) from None
    with archive:
        names = _members(archive, wanted)
        for name in names:
            yield name, partial(_member, archive, name)
    if not names:
        raise InputError(f"no conversations in the archive {path}", "is it the right export?")


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A member's stream; reading it never gives more than the size its entry tells."""
    entry = archive.getinfo(name)
    if entry.file_size > max(SMALL_MEMBER, MAX_RATIO * entry.compress_size):
        raise _NoExport(f"{entry.file_size} bytes packed into {entry.compress_size}")
    return archive.open(entry)


def _members(archive: zipfile.ZipFile, wanted: re.Pattern[str]) -> list[str]:
    """Wanted members by name, without the shadow files that macOS adds."""
    return sorted(
        name
        for name in archive.namelist()
        if "__MACOSX" not in name and wanted.fullmatch(name.rsplit("/", 1)[-1])
    )
