"""Bytes from files that other programs wrote: lines, encodings, JSON values and times.

Every reader streams: one line is in memory at a time, so a transcript of a gigabyte with pictures
in it costs no more than its longest line. Lines end at byte 0x0A and nowhere else, because U+2028,
U+0085 and form feeds are ordinary characters inside a JSON string.
"""

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path

import msgspec

from slowwave.adapters.importers.opening import BOMS, GZIP_MAGIC, ZSTD_MAGIC, guarded, opened
from slowwave.errors import InputError
from slowwave.model import Skipped

HEAD_BYTES = 64 * 1024
"""How much of a file a format sees when it is asked whether it knows it."""

MAX_LINE = 64 * 1024 * 1024
"""Longest line that is handed on whole (bytes); the rest of a longer one is dropped."""

_CHUNK = 256 * 1024


# ── lines ───────────────────────────────────────────────────────────────────────────────────────


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Streams `(line number from 1, bytes without the line end)`; a torn last line comes too.

    Unpacks Zstandard and gzip files, drops a UTF-8 byte order mark, and turns UTF-16 or UTF-32
    (known by its mark) into UTF-8. A line longer than MAX_LINE is cut there, so that what parses
    it refuses it. Raises NotFound, or InputError for a file that cannot be read or a damaged
    archive; the lines before the damage have been handed out by then.
    """
    with opened(path) as file:
        number = 0
        while piece := guarded(path, file.readline, MAX_LINE):
            number += 1
            if len(piece) == MAX_LINE and not piece.endswith(b"\n"):
                _skip_line(path, file)
            yield number, piece.removesuffix(b"\n").removesuffix(b"\r")


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """The first `size` bytes as `read_lines` would see them: unpacked, without a mark, UTF-8."""
    with opened(path) as file:
        return guarded(path, file.read, size)


def read_bytes(path: Path, limit: int = MAX_LINE) -> bytes:
    """A whole small file, unpacked but not decoded. InputError when it is larger than `limit`."""
    with opened(path, recode=False) as file:
        data = guarded(path, file.read, limit + 1)
    if len(data) > limit:
        raise InputError(f"{path} is larger than {limit} bytes", "Split the file and try again.")
    return data


def plain_head(path: Path, head: bytes) -> bytes:
    """`head` as `read_head` gives it; empty when the file is packed and cannot be unpacked."""
    if not head.startswith((ZSTD_MAGIC, GZIP_MAGIC, *(mark for mark, _name in BOMS))):
        return head
    try:
        return read_head(path)
    except InputError:
        return b""


def json_lines(path: Path) -> Iterator[tuple[int, object] | Skipped]:
    """Streams `(line number, JSON value)`, and a Skipped for each line that is not JSON.

    Blank lines are passed over. An archive that turns out to be damaged ends with a Skipped.
    """
    number = 0
    try:
        for number, raw in read_lines(path):
            if not raw or raw.isspace():
                continue
            try:
                value = decode_json(raw)
            except ValueError as error:
                yield Skipped(number, str(error))
            else:
                yield number, value
    except InputError as error:
        if number == 0:
            raise
        yield Skipped(number + 1, error.message)


def _skip_line(path: Path, file: io.BufferedReader) -> None:
    while piece := guarded(path, file.readline, _CHUNK):
        if piece.endswith(b"\n"):
            return


# ── encodings ───────────────────────────────────────────────────────────────────────────────────


def decode(data: bytes) -> tuple[str, str]:
    """`(text, encoding)` of bytes in an unknown encoding. Never fails.

    By byte order mark, then strict UTF-8, then UTF-8 with a few damaged bytes, then GB18030 or
    Big5 (whichever reads as common characters), else Windows-1252. Bad bytes become U+FFFD.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            name = "utf-8-sig" if encoding == "utf-8" else encoding
            return data.decode(name, "replace"), name
    wide = _wide(data)
    if wide is not None:
        return data.decode(wide, "replace"), wide
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - bad
    # Text in another encoding that happens to be valid UTF-8 is rare: damage is a small minority.
    if good > 4 * bad:
        return text, "utf-8"
    encoding = max(("gb18030", "big5"), key=lambda name: _common_share(data, name))
    if _common_share(data, encoding) >= 0.5:
        return data.decode(encoding, "replace"), encoding
    return data.decode("cp1252", "replace"), "cp1252"


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark, known by its zero bytes (spaces and line ends at the least)."""
    sample = data[: HEAD_BYTES // 16]
    if len(data) % 2 or len(sample) < 4:
        return None
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    limit = len(sample) // 2 // 5
    if second > limit and not first:
        return "utf-16-le"
    if first > limit and not second:
        return "utf-16-be"
    return None


def _common_share(data: bytes, encoding: str) -> float:
    """Share of double-byte characters that stand in the code's table of common characters."""
    gb = encoding == "gb18030"
    low, high = (0xB0, 0xD7) if gb else (0xA4, 0xC6)
    common = total = at = 0
    while at < len(data) - 1:
        lead, trail = data[at], data[at + 1]
        if lead < 0x80:
            at += 1
            continue
        total += 1
        at += 2
        in_table = trail >= 0xA1 or (not gb and 0x40 <= trail <= 0x7E)
        # A1–A3 hold punctuation and full-width signs in both codes.
        if in_table and (low <= lead <= high or 0xA1 <= lead <= 0xA3):
            common += 1
    return common / total if total else 0.0


# ── JSON and times ──────────────────────────────────────────────────────────────────────────────

_SURROGATE = re.compile("[\ud800-\udfff]")


def decode_json(raw: bytes) -> object:
    """One JSON value. Half surrogate pairs become U+FFFD, other encodings than UTF-8 are tried.

    Raises ValueError with a short reason for people: torn, NUL bytes, too deep, or not JSON.
    """
    try:
        value: object = msgspec.json.decode(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        return _decode_json_slowly(raw)
    return value


def _decode_json_slowly(raw: bytes) -> object:
    if b"\x00" in raw:
        raise ValueError("NUL bytes in the line")
    if len(raw) >= MAX_LINE:
        raise ValueError(f"longer than {MAX_LINE // 1024 // 1024} MiB")
    text, _encoding = decode(raw)
    try:
        return _mended(json.loads(text))
    except json.JSONDecodeError as error:
        # The parser stops at the end of a torn line, and before it in a damaged one.
        torn = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        raise ValueError("torn: it ends early" if torn else f"not JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _mended(value: object) -> object:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _mended(item) for key, item in value.items()}
    return value


_NUMBER = re.compile(r"\d{9,13}(?:\.\d+)?")
_OFFSET = re.compile(r"\s+(?:UTC|GMT)?\s*([+-]\d{2}):?(\d{2})$|\s*(?:UTC|GMT)$")


def parse_time(value: object, zone: tzinfo = UTC) -> datetime | None:
    """An aware instant from an ISO string, or from Unix seconds or milliseconds; else None.

    `zone` is for strings without an offset. Years outside 1971–2199 are taken for damage (zero
    and negative Unix times stand for "not known" in several formats).
    """
    if isinstance(value, str):
        text = value.strip()
        if not _NUMBER.fullmatch(text):
            return _parse_iso(text, zone)
        value = float(text)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e13:
        return None
    seconds = value / 1000 if value >= 1e11 else value
    return datetime.fromtimestamp(seconds, UTC) if 31_536_000 <= seconds < 7.25e9 else None


def _parse_iso(text: str, zone: tzinfo) -> datetime | None:
    try:
        found = datetime.fromisoformat(_OFFSET.sub(_offset, text))
    except ValueError:
        return None
    if not 1971 <= found.year <= 2199:
        return None
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _offset(match: re.Match[str]) -> str:
    return f"{match[1]}:{match[2]}" if match[1] else "+00:00"


def local_time(value: object, zone: tzinfo) -> datetime | None:
    """As `parse_time`, in the user's zone where the value tells no offset of its own.

    Machines write UTC; that says nothing about where the speaker was, and a talk at 00:30 must
    not fall on the day before. A naive time is taken for UTC.
    """
    found = parse_time(value)
    return found.astimezone(zone) if found and not found.utcoffset() else found
