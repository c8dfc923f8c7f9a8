"""A limit for a whole answer. The HTTP library's own starts anew with every byte.

Servers in between send blanks so that a connection stays open; with these an answer could take for
ever and never time out.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

_BEGAN = "slowwave.began"

Hooks = dict[str, list[Callable[[Any], None]]]


def hooks(http: Any, seconds: float) -> Hooks:
    """Event hooks for a client of the HTTP library `http`: its time-out after so many seconds."""

    class Timed(http.SyncByteStream):  # type: ignore[misc]
        """The bytes of an answer, until its time is over."""

        def __init__(self, inner: Any, until: float) -> None:
            self._inner = inner
            self._until = until

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._inner:
                if time.monotonic() > self._until:
                    raise http.ReadTimeout(f"no whole answer within {seconds:g} s")
                yield piece

        def close(self) -> None:
            self._inner.close()

    def begin(request: Any) -> None:
        request.extensions = {**request.extensions, _BEGAN: time.monotonic()}

    def limit(response: Any) -> None:
        began = response.request.extensions.get(_BEGAN, time.monotonic())
        response.stream = Timed(response.stream, began + seconds)

    return {"request": [begin], "response": [limit]}
