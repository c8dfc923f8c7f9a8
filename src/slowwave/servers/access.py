"""What a token opens: scopes and spaces. Pure, but for the moment a token is compared.

Scopes: `read` asks and looks; `log` writes to the journal, and reads nothing; `review` reads, and
dreams, decides and changes by hand; `admin` may do everything, forgetting for good included.
"""

import hmac
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Literal, get_args

import msgspec

Scope = Literal["read", "log", "review", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """Who came in, and what is open to them; no `spaces` means every one.

    `local`: nobody asked for a token, because this server has none.
    """

    name: str
    scopes: frozenset[Scope]
    spaces: tuple[str, ...] = ()
    local: bool = False

    def may(self, scope: Scope) -> bool:
        """Whether this scope is open."""
        if "admin" in self.scopes or scope in self.scopes:
            return True
        return scope == "read" and "review" in self.scopes

    def sees(self, space: str) -> bool:
        """Whether this space is open."""
        return not self.spaces or space in self.spaces


EVERYTHING: frozenset[Scope] = frozenset({"admin"})
LOCAL = Grant(name="local", scopes=EVERYTHING, local=True)
"""Who comes from this machine to a server without tokens."""


class KnownToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token as it is kept: not the token itself, but what it can be compared with.

    What is not known is refused: a misspelt `spaces` would open every one.
    """

    name: str
    digest: str
    scopes: tuple[Scope, ...]
    spaces: tuple[str, ...] = ()
    made: datetime | None = None

    def grant(self) -> Grant:
        """What it opens."""
        return Grant(name=self.name, scopes=frozenset(self.scopes), spaces=self.spaces)


def digest_of(token: str) -> str:
    """What is kept of a token, in hex. Tokens have 256 random bits: no salt makes them safer."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def grant_of(token: str, known: Iterable[KnownToken]) -> Grant | None:
    """What a token opens; None for a wrong one.

    Each known one is compared, in constant time: how long it takes tells nothing of how near it is.
    """
    given = digest_of(token)
    found = None
    for one in known:
        if hmac.compare_digest(given, one.digest):
            found = one
    return found.grant() if found is not None else None
