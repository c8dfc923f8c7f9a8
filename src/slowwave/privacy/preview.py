"""What would leave this machine, word for word, before anything does (N17)."""

from collections.abc import Iterable, Sequence

import msgspec

from slowwave.model import Ask, Privacy
from slowwave.privacy.kinds import KINDS, Kind
from slowwave.privacy.masking import MaskedText, mask

__all__ = [
    "Leaving",
    "LeavingLine",
    "LeavingSegment",
    "MaskedValue",
    "decided",
    "preview",
    "preview_text",
]


class MaskedValue(msgspec.Struct, frozen=True):
    """One placeholder of a line and what it stands for there. Shown locally, never sent."""

    placeholder: str
    kind: Kind
    text: str


class LeavingLine(msgspec.Struct, frozen=True):
    """One line of a question as it would leave, and the legend to it."""

    text: str
    values: tuple[MaskedValue, ...]


class LeavingSegment(msgspec.Struct, frozen=True):
    """One question to the model: exactly what it is sent, and the same line by line."""

    question: str
    lines: tuple[LeavingLine, ...]
    characters: int


class Leaving(msgspec.Struct, frozen=True, kw_only=True):
    """What would leave. `leaves` says whether it really would, and `reason` why, or why not.

    `local` is None where no model is set. The lines are masked also where nothing leaves; under
    `privacy = "open"`, for a model elsewhere, they are as they are. `instructions` go with every
    question; they come with Slowwave and hold nothing of anybody's.
    """

    date: str
    privacy: Privacy
    model: str
    local: bool | None
    leaves: bool
    reason: str
    characters: int
    counts: dict[Kind, int]
    instructions: str
    segments: tuple[LeavingSegment, ...]


def preview(
    shown: Sequence[tuple[Ask, MaskedText | None]],
    *,
    date: str,
    privacy: Privacy,
    model: str = "",
    local: bool | None = None,
) -> Leaving:
    """The questions of a night as `Recorder` kept them. `model` and `local`: of the one set."""
    leaves, reason = decided(privacy, local)
    segments = tuple(_segment(ask.user, masked) for ask, masked in shown)
    masked = [one for _, one in shown if one is not None]
    return Leaving(
        date=date,
        privacy=privacy,
        model=model,
        local=local,
        leaves=leaves,
        reason=reason,
        characters=sum(segment.characters for segment in segments),
        counts=_counts(masked),
        instructions="\n\n".join(dict.fromkeys(ask.system for ask, _ in shown)),
        segments=segments,
    )


def preview_text(
    text: str,
    names: Iterable[str],
    *,
    privacy: Privacy,
    model: str = "",
    local: bool | None = None,
) -> Leaving:
    """A text as a model would be shown it. `names` are the people known beforehand."""
    plain = decided(privacy, local)[0] and privacy == "open"
    masked = None if plain else mask([text], names).texts[0]
    ask = Ask(purpose="distill", system="", user=text if masked is None else masked.text)
    return preview([(ask, masked)], date="", privacy=privacy, model=model, local=local)


def decided(privacy: Privacy, local: bool | None) -> tuple[bool, str]:
    """Whether anything leaves this machine, and why."""
    if local is None:
        return False, "no model is set: nothing leaves"
    if local:
        return False, "the model is on this machine: nothing leaves"
    if privacy == "local-only":
        return False, "the model is not on this machine, and privacy is local-only: nothing leaves"
    if privacy == "masked":
        return True, "the model is not on this machine: it sees this, with placeholders"
    return True, "the model is not on this machine, and privacy is open: it sees this as it is"


def _counts(masked: Sequence[MaskedText]) -> dict[Kind, int]:
    kinds = [piece.kind for one in masked for piece in one.pieces]
    return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


def _segment(question: str, masked: MaskedText | None) -> LeavingSegment:
    lines: list[LeavingLine] = []
    at = 0
    for text in question.split("\n"):
        end = at + len(text)
        values = {
            (piece.placeholder, value): MaskedValue(piece.placeholder, piece.kind, value)
            for piece in (masked.pieces if masked is not None else ())
            if at <= piece.at and piece.to <= end
            for value in (masked.original[piece.start : piece.end] if masked is not None else "",)
        }
        lines.append(LeavingLine(text, tuple(values.values())))
        at = end + 1
    return LeavingSegment(question, tuple(lines), len(question))
