"""Every space of one home over one store: what a server holds open for many users.

A space is opened when it is first asked for, and stays open as long as it is among those that were
asked for last; all of them share one writer, one file and its caches. Nothing crosses from one to
another: each has a front door of its own.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

import msgspec

from slowwave.memory import SlowMemory
from slowwave.settings import space_name
from slowwave.wiring import Options, open_memory

__all__ = ["MOST_OPEN", "Spaces"]

MOST_OPEN = 500
"""Spaces that are open at once; beyond them the one that nobody asked for longest is closed. Who
uses it still can: what it has not counted yet is counted, and it is opened again when asked for."""


class Spaces:
    """The spaces of a home. Safe from several threads.

    Raises what `open_memory` raises.
    """

    def __init__(self, options: Options, environment: Mapping[str, str] = os.environ) -> None:
        self._options, self._environment = options, environment
        self._first = open_memory(options, environment)
        self.default = self._first.space
        """The space of those who name none."""
        self._open: OrderedDict[str, SlowMemory] = OrderedDict()
        self._lock = Lock()

    @property
    def options(self) -> Options:
        """What the home was opened with."""
        return self._options

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that its settings are read from."""
        return self._environment

    @property
    def first(self) -> SlowMemory:
        """The memory of the default space: its settings are those of the home."""
        return self._first

    def memory(self, space: str = "") -> SlowMemory:
        """The memory of a space ("": the default one). Raises UsageError for a bad name."""
        name = space_name(space) if space else self.default
        if name == self.default:
            return self._first
        idle = None
        with self._lock:
            known = self._open.get(name)
            if known is None:
                options = msgspec.structs.replace(self._options, space=name)
                store = self._first.parts.store
                known = self._open[name] = open_memory(options, self._environment, store=store)
            self._open.move_to_end(name)
            if len(self._open) > MOST_OPEN:
                _, idle = self._open.popitem(last=False)
        if idle is not None:
            idle.close()
        return known

    def names(self) -> list[str]:
        """The spaces that hold something, in order."""
        return self._first.parts.store.spaces()

    def close(self) -> None:
        """Writes what waits in each space, then closes the store."""
        with self._lock:
            for memory in self._open.values():
                memory.close()
            self._open.clear()
            self._first.close()
