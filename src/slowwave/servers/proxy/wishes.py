"""What is to be done with a request: its headers, its token and the settings, put together."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from slowwave.servers.access import Grant
from slowwave.servers.guard import TOKEN_HEADER, bearer
from slowwave.servers.proxy.asked import Asked
from slowwave.servers.proxy.desk import Wish
from slowwave.servers.proxy.talks import Who
from slowwave.servers.tokens import PREFIX, Keys
from slowwave.settings import Settings

__all__ = ["Called", "authorization", "called", "wish_of"]

SESSION_HEADER = "x-slowwave-session"
CHANNEL_HEADER = "x-slowwave-channel"
INJECT_HEADER = "x-slowwave-inject"
CAPTURE_HEADER = "x-slowwave-capture"
"""With `off` in one of the last two this request does without that part."""
LONGEST = 200
"""Characters of a session's or channel's name."""
REALTIME = "realtime"


class Called(NamedTuple):
    """The headers of a request, by their lower names."""

    headers: Mapping[str, str]

    def words(self, name: str) -> str:
        """A name of the user's in a header: printable, of bounded length; empty for none."""
        given = self.headers.get(name, "").strip()
        return given[:LONGEST] if given.isprintable() else ""

    def off(self, name: str) -> bool:
        """Whether a header switches something off."""
        return self.headers.get(name, "").strip().casefold() in ("off", "no", "false", "0")


def called(headers: Iterable[tuple[bytes, bytes]]) -> Called:
    """The headers as text: UTF-8 where it is that, as names are in Chinese too."""
    found: dict[str, str] = {}
    for key, value in headers:
        found.setdefault(key.decode("latin-1").lower(), _text(value))
    return Called(found)


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def wish_of(asked: Asked, headers: Called, grant: Grant, space: str, settings: Settings) -> Wish:
    """What this token may have done with this request."""
    proxy = settings.server.proxy
    # Two tokens are two clients: what both say first is not one conversation.
    narrower = "\x1f".join(("" if grant.local else grant.name, asked.narrower)).strip("\x1f")
    who = Who(
        session=headers.words(SESSION_HEADER) or asked.session,
        narrower=narrower,
        channel=headers.words(CHANNEL_HEADER),
        follows=asked.follows,
    )
    return Wish(
        grant=grant, space=space, who=who,
        inject=proxy.inject and grant.may("read") and not headers.off(INJECT_HEADER),
        capture=proxy.capture and not proxy.read_only and grant.may("log")
        and not headers.off(CAPTURE_HEADER),
        read_only=proxy.read_only,
        learn=proxy.learn or settings.preset == REALTIME,
    )  # fmt: skip


def authorization(headers: Called, grant: Grant, keys: Keys, key: str) -> str:
    """The Authorization that goes up; empty for none. Never a token of ours.

    `key` is what the settings hold for the upstream. A client that shows our token in a header of
    its own has its Authorization for the upstream; one without tokens sends what it must send, and
    our key counts.
    """
    configured = f"Bearer {key}" if key else ""
    own = headers.headers.get("authorization", "").strip()
    if not own or _ours(own, headers, keys):
        return configured
    named = bool(headers.headers.get(TOKEN_HEADER)) and not grant.local
    return own if named else configured or own


def _ours(own: str, headers: Called, keys: Keys) -> bool:
    """Whether an Authorization shows a token of this server, also one that opens nothing now."""
    token = bearer({"authorization": own}) or own
    if token.startswith(PREFIX) or token == headers.headers.get(TOKEN_HEADER):
        return True
    return keys.needed() and keys.grant(token) is not None
