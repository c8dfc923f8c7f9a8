"""An export of Slowwave itself: JSON lines, or the same lines as comments of a Markdown page.

`lines` gives them as they stand, for `transfer`, which takes in all of them. As a plain format only
its events are read, as event lines of anybody.
"""

import re
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path

from slowwave.adapters.importers.jsonl import record
from slowwave.adapters.importers.lines import plain_head, read_lines
from slowwave.model import Record, Skipped
from slowwave.ports import Format
from slowwave.text.comment_lines import shown

__all__ = ["FORMAT", "lines"]

_HEADER = re.compile(rb'\s*\{\s*"slowwave"\s*:\s*\{\s*"what"\s*:\s*"header"')
"""However another program has spaced it."""
_FIRST = 12
"""Lines within which the header of a page stands."""


def _recognise(path: Path, head: bytes) -> bool:
    first = plain_head(path, head).split(b"\n")[:_FIRST]
    if _HEADER.match(first[0]):
        return True
    data = [shown(line.removesuffix(b"\r")) for line in first]
    return any(line is not None and _HEADER.match(line) is not None for line in data)


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Streams `(line number, JSON)`; of a page only the data. Raises NotFound, InputError."""
    page = None
    for number, raw in read_lines(path):
        if page is None:
            page = not raw.lstrip().startswith(b"{")
        data = shown(raw) if page else raw
        if data is not None and data.strip():
            yield number, data


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    for number, raw in lines(path):
        found = record(raw, number, zone)
        if isinstance(found, Record):
            yield found


FORMAT = Format("slowwave", _recognise, _read)
