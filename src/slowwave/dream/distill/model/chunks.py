"""What a model is asked about at once: a chunk of a night, and the words of it that are shown.

A segment of `collect` is one chunk, except where it holds a line longer than a question may be
(that one is cut into parts, case 63), or events that were asked about together before and not done
(they are asked about again, by themselves, case 59). Pure: the same events give the same chunks.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from slowwave.dream.collect import Segment
from slowwave.model import Event, text_hash
from slowwave.text.noise import is_control, strip_managed, unwrap

__all__ = ["Chunk", "Piece", "chunks_of", "halves", "shown_of"]

SHOWN_ORIGINS = frozenset({"owner", "other", "agent"})
"""Who is listened to. What tools say, and what comes from outside, no claim may rest on (Trust)."""

SHOWN_KINDS = frozenset({"message", "note", "correction", "seed"})

AGENT_HEAD, AGENT_TAIL = 800, 400
"""Characters shown of a long turn of the agent: what it proposes stands at its end."""

FRAME = 60
"""Characters that a question has around each event: its id, moment, sender and marks. Two thousand
short notes would else make a question of twice the size."""

_BORDERS = (re.compile(r"\n+"), re.compile(r"[。！？.!?]+[”’\"']?\s*"), re.compile(r"[，,;；\s]+"))
"""Where a long text may be cut, the best places first."""


class Piece(msgspec.Struct, frozen=True):
    """A part of an event that is read at once: `event.text[start:end]`, nearly always all of it."""

    event: Event
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words of the part."""
        return self.event.text[self.start : self.end]


class Chunk(msgspec.Struct, frozen=True):
    """What one question is about. `segment` is the number of the segment it comes from."""

    key: str
    segment: int
    pieces: tuple[Piece, ...]

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of its events, each once."""
        return tuple(dict.fromkeys(piece.event.id for piece in self.pieces))


def chunks_of(
    segments: Sequence[Segment], max_chars: int, together: Mapping[str, str]
) -> list[Chunk]:
    """The chunks of a night, in the order of its segments.

    `together` names for events that were asked about before and not done the group they were in.
    """
    found: list[Chunk] = []
    for number, segment in enumerate(segments):
        groups: dict[str, list[Event]] = {}
        for event in segment.events:
            groups.setdefault(together.get(event.id, ""), []).append(event)
        for events in groups.values():
            found += _chunked(number, events, max_chars)
    return found


def _chunked(segment: int, events: Sequence[Event], max_chars: int) -> list[Chunk]:
    chunks: list[Chunk] = []
    current: list[Piece] = []
    size = 0
    for event in events:
        for start, end in _parts(event.text, max_chars):
            if current and size + end - start + FRAME > max_chars:
                chunks.append(_chunk(segment, current))
                current, size = [], 0
            current.append(Piece(event, start, end))
            size += end - start + FRAME
    if current:
        chunks.append(_chunk(segment, current))
    return chunks


def _chunk(segment: int, pieces: Sequence[Piece]) -> Chunk:
    # In whatever order they are asked about, the same words are the same chunk.
    named = sorted(f"{piece.event.id}:{piece.start}-{piece.end}" for piece in pieces)
    return Chunk(text_hash(",".join(named)), segment, tuple(pieces))


def _parts(text: str, max_chars: int) -> list[tuple[int, int]]:
    """A text in parts of at most so many characters, cut at the end of a line or sentence."""
    parts = []
    start = 0
    while len(text) - start > max_chars:
        end = _border(text, start + max_chars // 2, start + max_chars)
        parts.append((start, end))
        start = end
    return [*parts, (start, len(text))]


def _border(text: str, least: int, most: int) -> int:
    for pattern in _BORDERS:
        ends = [match.end() for match in pattern.finditer(text, least, most)]
        if ends:
            return ends[-1]
    return most


def halves(chunk: Chunk) -> tuple[Chunk, ...]:
    """A chunk as two: half of its pieces each, or of the text of its only one; none for a word."""
    pieces = chunk.pieces
    if len(pieces) > 1:
        middle = len(pieces) // 2
        return _chunk(chunk.segment, pieces[:middle]), _chunk(chunk.segment, pieces[middle:])
    (only,) = pieces
    size = only.end - only.start
    if size < 2:
        return ()
    cut = _border(only.event.text, only.start + size // 4, only.start + size // 2)
    cut = cut if only.start < cut < only.end else only.start + size // 2
    parts = (Piece(only.event, only.start, cut), Piece(only.event, cut, only.end))
    return tuple(_chunk(chunk.segment, [part]) for part in parts)


def shown_of(piece: Piece) -> str:
    """The words of a piece that a model is shown; "" where it is shown none.

    What a program wrote in a person's place, and what came out of a memory, is left out; a long
    turn of the agent keeps its beginning and its end.
    """
    event = piece.event
    if event.origin not in SHOWN_ORIGINS or event.kind not in SHOWN_KINDS:
        return ""
    text = piece.text
    if piece.start == 0:
        text = unwrap(text).text
    text = strip_managed(text).strip()
    if is_control(text):
        return ""
    if event.origin == "agent" and len(text) > AGENT_HEAD + AGENT_TAIL:
        return f"{text[:AGENT_HEAD].rstrip()} […] {text[-AGENT_TAIL:].lstrip()}"
    return text
