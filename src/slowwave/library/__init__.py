"""The front door for Python programs.

    from slowwave import Memory

    with Memory() as memory:
        memory.log("I am allergic to peanuts")
        memory.dream("today", apply=True)
        print(memory.context("what should I cook?").text)

Its methods are named like the commands (`import` is `import_`); each does one call of the front
door that all doors share (`slowwave.memory.SlowMemory`, as `Memory.front`).

opened (opening, closing, forks) · saying · sleeping · asking · keeping · running (what it does, in
the order of the way of the data) · given (days, subjects as callers write them) · ephemeral (no
files)
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from slowwave.library.asking import Asking, Scope
from slowwave.library.given import Moment
from slowwave.library.keeping import Keeping
from slowwave.library.running import Exported, Running
from slowwave.library.saying import Loggable, Saying
from slowwave.library.sleeping import Distiller, Sleeping

if TYPE_CHECKING:
    from slowwave.ports import Clock, Embedder, LanguageModel

__all__ = ["Distiller", "Exported", "Loggable", "Memory", "Moment", "Scope"]


class Memory(Saying, Sleeping, Asking, Keeping, Running):
    """An agent's memory: one space of one home folder. A context manager; or call `close`.

    Calls are synchronous and may come from several threads at once; from asyncio use
    `await asyncio.to_thread(memory.recall, "…")`. Several processes may open the same home. After a
    fork the child opens its own. Every error is a `slowwave.SlowwaveError` with `message` (what
    happened) and `hint` (what to do next).
    """

    @classmethod
    def ephemeral(
        cls,
        *,
        space: str = "",
        tz: str = "UTC",
        settings: Mapping[str, Any] | None = None,
        clock: "Clock | None" = None,
        embedder: "Embedder | None" = None,
        model: "LanguageModel | None" = None,
    ) -> Self:
        """A memory in this process only, for scripts and tests: no file is read or written.

        `settings` is a table as in `slowwave.toml` ({"embedder": "none", "preset": "realtime"});
        the environment is not read. `clock` is a function that tells aware moments. `embedder` and
        `model` take the place of those that the settings name. Searches are plain loops: good for
        some thousand events. Raises SettingsError.

            with Memory.ephemeral() as memory:
                memory.log("I play the cello")
        """
        from slowwave.library.ephemeral import open_ephemeral  # noqa: PLC0415 - as in `Opened`

        table = dict(settings or {})
        for name, value in (("space", space), ("tz", tz)):
            if value:
                table.setdefault(name, value)
        return cls.over(open_ephemeral(table, clock=clock, embedder=embedder, model=model))
