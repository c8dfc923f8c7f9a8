"""A workspace is named in a settings file whose other lines stay as they are."""

import tomllib
from pathlib import Path

import pytest

from slowwave.adapters.settings_file import name_workspace, read_table
from slowwave.errors import NotFound, SettingsError


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "工作 space"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "body",
    [
        "",
        'preset = "recall"\n',
        'preset = "recall"',
        '[vault]\nmirror = "~/Notes"\n',
        '\ufeff# mine\r\n[vault]\r\nmirror = "~/Notes"  # there\r\n\r\n[recall]\r\nk = 5\r\n',
        '  [ vault ]  # the files\nversions = 3\n[dream]\nmode = "review"\n',
        '[vault]\nversions = 3\nworkspace = ""\n[recall]\nk = 4\n',
        "[vault]",
        "[recall]\nk = 4\n[vault]\n\n[dream.gates]\n",
    ],
)
def test_it_goes_into_its_section_and_the_rest_stays(
    tmp_path: Path, workspace: Path, body: str
) -> None:
    path = tmp_path / "slowwave.toml"
    path.write_bytes(body.encode())
    before = tomllib.loads(body.removeprefix("\ufeff"))
    name_workspace(path, workspace)
    assert read_table(path) == {
        **before, "vault": {**before.get("vault", {}), "workspace": str(workspace)}
    }  # fmt: skip
    lines = [line for line in body.splitlines() if line.strip() and "workspace" not in line]
    written = path.read_bytes()
    assert [line for line in lines if line.encode() not in written] == []
    name_workspace(path, workspace)  # safe to repeat
    assert path.read_bytes() == written


@pytest.mark.parametrize("body", ['vault = {mirror = "x"}\n', 'vault.mirror = "x"\n'])
def test_what_cannot_be_added_to_is_left_alone(tmp_path: Path, workspace: Path, body: str) -> None:
    path = tmp_path / "slowwave.toml"
    path.write_text(body)
    with pytest.raises(SettingsError) as refused:
        name_workspace(path, workspace)
    assert "workspace = " in refused.value.hint
    assert path.read_text() == body


def test_another_workspace_and_none_are_told(tmp_path: Path, workspace: Path) -> None:
    path = tmp_path / "slowwave.toml"
    path.write_text('[vault]\nworkspace = "/elsewhere"\n')
    with pytest.raises(SettingsError, match="another workspace: /elsewhere"):
        name_workspace(path, workspace)
    with pytest.raises(NotFound, match="no folder"):
        name_workspace(path, tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["vault", "dream.gates"])
def test_a_section_that_stands_twice_is_told_with_what_to_do(tmp_path: Path, name: str) -> None:
    path = tmp_path / "slowwave.toml"
    path.write_text(f"[{name}]\n\n[{name}]\n")
    with pytest.raises(SettingsError) as refused:
        read_table(path)
    assert f"second [{name}] below the first" in refused.value.hint
