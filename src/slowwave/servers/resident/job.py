"""What the server and the process of a dream say to each other: one job, then lines of JSON."""

import msgspec

from slowwave.scheduler import Outcome
from slowwave.wiring import Options

__all__ = ["Ending", "Job", "Made", "Message", "Staged"]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One dream: of the nights that are due (from the time `at` of a day), and of the running day.

    A `lite` one asks no model. `cores` (0: all), `memory_mb` (0: no cap), `nice` and `patience` are
    those of the settings.
    """

    options: Options
    at: str = "02:00"
    nights: bool = False
    today: bool = False
    lite: bool = False
    cores: int = 1
    memory_mb: int = 0
    nice: int = 0
    patience: float = 1.0


class Staged(msgspec.Struct, frozen=True, tag="stage"):
    """A stage that is done, or so much of it."""

    name: str
    done: int = 1
    total: int = 1


class Made(msgspec.Struct, frozen=True, kw_only=True, tag="made"):
    """A dream that was made. `pending` are parts that a model still owes."""

    dream_id: str
    date: str
    status: str
    events: int = 0
    added: int = 0
    changed: int = 0
    archived: int = 0
    pending: int = 0
    seconds: float = 0.0


class Ending(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """How it ended. `recorded`: the failure is on record already."""

    outcome: Outcome
    error: str = ""
    message: str = ""
    hint: str = ""
    recorded: bool = False


Message = Staged | Made | Ending
