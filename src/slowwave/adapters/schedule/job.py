"""What every scheduler is given: the nightly job, and the machine it is put on.

All that is done to the machine goes through `Machine`, which keeps a record of it; a dry machine
only keeps the record. Nothing is read or run before somebody calls.
"""

import os
import re
import shlex
import subprocess
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path

import msgspec

from slowwave.errors import ScheduleError

NOT_FOUND, TOO_LONG = 127, 124
"""Exit codes, as a shell gives them, of a program that is not there and of one that hung."""

_PATIENCE = 60.0
"""Seconds that `systemctl` and its like may take."""

ENVIRONMENT: Mapping[str, str] = types.MappingProxyType({"SLOWWAVE_CALLER": "job"})
"""What a job's command, and all that it starts, is told: what a job asks is no recall (O9)."""

_CONTROLS = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_AT = re.compile(r'--at(?:"|</string>)?\s+(?:"|<string>)?([01]\d|2[0-3]):([0-5]\d)')
"""In the words of a crontab, of a unit, and of a property list."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A command to run every night at a time of day.

    `key` tells the jobs of several homes apart. `zone` is an IANA name where the time is not meant
    by the machine's own clock, else empty. The command says `--at HH:MM` and is safe to repeat.
    """

    at: time
    command: tuple[str, ...]
    home: Path
    key: str
    zone: str = ""

    def __post_init__(self) -> None:
        """Refuses what no scheduler can carry; ScheduleError."""
        for word in (*self.command, str(self.home)):
            if _CONTROLS.search(word):
                raise ScheduleError(
                    f"no scheduler can carry the name {word!r}",
                    "use a home and a Python whose paths hold no control characters",
                )

    @property
    def line(self) -> str:
        """The command as a shell takes it."""
        return shlex.join(self.command)


class Ran(msgspec.Struct, frozen=True):
    """What a program that was run left: its exit code, stdout, stderr."""

    code: int
    out: bytes = b""
    err: bytes = b""


Runner = Callable[[Sequence[str], bytes], Ran]
"""Runs a program (by its arguments) with these bytes on stdin. Never raises."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A job that is installed. `active` is False when it is written down but the scheduler sleeps.

    `at` is `HH:MM`, empty where somebody edited it away.
    """

    scheduler: str
    at: str
    active: bool
    files: tuple[str, ...]
    text: str


def run_program(arguments: Sequence[str], stdin: bytes) -> Ran:
    """The `Runner` of a real machine; its messages are in English, so that they can be read."""
    try:
        done = subprocess.run(
            list(arguments),
            input=stdin,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        return Ran(TOO_LONG, err=b"no answer for a minute")
    except OSError as error:
        return Ran(NOT_FOUND, err=str(error.strerror or error).encode())
    return Ran(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The edges of one user's account. `done` grows with everything that was changed.

    `replace` writes a file as a whole or not at all. With `dry`, only `ask` reaches the machine.
    """

    run: Runner
    which: Callable[[str], str | None]
    replace: Callable[[Path, bytes], None]
    pause: Callable[[float], None]
    environment: Mapping[str, str]
    folder: Path
    platform: str
    uid: int
    dry: bool = False
    done: list[str] = field(default_factory=list)

    def ask(self, *arguments: str) -> Ran:
        """Runs a program that changes nothing."""
        return self.run(arguments, b"")

    def do(self, *arguments: str, stdin: bytes = b"", must: bool = True) -> Ran:
        """Runs a program that changes something. Raises ScheduleError if it `must` succeed."""
        self.done.append(f"run {shlex.join(arguments)}")
        if self.dry:
            return Ran(0)
        ran = self.run(arguments, stdin)
        if must and ran.code:
            raise refused(arguments, ran)
        return ran

    def write(self, path: Path, body: bytes) -> bool:
        """Makes a file hold these bytes; False if it does already. Raises ScheduleError."""
        try:
            if path.is_file() and path.read_bytes() == body:
                return False
            self.done.append(f"write {path}")
            if not self.dry:
                path.parent.mkdir(parents=True, exist_ok=True)
                self.replace(path, body)
        except OSError as error:
            raise _no_file(path, error) from error
        return True

    def delete(self, path: Path) -> bool:
        """Removes a file or link; False if there is none. Raises ScheduleError."""
        if not path.is_symlink() and not path.exists():
            return False
        self.done.append(f"delete {path}")
        try:
            if not self.dry:
                path.unlink()
        except OSError as error:
            raise _no_file(path, error) from error
        return True

    def under(self, variable: str, *default: str) -> Path:
        """The folder an XDG variable names, else the default below the user's own folder."""
        named = self.environment.get(variable, "")
        return Path(named) if named.startswith("/") else self.folder.joinpath(*default)


def refused(arguments: Sequence[str], ran: Ran) -> ScheduleError:
    """The error for a program that did not do what it was asked to."""
    said = ran.err.decode("utf-8", "replace").strip().splitlines()
    reason = said[-1] if said else f"exit code {ran.code}"
    return ScheduleError(
        f"`{shlex.join(arguments)}` failed: {reason}",
        "`slowwave schedule install --print` shows what to add by hand",
    )


def read(path: Path) -> bytes | None:
    """What a file holds; None if there is none. Raises ScheduleError."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _no_file(path, error) from error


def at_in(text: str) -> str:
    """The time of day that a job's command names (`--at HH:MM`), empty if it names none."""
    found = _AT.findall(text)
    return ":".join(found[-1]) if found else ""


def _no_file(path: Path, error: OSError) -> ScheduleError:
    return ScheduleError(
        f"{path}: {error.strerror or error}", "check the permissions of its folder"
    )
