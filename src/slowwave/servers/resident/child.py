"""The process of one dream, seen from the server: started, heard, stopped, and its end told."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Protocol

import msgspec

from slowwave.errors import DreamError
from slowwave.servers.resident.job import Ending, Job, Made, Message, Staged

__all__ = ["Child", "Process", "Start", "started"]

TAIL = 2_000
"""So many of the last bytes of what a broken dream printed are kept."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

COMMAND = ("-P", "-m", "slowwave.servers.resident.sleeper")

_decode = msgspec.json.Decoder(Message).decode


class Process(Protocol):
    """A dream under way."""

    pid: int
    made: list[Made]
    stage: str

    def poll(self) -> Ending | None:
        """How it ended; None while it runs."""

    def stop(self) -> None:
        """Asks it to stop; returns at once."""

    def kill(self) -> None:
        """Ends it now."""

    def wait(self, seconds: float) -> Ending | None:
        """As `poll`, after waiting so long at most."""


Start = Callable[[Job, int | None, Callable[[], None]], Process]
"""Starts a dream; the process keeps the lock (a file) open, and the function hears of its end."""


class Child:
    """A dream in a Python of its own. Raises DreamError where there is none to be had."""

    def __init__(
        self, job: Job, lock: int | None, ended: Callable[[], None],
        environment: Mapping[str, str] = os.environ,
    ) -> None:  # fmt: skip
        self.made: list[Made] = []
        self.stage = ""
        self._ending: Ending | None = None
        self._asked = False
        self._ended = ended
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it has ended
        cores = str(job.cores) if job.cores else ""
        threads = {name: cores for name in THREADS if cores}
        try:
            self._process = subprocess.Popen(
                [sys.executable, *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._errors, env={**environment, **threads},
                pass_fds=(lock,) if lock is not None and os.name == "posix" else (),
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self._errors.close()
            raise DreamError(
                f"no process for the dream: {error}", "see whether the machine has room for one"
            ) from error
        self.pid = self._process.pid
        self._hearing = threading.Thread(target=self._hear, name="dream", daemon=True)
        self._hearing.start()
        with suppress(OSError):
            _stream(self._process.stdin).write(msgspec.json.encode(job) + b"\n")
            _stream(self._process.stdin).flush()

    def poll(self) -> Ending | None:
        """How it ended; None while it runs."""
        if self._hearing.is_alive() or self._process.poll() is None:
            return None
        return self._told()

    def stop(self) -> None:
        """Asks it to stop, by a signal where there are signals, and by the end of its stdin."""
        self._asked = True
        with suppress(OSError):
            if hasattr(signal, "SIGTERM") and os.name == "posix":
                self._process.send_signal(signal.SIGTERM)
        with suppress(OSError):
            _stream(self._process.stdin).close()

    def kill(self) -> None:
        """Ends it now. A transaction under way is undone; checkpoints stay."""
        self._asked = True
        with suppress(OSError):
            self._process.kill()

    def wait(self, seconds: float) -> Ending | None:
        """As `poll`, after waiting so long at most."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            self._hearing.join(seconds)
        return self.poll()

    def _hear(self) -> None:
        """Takes in what the process tells, until it ends."""
        stream = _stream(self._process.stdout)
        try:
            for line in stream:
                self._take(line)
        except (OSError, ValueError):
            pass
        with suppress(OSError):
            stream.close()
        self._process.wait()
        self._ended()

    def _take(self, line: bytes) -> None:
        try:
            match _decode(line):
                case Staged(name=name):
                    self.stage = name
                case Made() as made:
                    self.made.append(made)
                case Ending() as ending:
                    self._ending = ending
        except msgspec.MsgspecError:  # something printed: it is no message
            return

    def _told(self) -> Ending:
        """How it ended, also where it could not say so itself."""
        code = self._process.returncode
        with suppress(OSError):
            _stream(self._process.stdin).close()
        if self._ending is None:
            stopped = Ending(outcome="preempted")
            self._ending = stopped if self._asked else self._broken(code)
        self._errors.close()
        return self._ending

    def _broken(self, code: int) -> Ending:
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - TAIL))
        said = self._errors.read().decode("utf-8", "replace").strip()
        why = said.splitlines()[-1] if said else ""
        how = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        return Ending(
            outcome="failed", error="ProcessEnded",
            message=f"the process of the dream {how}" + (f": {why}" if why else ""),
            hint="nothing was changed by half; it goes on at the first unfinished stage",
        )  # fmt: skip


def started(environment: Mapping[str, str]) -> Start:
    """Starts dreams as children, in this environment."""
    return lambda job, lock, ended: Child(job, lock, ended, environment)


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
