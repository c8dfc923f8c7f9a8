"""Claims meet what was forgotten for good: old evidence does not bring it back (N20).

The same words or a rewording, said before the forgetting, are refused and counted; what is
refused is not kept, not even in the list of what was left out. A statement made later may return.
"""

from collections.abc import Mapping, Sequence

from slowwave.model import Claim, Erased, Event, Rejected
from slowwave.text.redaction import FORGOTTEN
from slowwave.text.signature import Seal, seal_of

__all__ = ["sift"]


def sift(
    claims: Sequence[Claim], events: Mapping[str, Event], erased: Sequence[Erased]
) -> tuple[tuple[Claim, ...], tuple[Rejected, ...]]:
    """The claims that may become memories, and a line for each that may not."""
    seals = [seal_of(one.receipt.tombstone) for one in erased]
    if not seals:
        return tuple(claims), ()
    good: list[Claim] = []
    bad: list[Rejected] = []
    for claim in claims:
        reason = _refused(claim, events, seals)
        if reason is None:
            good.append(claim)
        else:
            bad.append(Rejected("verify", reason, FORGOTTEN, claim.evidence[0].event_id))
    return tuple(good), tuple(bad)


def _refused(claim: Claim, events: Mapping[str, Event], seals: Sequence[Seal]) -> str | None:
    if any(FORGOTTEN in span.quote for span in claim.evidence):
        return "quotes around forgotten words"
    last = max(events[span.event_id].ts for span in claim.evidence)
    for seal in seals:
        said = (claim.text, *(span.quote for span in claim.evidence))
        if seal.covers(last) and any(seal.means(text, claim.subject) for text in said):
            return f"forgotten on {seal.tombstone.forgotten_at.date().isoformat()}"
    return None
