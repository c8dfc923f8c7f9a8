"""How often somebody did something within a minute; of bounded size, whoever asks."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Lock

__all__ = ["Attempts", "Windows", "from_where", "is_elsewhere", "is_loopback"]

MINUTE = 60.0
MOST = 10_000
"""Callers that are known at once; beyond them those that began first are forgotten."""
A_NETWORK = 64
"""Bits of an IPv6 address that name whose it is: one machine has all the others to itself."""


class Windows:
    """Counts each caller's doings in minutes of his own. Safe from several threads."""

    def __init__(
        self, limit: int, most: int = MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limit = limit
        """As many within a minute; 0: no limit."""
        self._most, self._clock = most, clock
        self._known: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = Lock()

    def hit(self, who: str) -> bool:
        """Counts once more; False beyond the limit."""
        if not self.limit:
            return True
        with self._lock:
            since, number = self._of(who)
            self._known[who] = (since, number + 1)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return number < self.limit

    def full(self, who: str) -> bool:
        """Whether the limit is reached. Counts nothing."""
        if not self.limit:
            return False
        with self._lock:
            return self._of(who)[1] >= self.limit

    def __len__(self) -> int:
        """Callers that are known."""
        return len(self._known)

    def _of(self, who: str) -> tuple[float, int]:
        now = self._clock()
        since, number = self._known.get(who, (now, 0))
        if now - since < MINUTE:
            return since, number
        self._known.pop(who, None)  # a new minute stands at the end again
        return now, 0


class Attempts:
    """Wrong tokens, counted by where they come from.

    Once there were too many, tokens that were made here still open: nobody guesses those. One that
    a person thought of does not, whether it is right or not: else it could be guessed on.
    """

    def __init__(self, limit: int, guessable: Callable[[str], bool]) -> None:
        self._windows, self._guessable = Windows(limit), guessable

    def barred(self, address: str, token: str) -> bool:
        """Whether this token is not even looked at, because too many wrong ones came before."""
        return self._guessable(token) and self._windows.full(from_where(address))

    def wrong(self, address: str) -> bool:
        """Counts a wrong one; False where that was one too many."""
        return self._windows.hit(from_where(address))


def from_where(address: str) -> str:
    """An address, or the network it is of, as what is counted."""
    known = _address(address)
    if known is None:
        return address[:60]
    if isinstance(known, IPv4Address):
        return str(known)
    return str(ip_network((known, A_NETWORK), strict=False))


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine alone."""
    known = _address(address)
    return known is not None and known.is_loopback


def is_elsewhere(address: str) -> bool:
    """Whether an address is one that others have, or can be reached at."""
    known = _address(address)
    return known is not None and not known.is_loopback


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        known = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = known.ipv4_mapped if isinstance(known, IPv6Address) else None
    return mapped or known
