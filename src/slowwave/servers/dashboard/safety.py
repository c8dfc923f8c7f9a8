"""What keeps pages safe: a signed token in every form, strict headers, and no way out."""

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from urllib.parse import urlsplit

__all__ = ["CSRF_COOKIE", "CSRF_FIELD", "HEADERS", "PICTURE", "Seal", "inside"]

CSRF_COOKIE = "slowwave_form"
CSRF_FIELD = "form_token"
LONGEST_WAY = 2_000

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "content-security-policy": (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
        "cache-control": "no-store",
    }
)
"""Of every page."""

PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of a picture that was drawn here: it is looked at, and can do nothing."""


class Seal:
    """Signs forms: a page of ours was rendered for this very browser and session.

    The secret is that of the process: forms of an earlier one are refused, and can be sent again.
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def token(self, cookie: str, session: str) -> str:
        """The token of a form for who has these cookies."""
        told = f"{cookie}\x00{session}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, told, sha256).hexdigest()

    def holds(self, token: str, cookie: str, session: str) -> bool:
        """Whether a form was ours. Takes the same time for every wrong one."""
        given = token.encode("utf-8", "surrogatepass")
        right = hmac.compare_digest(given, self.token(cookie, session).encode("ascii"))
        return right and bool(cookie)


def inside(way: str, otherwise: str = "/") -> str:
    """A path of this server to go on to, as it was asked for; else `otherwise`.

    Browsers read a backslash as a slash and skip control characters, so neither may be in it.
    """
    plain = way.isascii() and way.isprintable() and " " not in way and "\\" not in way
    if not plain or len(way) > LONGEST_WAY or not way.startswith("/") or way.startswith("//"):
        return otherwise
    try:
        parts = urlsplit(way)
    except ValueError:
        return otherwise
    return otherwise if parts.scheme or parts.netloc else way
