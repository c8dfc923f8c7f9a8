"""What would leave this machine for one night, line by line, before anything does (N17)."""

from collections.abc import Iterable, Sequence

import msgspec

from slowwave.model import Privacy
from slowwave.privacy.kinds import Kind
from slowwave.privacy.masking import MaskedText, mask

__all__ = ["Leaving", "LeavingLine", "LeavingSegment", "MaskedValue", "Said", "preview"]


class Said(msgspec.Struct, frozen=True):
    """One text of a night: whose it is, its event (`""` for a text that is none), its words."""

    text: str
    who: str = ""
    event_id: str = ""


class MaskedValue(msgspec.Struct, frozen=True):
    """One placeholder of a line and what it stands for there. Shown locally, never sent."""

    placeholder: str
    kind: Kind
    text: str


class LeavingLine(msgspec.Struct, frozen=True):
    """One text as it would leave, and the legend to it."""

    event_id: str
    who: str
    text: str
    values: tuple[MaskedValue, ...]


class LeavingSegment(msgspec.Struct, frozen=True):
    """What one question to the model would hold."""

    lines: tuple[LeavingLine, ...]
    characters: int


class Leaving(msgspec.Struct, frozen=True, kw_only=True):
    """What would leave. `leaves` says whether it really would, and `reason` why, or why not.

    `local` is None where no model is set. The lines are masked also where nothing leaves; under
    `privacy = "open"`, for a model elsewhere, they are as they are.
    """

    date: str
    privacy: Privacy
    model: str
    local: bool | None
    leaves: bool
    reason: str
    characters: int
    counts: dict[Kind, int]
    segments: tuple[LeavingSegment, ...]


def preview(
    segments: Sequence[Sequence[Said]],
    names: Iterable[str],
    *,
    date: str,
    privacy: Privacy,
    model: str = "",
    local: bool | None = None,
) -> Leaving:
    """The segments of a night as a model would be shown them.

    `names` are the people known beforehand. `model` and `local` are those of the model that is
    set; `local` is None when there is none.
    """
    leaves, reason = _decided(privacy, local)
    said = [one for segment in segments for one in segment]
    speakers = list(dict.fromkeys(one.who for one in said))
    masked = mask([*(one.text for one in said), *speakers], (*names, *speakers))
    plain = leaves and privacy == "open"
    texts = iter(masked.texts)
    called = dict(zip(speakers, masked.texts[len(said) :], strict=True))
    shown = tuple(
        _segment([_line(one, called[one.who], next(texts), plain=plain) for one in segment])
        for segment in segments
    )
    return Leaving(
        date=date,
        privacy=privacy,
        model=model,
        local=local,
        leaves=leaves,
        reason=reason,
        characters=sum(segment.characters for segment in shown),
        counts={} if plain else masked.counts_of(masked.texts[: len(said)]),
        segments=shown,
    )


def _decided(privacy: Privacy, local: bool | None) -> tuple[bool, str]:
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


def _line(said: Said, who: MaskedText, masked: MaskedText, *, plain: bool) -> LeavingLine:
    if plain:
        return LeavingLine(said.event_id, said.who, said.text, ())
    values = {
        (piece.placeholder, text): MaskedValue(piece.placeholder, piece.kind, text)
        for one in (who, masked)
        for piece in one.pieces
        for text in (one.original[piece.start : piece.end],)
    }
    return LeavingLine(said.event_id, who.text, masked.text, tuple(values.values()))


def _segment(lines: Sequence[LeavingLine]) -> LeavingSegment:
    return LeavingSegment(tuple(lines), sum(len(line.text) for line in lines))
