"""`slowwave stats`: pictures into files, topics in a table."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.cli.statistics import language_of

Call = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def home(call: Call) -> Call:
    """A week about two things, never dreamed of."""
    said = [
        (at, text)
        for at, pair in enumerate(
            [
                ("The ferry to Anholt was late", "My barometer needs a new glass"),
                ("Ferry tickets cost 90 now", "Where can a barometer be repaired?"),
                ("The ferry had a new captain", "The barometer fell by ten points"),
            ]
        )
        for text in pair
    ]
    lines = [
        json.dumps({"ts": f"2026-11-2{5 + at}T10:00:00+08:00", "text": text, "session": text[:9]})
        for at, text in said
    ]
    call("log", "--stdin", stdin="\n".join(lines))
    return call


@pytest.mark.slow
def test_a_png_and_an_svg_by_the_ending(home: Call, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    code, answer, _ = home("stats", "--plot", str(tmp_path / "all.png"), "--days", "3")
    assert code == 0
    assert len(answer["pictures"]) == 6
    assert answer["file"] == str(tmp_path / "all.png")
    assert answer["format"] == "png"
    assert answer["bytes"] == (tmp_path / "all.png").stat().st_size
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")
    assert stat.S_IMODE((tmp_path / "all.png").stat().st_mode) == 0o600
    assert answer["days"][0]["events"] == 2
    for _ in range(2):  # the second one takes its place
        code, answer, _ = home("stats", "--plot", str(tmp_path / "k.SVG"), "--picture", "growth",
                               "--language", "zh", "--theme", "dark")  # fmt: skip
        assert (code, answer["pictures"], answer["format"]) == (0, ["growth"], "svg")
    assert "日志与记忆的增长" in (tmp_path / "k.SVG").read_text(encoding="utf-8")


def test_topics_need_no_dream(home: Call, tmp_path: Path) -> None:
    code, found, _ = home("stats", "--topics")
    assert code == 0
    assert {one["name"] for one in found["topics"]} == {"ferry", "barometer"}
    assert (found["first"], found["last"]) == ("2026-11-21", "2026-11-27")
    assert home("stats", "--topics", "--days", "1")[1]["messages"] == 2
    pytest.importorskip("vl_convert")
    code, found, _ = home("stats", "--topics", "--plot", str(tmp_path / "t.svg"))
    assert (code, found["pictures"]) == (0, ["topics"])
    assert "barometer" in (tmp_path / "t.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.pdf", "UsageError"), ("a", "UsageError"), ("no/a.png", "NotFound"), (".", "UsageError")],
)
def test_what_cannot_be_drawn_into_is_refused_before_the_work(
    home: Call, tmp_path: Path, name: str, kind: str
) -> None:
    code, answer, _ = home("stats", "--plot", str(tmp_path / name))
    assert code in (1, 2)
    assert answer["error"]["type"] == kind
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_picture_that_fails_leaves_the_old_one(
    home: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    target = tmp_path / "a.png"
    target.write_bytes(b"old")

    def broken(*_: Any, **__: Any) -> bytes:
        raise ValueError("no such font")

    monkeypatch.setattr(vl_convert, "svg_to_png", broken)
    code, answer, _ = home("stats", "--plot", str(target))
    assert code == 1
    assert "no such font" in answer["error"]["message"]
    assert target.read_bytes() == b"old"


def test_without_the_packages_it_is_said_what_to_install(
    home: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    code, answer, _ = home("stats", "--plot", str(tmp_path / "a.png"))
    assert code == 1
    assert "slowwave[plots]" in answer["error"]["hint"]
    assert not (tmp_path / "a.png").exists()


def test_the_table_of_topics(
    home: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    at_home = ["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai"]
    assert run([*at_home, "stats", "--topics"]) == 0
    told = capsys.readouterr().out
    assert "2026-11-21 to 2026-11-27: 6 messages" in told
    assert "compared by words alone" in told
    assert run([*at_home, "--space", "other", "stats", "--topics"]) == 0
    assert capsys.readouterr().out == "no topics: too little was said so far\n"


@pytest.mark.parametrize(
    ("environment", "language"),
    [({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LC_ALL": "C", "LANG": "zh_CN"}, "en"),
     ({"LC_ALL": "", "LANG": "zh_TW"}, "zh"), ({"LANG": "de_DE"}, "en")],
)  # fmt: skip
def test_the_language_of_the_system(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language
