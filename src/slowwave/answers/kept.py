"""Answers about what is kept: versions, conflicts, checks."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from slowwave.health import Problem
from slowwave.ledger import Provenance
from slowwave.model import Memory, Version
from slowwave.parts import StatusReport
from slowwave.stats import Stats
from slowwave.vault import Synced

__all__ = [
    "Checked", "Conflict", "History", "Provenance", "Stats", "StatusReport", "Synced", "checked",
    "conflict",
]  # fmt: skip


class History(msgspec.Struct, frozen=True):
    """All versions of one memory, oldest first."""

    versions: tuple[Version, ...]


class Conflict(msgspec.Struct, frozen=True):
    """Memories that cannot hold together; `id` names them all."""

    id: str
    memories: tuple[Memory, ...]


class Checked(msgspec.Struct, frozen=True):
    """Whether all is sound, and what is not; `fixed`: what was made anew before."""

    ok: bool
    problems: Sequence[Problem]
    fixed: Sequence[str] | UnsetType = UNSET


def conflict(group: tuple[Memory, ...]) -> Conflict:
    """One conflict as it is listed."""
    return Conflict(group[0].id, group)


def checked(problems: Sequence[Problem], fixed: Sequence[str] | None = None) -> Checked:
    """What a check found, after what was made anew (None: nothing was to be)."""
    return Checked(not problems, problems, UNSET if fixed is None else fixed)
