"""Two statements that cannot both hold now: what became of them (BEAM labels such pairs)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from slowwave.evaluation.metrics import Question
from slowwave.evaluation.quality_checks import tokens
from slowwave.model import Event, Memory

__all__ = ["Ending", "ending_of"]

Ending = Literal["newer stands", "both marked", "both stand", "not kept"]
"""`newer stands`: the older is closed or dated, or one memory took both in; `both marked`: the two
are linked as a conflict; `both stand`: a contradiction nobody noticed; `not kept`: a side is not
among the memories, or it is the older one only."""


def ending_of(
    question: Question, memories: Sequence[Memory], events: Mapping[str, Event]
) -> Ending | None:
    """What became of a question's two statements; None for a question without such."""
    if len(question.sides) != 2:
        return None
    moments = {event.ref: event.ts for event in events.values() if event.ref}
    older, newer = sorted(question.sides, key=lambda refs: min(moments[ref] for ref in refs))
    if set(older) == set(newer):
        return None  # both stand in one message
    asked = tokens(question.text)
    first, second = (_about(asked, refs, memories) for refs in (older, newer))
    if first is None or second is None or second.status != "active":
        return "not kept"
    if first.id == second.id or first.status != "active" or first.valid_to is not None:
        return "newer stands"
    linked = second.id in first.conflicts_with or first.id in second.conflicts_with
    return "both marked" if linked else "both stand"


def _about(asked: frozenset[str], refs: Sequence[str], memories: Sequence[Memory]) -> Memory | None:
    """The memory that cites one of the turns and shares the most words with the question."""
    citing = [m for m in memories if any(span.ref in refs for span in m.evidence)]
    return max(citing, key=lambda m: (len(asked & tokens(m.text)), m.id), default=None)
