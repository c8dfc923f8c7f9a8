"""The system's own schedulers: a nightly job is put on the one that the machine has.

systemd's user timers first, because they catch up after sleep and are easy to read; launchd on
macOS; else cron (N6).
"""

import types
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from slowwave.adapters.schedule import cron, launchd, systemd
from slowwave.adapters.schedule.job import Job, Machine, Ran, Runner, Shown, run_program
from slowwave.errors import ScheduleError, UsageError

__all__ = [
    "BACKENDS", "Job", "Machine", "Nightly", "Ran", "Runner", "Shown", "pick", "run_program",
]  # fmt: skip


class Backend(Protocol):
    """What each scheduler's module can do; described there."""

    def missing(self, machine: Machine, /) -> str:
        """Why it cannot be used here; empty when it can."""

    def text(self, job: Job, /) -> str:
        """What `install` would write."""

    def install(self, job: Job, machine: Machine, /) -> tuple[Path, ...]:
        """Puts the job on it; the files it consists of."""

    def show(self, job: Job, machine: Machine, /) -> Shown | None:
        """What is installed for the job's home."""

    def remove(self, job: Job, machine: Machine, /) -> tuple[Path, ...]:
        """Takes the job off it; the files that went."""

    def note(self, machine: Machine, /) -> str:
        """What the user should know about it here."""


BACKENDS: Mapping[str, Backend] = types.MappingProxyType(
    {"systemd": systemd, "launchd": launchd, "cron": cron}
)
"""All schedulers by name, the preferred one first."""


def pick(job: Job, machine: Machine, name: str = "") -> str:
    """The scheduler to use: the named one, else the first that the machine has.

    Raises ScheduleError with the line to add by hand when there is none.
    """
    reasons: list[str] = []
    for known in [name] if name else BACKENDS:
        reason = _backend(known).missing(machine)
        if not reason:
            return known
        reasons.append(reason)
    what = f"{name} cannot be used here" if name else "nothing here runs jobs at night"
    raise ScheduleError(
        f"{what}: {', '.join(reasons)}",
        f"let something of yours run this every night or every hour: {job.line}",
    )


class Nightly:
    """The nightly job of one home on one machine."""

    def __init__(self, job: Job, machine: Machine) -> None:
        self.job = job
        self.machine = machine

    def text(self, name: str = "") -> str:
        """What `install` would write; where no scheduler was found, the lines for a crontab."""
        if not name:
            names = [known for known, one in BACKENDS.items() if not one.missing(self.machine)]
            name = names[0] if names else "cron"
        return _backend(name).text(self.job)

    def install(self, name: str = "") -> tuple[str, tuple[Path, ...], str]:
        """Puts the job on a scheduler, and takes it off the others: its name, files, and a note.

        Installing again changes nothing. Raises ScheduleError.
        """
        chosen = name if name and self.machine.dry else pick(self.job, self.machine, name)
        backend = _backend(chosen)
        files = backend.install(self.job, self.machine)
        for other in BACKENDS.values():
            if other is not backend:
                other.remove(self.job, self.machine)
        return chosen, files, backend.note(self.machine)

    def show(self) -> Shown | None:
        """What is installed; None if nothing is."""
        found = (one.show(self.job, self.machine) for one in BACKENDS.values())
        return next((shown for shown in found if shown is not None), None)

    def remove(self) -> tuple[Path, ...]:
        """Takes the job off every scheduler; the files that went. Raises ScheduleError."""
        gone = (one.remove(self.job, self.machine) for one in BACKENDS.values())
        return tuple(path for files in gone for path in files)


def _backend(name: str) -> Backend:
    if name not in BACKENDS:
        raise UsageError(f"unknown scheduler {name!r}", f"known: {', '.join(BACKENDS)}")
    return BACKENDS[name]
