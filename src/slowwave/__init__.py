"""Slowwave: a memory for AI agents that sleeps.

capture → journal → dream → ledger → recall → inject

    memory = slowwave.open("~/.slowwave")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.errors import SlowwaveError
    from slowwave.memory import SlowMemory
    from slowwave.model import Claim, Dream, Event, Evidence, Hit, Memory, Record

__all__ = [
    "Claim",
    "Dream",
    "Event",
    "Evidence",
    "Hit",
    "Memory",
    "Record",
    "SlowMemory",
    "SlowwaveError",
    "__version__",
    "open",
]

__version__ = "0.1.0"

_HOMES = {"SlowwaveError": "slowwave.errors", "SlowMemory": "slowwave.memory"}


def open(home: str = "", *, space: str = "", tz: str = "") -> "SlowMemory":
    """The memory of a home folder, made on first use.

    An empty `home` is SLOWWAVE_HOME, else `~/.slowwave`; `space` is whose memory; `tz` an IANA
    zone name. Raises SettingsError, StoreError or InputError, each with a hint.
    """
    # The store and its driver take most of the start-up; `import slowwave` stays cheap.
    from slowwave.wiring import Options, open_memory  # noqa: PLC0415

    return open_memory(Options(home=home or None, space=space or None, tz=tz or None))


def __getattr__(name: str) -> Any:
    """Loads the public names when they are first used."""
    if name not in __all__:
        raise AttributeError(f"module 'slowwave' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_HOMES.get(name, "slowwave.model")), name)
