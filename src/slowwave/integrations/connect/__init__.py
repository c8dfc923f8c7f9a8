"""`slowwave connect`: puts this memory into an agent with one command, and takes it out again.

What is put where is written down in Slowwave's own home, so that `disconnect` removes exactly that.
"""

import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import msgspec

from slowwave import __version__
from slowwave.errors import NotFound, SlowwaveError, UsageError
from slowwave.integrations.connect import disk
from slowwave.integrations.connect.carry_out import Place, Report, put_in, take_out
from slowwave.integrations.connect.hosts import claude_code, hermes, openclaw
from slowwave.integrations.connect.hosts.shape import Check, Host, How
from slowwave.integrations.connect.manifest import folder_of, load, recorded

__all__ = ["HOSTS", "URL", "Asked", "Check", "Found", "Outcome", "check", "connect", "disconnect",
           "found"]  # fmt: skip

HOSTS: Mapping[str, Host] = MappingProxyType(
    {one.name: one for one in (openclaw.HOST, claude_code.HOST, hermes.HOST)}
)
URL = "http://127.0.0.1:8377"
"""Where `slowwave serve` listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody asked for: the host by its name, Slowwave's home, and how they meet.

    `folder` is the host's own folder or the person's that holds it; None: the usual one.
    """

    name: str
    home: Path
    folder: Path | None = None
    space: str = ""
    tz: str = ""
    url: str = URL
    beside: bool = False
    dry: bool = False
    force: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it. `changed` is False where nothing was to be done."""

    name: str
    title: str
    host: str
    connected: bool
    changed: bool
    done: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    next: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A host on this machine, and whether it is connected to this home."""

    name: str
    title: str
    host: str
    there: bool
    connected: bool


def connect(asked: Asked) -> Outcome:
    """Puts Slowwave into a host; safe to repeat. Raises NotFound, InputError, StoreError."""
    host, place = _met(asked)
    how = _how(asked, place)
    wanted = host.wanted(how)
    report = put_in(place, wanted)
    remarks = (*wanted.remarks, *_fleeting(Path(sys.prefix)))
    return _outcome(host, place, report, connected=True, remarks=remarks)


def _fleeting(prefix: Path) -> tuple[str, ...]:
    """A word about a Python that was made for one call, as `uvx` and `pipx run` do."""
    made_for_one = any(one.startswith(("archive-v", "environments-v")) for one in prefix.parts)
    if not made_for_one and prefix.parent.name != "pipx":
        return ()
    return (f"{prefix} may be cleared away: install slowwave for good, then connect again",)


def disconnect(asked: Asked) -> Outcome:
    """Takes out of a host what was put in. Raises NotFound, InputError, StoreError."""
    host, place = _met(asked, undo=True)
    report = take_out(place)
    remarks = _left(host, place, asked) if report.changed else _strange(host, place, asked)
    return _outcome(host, place, report, connected=False, remarks=remarks)


def _left(host: Host, place: Place, asked: Asked) -> tuple[str, ...]:
    """Removes what our part of the host had put aside itself, or tells why it stays."""
    folder, remark = host.left(place.host)
    if remark and asked.force:
        folder, remark = place.host / "slowwave", ""
    if folder is not None and not asked.dry:
        shutil.rmtree(folder, ignore_errors=True)
    return (remark,) if remark else ()


def _strange(host: Host, place: Place, asked: Asked) -> tuple[str, ...]:
    """Settings that name us, though this home put nothing there."""
    with suppress(SlowwaveError):
        for one in host.wanted(_how(asked, place)).settings:
            if b"slowwave" in (disk.read(Path(one.path)) or b""):
                return (f"{one.path} names slowwave, but not from the home {place.home}: name the "
                        "one that connected it with --home",)  # fmt: skip
    return ()


def check(asked: Asked) -> list[Check]:
    """Whether a connection works: its parts, and a call to each. Raises NotFound."""
    host, place = _met(asked)
    there = load(place.folder)
    state = Check("connected", there is not None and there.whole, str(place.host))
    return [state, *host.checks(_how(asked, place))]


def found(home: Path, environment: Mapping[str, str], folder: Path | None = None) -> list[Found]:
    """The hosts that are on this machine (or below a folder), and those that are connected."""
    known = {(one.name, one.host) for one in recorded(home) if one.whole}
    rows = []
    for host in HOSTS.values():
        place = _folder(host, folder, environment)
        here = (host.name, str(place))
        rows.append(Found(name=host.name, title=host.title, host=str(place), there=place.is_dir(),
                          connected=here in known))  # fmt: skip
        known.discard(here)
    for name, place_name in sorted(known):
        title = HOSTS[name].title if name in HOSTS else name
        there = Path(place_name).is_dir()
        rows.append(Found(name=name, title=title, host=place_name, there=there, connected=True))
    return rows


def _met(asked: Asked, *, undo: bool = False) -> tuple[Host, Place]:
    host = HOSTS.get(asked.name)
    if host is None:
        raise UsageError(f"unknown host {asked.name!r}", f"use one of {', '.join(HOSTS)}")
    folder = _folder(host, asked.folder, asked.environment)
    if not undo:
        _refuse_absent(host, folder, asked.folder)
    home = asked.home.absolute()
    named = asked.environment.get(openclaw.VARIABLE) if host.name == "openclaw" else None
    beyond = (Path(named).expanduser().absolute().parent,) if named and not asked.folder else ()
    place = Place(
        name=host.name, host=folder, home=home, folder=folder_of(home, host.name, folder),
        roots=(folder, home, *beyond), version=__version__,
        at=datetime.now(UTC).isoformat(timespec="seconds"), dry=asked.dry,
    )  # fmt: skip
    return host, place


def _folder(host: Host, given: Path | None, environment: Mapping[str, str]) -> Path:
    """The host's own folder.

    What is given may be it, or a person's folder that holds it: it is the former where it has its
    name, or the files by which it is known.
    """
    if given is None:
        named = next((environment[one] for one in host.variables if environment.get(one)), None)
        return Path(named).expanduser().absolute() if named else Path.home() / host.folder
    given = given.expanduser().absolute()
    inside = given / host.folder
    if given.name == host.folder or inside.is_dir():
        return inside if inside.is_dir() else given
    if any((given / sign).is_file() for sign in host.signs):
        return given
    return inside


def _refuse_absent(host: Host, folder: Path, given: Path | None) -> None:
    if folder.is_dir() or (given is not None and folder.parent.is_dir() and given.exists()):
        return
    if given is not None:
        raise NotFound(f"no folder {given.expanduser()}", "name one that is there")
    raise NotFound(
        f"{host.title} was not found: no folder {folder}",
        f"start {host.title} once, or name its folder with --home-dir",
    )


def _how(asked: Asked, place: Place) -> How:
    program = (sys.executable, "-P", "-m", "slowwave") if sys.executable else ("slowwave",)
    space = ("--space", asked.space) if asked.space else ()
    tz = ("--tz", asked.tz) if asked.tz else ()
    command = (*program, "--home", str(place.home), *space, *tz)
    return How(
        host=place.host, home=place.home, command=command,
        space=asked.space, url=asked.url, beside=asked.beside,
        environment={} if asked.folder is not None else asked.environment,
    )  # fmt: skip


def _outcome(
    host: Host, place: Place, report: Report, *, connected: bool, remarks: tuple[str, ...]
) -> Outcome:
    # A dry run leaves things as they are: connected if something would be taken out, or nothing
    # would be put in.
    there = report.changed != connected if place.dry else connected
    return Outcome(
        name=host.name, title=host.title, host=str(place.host), connected=there,
        changed=report.changed, done=report.done, kept=report.kept, remarks=remarks,
        next=host.restart if report.changed else "",
    )  # fmt: skip
