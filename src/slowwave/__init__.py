"""Slowwave: a memory for AI agents that sleeps.

capture → journal → dream → ledger → recall → inject

    from slowwave import Memory

    with Memory() as memory:                  # ~/.slowwave
        memory.log("I am allergic to peanuts")
        memory.dream("today", apply=True)
        print(memory.context("what should I cook?").text)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.errors import (
        AlreadyDecided,
        BudgetSpent,
        DiskFull,
        DreamError,
        EmbedderError,
        FileChanged,
        InputError,
        ModelBusy,
        ModelError,
        ModelRefused,
        ModelTimeout,
        ModelUnreachable,
        ModelUnusable,
        NewerHome,
        NotFound,
        ScheduleError,
        SettingsError,
        SlowwaveError,
        StalePlan,
        StoreBusy,
        StoreError,
        UnknownFormat,
        UsageError,
    )
    from slowwave.library import Memory
    from slowwave.memory import SlowMemory
    from slowwave.model import (
        Change,
        Claim,
        Dream,
        Event,
        Evidence,
        Hit,
        Injection,
        Record,
        Version,
        WorkItem,
    )
    from slowwave.model import Memory as Remembered
    from slowwave.parts import Injected

__all__ = [
    "AlreadyDecided",
    "BudgetSpent",
    "Change",
    "Claim",
    "DiskFull",
    "Dream",
    "DreamError",
    "EmbedderError",
    "Event",
    "Evidence",
    "FileChanged",
    "Hit",
    "Injected",
    "Injection",
    "InputError",
    "Memory",
    "ModelBusy",
    "ModelError",
    "ModelRefused",
    "ModelTimeout",
    "ModelUnreachable",
    "ModelUnusable",
    "NewerHome",
    "NotFound",
    "Record",
    "Remembered",
    "ScheduleError",
    "SettingsError",
    "SlowMemory",
    "SlowwaveError",
    "StalePlan",
    "StoreBusy",
    "StoreError",
    "UnknownFormat",
    "UsageError",
    "Version",
    "WorkItem",
    "__version__",
    "open",
]

__version__ = "0.1.0"

_MODEL = ("Change", "Claim", "Dream", "Event", "Evidence", "Hit", "Injection", "Record", "Version",
          "WorkItem")  # fmt: skip
_HOMES = {
    "Injected": ("slowwave.parts", "Injected"),
    "Memory": ("slowwave.library", "Memory"),
    "Remembered": ("slowwave.model", "Memory"),
    "SlowMemory": ("slowwave.memory", "SlowMemory"),
    **{name: ("slowwave.model", name) for name in _MODEL},
}
"""Where the public names live, and what they are called there; all others are errors."""


def open(home: str = "", *, space: str = "", tz: str = "") -> "SlowMemory":
    """The front door that all doors share, of a home folder that is made on first use.

    `Memory` is the one for programs; `Memory(…).front` is the same as this. An empty `home` is
    SLOWWAVE_HOME, else `~/.slowwave`; `space` is whose memory; `tz` an IANA zone name. Raises
    SettingsError, StoreError or InputError, each with a hint.
    """
    # The store and its driver take most of the start-up; `import slowwave` stays cheap.
    from slowwave.wiring import Options, open_memory  # noqa: PLC0415

    return open_memory(Options(home=home or None, space=space or None, tz=tz or None))


def __getattr__(name: str) -> Any:
    """Loads the public names when they are first used."""
    if name not in __all__:
        raise AttributeError(f"module 'slowwave' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    module, known_as = _HOMES.get(name, ("slowwave.errors", name))
    found = getattr(import_module(module), known_as)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names, also those that were not used yet."""
    return sorted({*globals(), *__all__})
