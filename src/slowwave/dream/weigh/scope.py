"""What a memory is about: the user himself, the world around him, or how the agent works (R1).

*personal*: who the user is and how he wants things, standing. *world*: events, also his own, and
everybody and everything else. *lesson*: what the agent learned from its own work (R4).
"""

from typing import Literal

from slowwave.model import USER, Claim, Memory

__all__ = ["Scope", "scope_of"]

Scope = Literal["personal", "world", "lesson"]

_OWN = frozenset({USER, "agent"})
"""Subjects of what the owner says of himself, and of how he wants his agent to be."""


def scope_of(held: Memory | Claim) -> Scope:
    """Whose it is. What has a day is an event, whoever it happened to."""
    if held.kind in ("lesson", "skill"):
        return "lesson"
    if held.kind == "relationship":
        return "personal"  # who his people are is about him
    own = held.subject in _OWN and held.standing == "standing" and held.kind != "plan"
    return "personal" if own else "world"
