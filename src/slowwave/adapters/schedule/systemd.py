"""A systemd user timer. `Persistent=true` makes up at the next boot for a time that was slept
through (N6); systemd.timer(5), systemd.service(5)."""

from contextlib import suppress
from pathlib import Path

from slowwave.adapters.schedule.job import ENVIRONMENT, Job, Machine, Shown, at_in, read

CTL = ("systemctl", "--user")

_NO_PROGRAM = frozenset("\"'\\")
"""Characters that systemd refuses in the path of a program, however they are written."""


def missing(machine: Machine) -> str:
    """Why this scheduler cannot be used here; empty when it can."""
    if machine.which("systemctl") is None:
        return "there is no systemctl"
    # A container, or a shell reached through `su`, has the program but nobody who answers.
    return (
        "" if machine.ask(*CTL, "show-environment").code == 0 else "no systemd user manager answers"
    )


def text(job: Job) -> str:
    """Both units, each under its name, for reading."""
    units = zip((f"{_name(job)}.service", f"{_name(job)}.timer"), _units(job), strict=True)
    return "\n".join(f"# {name}\n{body}" for name, body in units)


def install(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Writes both units and starts the timer; changes nothing where all is as it should be.

    Raises ScheduleError when systemd refuses or a file cannot be written.
    """
    paths = _paths(job, machine)
    bodies = (unit.encode() for unit in _units(job))
    changed = [machine.write(path, body) for path, body in zip(paths, bodies, strict=True)]
    timer = paths[1].name
    if any(changed) or not _runs(timer, machine):
        machine.do(*CTL, "daemon-reload")
        machine.do(*CTL, "enable", timer)
        # `enable --now` would leave a running timer at its old time.
        machine.do(*CTL, "restart", timer)
    return paths


def show(job: Job, machine: Machine) -> Shown | None:
    """What is installed for this home; None if nothing is."""
    held = {path: body for path in _paths(job, machine) if (body := read(path)) is not None}
    if not held:
        return None
    shown = "\n".join(f"# {path}\n{body.decode('utf-8', 'replace')}" for path, body in held.items())
    return Shown(
        scheduler="systemd",
        at=at_in(shown),
        active=_runs(f"{_name(job)}.timer", machine),
        files=tuple(str(path) for path in held),
        text=shown,
    )


def remove(job: Job, machine: Machine) -> tuple[Path, ...]:
    """Stops the timer and removes all it left, also where no systemd answers any more."""
    service, timer = _paths(job, machine)
    stamps = machine.under("XDG_DATA_HOME", ".local", "share") / "systemd" / "timers"
    wanted = timer.parent / "timers.target.wants" / timer.name
    files = (service, timer, wanted, stamps / f"stamp-{timer.name}")
    there = tuple(path for path in files if path.is_symlink() or path.exists())
    if not there:
        return ()
    answers = not missing(machine)
    if answers:
        machine.do(*CTL, "disable", "--now", timer.name, must=False)
    gone = tuple(path for path in there if machine.delete(path))  # `disable` took the link away
    if answers:
        machine.do(*CTL, "daemon-reload", must=False)
    if not machine.dry:
        for folder in (wanted.parent, timer.parent, timer.parent.parent):
            with suppress(OSError):  # somebody else's units are in it
                folder.rmdir()
    return gone


def note(machine: Machine) -> str:
    """What the user should know about this machine; empty when there is nothing."""
    ran = machine.ask("loginctl", "show-user", str(machine.uid), "--property=Linger", "--value")
    if ran.out.strip() != b"no":
        return ""
    return "the timer runs while you are logged in; so that it always does: loginctl enable-linger"


def _name(job: Job) -> str:
    return f"slowwave-dream-{job.key}"


def _paths(job: Job, machine: Machine) -> tuple[Path, Path]:
    folder = machine.under("XDG_CONFIG_HOME", ".config") / "systemd" / "user"
    return folder / f"{_name(job)}.service", folder / f"{_name(job)}.timer"


def _runs(timer: str, machine: Machine) -> bool:
    return all(machine.ask(*CTL, ask, "--quiet", timer).code == 0
               for ask in ("is-enabled", "is-active"))  # fmt: skip


def _units(job: Job) -> tuple[str, str]:
    # The closing bracket keeps a home that ends in a backslash from continuing the line.
    about = f"Description=Slowwave: the nightly dream ({_escaped(str(job.home))})"
    program, *rest = job.command
    if set(program) & _NO_PROGRAM:
        program, rest = "/bin/sh", ["-c", 'exec "$@"', "sh", *job.command]
    # Variables are put in everywhere but in the program's own path.
    words = " ".join([_quoted(program), *(_quoted(word.replace("$", "$$")) for word in rest)])
    zone = f" {job.zone}" if job.zone else ""
    told = "".join(f"Environment={name}={value}\n" for name, value in ENVIRONMENT.items())
    service = f"[Unit]\n{about}\n\n[Service]\nType=oneshot\nNice=10\n{told}ExecStart={words}\n"
    timer = (
        f"[Unit]\n{about}\n\n[Timer]\nOnCalendar=*-*-* {job.at:%H:%M}:00{zone}\n"
        "Persistent=true\n\n[Install]\nWantedBy=timers.target\n"
    )
    return service, timer


def _quoted(word: str) -> str:
    """One word of ExecStart."""
    return '"' + _escaped(word.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _escaped(value: str) -> str:
    """`%` begins a specifier in every value of a unit."""
    return value.replace("%", "%%")
