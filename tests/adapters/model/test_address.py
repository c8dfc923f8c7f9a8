"""Whether a model's server is this machine is decided by addresses, not by names."""

import socket
from pathlib import Path
from typing import Any

import pytest

from slowwave.adapters.model import address_of
from slowwave.errors import SettingsError


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Names and the addresses they stand for; others do not exist."""
    known: dict[str, list[str]] = {}

    def resolve(host: str, port: int, **_: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror(-2, "unknown")
        return [(0, 0, 0, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


@pytest.mark.parametrize(
    ("given", "local", "url"),
    [
        ("http://127.0.0.1:11434/v1", True, "http://127.0.0.1:11434/v1"),
        ("127.8.9.10:8080", True, "http://127.8.9.10:8080/v1"),
        ("http://[::1]:8080/v1/", True, "http://[::1]:8080/v1"),
        ("http://localhost:11434", True, "http://localhost:11434/v1"),
        ("http://LOCALHOST:11434/api", True, "http://localhost:11434/api"),
        ("http://10.0.0.7:8000/v1", False, "http://10.0.0.7:8000/v1"),
        ("http://[2001:db8::1]/v1", False, "http://[2001:db8::1]/v1"),
        ("https://api.example.com/v1", False, "https://api.example.com/v1"),
        ("http://127.0.0.1.example.com/v1", False, "http://127.0.0.1.example.com/v1"),
        ("http://localhost.example.com/v1", False, "http://localhost.example.com/v1"),
        ("http://localhost@example.com/v1", False, "http://localhost@example.com/v1"),
        ("http://127.0.0.1@example.com/v1", False, "http://127.0.0.1@example.com/v1"),
        ("http://0.0.0.0:11434", True, "http://127.0.0.1:11434/v1"),
        ("http://[::]:11434", True, "http://[::1]:11434/v1"),
        ("http://nobody.test/v1", False, "http://nobody.test/v1"),
    ],
)
def test_where_it_is(names: dict[str, list[str]], given: str, local: bool, url: str) -> None:
    names.update({
        "localhost": ["::1", "127.0.0.1"], "api.example.com": ["192.0.2.1"],
        "127.0.0.1.example.com": ["192.0.2.1"], "localhost.example.com": ["192.0.2.1"],
        "example.com": ["192.0.2.1"],
    })  # fmt: skip
    address = address_of(given)
    assert (address.local, address.url) == (local, url)
    assert "@" not in address.shown


def test_one_address_elsewhere_is_elsewhere(names: dict[str, list[str]]) -> None:
    names["both.test"] = ["127.0.0.1", "192.0.2.9"]
    assert not address_of("http://both.test/v1").local


def test_localhost_that_leads_elsewhere_is_elsewhere(names: dict[str, list[str]]) -> None:
    names["localhost"] = ["192.0.2.9"]
    assert not address_of("http://localhost/v1").local


def test_a_name_of_this_machine_is_replaced_by_its_address(names: dict[str, list[str]]) -> None:
    names["pottery.test"] = ["::1", "127.0.1.1"]
    address = address_of("http://pottery.test:8080/v1")
    assert address.local
    assert (address.url, address.host) == ("http://127.0.1.1:8080/v1", "pottery.test:8080")
    assert address.shown == "http://pottery.test:8080/v1"


def test_what_stands_behind_a_question_mark_goes_with_every_request() -> None:
    address = address_of("http://127.0.0.1/openai/v1?api-version=preview")
    assert address.url == "http://127.0.0.1/openai/v1"
    assert address.query == (("api-version", "preview"),)
    assert address.shown == address.url


def test_a_unix_socket_is_this_machine() -> None:
    for given in ("unix:/run/m.sock", "unix:///run/m.sock"):
        address = address_of(given)
        assert (address.local, address.socket) == (True, "/run/m.sock")


@pytest.mark.parametrize("given", ["", "http://", "ftp://x/v1", "http://[::1/v1", "http://a:b:c/",
                                   "http://host:99999/v1", "file:///etc/x"])  # fmt: skip
def test_what_is_no_address(given: str) -> None:
    with pytest.raises(SettingsError, match="no address"):
        address_of(given)


def test_a_login_is_not_shown() -> None:
    with pytest.raises(SettingsError) as error:
        address_of("ftp://me:secret@host/v1")
    assert "secret" not in error.value.message


def test_without_a_lookup_only_this_machines_own_list_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text(
        "127.0.0.1 localhost\n127.0.1.1\tmodelbox  box # mine\n192.0.2.4 other\nnonsense here\n",
        encoding="utf-8",
    )
    monkeypatch.setattr("slowwave.adapters.model.address._HOSTS", hosts)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("it asked"))
    names = ("localhost", "box", "other", "here", "api.example.com", "127.0.0.1", "203.0.113.9")
    found = {name: address_of(f"http://{name}:8000/v1", lookup=False) for name in names}
    assert {name for name, one in found.items() if one.local} == {"localhost", "box", "127.0.0.1"}
    assert found["box"].url == "http://127.0.1.1:8000/v1"
    monkeypatch.setattr("slowwave.adapters.model.address._HOSTS", tmp_path / "none")
    assert address_of("http://localhost:8000", lookup=False).local
    assert not address_of("http://box:8000", lookup=False).local
