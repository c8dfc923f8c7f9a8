"""Taking words out of texts, and moving what quoted the rest of them.

Words are compared in a normal form: NFKD, casefolded, without blanks and marks, so that width,
case, line breaks and accents hide nothing. Every character of it knows where it came from, so what
is found there is cut from the text itself. Quotes are moved only when the moved span still holds
the same words: a memory never rests on a quote that is not there (promise 2).
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from slowwave.model import USER, Erased, Event, Evidence, Memory, Purge, Redaction, Span, short_id
from slowwave.text.lately import lately
from slowwave.text.signature import (
    LEAST_CONTENT,
    identity_hash,
    same_words,
    seal_of,
    weight_outside,
    weight_shared,
)

FORGOTTEN = "[forgotten]"
"""What stands in a text where words were taken out."""

Places = Callable[[str], list[Span]]
"""Where a text holds words that are to go: code-point spans in order."""

_NOBODY = frozenset({USER, "agent", "world"})
_STOPS = "。！？!?.；;…\n "

_SPACELESS = "\u2e80"
"""From here on most scripts do not part words by blanks."""

LEAST_SUPPORT = 0.6
"""Share of a memory's content that a shortened quote must still hold to support it."""


@lately(16_384)
def _folded(char: str, *, words_only: bool) -> str:
    parts = unicodedata.normalize("NFKD", char.casefold()).casefold()
    if words_only:
        return "".join(part for part in parts if part.isalnum())
    return "".join(part for part in parts if unicodedata.category(part) not in _UNSEEN)


_UNSEEN = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me"})


def normal(text: str, *, words_only: bool = False) -> str:
    """The normal form of a text; `words_only` leaves letters and digits and nothing else."""
    return "".join(_folded(char, words_only=words_only) for char in text)


def quickly(text: str, *, words_only: bool) -> str:
    """The normal form at the speed of a scan; where marks are stacked oddly it may differ."""
    whole = unicodedata.normalize("NFKD", text.casefold()).casefold()
    if words_only:
        return "".join(filter(str.isalnum, whole))
    return "".join([part for part in whole if unicodedata.category(part) not in _UNSEEN])


def find(text: str, needles: Iterable[str], *, words_only: bool = False) -> list[Span]:
    """Where `text` holds words whose normal forms are `needles`; code-point spans of `text`."""
    quick = quickly(text, words_only=words_only)
    needles = [needle for needle in needles if needle and needle in quick]
    if not needles:
        return []
    folded: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for part in _folded(char, words_only=words_only):
            folded.append(part)
            places.append(place)
    whole = "".join(folded)
    spans = []
    for needle in needles:
        at = whole.find(needle)
        while at >= 0:
            span = (places[at], places[at + len(needle) - 1] + 1)
            if not words_only or _is_whole(text, span):
                spans.append(span)
            at = whole.find(needle, at + 1)
    return merged(text, spans)


def _is_whole(text: str, span: Span) -> bool:
    """Whether no word is torn at the edges: "like tea" does not stand in "like teaching"."""
    start, end = span
    torn = (start > 0 and _joins(text[start - 1], text[start])) or (
        end < len(text) and _joins(text[end - 1], text[end])
    )
    return not torn


def _joins(left: str, right: str) -> bool:
    """Whether two characters belong to one word, in scripts that part words by blanks."""
    return left.isalnum() and right.isalnum() and max(left, right) < _SPACELESS


def merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """The spans in order, joined where nothing but blanks and punctuation is between them.

    The stop that ends a sentence is left, so that what follows stays a sentence of its own.
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and not any(char.isalnum() for char in text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return [(start, _before_stop(text, start, end)) for start, end in joined]


def _before_stop(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(_STOPS)) if text[start:end].strip(_STOPS) else end


def cut(text: str, spans: Sequence[Span]) -> str:
    """The text with `[forgotten]` in the place of each span (in order, not overlapping)."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], FORGOTTEN]
        at = end
    return "".join([*pieces, text[at:]])


def is_hollow(text: str, spans: Sequence[Span]) -> bool:
    """Whether next to nothing is said outside of the spans."""
    return weight_outside(cut(text, spans).replace(FORGOTTEN, "\n")) < LEAST_CONTENT


def moved(span: Evidence, redaction: Redaction, supports: str) -> Evidence | None:
    """The quote on the event that remains; shortened if need be; None when it is lost.

    A shortened quote must hold enough of the words it is to support. Nothing is invented: the
    result is checked against the remaining text.
    """
    if redaction.remains is None or redaction.text[span.start : span.end] != span.quote:
        return None
    piece = _outside(span, redaction.cuts)
    if piece is None:
        return None
    start, end = piece
    quote = redaction.text[start:end]
    if quote != span.quote and weight_shared(supports, quote) < LEAST_SUPPORT:
        return None
    shift = sum(len(FORGOTTEN) - (last - first) for first, last in redaction.cuts if last <= start)
    rest = cut(redaction.text, redaction.cuts)
    if rest[start + shift : end + shift] != quote:
        return None
    return msgspec.structs.replace(
        span, event_id=redaction.remains.id, quote=quote, start=start + shift, end=end + shift
    )


def _outside(span: Evidence, cuts: Sequence[Span]) -> Span | None:
    """The longest part of a span that no cut touches, without blanks at its edges."""
    edges = [span.start]
    for start, end in cuts:
        if start < span.end and end > span.start:
            edges += [max(start, span.start), min(end, span.end)]
    edges.append(span.end)
    longest = max(zip(edges[::2], edges[1::2], strict=True), key=lambda piece: piece[1] - piece[0])
    quote = span.quote[longest[0] - span.start : longest[1] - span.start]
    start = longest[0] + len(quote) - len(quote.lstrip())
    end = longest[1] - (len(quote) - len(quote.rstrip()))
    return (start, end) if end > start else None


def holds(texts: Iterable[str], purge: Purge) -> bool:
    """Whether one of the texts holds words that are to be forgotten."""
    return any(
        find(text, purge.needles, words_only=True) or find(text, purge.literals) for text in texts
    )


def without(memory: Memory, purge: Purge, redactions: Mapping[str, Redaction]) -> Memory | None:
    """A memory on what remains of the journal; None when it is forgotten, or nothing bears it.

    `redactions` are those of the purge, by event id.
    """
    if memory.id in purge.memory_ids or holds(words_of(memory), purge):
        return None
    if not any(span.event_id in redactions for span in memory.evidence):
        return memory
    kept = evidence_without(memory.evidence, redactions, memory.text)
    return msgspec.structs.replace(memory, evidence=kept) if kept else None


def evidence_without(
    evidence: Sequence[Evidence], redactions: Mapping[str, Redaction], supports: str
) -> tuple[Evidence, ...]:
    """The quotes that remain, moved to the events that remain."""
    kept = []
    for span in evidence:
        redaction = redactions.get(span.event_id)
        new = span if redaction is None else moved(span, redaction, supports)
        if new is not None:
            kept.append(new)
    return tuple(kept)


def words_of(memory: Memory) -> tuple[str, ...]:
    """Everything a memory says itself; its quotes are the journal's."""
    named = () if memory.subject in _NOBODY else (memory.subject,)
    return (memory.text, memory.title, *named, *memory.entities)


def admitted(event: Event, known: Sequence[Erased]) -> Event | None:
    """An event that comes in, without what was forgotten before; None when nothing else is left.

    The same record is refused by its salted identity; the same words in another record, said
    before they were forgotten, are cut out of it. Said later, they are new and stay.
    """
    for erased in known:
        tombstone = erased.receipt.tombstone
        if identity_hash(tombstone.salt, event.identity) in erased.identities:
            return None
        seal = seal_of(tombstone)
        if not seal.covers(event.ts):
            continue
        text = event.text
        spans = merged(text, same_words(seal, text))
        if spans and is_hollow(text, spans):
            return None
        if spans:
            event = remaining(event, spans, tombstone.salt)
    return event


def remaining(event: Event, cuts: Sequence[Span], salt: str) -> Event:
    """The event that takes the place of another, without some of its words.

    Its id and identity follow from the other's, salted: what was said cannot be told from them.
    """
    hashed = identity_hash(salt, event.identity)
    identity = f"{event.source}\x1fforgotten\x1f{hashed}"
    return msgspec.structs.replace(
        event,
        id=short_id("e", event.space, identity),
        identity=identity,
        text=cut(event.text, cuts),
        seq=0,
    )
