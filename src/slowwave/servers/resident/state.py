"""What can be seen of the resident: by `/healthz`, `/metrics`, the dashboard and `status`."""

from datetime import datetime
from typing import Literal

import msgspec

from slowwave.scheduler import Brake, Outcome
from slowwave.settings import Trigger

__all__ = ["Dreaming", "Ended", "ResidentState", "Role", "SpaceState", "Tally"]

Role = Literal["dreams", "stands_by", "off", "stopped"]
"""It dreams; another process of this home does, and this one takes over when that ends; it was told
not to dream; it has ended."""


class Dreaming(msgspec.Struct, frozen=True, kw_only=True):
    """The dream under way. `stage` is the last one that it finished."""

    space: str
    trigger: Trigger
    since: datetime
    pid: int
    lite: bool = False
    stopping: bool = False
    stage: str = ""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How the last dream of a space ended, and what came of it: ids of dreams, and what they read,
    added, changed and let go."""

    trigger: Trigger
    outcome: Outcome
    at: datetime
    seconds: float
    dreams: tuple[str, ...] = ()
    events: int = 0
    added: int = 0
    changed: int = 0
    archived: int = 0
    error: str = ""


class SpaceState(msgspec.Struct, frozen=True, kw_only=True):
    """One space: when it may dream next as far as clocks decide that (None: something has to come
    in first), what asks for it, and what holds it back."""

    space: str
    next: datetime | None = None
    trigger: Trigger | None = None
    brake: Brake | None = None
    today: int = 0
    failures: int = 0
    last: Ended | None = None
    trouble: str = ""


class Tally(msgspec.Struct, kw_only=True):
    """Counted since the server began. `dropped`: a trigger that came while its space dreamed."""

    begun: int = 0
    done: int = 0
    unfinished: int = 0
    failed: int = 0
    preempted: int = 0
    stopped: int = 0
    killed: int = 0
    dropped: int = 0
    seconds: float = 0.0


class ResidentState(msgspec.Struct, frozen=True, kw_only=True):
    """The resident as it is now. `by` is the process that dreams where this one stands by."""

    role: Role
    pid: int
    since: datetime | None = None
    by: int = 0
    triggers: tuple[Trigger, ...] = ()
    dreaming: Dreaming | None = None
    spaces: tuple[SpaceState, ...] = ()
    counts: Tally = msgspec.field(default_factory=Tally)

    @property
    def next(self) -> SpaceState | None:
        """The space that dreams next, as far as clocks decide that."""
        known = [one for one in self.spaces if one.next is not None]
        return min(known, key=lambda one: one.next) if known else None  # type: ignore[return-value,arg-type]
