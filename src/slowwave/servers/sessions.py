"""Sessions of people in the browser: a cookie that stands for the token they gave once.

The cookie is random; what it stands for is kept in this process only, as the token's digest, and is
compared again with the tokens as they stand at each request: a token taken away ends its sessions.
"""

import secrets
import time
from collections import OrderedDict
from threading import Lock

from slowwave.servers.access import digest_of

COOKIE = "slowwave_session"
LASTS = 30 * 24 * 3600.0
"""Seconds that a session lasts."""
MOST = 1_000
"""Sessions that are kept; beyond them the oldest ends."""


class Sessions:
    """Who has signed in. Safe from several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._lock = Lock()

    def begin(self, token: str) -> str:
        """A new session of one who gave this token; returns its cookie."""
        cookie = secrets.token_urlsafe(32)
        with self._lock:
            self._known[cookie] = (digest_of(token), time.monotonic() + LASTS)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
        return cookie

    def digest(self, cookie: str) -> str | None:
        """The digest of the token a cookie stands for; None for one that stands for none."""
        with self._lock:
            digest, until = self._known.get(cookie, ("", 0.0))
            if until > time.monotonic():
                return digest
            self._known.pop(cookie, None)
            return None

    def end(self, cookie: str) -> None:
        """Signs out."""
        with self._lock:
            self._known.pop(cookie, None)
