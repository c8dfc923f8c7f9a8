"""A told dream that comes back is no evidence (O7, O11): what was read aloud is not a new fact.

The vault's pages are known by their marks; here the bare story is recognised, as a person pastes
it into a talk. One sentence that is the same may be chance, most of a story is none.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from slowwave.model import Claim, Dream, Event, Rejected
from slowwave.text.segment import sentences

__all__ = ["may_tell", "sift_told", "stories_of"]

LEAST, LEAST_ZH = 40, 16
"""Letters in whole sentences of one story from which they are no coincidence."""
_HAN = "\u4e00"


def stories_of(dreams: Sequence[Dream]) -> tuple[str, ...]:
    """The stories that a model told of these dreams."""
    return tuple(dream.diary.text for dream in dreams if dream.diary)


def may_tell(text: str) -> bool:
    """Whether a text is long enough to read a story aloud."""
    return len(text) >= (LEAST_ZH if any(char >= _HAN for char in text) else LEAST)


def sift_told(
    claims: Sequence[Claim], events: Mapping[str, Event], stories: Sequence[str]
) -> tuple[tuple[Claim, ...], tuple[Rejected, ...]]:
    """The claims but those that rest on a story of a dream, and a line for each of these."""
    if not stories:
        return tuple(claims), ()
    told = [tuple(dict.fromkeys(_pieces(story))) for story in stories]
    spans = {key: list(_told_in(event.text, told)) for key, event in events.items()}
    good: list[Claim] = []
    bad: list[Rejected] = []
    for claim in claims:
        inside = [
            any(start < span.end and span.start < end for start, end in spans[span.event_id])
            for span in claim.evidence
        ]
        if any(inside):
            first = claim.evidence[inside.index(True)].event_id
            bad.append(Rejected("verify", "came out of memory", claim.text[:300], first))
        else:
            good.append(claim)
    return tuple(good), tuple(bad)


def _told_in(text: str, told: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Where a text reads a story aloud, however it is wrapped, quoted or spaced there."""
    letters, places = _letters(text)
    for story in told:
        said = [(at, len(piece)) for piece in story if (at := letters.find(piece)) >= 0]
        total = sum(size for _, size in said)
        han = any(char >= _HAN for at, size in said for char in letters[at : at + size])
        if said and total >= (LEAST_ZH if han else LEAST):
            yield from ((places[at], places[at + size - 1] + 1) for at, size in said)


def _pieces(story: str) -> Iterator[str]:
    for start, end in sentences(story):
        letters, _ = _letters(story[start:end])
        if letters:
            yield letters


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, folded, and where each of them stands."""
    letters: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if folded.isalnum():
                letters.append(folded)
                places.append(at)
    return "".join(letters), places
