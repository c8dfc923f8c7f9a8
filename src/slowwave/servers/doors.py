"""What all doors of one server share, and how a request finds it."""

from dataclasses import dataclass, field
from time import monotonic

from fastapi import Request

from slowwave.servers.access import Scope
from slowwave.servers.nights import Nights
from slowwave.servers.resident import Resident
from slowwave.servers.room import Room, asked_space, enter, grant_of
from slowwave.servers.sessions import Sessions
from slowwave.servers.tokens import Keys
from slowwave.settings import Settings
from slowwave.spaces import Spaces


@dataclass(frozen=True, slots=True)
class Doors:
    """The spaces of a home, what opens them, and the settings of the home."""

    spaces: Spaces
    keys: Keys
    sessions: Sessions = field(default_factory=Sessions)
    nights: Nights = field(default_factory=Nights)
    began: float = field(default_factory=monotonic)
    """Of `time.monotonic`."""
    attached: dict[str, object] = field(default_factory=dict, compare=False)
    """What a door keeps as long as the server runs: connections, counters."""
    resident: Resident | None = None
    """Who dreams by itself; its `state()` tells what it does and when it dreams next."""

    @property
    def settings(self) -> Settings:
        """Those of the home."""
        return self.spaces.first.parts.settings


def doors_of(request: Request) -> Doors:
    """The doors of the server that a request came to."""
    found = request.app.state.doors
    assert isinstance(found, Doors)
    return found


def room_of(request: Request, scope: Scope) -> Room:
    """The room a request may use. Raises as `room.enter`."""
    return enter(doors_of(request).spaces, grant_of(request), scope, asked_space(request))
