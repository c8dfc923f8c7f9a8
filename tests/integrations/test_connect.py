"""`slowwave connect`: in with one command, nothing twice, and out again as if it had never been."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.cli.main import run
from slowwave.errors import InputError, StoreError
from slowwave.integrations import connect as connecting
from slowwave.integrations.connect import Asked, carry_out, connect, disconnect
from slowwave.integrations.connect.hosts import claude_code

NAMES = ("openclaw", "claude-code", "hermes")
FOLDERS = {"openclaw": ".openclaw", "claude-code": ".claude", "hermes": ".hermes"}
CONFIGS = {"openclaw": "openclaw.json", "claude-code": "settings.json", "hermes": "config.yaml"}
Tree = dict[str, tuple[int, bytes | None]]


def tree(root: Path) -> Tree:
    """All that is below a folder: permissions and bytes."""
    return {
        str(path.relative_to(root)): (
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(root.rglob("*"))
    }


def asked(name: str, root: Path, **more: Any) -> Asked:
    return Asked(name=name, home=root / "slow", folder=root, **more)


JSON5 = st.sampled_from([
    "{}", "", "{ }\n", '{"model": "x"}', '{\n  // mine\n  "a": [1, 2,], /* b */\n  b: \'c\',\n}\n',
    '{"hooks": {}}', '{"hooks": {"Stop": []}, "z": 1}\n', '{"plugins": null}',
    '{\r\n\t"hooks": {\r\n\t\t"Stop": [{"hooks": [{"command": "mine"}]}]\r\n\t}\r\n}\r\n',
    '{"plugins": {"allow": ["theirs"], "slots": {"memory": "theirs"}, "load": {"paths": ["/x"]}}}',
    "\ufeff{\n    plugins: {entries: {theirs: {enabled: false}}}, // c\n}",
    "// nothing yet\n{\n}\n",
])  # fmt: skip
YAML = st.sampled_from([
    "", "# mine\n", "model: x\n", "model: x", "a: 1\r\nmemory:\r\n  # c\r\n  enabled: true\r\n",
    "memory:\n  provider: theirs  # why\nb: [1]\n", "memory: {provider: ''}\n", "memory:\n",
    "\ufeffa: |\n  text\n\n# end", "{a: {b: 1}}\n",
])  # fmt: skip
OTHERS = st.dictionaries(
    st.sampled_from(["notes.md", "skills/other/SKILL.md", "plugins/other/plugin.yaml", "x/y.bin"]),
    st.binary(max_size=20), max_size=3,
)  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(NAMES), st.data(), OTHERS, st.booleans())
def test_in_twice_and_out_leaves_nothing(
    name: str, data: st.DataObject, others: dict[str, bytes], has_config: bool
) -> None:
    config = data.draw(YAML if name == "hermes" else JSON5)
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        host = root / FOLDERS[name]
        host.mkdir()
        for path, body in others.items():
            (host / path).parent.mkdir(parents=True, exist_ok=True)
            (host / path).write_bytes(body)
        if has_config:
            (host / CONFIGS[name]).write_bytes(config.encode())
            (host / CONFIGS[name]).chmod(data.draw(st.sampled_from([0o600, 0o644])))
        before = tree(root)
        assert connect(asked(name, root, dry=True)).changed
        assert tree(root) == before
        assert connect(asked(name, root)).changed
        there = tree(root)
        assert there != before
        again = connect(asked(name, root))
        assert (again.changed, again.done) == (False, ())
        assert tree(root) == there
        assert disconnect(asked(name, root, dry=True)).changed
        assert tree(root) == there
        assert disconnect(asked(name, root)).changed
        assert tree(root) == before
        assert not disconnect(asked(name, root)).changed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A person's folder with all three hosts in it, each with some settings."""
    for name in NAMES:
        (tmp_path / FOLDERS[name]).mkdir()
    claude = {
        "model": "opus",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]},
    }
    (tmp_path / ".claude/settings.json").write_text(json.dumps(claude, indent=2) + "\n")
    text = "{\n  // the gateway\n  gateway: { port: 18789 },\n}\n"
    (tmp_path / ".openclaw/openclaw.json").write_text(text)
    (tmp_path / ".hermes/config.yaml").write_text("model: x # c\nmemory:\n  memory_enabled: true\n")
    return tmp_path


@pytest.fixture
def call(root: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any, str]]:
    """Runs `slowwave connect …` on the person's folder; exit code, JSON, stderr."""

    def called(*arguments: str) -> tuple[int, Any, str]:
        home = ["--home", str(root / "slow"), "--json", "connect", *arguments]
        code = run([*home, "--home-dir", str(root)])
        captured = capsys.readouterr()
        return code, json.loads(captured.out) if captured.out else None, captured.err

    return called


def test_claude_code_gets_hooks_and_a_skill(root, call) -> None:
    code, answer, _ = call("claude-code")
    assert (code, answer["changed"], answer["connected"]) == (0, True, True)
    said = json.loads((root / ".claude/settings.json").read_text())
    assert set(said["hooks"]) == set(claude_code.TIMEOUTS)
    assert said["hooks"]["Stop"][0]["hooks"][0]["command"] == "x"
    hook = said["hooks"]["Stop"][1]["hooks"][0]
    assert hook["timeout"] == 60
    words = shlex.split(hook["command"])
    assert words[-5:] == ["hook", "claude-code", "||", "exit", "0"]
    assert str(root / "slow") in words
    skill = root / ".claude/skills/slowwave"
    server = json.loads((skill / ".mcp.json").read_text())["mcpServers"]["slowwave"]
    assert (server["command"], server["args"][-1]) == (sys.executable, "mcp")
    assert (skill / "SKILL.md").read_text().startswith("---\nname: slowwave\n")
    assert not (skill / "hooks").exists(), "they stand in the settings: they would run twice"


@pytest.mark.slow
def test_the_installed_hook_answers(root, call) -> None:
    call("claude-code")
    said = json.loads((root / ".claude/settings.json").read_text())
    line = said["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    event = json.dumps({"hook_event_name": "SlowwaveCheck"}).encode()
    ran = subprocess.run(["sh", "-c", line], input=event, capture_output=True, check=True)
    assert "slowwave" in json.loads(ran.stdout)
    code, answer, _ = call("claude-code", "--check")
    assert (code, answer["ok"]) == (0, True), answer
    call("claude-code", "--undo")
    code, answer, _ = call("claude-code", "--check")
    assert (code, answer["ok"]) == (1, False)


def test_openclaw_gets_the_plugin_and_the_slot(root, call) -> None:
    code, answer, _ = call("openclaw", "--url", "http://127.0.0.1:1")
    assert code == 0
    assert any("slowwave serve" in remark for remark in answer["remarks"])
    text = (root / ".openclaw/openclaw.json").read_text()
    assert "// the gateway" in text
    said = connecting.hosts.openclaw.json_edit.read(text)["plugins"]
    folder = root / "slow/integrations/openclaw"
    assert said["load"]["paths"] == [str(folder)]
    assert said["slots"] == {"memory": "slowwave"}
    entry = said["entries"]["slowwave"]
    assert entry["hooks"] == {"allowConversationAccess": True}
    assert entry["config"] == {"baseUrl": "http://127.0.0.1:1", "dreaming": {"enabled": False}}
    assert (folder / "index.ts").is_file()
    assert not (folder / "tests").exists()
    code, _, _ = call("openclaw", "--check")
    assert code == 1, "no server answers there"


def test_openclaw_beside_its_own_memory(root, call) -> None:
    call("openclaw", "--beside")
    said = connecting.hosts.openclaw.json_edit.read((root / ".openclaw/openclaw.json").read_text())[
        "plugins"
    ]
    assert "slots" not in said
    assert said["entries"]["slowwave"]["config"]["mode"] == "beside"
    manifest = root / "slow/integrations/openclaw/openclaw.plugin.json"
    assert "kind" not in json.loads(manifest.read_text())
    # The other way takes its place, and nothing of the first stays.
    call("openclaw")
    assert json.loads(manifest.read_text())["kind"] == "memory"
    call("openclaw", "--undo")
    text = "{\n  // the gateway\n  gateway: { port: 18789 },\n}\n"
    assert (root / ".openclaw/openclaw.json").read_text() == text
    assert not (root / "slow").exists()


def test_openclaw_keeps_turns_that_still_wait(root, call) -> None:
    call("openclaw")
    waiting = root / ".openclaw/slowwave/outbox/1.json"
    waiting.parent.mkdir(parents=True)
    waiting.write_text("{}")
    _, answer, _ = call("openclaw", "--undo")
    assert "still wait" in answer["remarks"][0]
    assert waiting.exists()
    call("openclaw")
    call("openclaw", "--undo", "--force")
    assert not (root / ".openclaw/slowwave").exists()


def test_openclaw_that_denies_us_is_told(root, call) -> None:
    path = root / ".openclaw/openclaw.json"
    path.write_text('{"plugins": {"deny": ["slowwave"]}}')
    code, answer, _ = call("openclaw")
    assert code == 1
    assert "plugins.deny" in answer["error"]["message"]
    assert path.read_text() == '{"plugins": {"deny": ["slowwave"]}}'


def test_hermes_gets_the_provider(root, call) -> None:
    path = root / ".hermes/config.yaml"
    path.write_text("memory:\n  provider: theirs # for now\n")
    _, answer, _ = call("hermes")
    assert path.read_text() == "memory:\n  provider: slowwave # for now\n"
    assert "theirs" in answer["remarks"][0]
    plugin = root / ".hermes/plugins/slowwave"
    assert "register_memory_provider" in (plugin / "__init__.py").read_text()
    assert json.loads((plugin / "connection.json").read_text())["home"] == str(root / "slow")
    # Hermes compiles what it loads; that goes too.
    (plugin / "__pycache__").mkdir()
    (plugin / "__pycache__/__init__.cpython-311.pyc").write_bytes(b"")
    call("hermes", "--undo")
    assert path.read_text() == "memory:\n  provider: theirs # for now\n"
    assert not (root / ".hermes/plugins").exists()


def test_undo_keeps_what_was_edited_meanwhile(root, call) -> None:
    call("claude-code")
    path = root / ".claude/settings.json"
    said = json.loads(path.read_text())
    said["model"] = "sonnet"
    said["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "y"})
    said["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 3
    path.write_text(json.dumps(said, indent=4))
    assert call("claude-code", "--undo")[0] == 0
    assert json.loads(path.read_text()) == {
        "model": "sonnet",
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "command", "command": "x"}]},
                {"hooks": [{"type": "command", "command": "y"}]},
            ]
        },
    }


def test_a_later_choice_of_the_user_is_not_taken_back(root, call) -> None:
    call("hermes")
    path = root / ".hermes/config.yaml"
    path.write_text(path.read_text().replace("slowwave", "honcho"))
    call("hermes", "--undo")
    assert "provider: honcho" in path.read_text()


def test_a_file_of_ours_that_was_changed_stays_and_is_told(root, call) -> None:
    call("claude-code")
    skill = root / ".claude/skills/slowwave/SKILL.md"
    skill.write_text("mine now")
    _, answer, _ = call("claude-code", "--undo")
    assert answer["kept"] == [str(skill)]
    assert skill.read_text() == "mine now"


def test_another_file_in_our_place_stops_it(root, call) -> None:
    skill = root / ".claude/skills/slowwave/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("another skill of that name")
    before = tree(root)
    code, answer, _ = call("claude-code")
    assert code == 1
    assert "not ours" in answer["error"]["message"]
    assert tree(root) == before


def test_what_a_lost_home_left_is_taken_over(root, call) -> None:
    call("claude-code")
    call("hermes")
    path = root / ".claude/settings.json"
    before = path.read_text()
    path.write_text(before.replace(str(root / "slow"), "/an/older/home"))

    shutil.rmtree(root / "slow")
    call("claude-code")
    call("hermes")
    assert "/an/older/home" not in path.read_text()
    assert json.loads(path.read_text()) == json.loads(before)
    call("claude-code", "--undo")
    call("hermes", "--undo")
    assert "slowwave" not in path.read_text()
    assert "slowwave" not in (root / ".hermes/config.yaml").read_text()


@pytest.mark.parametrize(("name", "text"), [
    ("claude-code", b'{"a": '), ("claude-code", b"[]"), ("claude-code", b'{"hooks": []}'),
    ("claude-code", b"\xff\xfe{\x00"), ("claude-code", b'{"hooks": {"Stop": 7}}'),
    ("openclaw", b"{plugins: 'x'}"), ("openclaw", b"{} trailing"), ("openclaw", b'{"plugins": []}'),
    ("hermes", b"memory: [\n"), ("hermes", b"memory: word\n"), ("hermes", b"- a\n"),
    ("hermes", b"a: 1\n---\nb: 2\n"),
])  # fmt: skip
def test_settings_that_cannot_be_edited_stop_it_with_nothing_written(
    root, call, name, text
) -> None:
    path = root / FOLDERS[name] / CONFIGS[name]
    path.write_bytes(text)
    before = tree(root)
    code, answer, said = call(name)
    assert code == 1
    assert str(path) in answer["error"]["message"]
    assert answer["error"]["hint"].startswith("nothing was written")
    assert "Traceback" not in said
    assert tree(root) == before


def test_settings_that_became_unreadable_stop_the_undo_too(root, call) -> None:
    call("claude-code")
    path = root / ".claude/settings.json"
    good = path.read_bytes()
    path.write_bytes(good + b"}")
    before = tree(root)
    assert call("claude-code", "--undo")[0] == 1
    assert tree(root) == before
    path.write_bytes(good)
    assert call("claude-code", "--undo")[0] == 0


def test_a_link_is_followed_inside_and_not_out(root, call, tmp_path_factory) -> None:
    path = root / ".claude/settings.json"
    real = root / ".claude/real.json"
    path.rename(real)
    path.symlink_to(real)
    call("claude-code")
    assert path.is_symlink()
    assert "SessionStart" in real.read_text()
    call("claude-code", "--undo")
    away = tmp_path_factory.mktemp("away") / "settings.json"
    away.write_text("{}")
    path.unlink()
    path.symlink_to(away)
    before = tree(root)
    code, answer, _ = call("claude-code")
    assert code == 1
    assert "link out of" in answer["error"]["message"]
    assert away.read_text() == "{}"
    assert tree(root) == before


@pytest.mark.parametrize("failing", range(1, 7))
def test_what_fails_on_the_way_is_taken_out_again(root, monkeypatch, failing) -> None:
    before, calls, real = tree(root), [], carry_out.disk.put

    def put(path: Path, body: bytes, *, mode: int | None = None) -> None:
        calls.append(path)
        if len(calls) == failing:
            raise StoreError("disk full")
        real(path, body, mode=mode)

    monkeypatch.setattr(carry_out.disk, "put", put)
    with pytest.raises(StoreError):
        connect(asked("claude-code", root))
    assert tree(root) == before


@pytest.mark.parametrize("failing", range(1, 8))
@pytest.mark.parametrize(
    "name", ["claude-code", *(pytest.param(one, marks=pytest.mark.slow) for one in NAMES[::2])]
)
def test_killed_on_the_way_it_can_be_finished_or_taken_out(
    root, monkeypatch, failing, name
) -> None:
    class Killed(BaseException):
        pass

    before, calls, real = tree(root), [], carry_out.disk.put

    def put(path: Path, body: bytes, *, mode: int | None = None) -> None:
        calls.append(path)
        if len(calls) == failing:
            raise Killed
        real(path, body, mode=mode)

    for mend in (disconnect, connect):
        calls.clear()
        with monkeypatch.context() as patched:
            patched.setattr(carry_out.disk, "put", put)
            with pytest.raises(Killed):
                connect(asked(name, root))
        mend(asked(name, root))
        if mend is connect:
            assert not connect(asked(name, root)).changed
            disconnect(asked(name, root))
        left = tree(root)
        if failing == 1:
            left = {path: one for path, one in left.items() if not path.startswith("slow")}
        assert left == before


def test_the_folder_may_be_the_agents_own(root) -> None:
    for folder in (root, root / ".claude"):
        outcome = connect(Asked(name="claude-code", home=root / "slow", folder=folder))
        assert outcome.host == str(root / ".claude")
    odd = root / "odd-name"
    odd.mkdir()
    (odd / "settings.json").write_text("{}")
    assert connect(Asked(name="claude-code", home=root / "slow", folder=odd)).host == str(odd)


def test_the_agents_own_variable_names_its_folder(root) -> None:
    for name, variable in (("claude-code", "CLAUDE_CONFIG_DIR"), ("hermes", "HERMES_HOME"),
                           ("openclaw", "OPENCLAW_STATE_DIR")):  # fmt: skip
        environment = {variable: str(root / FOLDERS[name])}
        one = Asked(name=name, home=root / "slow", environment=environment)
        assert connect(one).host == str(root / FOLDERS[name])
    path = root / "elsewhere" / "claw.json5"
    path.parent.mkdir()
    environment = {"OPENCLAW_STATE_DIR": str(root / ".openclaw"), "OPENCLAW_CONFIG_PATH": str(path)}
    one = Asked(name="openclaw", home=root / "slow", environment=environment)
    connect(one)
    assert "slowwave" in path.read_text()
    assert disconnect(one).changed
    assert not path.exists()


def test_an_agent_that_is_not_there_is_told(tmp_path, capsys) -> None:
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "none")}
    with pytest.raises(InputError, match="Claude Code was not found"):
        connect(Asked(name="claude-code", home=tmp_path / "slow", environment=environment))
    assert run(["connect", "hermes", "--home-dir", str(tmp_path / "none")]) == 2
    assert "no folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_bare_it_lists_what_is_here(call) -> None:
    call("hermes")
    _, answer, _ = call()
    states = {one["name"]: (one["there"], one["connected"]) for one in answer["hosts"]}
    assert states == {name: (True, name == "hermes") for name in NAMES}


def test_another_home_does_not_take_out_what_is_not_its_own(root, call, capsys) -> None:
    call("claude-code")
    before = tree(root)
    arguments = ["connect", "claude-code", "--home-dir", str(root), "--undo"]
    assert run(["--home", str(root / "another"), *arguments]) == 0
    out = capsys.readouterr().out
    assert "not connected: nothing to undo" in out
    assert "--home" in out
    assert tree(root) == before


@pytest.mark.parametrize("arguments", [
    ["nothing"], ["--undo"], ["--check"], ["hermes", "--check", "--undo"],
    ["hermes", "--force"], ["hermes", "--beside"], ["hermes", "--home-dir", ""],
    ["openclaw", "--url", "nonsense"], ["openclaw", "--url", "http://"], ["hermes", "--url", "http://b"],
    ["openclaw", "--url", "ftp://127.0.0.1"], ["openclaw", "--url", "http://127.0.0.1:99999"],
])  # fmt: skip
def test_wrong_usage_is_told(arguments, capsys) -> None:
    assert run(["connect", *arguments]) == 2
    assert " — " in capsys.readouterr().err


def test_people_are_told_what_was_done(root, capsys) -> None:
    head = ["--home", str(root / "slow"), "connect", "claude-code", "--home-dir", str(root)]
    assert run([*head, "--dry-run"]) == 0
    assert "dry run: nothing was done" in capsys.readouterr().out
    run(head)
    out = capsys.readouterr().out
    assert f"edit {root}/.claude/settings.json" in out
    assert "Claude Code: connected" in out
    run(head)
    assert "Claude Code: already connected" in capsys.readouterr().out
    run([*head, "--undo"])
    assert "Claude Code: disconnected" in capsys.readouterr().out
    run([*head, "--undo"])
    assert "not connected: nothing to undo" in capsys.readouterr().out


def test_ours_are_told_from_other_hooks() -> None:
    for line in (
        "slowwave hook claude-code || exit 0", "'/a b/slowwave' --home x hook claude-code",
        "/usr/bin/python3 -P -m slowwave --home '/h h' hook claude-code || exit 0",
    ):  # fmt: skip
        assert claude_code.is_ours(line)
    for line in ("echo slowwave", "slowwave recall x", "hook claude-code", "slowwave hook '", ""):
        assert not claude_code.is_ours(line)


def test_nothing_of_the_package_itself_is_left_out() -> None:
    files = connecting.hosts.shape.our_files("claude_code/plugin")
    assert {".claude-plugin/plugin.json", ".mcp.json", "SKILL.md", "hooks/hooks.json"} <= set(files)
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    assert {name: group[0]["hooks"][0]["timeout"] for name, group in hooks.items()} == dict(
        claude_code.TIMEOUTS
    )
    assert all("slowwave hook claude-code" in str(group) for group in hooks.values())
    assert os.sep not in "".join(files).replace("/", "")
