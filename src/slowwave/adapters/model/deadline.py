"""Limits for a whole answer. The HTTP library's time-out starts anew with every byte.

Servers in between send blanks so that a connection stays open; with these an answer could take for
ever and never time out, and fill all memory.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

_BEGAN = "slowwave.began"

MOST, MOST_PACKED = 2**25, 2**18
"""Bytes of an answer, and of a packed one, which may unpack to a thousand times as many."""

Hooks = dict[str, list[Callable[[Any], None]]]


def hooks(http: Any, seconds: float) -> Hooks:
    """Event hooks for a client of the HTTP library `http`: its error after so many seconds."""

    class Timed(http.SyncByteStream):  # type: ignore[misc]
        """The bytes of an answer, until its time is over or there are too many."""

        def __init__(self, inner: Any, until: float, most: int) -> None:
            self._inner = inner
            self._until = until
            self._left = most

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._inner:
                self._left -= len(piece)
                if self._left < 0:
                    raise http.ReadError("the answer is longer than any that was asked for")
                if time.monotonic() > self._until:
                    raise http.ReadTimeout(f"no whole answer within {seconds:g} s")
                yield piece

        def close(self) -> None:
            self._inner.close()

    def begin(request: Any) -> None:
        request.extensions = {**request.extensions, _BEGAN: time.monotonic()}

    def limit(response: Any) -> None:
        began = response.request.extensions.get(_BEGAN, time.monotonic())
        packed = response.headers.get("content-encoding", "identity") != "identity"
        most = MOST_PACKED if packed else MOST
        response.stream = Timed(response.stream, began + seconds, most)

    return {"request": [begin], "response": [limit]}
