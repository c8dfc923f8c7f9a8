"""Settings out of a parsed `slowwave.toml` and the environment. Pure: `wiring` reads both."""

import difflib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from slowwave.errors import SettingsError, UsageError
from slowwave.settings.presets import PRESETS
from slowwave.settings.sections import Settings

ENVIRONMENT: Mapping[str, tuple[str, ...]] = types.MappingProxyType(
    {
        "SLOWWAVE_TZ": ("tz",),
        "SLOWWAVE_DATABASE_URL": ("database_url",),
        "SLOWWAVE_EMBEDDER": ("embedder",),
        "SLOWWAVE_MODEL_BASE_URL": ("model", "base_url"),
        "SLOWWAVE_MODEL_NAME": ("model", "name"),
        "SLOWWAVE_MODEL_API_KEY": ("model", "api_key"),
        "SLOWWAVE_TOKEN": ("server", "token"),
    }
)
"""Environment variables and the setting each one sets."""

OTHER_VARIABLES = frozenset({"SLOWWAVE_HOME", "SLOWWAVE_SPACE", "SLOWWAVE_CALLER"})
"""Variables that the doors read themselves; not settings of a home."""


def build(
    table: Mapping[str, Any],
    environment: Mapping[str, str],
    where: str,
    preset: str | None = None,
) -> Settings:
    """Settings from a parsed `slowwave.toml` and the environment, above those of the preset.

    `preset` takes the place of the one the table names. Raises SettingsError naming the key, the
    nearest known one, and `where` the table came from.
    """
    _refuse_unknown(table, Settings, "", where)
    name = preset or table.get("preset", "balanced")
    merged = _over(PRESETS.get(str(name), {}), table)
    merged["preset"] = name
    for variable, value in environment.items():
        if not variable.startswith("SLOWWAVE_") or variable in OTHER_VARIABLES or not value:
            continue
        path = ENVIRONMENT.get(variable)
        if path is None:
            known = [*ENVIRONMENT, *OTHER_VARIABLES]
            raise SettingsError(
                f"unknown environment variable {variable}", _suggest(variable, known)
            )
        _set(merged, path, value)
    try:
        settings = msgspec.convert(merged, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"bad setting in {where}: {error}", "correct the value") from error
    zone_of(settings.tz)
    return settings


def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name; SettingsError for one that does not exist. Empty means UTC."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"unknown time zone {name!r}", "use an IANA name such as Asia/Shanghai or Europe/Paris"
        ) from error


LONGEST_NAME = 100
"""Characters of the name of a space."""


def space_name(given: str) -> str:
    """The name of a space as it was asked for. Raises UsageError for one that is none."""
    name = given.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"{given[:40]!r} is no name of a space",
            f"use 1 to {LONGEST_NAME} printable characters",
        )
    return name


def home_of(environment: Mapping[str, str], given: str | None) -> Path:
    """The home folder: what was given, else SLOWWAVE_HOME, else ~/.slowwave.

    Raises SettingsError for a `~` that cannot be resolved and a name that is no UTF-8.
    """
    path = Path(given or environment.get("SLOWWAVE_HOME") or "~/.slowwave")
    try:
        str(path).encode()
        return path.expanduser()
    except UnicodeEncodeError as error:
        hint = "choose another one with --home"
        raise SettingsError("the name of the home is not valid UTF-8", hint) from error
    except RuntimeError as error:
        raise SettingsError(f"cannot tell what {path} is", "write the path out in full") from error


def _over(under: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The upper table with what only the lower one says, section by section."""
    merged = {key: _over(value, {}) if isinstance(value, Mapping) else value
              for key, value in under.items()}  # fmt: skip
    for key, value in above.items():
        if isinstance(value, Mapping):
            lower = merged.get(key)
            value = _over(lower if isinstance(lower, Mapping) else {}, value)
        merged[key] = value
    return merged


def _set(table: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    for step in path[:-1]:
        table = table.setdefault(step, {})
    table[path[-1]] = value


def _refuse_unknown(
    table: Mapping[str, Any], struct: type[msgspec.Struct], prefix: str, where: str
) -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(struct)}
    for key, value in table.items():
        if key not in fields:
            raise SettingsError(
                f"unknown setting {prefix + key!r} in {where}", _suggest(key, list(fields))
            )
        inner = fields[key]
        section = isinstance(inner, type) and issubclass(inner, msgspec.Struct)
        if section and isinstance(value, Mapping):
            _refuse_unknown(value, inner, f"{prefix}{key}.", where)


def _suggest(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
