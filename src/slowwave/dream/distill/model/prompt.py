"""What a model is asked about a chunk: the instructions from a file, and the events as data.

The events stand between marks that none of them holds, so that no text can end its own frame.
Golden tests hold every word: another prompt gives other claims.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from functools import cache
from typing import NamedTuple

import msgspec

from slowwave.dream.distill.model.chunks import Chunk, Piece, shown_of
from slowwave.dream.distill.model.items import Item
from slowwave.dream.prompts.instructions import instructions
from slowwave.model import Ask, Event, text_hash
from slowwave.modelling import list_schema

__all__ = ["MAX_TOKENS", "Asked", "again", "asked_about", "fingerprint"]

MAX_TOKENS = 6_000
"""Room for the items of a full segment; what is cut is asked for once more."""

_CONTEXT_CHARS = 400
"""Characters shown of each earlier turn: enough to see what a "yes" or "she" points to."""


class Asked(NamedTuple):
    """A question, and what its ids stand for: pieces to distil, and earlier turns to lean on."""

    ask: Ask
    pieces: Mapping[str, Piece]
    before: Mapping[str, Piece]


def asked_about(
    chunk: Chunk, before: Sequence[Event], zone: tzinfo, max_tokens: int = MAX_TOKENS
) -> Asked | None:
    """The question about a chunk; None when there is nothing in it that a model is shown."""
    ours = frozenset(chunk.events)
    earlier = [_context(event) for event in before if event.id not in ours]
    talks = _talks([*earlier, *chunk.pieces])
    pieces, lines = _listed("e", chunk.pieces, (zone, talks), chunk.key)
    if not pieces:
        return None
    context, leaning = _listed("b", earlier, (zone, talks), chunk.key)
    parts = ["BEFORE (noted already)", *leaning, ""] if context else []
    user = "\n".join([*parts, "LOG", *lines])
    ask = Ask(
        purpose="distill",
        system=instructions("distill"),
        user=user,
        schema=list_schema(Item),
        max_tokens=max_tokens,
    )
    return Asked(ask, pieces, context)


def again(asked: Asked, items: Iterable[tuple[Item, Sequence[str]]]) -> Ask:
    """The question once more, for items whose text lost details of their quotes (N15)."""
    lines = [
        f"- {msgspec.json.encode(item).decode()}\n  lost: {', '.join(lost)}" for item, lost in items
    ]
    request = instructions("distill_again").format(items="\n".join(lines))
    return msgspec.structs.replace(asked.ask, user=f"{asked.ask.user}\n\n{request}")


@cache
def fingerprint() -> str:
    """Stands for the instructions and the schema: what was asked otherwise is asked anew."""
    schema = msgspec.json.encode(list_schema(Item), order="deterministic").decode()
    return text_hash("\x1f".join((instructions("distill"), instructions("distill_again"), schema)))


def _listed(
    letter: str, pieces: Sequence[Piece], about: tuple[tzinfo, Mapping[str, str]], key: str
) -> tuple[dict[str, Piece], list[str]]:
    """The pieces by short ids, and the lines that show them."""
    known: dict[str, Piece] = {}
    lines: list[str] = []
    for piece in pieces:
        words = shown_of(piece)
        if not words:
            continue
        name = f"{letter}{len(known) + 1}"
        known[name] = piece
        mark = _mark(key, words)
        lines += [f"[{name}] {_about(piece.event, *about)}", f"<<{mark}", words, f"{mark}>>"]
    return known, lines


def _talks(pieces: Sequence[Piece]) -> dict[str, str]:
    """A number for each talk, where there are several: their turns stand in one list."""
    sessions = list(dict.fromkeys(piece.event.session for piece in pieces))
    if len(sessions) < 2:
        return {}
    return {session: f", talk {number}" for number, session in enumerate(sessions, start=1)}


def _about(event: Event, zone: tzinfo, talks: Mapping[str, str]) -> str:
    """When it was said, by whom and in which talk; a name from outside stays on its line."""
    said = event.ts.astimezone(zone)
    speaker = " ".join((event.speaker or "").split())[:60]
    who = f"{event.origin} {speaker}".strip()
    kind = "" if event.kind == "message" else f", {event.kind}"
    return f"{said:%Y-%m-%d %H:%M %A}, {who}{kind}{talks.get(event.session, '')}"


def _mark(key: str, words: str) -> str:
    """A mark that does not stand in the words themselves."""
    mark = key[:6]
    while mark in words:
        mark = text_hash(mark)[:6]
    return mark


def _context(event: Event) -> Piece:
    """The end of an earlier turn: that is what an answer leans on."""
    return Piece(event, max(0, len(event.text) - _CONTEXT_CHARS), len(event.text))
