"""The files the vault writes: where they lie, what they say, and what stays as it is."""

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from slowwave import review
from slowwave.testing.samples import dream, update

NASTY = [
    "# not a heading", "<!-- slowwave:end -->", "--> out", "```", "---", "- [ ] done?",
    "a: b: c # not YAML", "'\"\\", "line one\nline two", "<script>x</script>", "\u2028\x07\x00bell",
    "![x](https://example.test/x.png)", "%TAG ! tag:x", "!!python/object:os.system", "{a: b}",
]  # fmt: skip


def front_of(path: Path) -> dict:
    head = path.read_text(encoding="utf-8").split("---\n")[1]
    return YAML(typ="safe", pure=True).load(head)


def test_one_file_per_memory(desk) -> None:
    tea, port = (
        *desk.dream("I only drink oolong after lunch", kind="preference", importance=72),
        *desk.dream("The staging port is 5433", kind="environment"),
    )
    done = desk.sync()
    assert not done.conflicts
    path = desk.entry(tea)
    assert path.parent == desk.root / "long_term/preferences"
    assert path.name.startswith("i-only-drink-oolong")
    front = front_of(path)
    assert front["id"] == tea.id
    assert (front["type"], front["importance"], front["status"], front["pinned"]) == (
        "preference", 72, "active", False,
    )  # fmt: skip
    assert front["sources"] == [f"{tea.evidence[0].event_id} (2031-05-01)"]
    assert str(front["updated"]) == "2031-05-02"
    body = path.read_text(encoding="utf-8")
    assert "\n- I only drink oolong after lunch\n" in body
    assert "- 2031-05-01: “I only drink oolong after lunch”" in body
    assert desk.entry(port).parent.name == "environment"


def test_a_second_sync_writes_nothing(desk) -> None:
    desk.dream("The boiler is from 1998", *NASTY[:3])
    desk.sync()
    times = {path: path.stat().st_mtime_ns for path in desk.root.rglob("*")}
    done = desk.sync()
    assert done.in_step
    assert desk.sync(dry=True).in_step
    assert times == {path: path.stat().st_mtime_ns for path in desk.root.rglob("*")}


def test_losing_the_state_loses_nothing(desk) -> None:
    desk.dream("The boiler is from 1998", "My aunt Wanda lives in Brno")
    desk.sync()
    before = desk.tree()
    (desk.root / ".slowwave.json").unlink()
    assert not desk.sync().conflicts
    assert desk.tree() == before
    desk.edit("1998", "1997", desk.entry(desk.memory("The boiler is from 1998")))
    (desk.root / ".slowwave.json").write_text("{not json")
    assert [edit.what for edit in desk.sync().imported] == ["edited"]


def test_unchanged_files_are_not_written_again(desk) -> None:
    desk.dream("The boiler is from 1998")
    desk.sync()
    path = desk.entry(desk.memory("The boiler is from 1998"))
    written = path.stat().st_mtime_ns
    desk.dream("The roof was mended")
    done = desk.sync()
    assert path.stat().st_mtime_ns == written
    assert not any("boiler" in name for name in done.written)


@pytest.mark.parametrize("text", NASTY)
def test_text_cannot_act(desk, text: str) -> None:
    memory = desk.dream(text, "an ordinary one", subject="a: # b")[0]
    desk.sync()
    front = front_of(desk.entry(memory))
    assert front["subject"] == "a: # b"
    page = desk.text()
    lines = page.splitlines()
    assert lines.count("<!-- slowwave:end -->") == 1
    assert sum(line.startswith("#") for line in lines) == 2
    assert not any(
        line.startswith(("```", "---", "<")) and "slowwave" not in line for line in lines
    )
    assert desk.sync().in_step


def test_old_versions_are_kept_and_no_more(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.entry(memory)
    for year in range(1991, 1995):
        desk.now += timedelta(days=1)
        review.edit(desk.store, desk.by(), memory.id, f"The boiler is from {year}")
        desk.sync()
    kept = sorted(path.name for path in (desk.root / "history" / memory.id).iterdir())
    assert kept == ["3.md", "4.md"]
    assert "1993" in (desk.root / "history" / memory.id / "4.md").read_text(encoding="utf-8")
    # The name comes from the first version, and stays.
    assert desk.entry(memory) == path
    (desk.root / ".slowwave.json").unlink()
    desk.sync()
    assert desk.entry(memory) == path


def test_cold_ones_move_and_come_back(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.entry(memory)
    with path.open("a", encoding="utf-8") as stream:
        stream.write("\nAsk the caretaker for its manual.\n")
    review.demote(desk.store, desk.by(), memory.id)
    desk.sync()
    assert not path.exists()
    cold = desk.entry(memory)
    assert cold.parts[-3] == "cold"
    assert cold.read_text(encoding="utf-8").endswith("Ask the caretaker for its manual.\n")
    assert "boiler" not in desk.text()
    desk.now += timedelta(hours=1)
    review.restore(desk.store, desk.by(), memory.id)
    desk.sync()
    assert desk.entry(memory) == path
    assert not cold.exists()


def test_retired_ones_leave_only_history(desk) -> None:
    memory, other = desk.dream("The boiler is from 1990", "The roof leaks")
    desk.sync()
    with desk.entry(memory).open("a", encoding="utf-8") as stream:
        stream.write("\nmine\n")
    known = desk.store.memories_by_id("alder", [memory.id])[memory.id]
    change = update(known, status="retired", superseded_by=other.id)
    desk.store.commit(dream(change, dream_id="dretire"), [], desk.now)
    desk.sync()
    assert not list(desk.root.glob(f"long_term/*/*{memory.id}.md"))
    history = desk.root / "history" / memory.id
    assert "boiler" in (history / "2.md").read_text(encoding="utf-8")
    assert (history / "notes.md").read_text(encoding="utf-8").strip() == "mine"
    assert desk.sync().in_step


def test_candidates_have_no_file(desk) -> None:
    desk.dream("Maybe the cellar is damp", status="candidate")
    desk.sync()
    assert not list(desk.root.glob("long_term/*/*"))
    assert not desk.page.exists()


def test_files_are_their_owners_alone(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    for path in (desk.page, desk.root / "DREAMS.md", desk.entry(memory)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.chmod(desk.page, 0o644)
    desk.dream("The roof leaks")
    desk.sync()
    assert stat.S_IMODE(desk.page.stat().st_mode) == 0o644


def test_links_are_refused(desk, tmp_path: Path) -> None:
    desk.root.mkdir()
    target = tmp_path / "elsewhere.md"
    target.write_text("# elsewhere\n")
    for name in ("MEMORY.md", "DREAMS.md"):
        (desk.root / name).symlink_to(target)
    desk.dream("The boiler is from 1990")
    done = desk.sync()
    assert {clash.file for clash in done.conflicts} == {"MEMORY.md", "DREAMS.md"}
    assert target.read_text() == "# elsewhere\n"
    assert list(desk.root.glob("long_term/*/*"))


def test_a_new_page_starts_with_its_title(desk) -> None:
    desk.dream("我住在湖滨新村 3 栋", kind="profile")
    desk.sync()
    assert desk.text().startswith("# 记忆\n\n<!-- slowwave:begin ")
    assert "## 生活与喜好" in desk.text()


def test_erasing_takes_every_file(desk) -> None:
    memory, _other = desk.dream("The boiler is from 1990", "The roof leaks")
    desk.sync()
    desk.now += timedelta(hours=1)
    review.edit(desk.store, desk.by(), memory.id, "The boiler is from 1991")
    desk.sync()
    assert list((desk.root / ".backup").iterdir())
    gone = desk.tools.vault.erase([memory.id])
    assert gone >= 3
    assert not list(desk.root.glob(f"**/*{memory.id}*"))
    assert not (desk.root / ".backup").exists()


def test_lost_logs_are_written_again(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    logs = list((desk.root / "dream_logs").glob("*.json"))
    assert len(logs) == 1
    logs[0].unlink()
    desk.sync()
    assert logs[0].exists()
