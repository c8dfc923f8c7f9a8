"""`slowwave.toml`: read as a table, and one line added without touching the others."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from slowwave.adapters.files import replace_file
from slowwave.errors import NotFound, SettingsError

__all__ = ["name_workspace", "read_table", "refuse_missing"]

_TWICE = re.compile(r"Cannot declare \('([^']+)'(?:, '([^']+)')?,?\) twice")
_SECTION = re.compile(r"(?m)^[ \t]*\[[ \t]*vault[ \t]*\][ \t]*(?:#.*)?\r?$")
_NAMED = re.compile(r"(?m)^[ \t]*workspace[ \t]*=.*$")


def read_table(path: Path) -> dict[str, Any]:
    """The settings as they stand; empty where there is no file. Raises SettingsError."""
    try:
        if path.exists() and not path.is_file():
            raise SettingsError(f"{path} is not a file", "move it away")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}", _advice(error)) from error
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}", "check the file") from error


def _advice(error: ValueError) -> str:
    """What to do about a file that is no TOML."""
    twice = _TWICE.search(str(error))
    if twice is None:
        return "correct the file"
    section = ".".join(filter(None, twice.groups()))
    return f"a section stands once: move the lines of the second [{section}] below the first"


def refuse_missing(workspace: Path) -> None:
    """NotFound for a workspace that is not there."""
    if not workspace.is_dir():
        raise NotFound(f"no folder {workspace}", "name the OpenClaw workspace itself")


def name_workspace(path: Path, workspace: Path) -> None:
    """Names the workspace in a settings file, whose other lines stay as they are.

    Raises NotFound for a workspace that is not there, SettingsError for a home that has another.
    """
    refuse_missing(workspace)
    folder = str(workspace.absolute())
    table = read_table(path)
    vault = table.get("vault", {})
    known = vault.get("workspace") if isinstance(vault, dict) else None
    if known == folder:
        return
    if known:
        raise SettingsError(
            f"this home works on another workspace: {known}",
            f"make another home for {folder} (--home), or change the line in {path}",
        )
    line = f"workspace = {json.dumps(folder, ensure_ascii=False)}"
    body = path.read_bytes().decode()
    written = _with_line(body, line, has_section="vault" in table)
    try:
        sound = tomllib.loads(written.removeprefix("\ufeff")) == {
            **table,
            "vault": {**vault, "workspace": folder},
        }
    except (tomllib.TOMLDecodeError, TypeError):
        sound = False
    if not sound:
        raise SettingsError(
            f"{path} has vault settings of its own", f"write there, below [vault]: {line}"
        )
    replace_file(path, written.encode())


def _with_line(body: str, line: str, *, has_section: bool) -> str:
    """The file with the line in its section, which is made where there is none."""
    if not has_section:
        return f"{body.rstrip()}\n\n[vault]\n{line}\n"
    section = _SECTION.search(body)
    if section is None:
        return body
    ends = re.search(r"(?m)^[ \t]*\[", body[section.end() :])
    end = section.end() + ends.start() if ends else len(body)
    inside = body[section.end() : end]
    if _NAMED.search(inside):  # there, and empty
        inside = _NAMED.sub(lambda _: line, inside, count=1)
        return body[: section.end()] + inside + body[end:]
    return f"{body[: section.end()]}\n{line}{body[section.end() :]}"
