"""Claude Code: hooks in `settings.json`, and a skill with the MCP server as a plugin of its own.

The hooks go into the settings, which every version reads. The skill folder is a plugin for versions
that load plugins from there (it brings the MCP server), and a plain skill for those that do not.
"""

import json
import shlex
import subprocess
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from slowwave.integrations.connect import disk, json_edit
from slowwave.integrations.connect.hosts.shape import Check, Host, How, our_files
from slowwave.integrations.connect.json5 import Unreadable
from slowwave.integrations.connect.steps import Append, Done, Placed, Settings, Wanted

__all__ = ["HOST", "TIMEOUTS", "hook_command"]

TIMEOUTS = {
    "SessionStart": 15,
    "UserPromptSubmit": 10,
    "Stop": 60,
    "PreCompact": 60,
    "SessionEnd": 30,
}
"""The events that we listen to, and the seconds that the host gives each of them."""

SETTINGS, SKILL = "settings.json", "skills/slowwave"
_PLUGIN = "claude_code/plugin"
_PATIENCE = 30.0


def hook_command(command: tuple[str, ...]) -> str:
    """The shell line of every hook. It never fails: exit code 2 would stop the user's prompt."""
    return f"{shlex.join((*command, 'hook', 'claude-code'))} || exit 0"


def _wanted(how: How) -> Wanted:
    path = how.host / SETTINGS
    line = hook_command(how.command)
    steps = tuple(
        Append(
            path=("hooks", event),
            value={"hooks": [{"type": "command", "command": line, "timeout": seconds}]},
            inner="hooks",
            by="command",
        )
        for event, seconds in TIMEOUTS.items()
    )
    skill = how.host / SKILL
    files = our_files(_PLUGIN, without=("hooks",))
    files[".mcp.json"] = _mcp(how.command)
    return Wanted(
        files=tuple(Placed(str(skill / name), body) for name, body in files.items()),
        settings=(Settings(path=str(path), language="json", steps=steps),),
        stale=_stale(path, line),
        marks=(str(skill / ".claude-plugin/plugin.json"),),
        remarks=(*_remarks(path), *_without_tools()),
    )


def _mcp(command: tuple[str, ...]) -> bytes:
    server = {"command": command[0], "args": [*command[1:], "mcp"]}
    whole = {"mcpServers": {"slowwave": server}}
    return f"{json.dumps(whole, indent=2, ensure_ascii=False)}\n".encode()


def _said(path: Path) -> dict[str, Any]:
    """The settings, as far as they can be read: whether they can is for others to say."""
    try:
        said = json_edit.read((disk.read(path) or b"").decode("utf-8"))
    except (Unreadable, UnicodeDecodeError):
        return {}
    return said if isinstance(said, dict) else {}


def _stale(path: Path, line: str) -> tuple[Done, ...]:
    """Hooks of ours that another home or an earlier place of the program left."""
    found: list[Done] = []
    hooks = _said(path).get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for one in inner if isinstance(inner, list) else ():
                said = one.get("command") if isinstance(one, dict) else None
                if isinstance(said, str) and is_ours(said) and said != line:
                    value = {"hooks": [{"command": said}]}
                    step = Append(path=("hooks", event), value=value, inner="hooks", by="command")
                    found.append(Done(step=step, made=2))
    return tuple(found)


def is_ours(command: str) -> bool:
    """Whether a hook's shell line calls this program's hook."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    calls = ("hook", "claude-code") in pairwise(words)
    return calls and any(Path(word).stem == "slowwave" for word in words)


def _remarks(path: Path) -> tuple[str, ...]:
    said = _said(path)
    told = []
    if said.get("disableAllHooks") is True:
        told.append("settings.json says disableAllHooks: no hook runs until that is taken out")
    plugins = said.get("enabledPlugins")
    named = [str(one) for one in plugins if one.startswith("slowwave@")] if plugins else []
    if named and isinstance(plugins, dict) and any(plugins[one] for one in named):
        told.append(f"the plugin {named[0]} brings the same hooks: keep one of the two")
    return tuple(told)


def _without_tools() -> tuple[str, ...]:
    """A word where `slowwave mcp` could not start: the hooks work without what it needs."""
    if all(find_spec(name) for name in ("mcp", "fastapi")):
        return ()
    return ('without MCP tools until they are installed: pip install "slowwave[server,mcp]"',)


def _tools() -> Check:
    missing = _without_tools()
    return Check("MCP tools", not missing, missing[0] if missing else "slowwave mcp")


def _checks(how: How) -> list[Check]:
    hooks = _said(how.host / SETTINGS).get("hooks")
    line = hook_command(how.command)
    there = [
        event for event in TIMEOUTS if isinstance(hooks, dict) and line in str(hooks.get(event))
    ]
    missing = [event for event in TIMEOUTS if event not in there]
    told = f"missing: {', '.join(missing)}" if missing else f"all {len(there)} are in {SETTINGS}"
    return [
        Check("hooks", not missing, told),
        _answers(line),
        Check("skill", (how.host / SKILL / "SKILL.md").is_file(), str(how.host / SKILL)),
        _tools(),
        *(Check("settings", False, remark) for remark in _remarks(how.host / SETTINGS)),
    ]


def _answers(line: str) -> Check:
    """Runs the hook as the host does, with an event that only asks whether it is there."""
    event = json.dumps({"hook_event_name": "SlowwaveCheck", "session_id": "check"})
    try:
        ran = subprocess.run(
            ["sh", "-c", line], input=event.encode(), capture_output=True, timeout=_PATIENCE,
            check=False,
        )  # fmt: skip
        version = json.loads(ran.stdout).get("slowwave")
    except subprocess.TimeoutExpired:
        return Check("hook answers", False, f"no answer for {_PATIENCE:.0f} seconds")
    except (OSError, ValueError, AttributeError):
        said = ran.stderr.decode("utf-8", "replace").strip() if "ran" in locals() else ""
        return Check("hook answers", False, said.splitlines()[-1] if said else "no answer")
    return Check("hook answers", bool(version), f"slowwave {version}")


HOST = Host(
    name="claude-code",
    title="Claude Code",
    folder=".claude",
    variables=("CLAUDE_CONFIG_DIR",),
    signs=("settings.json", "projects", "plugins", "skills"),
    wanted=_wanted,
    checks=_checks,
    restart="it counts from the next session on",
)
