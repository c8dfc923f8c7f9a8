"""Answers of forgetting for good: what would go, and what went."""

import msgspec

from slowwave.erasure import Finished, Plan, Proof, Touched
from slowwave.model import Left, Memory, Removed, StoredText

__all__ = ["Forgotten", "Preview", "Proof", "forgotten", "preview"]


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a forgetting would take. `also` says the same, or loses its last quote.

    `other_texts` hold the words as well: questions, plans, what dreams left out. `named_in` counts
    the events that hold them in the name of a session, a speaker or a source: these stay.
    """

    events: tuple[Touched, ...]
    memories: tuple[Memory, ...]
    also: tuple[Memory, ...]
    others: int
    other_texts: tuple[StoredText, ...]
    named_in: int


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """What was forgotten, and the receipt (also as a `file` of the home).

    `left` is what people wrote into files, and stays there.
    """

    receipt: str
    removed: Removed
    file: str
    also: tuple[str, ...]
    left: tuple[Left, ...]
    named_in: int


def preview(plan: Plan) -> Preview:
    """A plan as it is told."""
    return Preview(
        events=plan.events, memories=plan.memories, also=plan.also, others=len(plan.others),
        other_texts=plan.others, named_in=plan.names,
    )  # fmt: skip


def forgotten(done: Finished, plan: Plan) -> Forgotten:
    """What was done, as it is told."""
    return Forgotten(
        receipt=done.receipt.id, removed=done.receipt.removed, file=str(done.path),
        also=tuple(memory.id for memory in plan.also), left=done.left, named_in=plan.names,
    )  # fmt: skip
