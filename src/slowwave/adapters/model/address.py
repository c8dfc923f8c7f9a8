"""Where a model's server is, and whether that is this machine.

Decided by the addresses that the name stands for, not by the name. A name that is this machine's
is then replaced by the address itself: what it stands for a moment later cannot change the answer.
"""

import ipaddress
import os
import socket
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from slowwave.errors import SettingsError

_HINT = "write it as http://127.0.0.1:11434/v1, https://… or unix:/run/model.sock"

_PORTS = {"http": 80, "https": 443}
_HOSTS = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32/drivers/etc/hosts")
if os.name != "nt":
    _HOSTS = Path("/etc/hosts")

_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What servers listen on is written where they are to be reached; it means this machine."""


class Address(NamedTuple):
    """What to connect to.

    `url` is the base of all paths, `socket` a Unix socket to speak through ("" for none), `host`
    the name that the server is told, `shown` the address as people may see it, without a login;
    `query` goes with every request.
    """

    url: str
    local: bool
    host: str = ""
    socket: str = ""
    shown: str = ""
    query: tuple[tuple[str, str], ...] = ()


def address_of(base_url: str, *, lookup: bool = True) -> Address:
    """The address of a base URL. Raises SettingsError for one that is none.

    `/v1` is the path where the URL has none. Asks the system for the addresses of a name; without
    `lookup`, where not even a question about a name may leave this machine, only its own list of
    hosts: a name that is not in it is another machine's.
    """
    text = base_url.strip()
    if text.startswith("unix:"):
        path = "/" + text.removeprefix("unix:").lstrip("/")
        return Address("http://localhost/v1", local=True, socket=path, shown=f"unix:{path}")
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    host = parts.hostname
    if parts.scheme not in _PORTS or not host:
        raise SettingsError(f"model.base_url {_shown(text)!r} is no address of a server", _HINT)
    host = _ANY.get(host, host)
    path = parts.path.rstrip("/") or "/v1"
    local, pinned = _this_machine(host, port or _PORTS[parts.scheme], lookup=lookup)
    login = parts.netloc.rpartition("@")[0]
    login = f"{login}@" if login else ""
    if not local or parts.scheme == "https":
        # A certificate is made out to the name: with another host behind it there is no answer.
        pinned = host
    told = "" if pinned == host else host if port is None else f"{host}:{port}"
    return Address(
        _url(parts.scheme, pinned, port, path, login),
        local,
        host=told,
        shown=_url(parts.scheme, host, port, path),
        query=tuple(parse_qsl(parts.query)),
    )


def _this_machine(host: str, port: int, *, lookup: bool) -> tuple[bool, str]:
    """Whether all addresses of a host are loopback, and which to take. A name without any is not.

    `localhost` stays a name: servers listen on one of its two addresses, seldom on both.
    """
    name = host.rstrip(".").lower()
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback, host
    except ValueError:
        pass
    addresses = _looked_up(name, port) if lookup else _listed(name)
    if not addresses:
        return name == "localhost", host
    if not all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in addresses):
        return False, host
    return True, host if name == "localhost" else min(addresses, key=lambda one: ":" in one)


def _looked_up(name: str, port: int) -> list[str]:
    """What a name stands for, by whatever the system asks; nothing for one that is unknown."""
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(entry[4][0]) for entry in found]


def _listed(name: str) -> list[str]:
    """What a name stands for in this machine's own list of hosts."""
    found: list[str] = []
    try:
        lines = _HOSTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    for line in lines:
        address, *names = line.partition("#")[0].lower().split() or [""]
        if name in names:
            found.append(address)
    return [one for one in found if _is_address(one)]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True


def _url(scheme: str, host: str, port: int | None, path: str, login: str = "") -> str:
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{login}{host}{'' if port is None else f':{port}'}{path}"


def _shown(text: str) -> str:
    """A broken URL without what may be a login in it."""
    scheme, _, rest = text.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
