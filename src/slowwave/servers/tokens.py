"""The tokens of a home: made, listed, taken away; kept as digests in `tokens.json`."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock

import msgspec

from slowwave.errors import InputError, NotFound, UsageError
from slowwave.servers.access import EVERYTHING, LOCAL, Grant, KnownToken, Scope, digest_of, grant_of
from slowwave.wiring import replace_file

FILE = "tokens.json"
PREFIX = "slw_"


def read(home: Path) -> tuple[KnownToken, ...]:
    """The tokens of a home, oldest first. Raises InputError for a file that cannot be read."""
    path = home / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[KnownToken, ...])
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError) as error:
        # Nothing is open while it cannot be told what should be.
        raise InputError(f"{path} cannot be read: {error}", "repair it, or remove it") from error


def add(
    home: Path, name: str, scopes: Sequence[Scope], spaces: Sequence[str], now: datetime
) -> str:
    """Makes a token and returns it: it is shown this once and never again.

    Raises UsageError for a name that is taken or empty, and for no scope.
    """
    known = read(home)
    if not name.strip() or not name.isprintable():
        raise UsageError("the token needs a name", "name it after who uses it: laptop, ci …")
    if any(one.name == name for one in known):
        raise UsageError(f"there is a token {name!r}", "choose another name, or remove that one")
    if not scopes:
        raise UsageError("no scope given", "give one or more of read, log, review, admin")
    token = PREFIX + secrets.token_urlsafe(32)
    made = KnownToken(
        name=name, digest=digest_of(token), scopes=tuple(scopes), spaces=tuple(spaces), made=now
    )
    _write(home, (*known, made))
    return token


def remove(home: Path, name: str) -> None:
    """Takes a token away, at once. Raises NotFound."""
    known = read(home)
    kept = tuple(one for one in known if one.name != name)
    if len(kept) == len(known):
        raise NotFound(f"no token {name!r}", "`slowwave token list` shows them")
    _write(home, kept)


def _write(home: Path, tokens: Sequence[KnownToken]) -> None:
    raw = msgspec.json.format(msgspec.json.encode(tokens), indent=2)
    replace_file(home / FILE, raw + b"\n", 0o600)


class Keys:
    """What opens a server: the settings' own token, and those of the home as they stand now."""

    def __init__(self, home: Path, main: str) -> None:
        self._home = home
        own = KnownToken(name="main", digest=digest_of(main), scopes=tuple(EVERYTHING))
        self._main = (own,) if main else ()
        self._lock = Lock()
        self._read: tuple[tuple[int, int], tuple[KnownToken, ...]] = ((-1, -1), ())

    def known(self) -> tuple[KnownToken, ...]:
        """All tokens; a token that was taken away is none from now on. Raises InputError."""
        try:
            told = (self._home / FILE).stat()
            state = (told.st_mtime_ns, told.st_size)
        except OSError:
            state = (0, 0)
        with self._lock:
            if state != self._read[0]:
                self._read = (state, read(self._home))
            return (*self._main, *self._read[1])

    def needed(self) -> bool:
        """Whether anybody needs a token."""
        return bool(self.known())

    def grant(self, token: str | None) -> Grant | None:
        """What a token opens; without any token known, everything is open to this machine."""
        known = self.known()
        if not known:
            return LOCAL
        return grant_of(token, known) if token else None


def told(one: KnownToken) -> Mapping[str, object]:
    """A token as a list shows it."""
    return {"name": one.name, "scopes": one.scopes, "spaces": one.spaces, "made": one.made}
