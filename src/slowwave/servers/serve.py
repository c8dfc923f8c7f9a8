"""Starts the server and stops it: an address, a lock on the home, a clean end."""

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from types import FrameType

import uvicorn

from slowwave.errors import InputError, UsageError
from slowwave.servers.app import build
from slowwave.servers.doors import Doors
from slowwave.servers.nights import Nights
from slowwave.servers.resident import Resident
from slowwave.servers.tokens import Keys
from slowwave.spaces import Spaces
from slowwave.wiring import Options

DRAIN = 5
"""Seconds that requests under way may take when the server stops."""
KEEP_ALIVE = 75
"""Seconds that an idle connection stays open: who asks now and then need not connect anew, nor run
into a connection that is just being closed."""


def serve(
    options: Options, host: str, port: int, told: Callable[[str], None], *, dreams: bool = True
) -> None:
    """Serves a home until it is told to stop. `told` hears where.

    Raises UsageError for an address that needs a token, InputError for one that is taken.
    """
    spaces = Spaces(options)
    try:
        first = spaces.first.parts
        keys = Keys(first.home, first.settings.server.token)
        refuse_open(host, keys)
        nights = Nights()
        resident = Resident(spaces, told, nights=nights)
        doors = Doors(spaces, keys, nights=nights, resident=resident)
        with bound(host, port) as listening, resident.running(dreams=dreams):
            name, at = listening.getsockname()[:2]
            config = uvicorn.Config(
                build(doors), log_level="warning", access_log=False, server_header=False,
                timeout_graceful_shutdown=DRAIN, lifespan="on", ws="none",
                timeout_keep_alive=KEEP_ALIVE,
            )  # fmt: skip
            server = uvicorn.Server(config)
            with _ending_well(server):
                told(f"Slowwave serves {first.home} at http://{_shown(name)}:{at}")
                server.run(sockets=[listening])
            told("stopped; what was acknowledged is kept")
    finally:
        spaces.close()


@contextmanager
def _ending_well(server: uvicorn.Server) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the server and nothing else.

    It hears them first, finishes, and raises them once more: then they would end the process
    before anything is closed. One that comes before it listens to them ends it as well.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)

    def end(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    before = [signal.signal(number, end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def refuse_open(host: str, keys: Keys) -> None:
    """UsageError where others than this machine would come in without a token."""
    if keys.needed() or host == "localhost":
        return
    try:
        here = ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here:
        raise UsageError(
            f"{host} can be reached from elsewhere, and no token is set",
            "run `slowwave token add NAME --scope admin` first, or set SLOWWAVE_TOKEN",
        )


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises InputError where the address cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Named TCP, so that answers are not held back for an acknowledgement (Nagle).
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(socket.SOMAXCONN)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        taken = getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
        raise InputError(
            f"cannot listen at {host} port {port}: {reason}",
            f"choose another one with {'--port' if taken else '--host'}",
        ) from error
    return made


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
