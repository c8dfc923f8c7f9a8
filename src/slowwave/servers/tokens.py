"""The tokens of a home: made, listed, taken away; kept as digests in `tokens.json`."""

import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

import msgspec

from slowwave.errors import InputError, NotFound, StoreError, UsageError
from slowwave.servers.access import EVERYTHING, LOCAL, Grant, KnownToken, Scope, digest_of, grant_of
from slowwave.servers.filelock import held
from slowwave.settings import space_name
from slowwave.wiring import replace_file

FILE = "tokens.json"
LOCK = "tokens.lock"
PREFIX = "slw_"
MAIN = "main"
"""What the token of the settings is called."""
TAKEN = (MAIN, LOCAL.name)
"""Names that others have."""
LONGEST_NAME = 100
MOST_BYTES = 8 * 1024 * 1024
"""Of the file; a bigger one is none of ours."""
FRESH = 100_000_000
"""Nanoseconds in which a file may change again without looking changed."""
WAIT = 5.0
"""Seconds that a change waits for another one."""

_MADE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def guessable(token: str) -> bool:
    """Whether somebody could hit upon a token: those that are made here are too long for it."""
    return _MADE.fullmatch(token) is None


def read(home: Path) -> tuple[KnownToken, ...]:
    """The tokens of a home, oldest first. Raises InputError for a file that cannot be read."""
    path = home / FILE
    try:
        if not path.is_file():
            if path.exists() or path.is_symlink():
                raise InputError(f"{path} is no file", "remove it")
            return ()
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise InputError(f"{path} is too big", "remove it, and make the tokens anew")
        known = msgspec.json.decode(raw, type=tuple[KnownToken, ...])
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        # Nothing is open while it cannot be told what should be.
        raise InputError(f"{path} cannot be read: {error}", "repair it, or remove it") from error
    for one in known:
        if any(not name.strip() for name in one.spaces):
            raise InputError(f"{path}: a space of {one.name!r} has no name", "repair it")
    return known


def add(
    home: Path, name: str, scopes: Sequence[Scope], spaces: Sequence[str], now: datetime
) -> str:
    """Makes a token and returns it: it is shown this once and never again.

    Raises UsageError for a name that is taken, empty or odd, for a space that is none, and for no
    scope.
    """
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise UsageError("the token needs a name", "name it after who uses it: laptop, ci …")
    if name in TAKEN:
        raise UsageError(f"{name!r} is the name of another one", "choose another name")
    if not scopes:
        raise UsageError("no scope given", "give one or more of read, log, review, admin")
    only = tuple(dict.fromkeys(space_name(one) for one in spaces))
    token = PREFIX + secrets.token_urlsafe(32)
    made = KnownToken(
        name=name, digest=digest_of(token), scopes=tuple(scopes), spaces=only, made=now
    )
    with _changing(home) as known:
        if any(one.name == name for one in known):
            raise UsageError(f"there is a token {name!r}", "choose another name, or remove that")
        _write(home, (*known, made))
    return token


def remove(home: Path, name: str) -> None:
    """Takes a token away, at once. Raises NotFound."""
    with _changing(home) as known:
        kept = tuple(one for one in known if one.name != name)
        if len(kept) == len(known):
            raise NotFound(f"no token {name!r}", "`slowwave token list` shows them")
        _write(home, kept)


@contextmanager
def _changing(home: Path) -> Iterator[tuple[KnownToken, ...]]:
    """The tokens, while nobody else changes them. Raises StoreBusy, InputError."""
    with held(home / LOCK, WAIT):
        yield read(home)


def _write(home: Path, tokens: Sequence[KnownToken]) -> None:
    raw = msgspec.json.format(msgspec.json.encode(tokens), indent=2)
    try:
        replace_file(home / FILE, raw + b"\n", 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot write {FILE}: {error.strerror}", "check the home's permissions and its disk"
        ) from error


class Keys:
    """What opens a server: the settings' own token, and those of the home as they stand now."""

    def __init__(self, home: Path, main: str) -> None:
        self._home = home
        own = KnownToken(name=MAIN, digest=digest_of(main), scopes=tuple(EVERYTHING))
        self._main = (own,) if main else ()
        self._lock = Lock()
        self._read: tuple[tuple[int, ...], tuple[KnownToken, ...]] = ((), ())
        self._closed = bool(main)

    def known(self) -> tuple[KnownToken, ...]:
        """All tokens; a token that was taken away is none from now on. Raises InputError."""
        fresh = False
        try:
            told = (self._home / FILE).stat()
            state: tuple[int, ...] = (
                told.st_ino, told.st_mtime_ns, told.st_ctime_ns, told.st_size,
            )  # fmt: skip
            fresh = time.time_ns() - told.st_mtime_ns < FRESH
        except FileNotFoundError:
            state = (0,)
        except OSError as error:
            raise InputError(f"{FILE} cannot be read: {error.strerror}", "repair it") from error
        with self._lock:
            if fresh or state != self._read[0]:
                self._read = (state, read(self._home))
            known = (*self._main, *self._read[1])
            self._closed = self._closed or bool(known)
            return known

    def needed(self) -> bool:
        """Whether anybody needs a token.

        Once somebody did, it stays so as long as the server runs: with its last token taken away
        it is closed to everybody, and not open.
        """
        return bool(self.known()) or self._closed

    def grant(self, token: str | None) -> Grant | None:
        """What a token opens; where nobody needs one, everything is open to this machine."""
        if not self.needed():
            return LOCAL
        return grant_of(token, self.known()) if token else None


def told(one: KnownToken) -> Mapping[str, object]:
    """A token as a list shows it."""
    return {"name": one.name, "scopes": one.scopes, "spaces": one.spaces, "made": one.made}
