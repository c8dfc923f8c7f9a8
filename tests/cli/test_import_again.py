"""A folder that is imported again gives what came to it since."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    (folder / "memory").mkdir(parents=True)
    line = '{"ts":"2026-11-18T09:00:00+08:00","text":"I keep bees"}\n'
    (folder / "day.jsonl").write_text(line)
    (folder / "memory" / "2026-11-18.md").write_text("# 2026-11-18\n\n- bought a kettle\n")
    (folder / "talk.md").write_text("user: I own a kayak\nassistant: nice\n")
    (folder / "2026-11-18-events.yaml").write_text(
        '- ts: "2026-11-18 10:00"\n  topic: 部署\n  actor: user\n  detail: 凌晨两点发布\n'
    )
    return folder


def states(answer: Any) -> dict[str, str]:
    return {Path(one["path"]).name: one["state"] for one in answer["files"]}


def test_new_and_grown_files_are_taken_and_told(
    call: Call, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = call("import", str(logs))[1]
    assert set(states(first).values()) == {"new"}
    assert set(states(call("import", str(logs))[1]).values()) == {"unchanged"}
    with (logs / "day.jsonl").open("a") as file:
        file.write('{"ts":"2026-11-19T09:00:00+08:00","text":"I sold the bees"}\n')
    with (logs / "talk.md").open("a") as file:
        file.write("user: I also own a sled\n")
    (logs / "memory" / "2026-11-19.md").write_text("# 2026-11-19\n\n- bought a second kettle\n")
    (logs / "later").mkdir()
    (logs / "later" / "more.jsonl").write_text('{"text":"a note from later"}\n')
    (logs / "later" / "empty.jsonl").write_text("")
    again = call("import", str(logs))[1]
    assert again["events"] == 4
    assert states(again) == {
        "day.jsonl": "grown", "talk.md": "grown", "2026-11-19.md": "new", "more.jsonl": "new",
        "2026-11-18.md": "unchanged", "2026-11-18-events.yaml": "unchanged",
    }  # fmt: skip
    assert call("dream", "--date", "all")[1]["input_events"] == first["events"] + 4
    run(["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai", "import", str(logs)])
    told = capsys.readouterr().out
    assert "of 6 files: 0 new, 0 grown, 6 unchanged" in told
    assert "import the folder again" in told
