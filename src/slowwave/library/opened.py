"""Opening and closing: which memory, in which process, until when."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from slowwave.errors import UsageError
from slowwave.library.given import Moment, moment

if TYPE_CHECKING:
    from slowwave.memory import SlowMemory

__all__ = ["Opened"]


class Opened:
    """A memory that is open in this process."""

    _front: "SlowMemory | None"
    _process: int

    def __init__(
        self,
        home: str | Path = "",
        *,
        space: str = "",
        tz: str = "",
        now: datetime | str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Opens the memory of a home folder, and makes it on first use.

        `home`: the folder; "" is SLOWWAVE_HOME, else `~/.slowwave`. `space`: whose memory; nothing
        crosses from one space to another. `tz`: the user's zone by its IANA name; "" as the
        settings or the system say. `now`: a clock that stands still there (replays); None is the
        system's clock. `environ`: stands for the variables of the environment (`SLOWWAVE_…`).

        Raises SettingsError (a bad setting, zone or moment), InputError (no such folder can be
        made), StoreError (the database cannot be opened; NewerHome when a newer Slowwave wrote it).
        """
        # `import slowwave` and `from slowwave import Memory` stay cheap: the store comes here.
        from slowwave.wiring import Options, open_memory  # noqa: PLC0415

        fixed = now.isoformat() if isinstance(now, datetime) else now
        options = Options(
            home=os.fspath(home) or None, space=space or None, tz=tz or None, now=fixed
        )
        self._hold(open_memory(options, os.environ if environ is None else environ))

    @classmethod
    def over(cls, front: "SlowMemory") -> Self:
        """A memory over a front door that is open already; closing it closes that."""
        made = cls.__new__(cls)
        made._hold(front)
        return made

    def _hold(self, front: "SlowMemory") -> None:
        self._front, self._process = front, os.getpid()

    @property
    def front(self) -> "SlowMemory":
        """The front door that all doors of Slowwave share; for what has no method here.

        Raises UsageError when this memory was closed, or came here through a fork.
        """
        if self._front is None:
            raise UsageError("this memory is closed", "open it again: Memory(…)")
        if self._process != os.getpid():
            raise UsageError(
                "this memory was opened before the process was forked",
                "open one in each process: Memory(…) after the fork",
            )
        return self._front

    @property
    def space(self) -> str:
        """Whose memory this is."""
        return self.front.space

    @property
    def home(self) -> Path:
        """The folder it lives in."""
        return self.front.parts.home

    def now(self) -> datetime:
        """The clock, in the user's zone."""
        return self.front.now()

    def close(self) -> None:
        """Finishes what is under way and lets go of the files. Closing twice does nothing.

        In a forked child nothing is touched: the memory is its parent's.
        """
        front, self._front = self._front, None
        if front is not None and self._process == os.getpid():
            front.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._front is None:
            return "<Memory, closed>"
        parts = self._front.parts
        return f"<Memory of {parts.settings.space!r} at {parts.home}>"

    def _moment(self, given: Moment | None, *, end_of_day: bool = False) -> datetime | None:
        if given is None:
            return None
        return moment(given, self.now().tzinfo, end_of_day=end_of_day)
