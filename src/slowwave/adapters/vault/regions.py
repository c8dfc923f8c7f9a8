"""The managed part of a file, and everything else in it: bytes that are never touched.

Works on bytes, so that no encoding, line ending or byte order mark gets lost. Markers count only
where they stand alone at the start of a line and not inside of a code fence; a fence that never
closes is none (as for the readers of notes).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from slowwave.adapters.files import digest
from slowwave.text.markdown import REGION_CLOSE, REGION_OPEN

__all__ = ["Broken", "Region", "composed", "decoded", "find", "inserted", "mentions", "stamped"]

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_OPEN = re.compile(rb"<!-- slowwave:begin(?: ([0-9a-f]{12}))? -->[ \t]*[\r\n]*\Z")
_CLOSE = re.compile(re.escape(REGION_CLOSE.encode()) + rb"[ \t]*[\r\n]*\Z")
_FENCE = re.compile(rb" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})(.*)\Z", re.DOTALL)
_COMMENT = re.compile(rb" {0,3}<!--")
_ENDS_BLANK = re.compile(rb"(?:\A\xef\xbb\xbf|\A|(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r))\Z")
_STARTS_BLANK = re.compile(rb"[ \t]*(?:[\r\n]|\Z)")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


class Broken(ValueError):
    """The markers of a file do not pair up, or the file cannot hold any."""


class Region(NamedTuple):
    """A file cut in three. `body` is the managed text between the markers, with `\\n` line ends.

    `stamp` is that of the body as it was written, `ours` tells that nobody edited it since.
    `found`: there is a managed part at all (else `before` and `after` are cut where one can stand).
    `more` counts further managed parts.
    """

    before: bytes
    body: str
    after: bytes
    found: bool
    stamp: str = ""
    more: int = 0

    @property
    def ours(self) -> bool:
        """Whether the body is as it was written."""
        return not self.found or self.stamp == stamped(self.body)


def find(data: bytes) -> Region:
    """The managed part of a file. Raises Broken."""
    if data.startswith(_WIDE):
        raise Broken("it is UTF-16; save it as UTF-8")
    marks: list[tuple[bool, int, int, bytes]] = []
    unclosed = len(data)
    for start, line, in_code in _lines(data):
        if in_code is None or (not in_code and _opens_comment(data, start, line)):
            unclosed = min(unclosed, start)
        opened = None if in_code else _OPEN.match(line)
        if opened or (not in_code and _CLOSE.match(line)):
            mark = (bool(opened), start, start + len(line), opened[1] or b"" if opened else b"")
            marks.append(mark)
    if not marks:
        return Region(data[:unclosed], "", data[unclosed:], found=False)
    if [mark[0] for mark in marks] != [True, False] * (len(marks) // 2):
        raise Broken("its slowwave markers do not pair up: each begin needs one end after it")
    opened_at, closed_at = marks[0], marks[1]
    inside = data[opened_at[2] : closed_at[1]]
    body = decoded(inside).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return Region(
        before=data[: opened_at[1]],
        body=body,
        after=data[closed_at[2] :],
        found=True,
        stamp=opened_at[3].decode(),
        more=len(marks) // 2 - 1,
    )


def _opens_comment(data: bytes, start: int, line: bytes) -> bool:
    """Whether a line opens a comment that is never closed: all that follows would be in it."""
    return bool(_COMMENT.match(line)) and data.find(b"-->", start) < 0


def mentions(data: bytes) -> bool:
    """Whether a marker stands anywhere, be it inside of a code fence."""
    return REGION_OPEN.encode() in data


def composed(region: Region, body: str, loose: str = "") -> bytes:
    """The file with another managed text; `loose` words of a person go right behind it."""
    eol = _eol(region.before + region.after)
    body = body.strip("\n")
    block = [f"{REGION_OPEN} {stamped(body)} -->", "", *body.split("\n"), "", REGION_CLOSE, ""]
    before, after = region.before, region.after
    tail = b""
    if loose:
        tail = encoded("\n".join(["", loose, ""]).replace("\n", eol), before + after)
    if not region.found or loose:
        if not region.found and not _ENDS_BLANK.search(before):
            lacks = 1 if before.endswith((b"\n", b"\r")) else 2
            before += (eol * lacks).encode()
        if after and not _STARTS_BLANK.match(after):
            after = eol.encode() + after
    return before + encoded(eol.join(block), before + after) + tail + after


def stamped(body: str) -> str:
    """What the begin marker carries, so that an unedited body proves itself."""
    return digest(body.encode("utf-8", "surrogatepass"))


def inserted(title: str, body: str) -> bytes:
    """A new file: its title, and the managed text."""
    return composed(Region(f"# {title}\n\n".encode(), "", b"", found=False), body)


def decoded(data: bytes) -> str:
    """Bytes as text: UTF-8, else GB18030, else with the damage marked. Never fails."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def encoded(text: str, around: bytes) -> bytes:
    """Text in the encoding of what stands around it."""
    for encoding in ("utf-8", "gb18030"):
        try:
            around.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text.encode(encoding, "replace")
    return text.encode("utf-8", "replace")


def _eol(data: bytes) -> str:
    """The line ending a file uses (that of its first line)."""
    first = re.search(rb"\r\n|\n|\r", data)
    return first[0].decode() if first else "\n"


def _lines(data: bytes) -> Iterator[tuple[int, bytes, bool | None]]:
    """Lines with where they start and whether they are code; None opens a fence without end."""
    lines = [(match.start(), match[0]) for match in _LINE.finditer(data)]
    at, hopeless = 0, {b"`": 1 << 30, b"~": 1 << 30}
    while at < len(lines):
        start, line = lines[at]
        if at == 0:
            line = line.removeprefix(b"\xef\xbb\xbf")
            start += len(lines[0][1]) - len(line)
        fence = _FENCE.match(line.rstrip(b"\r\n"))
        if not fence or len(fence[1]) >= hopeless[fence[1][:1]]:
            yield start, line, None if fence else False
            at += 1
            continue
        end = _closing(lines, at, fence[1])
        if end is None:
            hopeless[fence[1][:1]] = len(fence[1])
            continue
        for inside in lines[at : end + 1]:
            yield (*inside, True)
        at = end + 1


def _closing(lines: list[tuple[int, bytes]], at: int, mark: bytes) -> int | None:
    """The line that closes a fence."""
    for place in range(at + 1, len(lines)):
        fence = _FENCE.match(lines[place][1].rstrip(b"\r\n"))
        if fence and fence[1].startswith(mark) and not fence[2].strip():
            return place
    return None
