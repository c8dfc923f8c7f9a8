"""Two marked lines in the user's crontab: every night, and at boot for nights the machine was off.

All other lines stay byte by byte as they are. The marked ones stand first, where no `CRON_TZ` or
`SHELL` that the user sets further down reaches them; crontab(5).
"""

import re
import shlex
from pathlib import Path

from slowwave.adapters.schedule.job import ENVIRONMENT, Job, Machine, Shown, at_in, refused
from slowwave.errors import ScheduleError

_LONGEST = 990
"""Characters of a line that every cron takes (the common limit is 998)."""

_NONE_YET = re.compile(rb"no crontab for|can't open .*no such file", re.I)
"""How `crontab -l` says that there is none: vixie, cronie and macOS, busybox. Everything else it
may say is a failure, and never a reason to write an empty crontab over one that is there."""


def missing(machine: Machine) -> str:
    """Why this scheduler cannot be used here; empty when it can."""
    return "there is no crontab" if machine.which("crontab") is None else ""


def text(job: Job) -> str:
    """The lines. Raises ScheduleError for a command that a crontab cannot hold."""
    # cron knows only the machine's own clock. For another one it calls every hour: the command
    # itself waits for the user's time, and does each night once. Only failures are worth a mail.
    hour = "*" if job.zone else str(job.at.hour)
    told = (f"{name}={value}" for name, value in ENVIRONMENT.items())
    words = " ".join((*told, *(_quoted(word) for word in job.command)))
    command = f"{words} >/dev/null {_mark(job)}"
    if len(command.encode()) > _LONGEST or "\\" in "".join(job.command):
        raise ScheduleError(
            "a crontab cannot hold the command: its paths are too long or hold a backslash",
            "choose a home with a simpler name",
        )
    return f"{job.at.minute} {hour} * * * {command}\n@reboot {command}\n"


def install(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Puts the lines into the crontab; changes nothing where they are there. Writes no file.

    Raises ScheduleError when there is no access to the crontab.
    """
    old = _table(machine)
    new = text(job).encode() + _without(old, job)
    if new != old:
        machine.do("crontab", "-", stdin=new)
    return ()


def show(job: Job, machine: Machine) -> Shown | None:
    """The lines that are installed for this home; None if there are none."""
    own = [line for line in _readable(machine).split(b"\n") if _is_own(line, job)]
    if not own:
        return None
    shown = b"\n".join(own).decode("utf-8", "replace") + "\n"
    return Shown(scheduler="cron", at=at_in(shown), active=True, files=(), text=shown)


def remove(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Takes the lines out; a crontab that held nothing else goes as a whole."""
    old = _readable(machine)
    new = _without(old, job)
    if new != old and new:
        machine.do("crontab", "-", stdin=new)
    elif new != old:
        machine.do("crontab", "-r")
    return ()


def note(machine: Machine) -> str:
    """What the user should know about this machine; empty when there is nothing."""
    del machine
    return "the cron daemon must be running; a night the machine slept through comes the next night"


def _mark(job: Job) -> str:
    return f"# slowwave {job.key}"


def _is_own(line: bytes, job: Job) -> bool:
    return line.rstrip().endswith(_mark(job).encode()) and not line.lstrip().startswith(b"#")


def _without(table: bytes, job: Job) -> bytes:
    return b"\n".join(line for line in table.split(b"\n") if not _is_own(line, job))


def _table(machine: Machine) -> bytes:
    ran = machine.ask("crontab", "-l")
    if ran.code == 0:
        return ran.out
    if _NONE_YET.search(ran.err):
        return b""
    raise refused(("crontab", "-l"), ran)


def _readable(machine: Machine) -> bytes:
    """The crontab, or nothing where the user may have none: then there is no line of ours."""
    if missing(machine):
        return b""
    try:
        return _table(machine)
    except ScheduleError:
        return b""


def _quoted(word: str) -> str:
    """A word for the shell behind cron. Before the shell sees it, an unescaped `%` ends the line;
    outside quotes `\\%` reads as `%` whether cron takes the backslash away or the shell does."""
    return "\\%".join(shlex.quote(part) if part else "" for part in word.split("%")) or "''"
