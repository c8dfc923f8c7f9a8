"""The tokens of a home."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.errors import InputError, NotFound, UsageError
from slowwave.servers.access import LOCAL
from slowwave.servers.sessions import Sessions
from slowwave.servers.tokens import FILE, Keys, add, read, remove

NOW = datetime(2031, 5, 6, tzinfo=UTC)


def test_a_token_is_kept_as_its_digest_alone(tmp_path: Path) -> None:
    token = add(tmp_path, "laptop", ("review",), ("ada",), NOW)
    assert token.startswith("slw_")
    assert token not in (tmp_path / FILE).read_text(encoding="utf-8")
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0, "nobody else on this machine reads it"
    (known,) = read(tmp_path)
    assert (known.name, known.scopes, known.spaces) == ("laptop", ("review",), ("ada",))


def test_keys_follow_the_file(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "")
    assert not keys.needed()
    assert keys.grant(None) == LOCAL
    first = add(tmp_path, "first", ("read",), (), NOW)
    assert keys.needed()
    assert keys.grant(None) is None
    assert keys.grant("") is None
    grant = keys.grant(first)
    assert grant is not None
    assert grant.name == "first"
    second = add(tmp_path, "second", ("log",), (), NOW)
    remove(tmp_path, "first")
    assert keys.grant(first) is None
    assert keys.grant(second) is not None


def test_the_settings_token_opens_everything(tmp_path: Path) -> None:
    grant = Keys(tmp_path, "correct horse").grant("correct horse")
    assert grant is not None
    assert all(grant.may(scope) for scope in ("read", "log", "review", "admin"))
    assert Keys(tmp_path, "correct horse").grant("correct") is None


def test_a_file_that_cannot_be_read_opens_nothing(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "")
    (tmp_path / FILE).write_text("[{", encoding="utf-8")
    with pytest.raises(InputError):
        keys.grant("anything")
    with pytest.raises(InputError):
        keys.needed()


def test_what_cannot_be_a_token(tmp_path: Path) -> None:
    add(tmp_path, "laptop", ("read",), (), NOW)
    for name, scopes in (("laptop", ("read",)), (" ", ("read",)), ("a\nb", ("read",)), ("b", ())):
        with pytest.raises(UsageError):
            add(tmp_path, name, scopes, (), NOW)
    with pytest.raises(NotFound):
        remove(tmp_path, "phone")


def test_sessions_end() -> None:
    sessions = Sessions()
    cookie = sessions.begin("slw_x")
    assert sessions.digest(cookie)
    assert sessions.digest("") is None
    sessions.end(cookie)
    assert sessions.digest(cookie) is None
    first = sessions.begin("slw_x")
    for _ in range(1_000):
        sessions.begin("slw_y")
    assert sessions.digest(first) is None, "there is room for so many"
