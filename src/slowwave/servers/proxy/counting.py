"""What went through the proxy since the server started."""

from threading import Lock

import msgspec

__all__ = ["Counters", "Totals"]


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers since the start.

    Of the `requests`, `failed` were answered by us because no answer came from upstream, and
    `refused` were passed on with a status of failure. `injected` got memories (`tokens` in all),
    `without_memory` went on without because memory failed or took too long. `events` were logged;
    `unlogged` requests or answers could not be. `gone`: the client went away before the end.
    `overhead_ms` is what the proxy added before the first byte, in all.
    """

    requests: int = 0
    streams: int = 0
    failed: int = 0
    refused: int = 0
    gone: int = 0
    broken: int = 0
    injected: int = 0
    tokens: int = 0
    without_memory: int = 0
    events: int = 0
    unlogged: int = 0
    overhead_ms: float = 0.0


class Counters:
    """Counts. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._numbers: dict[str, float] = dict.fromkeys(Totals.__struct_fields__, 0)

    def add(self, **numbers: float) -> None:
        """Adds to the numbers of these names."""
        with self._lock:
            for name, number in numbers.items():
                self._numbers[name] += number

    def totals(self) -> Totals:
        """The numbers as they stand."""
        with self._lock:
            return msgspec.convert(
                {name: number if name == "overhead_ms" else int(number)
                 for name, number in self._numbers.items()}, Totals,
            )  # fmt: skip
