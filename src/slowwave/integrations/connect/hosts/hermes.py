"""Hermes: a memory provider in `plugins/slowwave`, chosen in `config.yaml`."""

import json
import shlex
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from slowwave.integrations.connect import disk, yaml_edit
from slowwave.integrations.connect.hosts.shape import Check, Host, How, our_files
from slowwave.integrations.connect.json5 import Unreadable
from slowwave.integrations.connect.steps import Conflict, Placed, Put, Settings, Wanted

__all__ = ["HOST"]

CONFIG, PLUGIN, PROVIDER = "config.yaml", "plugins/slowwave", ("memory", "provider")
_PATIENCE = 30.0
_PYTHONS = (
    "hermes-agent/venv/bin/python", "hermes-agent/.venv/bin/python",
    "hermes-agent/venv/Scripts/python.exe",
)  # fmt: skip


def _wanted(how: How) -> Wanted:
    folder = how.host / PLUGIN
    files = our_files("hermes/plugin")
    told = {"home": str(how.home), "space": how.space}
    files["connection.json"] = f"{json.dumps(told, indent=2, ensure_ascii=False)}\n".encode()
    step = Put(path=PROVIDER, value="slowwave")
    path = how.host / CONFIG
    return Wanted(
        files=tuple(Placed(str(folder / name), body) for name, body in files.items()),
        settings=(Settings(path=str(path), language="yaml", steps=(step,)),),
        marks=(str(folder / "plugin.yaml"),),
        remarks=_remarks(path),
    )


def _provider(path: Path) -> str | None:
    try:
        return yaml_edit.value_at((disk.read(path) or b"").decode("utf-8"), PROVIDER)
    except (Unreadable, Conflict, UnicodeDecodeError):
        return None


def _remarks(path: Path) -> tuple[str, ...]:
    before = _provider(path)
    if before and before not in ("slowwave", "null", "~"):
        return (f"the provider was {before}; `slowwave connect hermes --undo` brings it back",)
    return ()


def _checks(how: How) -> list[Check]:
    chosen = _provider(how.host / CONFIG)
    return [
        Check("provider", chosen == "slowwave", f"{CONFIG} says {chosen or 'none'}"),
        Check("plugin", (how.host / PLUGIN / "plugin.yaml").is_file(), str(how.host / PLUGIN)),
        _importable(how.host),
    ]


def _importable(host: Path) -> Check:
    """Whether the Python that runs Hermes has slowwave."""
    python = _python_of(host)
    name = "slowwave in Hermes's Python"
    if python is None:
        return Check(name, False, "Hermes was not found, so this cannot be told")
    code = "import slowwave; print(slowwave.__version__)"
    try:
        ran = subprocess.run(
            [python, "-P", "-c", code], capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name, False, f"{python}: {error}")
    if ran.returncode:
        return Check(name, False, f"not there; install it: {python} -m pip install {_source()}")
    return Check(name, True, f"{ran.stdout.decode('utf-8', 'replace').strip()} ({python})")


def _source() -> str:
    """What pip takes for this very slowwave: the folder it was installed from, else its name."""
    try:
        told = json.loads(distribution("slowwave").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return "slowwave"
    url = urlsplit(str(told.get("url", "")))
    folder = Path(url2pathname(url.path))
    return shlex.quote(str(folder)) if url.scheme == "file" and folder.exists() else "slowwave"


def _python_of(host: Path) -> str | None:
    """The Python that runs Hermes: that of its own folder, else that of the `hermes` command."""
    for name in _PYTHONS:
        if (host / name).exists():
            return str(host / name)
    command = shutil.which("hermes")
    if command is None:
        return None
    try:
        first = Path(command).read_bytes()[:200].split(b"\n")[0].decode("utf-8", "replace")
    except OSError:
        return None
    words = first.removeprefix("#!").split()
    return words[-1] if first.startswith("#!") and words and "python" in words[-1] else None


HOST = Host(
    name="hermes",
    title="Hermes",
    folder=".hermes",
    variables=("HERMES_HOME",),
    signs=(CONFIG, "hermes-agent", "memories", "sessions"),
    wanted=_wanted,
    checks=_checks,
    restart="restart Hermes; `hermes memory status` shows what is chosen",
)
