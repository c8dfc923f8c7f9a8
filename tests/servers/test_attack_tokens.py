"""The file of tokens under attack: two processes at once, odd bytes, links, other people's eyes."""

import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.errors import InputError, StoreBusy, UsageError
from slowwave.servers import tokens
from slowwave.servers.access import Grant
from slowwave.servers.filelock import held
from slowwave.servers.room import enter
from slowwave.servers.tokens import FILE, LOCK, Keys, add, read, remove
from slowwave.settings import ServerSettings
from slowwave.spaces import Spaces
from slowwave.wiring import Options

NOW = datetime(2032, 3, 4, tzinfo=UTC)
EACH = 6
ADDS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from slowwave.servers.tokens import add, remove

for number in range(int(sys.argv[3])):
    add(Path(sys.argv[1]), f"{sys.argv[2]}{number}", ("read",), (), datetime.now(UTC))
    if number % 3 == 2:
        remove(Path(sys.argv[1]), f"{sys.argv[2]}{number}")
"""


def test_of_those_who_change_it_at_once_nobody_loses_anything(tmp_path: Path) -> None:
    others = [
        subprocess.Popen([sys.executable, "-c", ADDS, str(tmp_path), who, str(EACH)])
        for who in ("a", "b")
    ]
    for number in range(EACH):
        add(tmp_path, f"c{number}", ("read",), (), NOW)
        add(tmp_path, f"gone{number}", ("read",), (), NOW)
        remove(tmp_path, f"gone{number}")
    for one in others:
        assert one.wait(60) == 0
    kept = {f"{who}{number}" for who in "ab" for number in range(EACH) if number % 3 != 2}
    kept |= {f"c{number}" for number in range(EACH)}
    assert {one.name for one in read(tmp_path)} == kept


def test_who_keeps_it_locked_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "WAIT", 0.05)
    with held(tmp_path / LOCK, 1), pytest.raises(StoreBusy):
        add(tmp_path, "late", ("read",), (), NOW)
    add(tmp_path, "late", ("read",), (), NOW)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=80).map(lambda text: f"[{text}".encode()))
)
def test_odd_bytes_open_nothing(tmp_path: Path, odd: bytes) -> None:
    (tmp_path / FILE).write_bytes(odd)
    keys = Keys(tmp_path, "")
    try:
        known = keys.known()
    except InputError:
        with pytest.raises(InputError):
            keys.grant("x")
    else:
        assert known == ()


def test_what_is_no_file_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / FILE
    os.mkfifo(path)  # who reads it would wait for ever
    with pytest.raises(InputError):
        Keys(tmp_path, "").needed()
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(InputError):
        Keys(tmp_path, "").needed()
    path.unlink()
    path.write_bytes(b" " * (tokens.MOST_BYTES + 10))
    with pytest.raises(InputError):
        Keys(tmp_path, "").needed()


def test_where_a_link_leads_nothing_is_written(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("[]")
    home = tmp_path / "home"
    home.mkdir()
    (home / FILE).symlink_to(elsewhere)
    add(home, "one", ("read",), (), NOW)
    assert elsewhere.read_text() == "[]"
    assert not (home / FILE).is_symlink()
    for name in (FILE, LOCK):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600


def test_a_change_within_the_same_moment_is_seen(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "")
    first = add(tmp_path, "one", ("read",), (), NOW)
    assert keys.grant(first) is not None
    told = (tmp_path / FILE).stat()
    remove(tmp_path, "one")
    second = add(tmp_path, "two", ("read",), (), NOW)
    os.utime(tmp_path / FILE, ns=(told.st_atime_ns, told.st_mtime_ns - 10**10))
    keys.known()
    os.utime(tmp_path / FILE, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert (tmp_path / FILE).stat().st_size == told.st_size
    assert keys.grant(first) is None
    assert keys.grant(second) is not None


def test_no_name_stands_for_another(tmp_path: Path) -> None:
    for name in ("main", "local", "", " ", "a\x00", "a\u202eb", "x" * 101):
        with pytest.raises(UsageError):
            add(tmp_path, name, ("read",), (), NOW)
    for space in ("", " ", "\t", "a\nb", "x" * 101):
        with pytest.raises(UsageError):
            add(tmp_path, "one", ("read",), ("ada", space), NOW)
    assert read(tmp_path) == ()
    add(tmp_path, "one", ("read",), (" ada ", "ada"), NOW)
    assert read(tmp_path)[0].spaces == ("ada",)


def test_a_grant_for_a_space_without_a_name_enters_none(tmp_path: Path) -> None:
    spaces = Spaces(Options(home=str(tmp_path), tz="UTC"), {"SLOWWAVE_EMBEDDER": "none"})
    grant = Grant(name="odd", scopes=frozenset({"read"}), spaces=("",))
    for asked in ("", " ", spaces.default):
        with pytest.raises(Exception, match=r"no name of a space|does not see"):
            enter(spaces, grant, "read", asked)
    spaces.close()


def test_no_secret_is_shown_by_what_stands_for_it(tmp_path: Path) -> None:
    token = add(tmp_path, "one", ("read",), (), NOW)
    keys = Keys(tmp_path, "correct horse")
    shown = " ".join((
        repr(keys.grant(token)), repr(keys.known()), repr(vars(keys)),
        str(tokens.told(read(tmp_path)[0])),
        repr(ServerSettings(token="correct horse")), (tmp_path / FILE).read_text(),
    ))  # fmt: skip
    assert token not in shown
    assert "correct horse" not in shown
