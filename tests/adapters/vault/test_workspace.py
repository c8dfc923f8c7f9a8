"""In place on an OpenClaw workspace (O1): two files managed, all others only read."""

from pathlib import Path

import pytest

from slowwave.errors import NotFound, SettingsError
from slowwave.memory import SlowMemory
from slowwave.wiring import Options, initialise, open_memory

HAND = "# Memory\r\n\r\n- I take the 7:40 ferry to work\r\n\r\n```\r\n## no heading\r\n```\r\n"
DAILY = """\
# 2031-03-12

- My sister Ilse moved to Trieste
- I am allergic to hazelnuts

## Light Sleep
<!-- openclaw:dreaming:light:start -->
- Candidate: I am allergic to walnuts
<!-- openclaw:dreaming:light:end -->
"""
KEPT = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    (folder / "memory/.dreams/session-corpus").mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(HAND.encode())
    (folder / "memory/2031-03-12.md").write_text(DAILY, encoding="utf-8")
    for name in KEPT:
        (folder / name).write_text(f"# {name}\n\nThe agent never lies.\n", encoding="utf-8")
    state = folder / "memory/.dreams"
    (state / "short-term-recall.json").write_text('{"version":1,"entries":{}}')
    (state / "session-corpus/2031-03-12.txt").write_text("[main#L1] User: I live on the moon\n")
    return folder


@pytest.fixture
def home(tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)
    opened: list[SlowMemory] = []

    def at(day: str) -> SlowMemory:
        while opened:
            opened.pop().close()
        options = Options(
            home=str(tmp_path / "home"), now=f"{day}T03:00:00+08:00", tz="Asia/Shanghai"
        )
        environment = {"SLOWWAVE_EMBEDDER": "none"}
        if not (tmp_path / "home").exists():
            opened.append(initialise(options, None, environment, workspace=workspace))
        else:
            opened.append(open_memory(options, environment))
        return opened[0]

    yield at
    for memory in opened:
        memory.close()


def texts(memory: SlowMemory) -> set[str]:
    return {one.text for one in memory.memories(("active",))}


def untouched(workspace: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(workspace)): path.read_bytes()
        for path in workspace.rglob("*")
        if path.is_file() and path.name not in ("MEMORY.md", "DREAMS.md")
    }


def test_a_night_in_place(home, workspace: Path, tmp_path: Path) -> None:
    others = untouched(workspace)
    memory = home("2031-03-13")
    dream = memory.dream("all", apply=True)
    assert dream.status == "applied"
    known = texts(memory)
    assert any("hazelnuts" in text for text in known)
    assert any("Ilse" in text for text in known)
    assert not any("walnuts" in text or "moon" in text for text in known)
    page = (workspace / "MEMORY.md").read_bytes()
    assert page.startswith(HAND.encode())
    assert b"hazelnuts" in page
    assert page.count(b"7:40 ferry") == 1
    assert b"\n" not in page.replace(b"\r\n", b"")
    assert (workspace / "DREAMS.md").read_text(encoding="utf-8").startswith("# Dream Diary\n")
    assert untouched(workspace) == others
    assert list((tmp_path / "home/vault/long_term").rglob("*.md"))
    assert not (tmp_path / "home/vault/MEMORY.md").exists()


def test_only_new_notes_are_read(home, workspace: Path) -> None:
    memory = home("2031-03-13")
    memory.dream("all", apply=True)
    count = memory.status().counts.events
    memory.dream("all", apply=True)
    assert memory.status().counts.events == count
    assert memory.parts.vault().notes() == []
    note = workspace / "memory/deep/2031-03-13-trip.md"
    note.parent.mkdir()
    note.write_text("- I sold the old sailing boat\n", encoding="utf-8")
    memory = home("2031-03-14")
    memory.dream("all", apply=True)
    assert any("sailing boat" in text for text in texts(memory))
    assert memory.status().counts.events == count + 1


def test_our_own_page_is_never_evidence(home, workspace: Path) -> None:
    memory = home("2031-03-13")
    memory.dream("all", apply=True)
    before = {one.id: len(one.evidence) for one in memory.memories()}
    count = memory.status().counts.events
    for day in ("2031-03-14", "2031-03-15", "2031-03-16"):
        memory = home(day)
        memory.dream("all", apply=True)
        memory.import_paths([workspace])
        memory.import_paths([memory.parts.home])
    assert memory.status().counts.events == count
    assert {one.id: len(one.evidence) for one in memory.memories()} == before


def test_a_line_above_moves_nothing(home, workspace: Path) -> None:
    """Case 58: a note is edited between the plan and its applying."""
    memory = home("2031-03-13")
    planned = memory.dream("all")
    note = workspace / "memory/2031-03-12.md"
    note.write_text("- the weather was fine\n" + DAILY, encoding="utf-8")
    applied = memory.apply(planned.dream_id)
    for change in applied.changes:
        for span in change.evidence:
            event = memory.events([span.event_id])[span.event_id]
            assert event.text[span.start : span.end] == span.quote
    count = memory.status().counts.events
    memory.dream("all", apply=True)
    assert memory.status().counts.events <= count + 1
    hazelnuts = [one for one in memory.memories() if "hazelnuts" in one.text]
    assert len(hazelnuts) == 1
    assert len(hazelnuts[0].evidence) == 1


def test_a_dry_run_reads_and_writes_nothing(home, workspace: Path) -> None:
    memory = home("2031-03-13")
    before = {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    memory.dream("all", dry_run=True)
    assert memory.status().counts.events == 0
    assert before == {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}


def test_what_is_loaded_fits_into_what_the_agent_reads(desk, workspace: Path) -> None:
    desk.workspace = workspace
    desk.dream(*(f"The greenhouse valve {n} opens at {n + 300} degrees" for n in range(600)))
    desk.sync()
    page = (workspace / "MEMORY.md").read_bytes().decode()
    assert len(page.encode("utf-16-le")) // 2 <= 20_000
    assert 200 < page.count("valve") < 600
    assert f"{600 - page.count('valve')} more memories in long_term/" in page


def test_new_notes_make_their_night_due(home) -> None:
    nights = home("2031-03-13").dream_due()
    assert [night.date for night in nights if night.date.startswith("2031-")] == ["2031-03-12"]
    assert not home("2031-03-14").dream_due()


HEADERS = {
    "two": "---\ntitle: a\n---\n\n---\ntags: [b]\n---\n\n- I sold the red canoe\n",
    "bad": "---\ntitle: a: b: c\n\ttabs: [unclosed\n---\n\n- I sold the red canoe\n",
}


@pytest.mark.parametrize("kind", HEADERS)
def test_a_bad_header_stops_nothing(home, workspace: Path, kind: str) -> None:
    """Case 54: bytes unchanged, the body is read, one clear warning, other files go on."""
    note = workspace / "memory/2031-03-11.md"
    note.write_text(HEADERS[kind], encoding="utf-8")
    memory = home("2031-03-13")
    dream = memory.dream("all", apply=True)
    told = [warning for warning in dream.warnings if "front matter" in warning]
    assert len(told) == 1
    assert str(note) in told[0]
    assert note.read_text(encoding="utf-8") == HEADERS[kind]
    known = texts(memory)
    assert any("canoe" in text for text in known)
    assert any("hazelnuts" in text for text in known)
    assert not any("tags" in text or "title" in text for text in known)
    report = memory.import_paths([note]).files[0]
    assert len(report.skipped) == 1


def test_a_workspace_that_goes_away(home, workspace: Path) -> None:
    memory = home("2031-03-13")
    memory.dream("all", apply=True)
    workspace.rename(workspace.with_name("moved"))
    done = memory.vault_sync()
    assert "is not there" in done.conflicts[0].reason
    assert not workspace.exists()


def test_init_names_the_workspace_once(tmp_path: Path, workspace: Path) -> None:
    home = tmp_path / "home"
    options = Options(home=str(home), tz="Asia/Shanghai")
    with pytest.raises(NotFound):
        initialise(options, None, {}, workspace=tmp_path / "nowhere")
    for _ in range(2):
        memory = initialise(options, "openclaw", {}, workspace=workspace)
        assert memory.parts.settings.vault.workspace == str(workspace)
        memory.close()
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(SettingsError, match="another workspace"):
        initialise(options, None, {}, workspace=other)


def test_another_space_has_its_own_files(tmp_path: Path, workspace: Path) -> None:
    home = str(tmp_path / "home")
    initialise(Options(home=home, tz="UTC"), None, {}, workspace=workspace).close()
    before = (workspace / "MEMORY.md").read_bytes()
    options = Options(home=home, space="guests/..", tz="UTC")
    memory = open_memory(options, {"SLOWWAVE_EMBEDDER": "none"})
    from slowwave.model import Record

    memory.log([Record(text="I am allergic to hazelnuts", source="test")])
    memory.dream("all", apply=True)
    memory.close()
    pages = list((tmp_path / "home/vault/spaces").glob("guests-*/MEMORY.md"))
    assert len(pages) == 1
    assert (workspace / "MEMORY.md").read_bytes() == before
