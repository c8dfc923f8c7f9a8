"""OpenClaw: the plugin in Slowwave's own home, named in `openclaw.json`, with the memory slot.

It lies outside of OpenClaw's folder of extensions, since from there OpenClaw takes compiled plugins
only; a folder that its settings name may hold TypeScript.
"""

import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from slowwave.errors import InputError
from slowwave.integrations.connect import disk, json_edit
from slowwave.integrations.connect.hosts.shape import Check, Host, How, our_files
from slowwave.integrations.connect.json5 import Unreadable
from slowwave.integrations.connect.steps import Append, Placed, Put, Settings, Step, Wanted

__all__ = ["HOST", "plugin_folder"]

CONFIG, VARIABLE = "openclaw.json", "OPENCLAW_CONFIG_PATH"
_NOT_COPIED = ("tests", "tsconfig.json", "package-lock.json")
_MANIFEST, _BESIDE = "openclaw.plugin.json", "openclaw.plugin.beside.json"
_STATE = {"outbox", "rejected", "cursors.json"}
"""What the plugin keeps in OpenClaw's folder; one that holds anything else is left alone."""

_PATIENCE = 5.0


def plugin_folder(home: Path) -> Path:
    """Where the plugin lies."""
    return home / "integrations" / "openclaw"


def config_of(how: How) -> Path:
    """The settings file: the one that OpenClaw's own variable names, else the usual one."""
    named = how.environment.get(VARIABLE)
    return Path(named).expanduser() if named else how.host / CONFIG


def _wanted(how: How) -> Wanted:
    path, folder = config_of(how), plugin_folder(how.home)
    said = _said(path)
    _refuse_denied(path, said)
    files = our_files("openclaw", without=_NOT_COPIED)
    if how.beside and _BESIDE in files:
        files[_MANIFEST] = files[_BESIDE]
    return Wanted(
        files=tuple(Placed(str(folder / name), body) for name, body in files.items()),
        settings=(Settings(path=str(path), language="json", steps=_steps(how, said, folder)),),
        marks=(str(folder / _MANIFEST),),
        remarks=_remarks(said, how),
    )


def _steps(how: How, said: dict[str, Any], folder: Path) -> tuple[Step, ...]:
    config: dict[str, Any] = {"baseUrl": how.url}
    config |= {"space": how.space} if how.space else {}
    # Without it OpenClaw loads its own memory beside, and both would register the same tools.
    config |= {"mode": "beside"} if how.beside else {"dreaming": {"enabled": False}}
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}, "config": config}
    steps: list[Step] = [
        Append(path=("plugins", "load", "paths"), value=str(folder)),
        Put(path=("plugins", "entries", "slowwave"), value=entry, own=True),
    ]
    if not how.beside:
        steps.append(Put(path=("plugins", "slots", "memory"), value="slowwave"))
    if _at(said, "plugins", "allow"):
        step = Append(path=("plugins", "allow"), value="slowwave", only_if_there=True)
        steps.append(step)
    return tuple(steps)


def _said(path: Path) -> dict[str, Any]:
    try:
        said = json_edit.read((disk.read(path) or b"").decode("utf-8"))
    except (Unreadable, UnicodeDecodeError):
        return {}
    return said if isinstance(said, dict) else {}


def _at(said: Any, *keys: str) -> Any:
    for key in keys:
        said = said.get(key) if isinstance(said, dict) else None
    return said


def _refuse_denied(path: Path, said: dict[str, Any]) -> None:
    denied = _at(said, "plugins", "deny")
    if isinstance(denied, list) and "slowwave" in denied:
        raise InputError(
            f"{path} has slowwave in plugins.deny", "take it out of there: that wins over all else"
        )
    if _at(said, "plugins", "enabled") is False:
        raise InputError(f"{path} says plugins.enabled: false", "no plugin is loaded; allow them")


def _remarks(said: dict[str, Any], how: How) -> tuple[str, ...]:
    told = [f"the plugin asks the server at {how.url}: keep `slowwave serve` running"]
    allowed = _at(said, "tools", "allow")
    needed = {"memory_search", "memory_get", "memory_remember", "memory_forget"}
    if isinstance(allowed, list) and allowed and not needed <= set(map(str, allowed)):
        missing = sorted(needed - set(map(str, allowed)))
        told.append(f"tools.allow leaves out {', '.join(missing)}: add what the agent may use")
    slot = _at(said, "plugins", "slots", "memory")
    if slot not in (None, "slowwave") and not how.beside:
        told.append(f"the memory was {slot}; `slowwave connect openclaw --undo` brings it back")
    return tuple(told)


def _checks(how: How) -> list[Check]:
    path, folder = config_of(how), plugin_folder(how.home)
    said = _said(path)
    paths = _at(said, "plugins", "load", "paths")
    loaded = isinstance(paths, list) and str(folder) in paths
    url = _at(said, "plugins", "entries", "slowwave", "config", "baseUrl")
    beside = _at(said, "plugins", "entries", "slowwave", "config", "mode") == "beside"
    slot = _at(said, "plugins", "slots", "memory")
    binary = shutil.which("openclaw")
    return [
        Check("settings", loaded, f"{path}{'' if loaded else ' does not name the plugin'}"),
        Check("plugin", (folder / _MANIFEST).is_file(), str(folder)),
        Check("memory slot", beside or slot == "slowwave", "beside" if beside else str(slot)),
        _server(url if isinstance(url, str) else how.url),
        Check("openclaw", binary is not None, binary or "not on the PATH of this shell"),
    ]


def _server(url: str) -> Check:
    """Whether the server answers."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/healthz", timeout=_PATIENCE) as answer:
            return Check("server", answer.status == 200, url)
    except (OSError, ValueError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", None) or error
        return Check("server", False, f"{url}: {reason}; start it with `slowwave serve`")


def _left(host: Path) -> tuple[Path | None, str]:
    """The plugin's own folder in OpenClaw's: turns that the server has not had yet."""
    folder = host / "slowwave"
    if not folder.is_dir() or not {one.name for one in folder.iterdir()} <= _STATE:
        return None, ""
    waiting = sum(1 for one in (folder / "outbox").glob("*") if one.is_file())
    if waiting:
        return None, f"{waiting} batches of turns still wait in {folder}; --force removes them"
    return folder, ""


HOST = Host(
    name="openclaw",
    title="OpenClaw",
    folder=".openclaw",
    variables=("OPENCLAW_STATE_DIR",),
    signs=(CONFIG, "workspace", "agents"),
    wanted=_wanted,
    checks=_checks,
    left=_left,
    restart="a running gateway reloads by itself; else `openclaw gateway restart`",
)
