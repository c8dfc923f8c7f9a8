"""The command line keeps its contract: names, fields, exit codes, streams."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

NOW = "2026-12-01T03:00:00+08:00"
Call = Callable[..., tuple[int, Any, str]]


def lines(*texts: str, day: str = "2026-11-30") -> str:
    rows = [
        {"ref": f"r{number}", "ts": f"{day}T10:{number:02d}:00+08:00", "session": "s", "text": text}
        for number, text in enumerate(texts)
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_init_names_the_home(call: Call, tmp_path: Path) -> None:
    code, made, _ = call("init", "--preset", "nightly")
    assert code == 0
    assert set(made) >= {"home", "db", "vault", "preset"}
    assert made["preset"] == "nightly"
    assert (tmp_path / "home/slowwave.toml").exists()
    assert (tmp_path / "home/slowwave.db").exists()


def test_log_is_idempotent_with_a_time(call: Call) -> None:
    code, first, _ = call("log", "我对花生过敏", "--ts", "2026-11-30T09:00:00+08:00")
    assert code == 0
    assert len(first["events"]) == 1
    assert first["events"][0]["ts"] == "2026-11-30T09:00:00+08:00"
    _, second, _ = call("log", "我对花生过敏", "--ts", "2026-11-30T09:00:00+08:00")
    assert second["events"] == []
    assert second["duplicates"] == 1


def test_log_without_a_time_never_merges(call: Call) -> None:
    ids = {call("log", "same words")[1]["events"][0]["id"] for _ in range(3)}
    assert len(ids) == 3


def test_log_from_stdin_skips_bad_lines_and_says_where(call: Call) -> None:
    code, taken, err = call(
        "log", "--stdin", stdin=lines("one") + "not json\n" + '{"role":"user"}\n'
    )
    assert code == 3
    assert len(taken["events"]) == 1
    assert [item["line"] for item in taken["skipped"]] == [2, 3]
    del err


@pytest.mark.parametrize(
    "arguments",
    [
        ("log",),
        ("log", "x", "--stdin"),
        ("dream", "--date", "soon"),
        ("dream", "--dry-run", "--apply"),
        ("dream", "--distiller", "llm"),
        ("recall", "x", "--since", "yesterdayish"),
    ],
)
@pytest.mark.usefixtures("made_home")
def test_wrong_usage_is_2_with_a_hint(call: Call, arguments: tuple[str, ...]) -> None:
    code, value, err = call(*arguments)
    assert code == 2
    assert value["error"]["message"]
    assert value["error"]["hint"]
    assert err.startswith("slowwave: ")
    assert "Traceback" not in err


def test_import_dream_recall_why(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "day.jsonl"
    log.write_text(lines("我对花生过敏", "以后报告一律用 PDF", "哈哈"), encoding="utf-8")
    code, done, _ = call("import", str(log))
    assert code == 0
    assert set(done) == {"files", "events", "duplicates", "skipped"}
    assert done["events"] == 3
    assert done["files"][0]["format"] == "jsonl"
    _, again, _ = call("import", str(log))
    assert (again["events"], again["duplicates"]) == (0, 3)

    _, dream, _ = call("dream", "--date", "2026-11-30", "--apply")
    assert set(dream) >= {
        "dream_id", "mode", "date", "run_at", "status", "input_events", "extracted_items",
        "new_entries", "updated_entries", "merged_entries", "archived_entries",
        "confirmed_entries", "rejected", "duration_sec", "model_used", "stages", "changes", "gates",
    }  # fmt: skip
    assert dream["status"] == "applied"
    assert set(dream["stages"][0]) == {"name", "in", "out", "duration_sec"}
    assert set(dream["changes"][0]) >= {
        "id", "op", "memory_id", "before", "after", "reason", "route", "scores", "evidence",
        "approved",
    }  # fmt: skip

    _, found, _ = call("recall", "花生", "-k", "3", "--explain")
    assert set(found) == {"query", "results", "took_ms"}
    hit = found["results"][0]
    assert set(hit) >= {
        "id", "type", "kind", "text", "score", "ts", "valid_from", "valid_to", "status", "subject",
        "speaker", "session", "refs", "scores",
    }  # fmt: skip
    assert hit["refs"][0] == "r0"
    assert hit["scores"]

    memory_id = next(c["memory_id"] for c in dream["changes"] if "花生" in c["after"]["text"])
    _, why, _ = call("why", memory_id[:6])
    assert set(why) == {"memory", "changes", "evidence"}
    assert set(why["evidence"][0]) >= {"event_id", "ref", "ts", "speaker", "quote", "start", "end"}
    assert why["evidence"][0]["quote"] in "我对花生过敏"

    _, block, _ = call("context", "有什么不能吃的，比如花生", "--budget", "200")
    assert set(block) == {"text", "tokens", "items", "ledger_id"}
    assert block["tokens"] <= 200

    _, known, _ = call("memories", "list")
    assert {"PDF"} <= {word for one in known for word in one["text"].split()}
    assert call("status")[1]["counts"]["events"] == 3
    assert call("doctor")[1] == {"ok": True, "problems": []}
    assert call("history", memory_id)[1]["versions"]
    assert [one["dream_id"] for one in call("dreams")[1]] == [dream["dream_id"]]
    assert call("dreams", "diff", dream["dream_id"])[1]["changes"] == dream["changes"]


def test_missing_and_unknown_files(call: Call, tmp_path: Path) -> None:
    code, value, err = call("import", str(tmp_path / "nothing.jsonl"))
    assert code == 1
    assert value["error"]["type"] == "NotFound"
    assert err.count("\n") == 1
    empty = tmp_path / "empty"
    empty.mkdir()
    assert call("import", str(empty))[1]["error"]["type"] == "UnknownFormat"
    strange = tmp_path / "photo.bin"
    strange.write_bytes(bytes(range(256)) * 20)
    assert call("import", str(strange))[1]["error"]["type"] == "UnknownFormat"


def test_one_bad_file_does_not_stop_the_good(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "day.jsonl"
    log.write_text(lines("I live in Turku"), encoding="utf-8")
    code, done, _ = call("import", str(tmp_path / "gone.jsonl"), str(log))
    assert code == 3
    assert done["events"] == 1
    assert done["files"][0]["skipped"][0]["line"] == 0


def test_wrong_zone(call: Call) -> None:
    code, value, _ = call("status", "--tz", "Mars/Olympus")
    assert code == 2
    assert "zone" in value["error"]["message"]


def test_unknown_setting_is_refused_with_a_suggestion(call: Call, tmp_path: Path) -> None:
    call("init")
    (tmp_path / "home/slowwave.toml").write_text('presett = "nightly"\n')
    code, value, _ = call("status")
    assert code == 2
    assert "preset" in value["error"]["hint"]


def test_unknown_id(call: Call) -> None:
    call("init")
    for command in (("why", "mzzz"), ("dreams", "show", "dzzz"), ("dreams", "apply", "last")):
        code, value, _ = call(*command)
        assert code == 1
        assert value["error"]["type"] == "NotFound"


def test_inspect_stores_nothing(call: Call, tmp_path: Path) -> None:
    code, found, _ = call("inspect", "distill", "我对花生过敏", "--date", "2026-11-30")
    assert code == 0
    assert found["claims"][0]["evidence"][0]["quote"]
    code, related, _ = call("inspect", "compare", "SSH 端口 22", "SSH 端口改成 49222 了")
    assert set(related) == {"id", "relation", "current", "reason"}
    code, when, _ = call("inspect", "when", "昨天去了公园")
    assert [item["value"] for item in when["times"]] == ["2026-11-30"]
    assert not (tmp_path / "home").exists()


def test_inspect_reads_json_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"id": "a", "text": "明天开会", "now": "2026-05-01T09:00:00+08:00", "tz": "Asia/Shanghai"},
        {"id": "b", "text": "no time here", "now": "2026-05-01T09:00:00+08:00", "tz": "UTC"},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows) + "broken\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["inspect", "when", "--stdin", "--json"]) == 3
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", "b"]
    assert answers[0]["times"][0]["value"] == "2026-05-02"


@pytest.mark.parametrize(
    "query",
    ['"', "*", "AND", "don't", "（）", "GB/s", "ubuntu 20.04", "\x00", "a" * 1_000_000,
     "NEAR(a b)", "-", "col:x", " ", "^"],
)  # fmt: skip
def test_no_query_is_a_syntax_error(call: Call, query: str) -> None:
    call("log", "I'd rather have GB/s than ubuntu 20.04", "--ts", "2026-11-30T09:00:00+08:00")
    code, found, err = call("recall", "--", query)
    assert (code, err) == (0, "")
    assert isinstance(found["results"], list)


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "utf-8"])
def test_every_console_encoding(tmp_path: Path, encoding: str) -> None:
    import os

    environment = {**os.environ, "PYTHONIOENCODING": encoding, "SLOWWAVE_EMBEDDER": "none",
                   "SLOWWAVE_HOME": str(tmp_path)}  # fmt: skip
    environment.pop("PYTHONUTF8", None)
    command = [sys.executable, "-m", "slowwave"]
    text = "✓ 🎉 中文"
    for arguments in (["log", text], ["recall", "中文", "--json"], ["recall", "中文"]):
        done = subprocess.run(
            [*command, *arguments], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        if "--json" in arguments:
            assert json.loads(done.stdout.decode(encoding))["results"][0]["text"] == text


def test_plain_text_in_a_pipe(
    call: Call, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call("log", "我的自行车是蓝色的", "--ts", "2026-11-30T09:00:00+08:00")
    run(["--home", str(tmp_path / "home"), "--now", NOW, "recall", "自行车"])
    out = capsys.readouterr().out
    assert "\x1b[" not in out
    assert "自行车" in out


def test_how_many_hits_has_a_long_form(call: Call) -> None:
    call("log", "the loft key is under the fern")
    call("log", "the loft window sticks")
    for option in ("-k", "--k"):
        code, found, _ = call("recall", "loft", option, "1")
        assert (code, len(found["results"])) == (0, 1)
