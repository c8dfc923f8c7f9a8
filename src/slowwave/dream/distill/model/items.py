"""From an item of a model's answer to a claim, or to the reason why it is none.

Nothing is taken on trust: each quote must stand in the event that is named, among the words that
its sender said himself; what is kept is the original, byte for byte. Details of the quotes that
the text lost are found here (N15). All other checks are those of `verify`, as for the rules.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, timedelta, tzinfo
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from slowwave.dream.distill.acts.agree import is_plain_yes, starts_with_yes
from slowwave.dream.distill.model.chunks import Piece
from slowwave.dream.distill.model.words import Foreign, foreign_words
from slowwave.dream.distill.statements.claims import evidence_of
from slowwave.dream.prompts.quotes import find_quote, inside
from slowwave.model import USER, Claim, Event, Evidence, Rejected, Standing
from slowwave.text.dates import find_times
from slowwave.text.entities import find_entities
from slowwave.text.passed_on import own_spans

__all__ = ["STAGE", "Item", "Quoted", "Shown", "claim_of", "lost_details", "words_of"]

STAGE = "distill"

RULE = "model"
"""What the `rule` of a claim says that a model proposed."""

UNSUPPORTED = "unsupported: "
"""How the reasons begin that say: the journal does not hold this."""

ItemKind = Literal[
    "profile", "preference", "project", "environment", "fact", "rule", "plan", "relationship",
    "emotion", "quote",
]  # fmt: skip
"""Kinds that a talk can give; digests, skills and lessons come from elsewhere."""


class Quoted(msgspec.Struct, frozen=True):
    """Words of an event, as a model copied them."""

    event_id: str
    quote: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What a model proposes: the claim of the contract, its evidence without offsets."""

    evidence: tuple[Quoted, ...] = ()
    kind: ItemKind
    subject: str = ""
    text: str
    importance: int = 50
    confidence: float = 0.5
    standing: Standing = "standing"
    valid_from: str | None = None
    valid_to: str | None = None
    negated: bool = False
    entities: tuple[str, ...] = ()


class Shown(NamedTuple):
    """What a model was shown: pieces by short id, earlier turns by short id, the instructions.

    `owner` is the name of the user, and `zone` his.
    """

    pieces: Mapping[str, Piece]
    before: Mapping[str, Piece]
    system: str
    zone: tzinfo
    owner: str = ""


_ME = frozenset("user owner theuser theowner i me myself self 用户 主人 我 本人 机主".split())  # noqa: SIM905
_AGENT = frozenset("agent assistant theagent theassistant ai bot you 助手 助理 你".split())  # noqa: SIM905
_NOTE = re.compile(r"[（(][^()（）]*\d{4}-\d{2}[^()（）]*[)）]")
"""A day written beside a relative word; `verify` tells whether it is the right one."""
_WORLD = frozenset(["world", "theworld", "世界", "none", "null"])


def claim_of(item: Item, shown: Shown) -> Claim | Rejected:
    """The claim that an item stands for, with its quotes as they are in the journal."""
    if _echoes(item, shown.system):
        return _rejected("repeats the instructions", item)
    evidence: list[Evidence] = []
    own: list[Event] = []
    for quoted in item.evidence:
        piece, is_own = _piece(quoted.event_id, shown)
        if piece is None:
            return _rejected(f"{UNSUPPORTED}no such event", item)
        event = piece.event
        span = find_quote(event.text, quoted.quote, piece.start, piece.end)
        if span is None or not inside(span, _own(event.text), event.text):
            reason = "not the sender's own words" if span else f"{UNSUPPORTED}quote not found"
            return _rejected(reason, item, event)
        evidence.append(evidence_of(event, *span))
        if is_own:
            own.append(event)
    if not own:
        return _rejected("noted in an earlier part" if evidence else f"{UNSUPPORTED}no quote", item)
    return _claim(item, tuple(dict.fromkeys(evidence)), own, shown)


def _claim(
    item: Item, evidence: tuple[Evidence, ...], own: Sequence[Event], shown: Shown
) -> Claim | Rejected:
    speaker = next((event for event in reversed(own) if event.origin != "agent"), own[-1])
    if speaker.origin == "other" and item.kind == "rule":
        return _rejected("instruction of another speaker", item, speaker)
    subject = _subject(item, speaker, shown.owner)
    evidence = tuple(span for span in evidence if _counts(span, evidence, subject, shown))
    if not evidence:
        whose = (
            "another speaker about the user" if speaker.origin == "other" else "agent's own words"
        )
        return _rejected(whose, item, speaker)
    meant = _days_meant(evidence, shown.zone)
    return Claim(
        kind=item.kind,
        subject=subject,
        text=item.text.strip(),
        evidence=evidence,
        entities=tuple(dict.fromkeys(entity.text for entity in find_entities(item.text))),
        importance=item.importance,
        confidence=item.confidence,
        standing=item.standing,
        negated=item.negated,
        valid_from=_day(item.valid_from, meant),
        valid_to=_day(item.valid_to, meant),
        rule=f"{RULE}:{item.kind}",
    )


def _counts(span: Evidence, evidence: Sequence[Evidence], subject: str, shown: Shown) -> bool:
    """Whether words may support a claim about somebody (Trust).

    The agent's only where the owner agreed to them after; another's not about the user: what the
    owner said beside them must say it by itself.
    """
    said = _event(span, shown)
    if said.origin == "other":
        return subject not in (USER, "agent")
    if said.origin != "agent":
        return True
    answers = [one for one in (_event(other, shown) for other in evidence) if one.origin == "owner"]
    return any(
        one.session == said.session
        and (one.ts, one.seq) > (said.ts, said.seq)
        and (starts_with_yes(one.text) or is_plain_yes(one.text))
        for one in answers
    )


def _event(span: Evidence, shown: Shown) -> Event:
    pieces = (*shown.pieces.values(), *shown.before.values())
    return next(piece.event for piece in pieces if piece.event.id == span.event_id)


def lost_details(claim: Claim, shown: Shown) -> tuple[str, ...]:
    """Numbers, names, dates, paths of the words quoted for a claim that its text does not hold.

    Also the words that others, which nobody said, stand for in it. A date or hour may have become
    a day of the claim (L8). Earlier turns only explain.
    """
    ours = {piece.event.id for piece in shown.pieces.values()}
    text = _fold(claim.text)
    dated = bool(claim.valid_from or claim.valid_to)
    lost = [
        entity.text
        for span in claim.evidence
        if span.event_id in ours
        for entity in find_entities(span.quote)
        if _fold(entity.text) not in text and not (dated and entity.kind in ("date", "time"))
    ]
    return tuple(dict.fromkeys((*lost, *words_of(claim, shown).lost)))


def words_of(claim: Claim, shown: Shown) -> Foreign:
    """What the text of a claim says in words that its quotes do not hold."""
    names = [shown.owner, claim.subject, *(span.speaker or "" for span in claim.evidence)]
    text = _NOTE.sub(" ", claim.text)
    return foreign_words(text, [span.quote for span in claim.evidence], names)


def _piece(event_id: str, shown: Shown) -> tuple[Piece | None, bool]:
    """The piece that an id names, and whether it is one to distil; by its own id also."""
    name = event_id.strip().strip("[]#<>").strip()
    for pieces, own in ((shown.pieces, True), (shown.before, False)):
        found = pieces.get(name.lower())
        if found is None:
            found = next((one for one in pieces.values() if one.event.id == name), None)
        if found is not None:
            return found, own
    return None, False


@lru_cache(maxsize=16)
def _own(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(own_spans(text))


def _subject(item: Item, speaker: Event, owner: str) -> str:
    """Whom the claim is about; "I" is who speaks. What another says of the user, verify refuses."""
    said = item.subject.strip()
    plain = "".join(char for char in said.casefold() if char.isalnum())
    if plain in _WORLD:
        return "world"
    if plain in _AGENT:
        return "agent"
    names = {owner.casefold(), (speaker.speaker or "").casefold()} - {""}
    if speaker.origin != "other" and (said.casefold() in names or not said):
        return USER
    if plain in ("i", "me", "myself", "self", "我", "本人") and speaker.origin == "other":
        return speaker.speaker or "world"
    return USER if plain in _ME or (owner and said.casefold() == owner.casefold()) else said


def _day(said: str | None, meant: frozenset[str]) -> str | None:
    """A day that a model reckoned, where the quotes mean it or a neighbour; else None.

    The neighbours because the user's day may differ from the speaker's.
    """
    try:
        day = date.fromisoformat((said or "").strip()[:10])
    except ValueError:
        return None
    near = (day + timedelta(days=shift) for shift in (-1, 0, 1) if date.min < day < date.max)
    return day.isoformat() if any(one.isoformat() in meant for one in near) else None


def _days_meant(evidence: Sequence[Evidence], zone: tzinfo) -> frozenset[str]:
    """The days that the quotes name, and those on which they were said."""
    days: set[str] = set()
    for span in evidence:
        if span.ts is None:
            continue
        said = span.ts.astimezone(zone)
        days.add(said.date().isoformat())
        for found in find_times(span.quote, said):
            values = [found.value] if isinstance(found.value, str) else found.value.values()
            days.update(value[:10] for value in values)
    return frozenset(days)


def _echoes(item: Item, system: str) -> bool:
    """Whether the text is a piece of the instructions (case 11)."""
    bare = " ".join(item.text.split())
    return len(bare) >= _ECHO and bare.casefold() in " ".join(system.split()).casefold()


_ECHO = 20


def _rejected(reason: str, item: Item, event: Event | None = None) -> Rejected:
    return Rejected(STAGE, reason, item.text[:300], event.id if event else "")


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
