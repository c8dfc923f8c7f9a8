"""Distilling by a language model: it proposes, and each proposal must stand on exact words (N10).

One chunk is one question. Its items become claims where the journal holds their quotes; everything
else is returned as `Rejected` with a reason. Items whose text lost details are asked for once more
(N15). A chunk that is too long for the model, or whose answer does not end, is asked in halves.
"""

from collections.abc import Sequence
from datetime import tzinfo
from typing import NamedTuple

import msgspec

from slowwave.dream.distill.model.chunks import Chunk, halves
from slowwave.dream.distill.model.items import (
    STAGE,
    Item,
    Shown,
    claim_of,
    lost_details,
    words_of,
)
from slowwave.dream.distill.model.prompt import (
    MAX_TOKENS,
    Asked,
    again,
    asked_about,
    fingerprint,
)
from slowwave.errors import ModelError, ModelRefused, ModelUnusable
from slowwave.model import Claim, Event, Rejected
from slowwave.modelling import Answer, Asker, Problem, parse_items

__all__ = ["Told", "distill", "fingerprint", "proposed"]

CONTEXT_TURNS = 4
"""How many turns of the first half the second one may lean on."""

MOST_HALVINGS = 5
"""From 30,000 characters to a thousand: what is still too long then is not the text's fault."""

LEAST_ANSWER = 500
"""Tokens of an answer below which nothing is asked: an item needs a hundred or two."""

DENSEST = 10
"""Tokens of an answer for each character of text that no honest one reaches: an item for every
dozen characters. A longer one never ends, however little it is asked about at once."""


class Told(msgspec.Struct, frozen=True):
    """What a model made of a chunk. `model` is "" where there was nothing to ask."""

    claims: tuple[Claim, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    model: str = ""


def distill(
    chunk: Chunk, before: Sequence[Event], asker: Asker, zone: tzinfo, owner: str = ""
) -> Told:
    """The claims that a model finds in a chunk. `before` are earlier turns, for understanding only.

    `zone` is the user's zone, `owner` his name in the log. Raises ModelError when there is no
    answer that can be used: nothing is done then.
    """
    return _distill(chunk, before, asker, (zone, owner), _Room(MOST_HALVINGS, MAX_TOKENS))


class _Room(NamedTuple):
    """How often a chunk may still be halved, and how many tokens an answer may have."""

    halvings: int
    tokens: int


def _distill(
    chunk: Chunk, before: Sequence[Event], asker: Asker, about: tuple[tzinfo, str], room: _Room
) -> Told:
    asked = asked_about(chunk, before, about[0], room.tokens)
    if asked is None:
        return Told()
    tokens = room.tokens
    try:
        answer = asker.items(asked.ask, Item)
    except ModelRefused as error:
        if error.why != "too_long" or not room.halvings:
            raise
        # Servers count the room for the answer as well: half the text needs half of it.
        answer, tokens = None, max(LEAST_ANSWER, tokens // 2)
    if answer is not None and not (answer.truncated and room.halvings and _is_dense(asked, answer)):
        return _told(asked, answer, asker, about)
    parts = halves(chunk)
    if not parts:
        raise ModelRefused(f"{asker.model.name} cannot take even one word of this", why="too_long")
    told: list[Told] = []
    for part in parts:
        told.append(_distill(part, before, asker, about, _Room(room.halvings - 1, tokens)))
        before = [*before, *(piece.event for piece in part.pieces[-CONTEXT_TURNS:])]
    return Told(
        tuple(claim for one in told for claim in one.claims),
        tuple(item for one in told for item in one.rejected),
        next((one.model for one in told if one.model), ""),
    )


def _is_dense(asked: Asked, answer: Answer[Item]) -> bool:
    """Whether the text may hold as much as was said about it; else half of it would not either."""
    shown = sum(len(piece.text) for piece in asked.pieces.values())
    return answer.tokens <= DENSEST * shown


def _told(asked: Asked, answer: Answer[Item], asker: Asker, about: tuple[tzinfo, str]) -> Told:
    """The items of an answer as claims; what lost details is asked for once more (N15)."""
    shown = Shown(asked.pieces, asked.before, asked.ask.system, *about)
    claims: list[Claim] = []
    rejected = [_refused(problem) for problem in answer.problems if problem.item]
    lossy: list[tuple[Item, tuple[str, ...], Claim]] = []
    for item in answer.items:
        made = claim_of(item, shown)
        if isinstance(made, Rejected):
            rejected.append(made)
        elif lost := lost_details(made, shown):
            lossy.append((item, lost, made))
        elif words_of(made, shown).added:
            first = made.evidence[0].event_id
            rejected.append(Rejected(STAGE, "says more than was said", made.text[:300], first))
        else:
            claims.append(made)
    if lossy:
        # What was right the first time mends nothing when it is said again.
        mended = [one for one in _mended(asked, lossy, asker, shown) if one not in claims]
        claims += mended
        rejected += [
            Rejected(STAGE, "details lost", made.text[:300], made.evidence[0].event_id)
            for _, _, made in lossy
            if not any(_same_words(made, other) for other in mended)
        ]
    return Told(tuple(dict.fromkeys(claims)), tuple(rejected), answer.model)


def _mended(
    asked: Asked,
    lossy: Sequence[tuple[Item, tuple[str, ...], Claim]],
    asker: Asker,
    shown: Shown,
) -> list[Claim]:
    """What a second question gives for the items that lost details: only those, and whole."""
    try:
        answer = asker.items(again(asked, [(item, lost) for item, lost, _ in lossy]), Item)
    except ModelError:
        return []  # the first answer was right in all else: it is not lost for this
    made = [claim_of(item, shown) for item in answer.items]
    return [
        claim
        for claim in made
        if isinstance(claim, Claim)
        and not lost_details(claim, shown)
        and not words_of(claim, shown).added
        and any(_same_words(claim, was) for _, _, was in lossy)
    ]


def _same_words(one: Claim, other: Claim) -> bool:
    """Whether two claims rest on words that overlap."""
    return any(
        a.event_id == b.event_id and a.start < b.end and b.start < a.end
        for a in one.evidence
        for b in other.evidence
    )


def proposed(error: ModelUnusable) -> tuple[Rejected, ...]:
    """What answers that could not be used said, each statement once: it rests on no quote."""
    said = dict.fromkeys(text for raw in error.raw for text in parse_items(raw, str).items)
    return tuple(Rejected(STAGE, "unsupported: no quote", text[:300]) for text in said if text)


def _refused(problem: Problem) -> Rejected:
    return Rejected(STAGE, f"item refused: {problem.reason}", problem.raw[:300])
