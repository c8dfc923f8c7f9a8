"""`Idempotency-Key`: what was done is not done twice, and answered the same.

Kept in this process: the newest answers of the last day, up to a size. After a restart an event is
still known by what it is (see `events`): it is told as a duplicate then.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Lock
from typing import Protocol, TypeVar

from slowwave.servers.problems import Refused
from slowwave.servers.rest.reading import Malformed

__all__ = ["HEADER", "Kept", "key_of", "whose"]

HEADER = "idempotency-key"
LASTS = 24 * 3600.0
"""Seconds that an answer is kept."""
MOST = 10_000
"""Answers that are kept of all spaces; the oldest go first."""
MOST_BYTES = 64 * 1024 * 1024

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class Sized(Protocol):
    """An answer with a body."""

    @property
    def body(self) -> bytes:
        """What is sent."""


A = TypeVar("A", bound=Sized)


class Kept:
    """The answers that are kept. Safe from several threads."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[str, Sized, float]] = OrderedDict()
        self._running: dict[str, str] = {}
        self._bytes = 0

    def once(self, place: str, said: bytes, work: Callable[[], A]) -> A:
        """What `work` answers, or answered when it was asked before. Errors are not kept.

        Raises Refused (422 for a key that stood for another request, 409 while it is being done).
        """
        digest = sha256(said).hexdigest()
        with self._lock:
            self._drop_old()
            known = self._known.get(place)
            before = known[0] if known else self._running.get(place)
            if before is not None and before != digest:
                raise Refused(422, "this Idempotency-Key stood for another request",
                              "use a new key for a new request")  # fmt: skip
            if known is not None:
                return known[1]  # type: ignore[return-value]
            if before is not None:
                raise Refused(409, "this request is being done", "ask again in a moment")
            self._running[place] = digest
        try:
            made = work()
        except BaseException:
            with self._lock:
                del self._running[place]
            raise
        with self._lock:
            del self._running[place]
            self._keep(place, digest, made)
        return made

    def _keep(self, place: str, digest: str, made: Sized) -> None:
        if len(made.body) > self._most_bytes:
            return
        self._known[place] = (digest, made, time.monotonic() + LASTS)
        self._bytes += len(made.body)
        while len(self._known) > self._most or self._bytes > self._most_bytes:
            self._pop()

    def _drop_old(self) -> None:
        now = time.monotonic()
        while self._known and next(iter(self._known.values()))[2] < now:
            self._pop()

    def _pop(self) -> None:
        _, (_, made, _) = self._known.popitem(last=False)
        self._bytes -= len(made.body)


def key_of(headers: Mapping[str, str]) -> str:
    """The key of a request; empty for none. Raises Malformed."""
    key = headers.get(HEADER)
    if key is None:
        return ""
    if not _KEY.fullmatch(key):
        raise Malformed("the Idempotency-Key is none", "use 1 to 255 printable ASCII characters")
    return key


def whose(*parts: str) -> str:
    """The place of a key: nobody finds the answers of another space, token or route."""
    return "\x1f".join(f"{len(part)}:{part}" for part in parts)
