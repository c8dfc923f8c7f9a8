"""A launchd agent of macOS. It runs a time that was slept through at waking, and (RunAtLoad) at
login one that the machine was off for; launchd.plist(5)."""

import plistlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slowwave.adapters.schedule.job import (
    ENVIRONMENT,
    Job,
    Machine,
    Ran,
    Shown,
    at_in,
    read,
    refused,
)

_TRIES = (0.0, 0.5, 1.0, 2.0)
"""Seconds before each try to load: an agent that was just unloaded takes a moment to go."""


def missing(machine: Machine) -> str:
    """Why this scheduler cannot be used here; empty when it can."""
    here = machine.platform == "darwin" and machine.which("launchctl") is not None
    return "" if here else "there is no launchd"


def text(job: Job) -> str:
    """The agent's property list."""
    return plistlib.dumps(_agent(job), sort_keys=False).decode()


def install(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Writes the agent and loads it; changes nothing where all is as it should be.

    Raises ScheduleError when launchd refuses or the file cannot be written.
    """
    path = _path(job, machine)
    if machine.write(path, text(job).encode()) or not _loaded(job, machine):
        _unload(job, machine)
        _load(path, machine)
    return (path,)


def show(job: Job, machine: Machine) -> Shown | None:
    """What is installed for this home; None if nothing is."""
    path = _path(job, machine)
    body = read(path)
    if body is None:
        return None
    return Shown(
        scheduler="launchd",
        at=at_in(body.decode("utf-8", "replace")),
        active=_loaded(job, machine),
        files=(str(path),),
        text=body.decode("utf-8", "replace"),
    )


def remove(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Unloads the agent and removes its file."""
    _unload(job, machine)
    path = _path(job, machine)
    return (path,) if machine.delete(path) else ()


def note(machine: Machine) -> str:
    """What the user should know about this machine; empty when there is nothing."""
    del machine
    return "missed nights are dreamed now, and at each login"


def _label(job: Job) -> str:
    return f"slowwave.dream.{job.key}"


def _path(job: Job, machine: Machine) -> Path:
    return machine.folder / "Library" / "LaunchAgents" / f"{_label(job)}.plist"


def _agent(job: Job) -> Mapping[str, Any]:
    # launchd knows only the machine's own clock. For another one it calls every hour: the command
    # itself waits for the user's time, and does each night once.
    when = {"Minute": job.at.minute} if job.zone else {"Hour": job.at.hour, "Minute": job.at.minute}
    return {
        "Label": _label(job),
        "ProgramArguments": list(job.command),
        "EnvironmentVariables": dict(ENVIRONMENT),
        "StartCalendarInterval": when,
        "RunAtLoad": True,
        "ProcessType": "Background",
    }


def _domain(machine: Machine) -> str:
    """Where the user's agents live: the session at the screen, else (over ssh) the account."""
    screen = f"gui/{machine.uid}"
    return screen if machine.ask("launchctl", "print", screen).code == 0 else f"user/{machine.uid}"


def _loaded(job: Job, machine: Machine) -> bool:
    if missing(machine):
        return False
    return machine.ask("launchctl", "print", f"{_domain(machine)}/{_label(job)}").code == 0


def _unload(job: Job, machine: Machine) -> None:
    if _loaded(job, machine):
        machine.do("launchctl", "bootout", f"{_domain(machine)}/{_label(job)}", must=False)


def _load(path: Path, machine: Machine) -> None:
    arguments = ("launchctl", "bootstrap", _domain(machine), str(path))
    ran = Ran(1)
    for seconds in _TRIES:
        machine.pause(seconds)
        ran = machine.do(*arguments, must=False)
        if ran.code == 0:
            return
    raise refused(arguments, ran)
