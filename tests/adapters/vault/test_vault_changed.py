"""After a night only what changed is brought in step, and the files are as if all had been."""

import json
import os
import random
import re
from datetime import timedelta
from pathlib import Path

import pytest

from slowwave import ledger, review
from slowwave.adapters.vault import archive
from slowwave.adapters.vault.state import NAME
from slowwave.erasure.search import Target, find_all
from slowwave.model import Memory

SPACE = "alder"


@pytest.fixture
def desk(make_desk):
    return make_desk(whole=False)


def test_nothing_is_opened_or_asked_for_what_did_not_change(
    desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = desk.dream("The boiler is from 1990", "The roof leaks", "Wanda feeds the hens")
    review.demote(desk.store, desk.by(), kept[1].id)
    desk.sync()
    opened: list[str] = []
    asked: list[str] = []
    read, versions = archive.read, desk.store.versions

    def noted(path: Path) -> bytes | None:
        opened.append(path.name)
        return read(path)

    monkeypatch.setattr(archive, "read", noted)
    monkeypatch.setattr(
        desk.store, "versions", lambda space, key, *n: asked.append(key) or versions(space, key, *n)
    )
    assert desk.sync().in_step
    assert (opened, asked) == ([], [])
    [new] = desk.dream("The gate squeaks")
    assert desk.sync().written[0].endswith(f"{new.id}.md")
    assert all(name.endswith(f"{new.id}.md") for name in opened)
    assert set(asked) == {new.id}


def test_an_edit_that_keeps_size_and_time_is_seen(desk) -> None:
    [memory] = desk.dream("The boiler is from 1990")
    desk.sync()
    path = desk.entry(memory)
    before = path.stat()
    desk.edit("- The boiler is from 1990", "- The boiler is from 1991", path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert [one.what for one in desk.sync().imported] == ["edited"]
    assert "1991" in desk.text()


def test_a_deleted_file_of_a_cold_memory_comes_back(desk) -> None:
    [memory] = desk.dream("The roof leaks")
    cold = review.demote(desk.store, desk.by(), memory.id)
    assert cold.changes[0].after.status == "cold"
    desk.sync()
    path = desk.entry(memory)
    body = path.read_bytes()
    path.unlink()
    desk.sync()
    assert path.read_bytes() == body
    assert desk.sync().in_step


def test_what_was_rolled_back_leaves_the_archive(desk) -> None:
    [memory] = desk.dream("The roof leaks")
    desk.dream("The gate squeaks")
    desk.sync()
    night = desk.store.dream(SPACE, memory.dream_id)
    assert night is not None
    ledger.rollback(desk.store, night, desk.now)
    desk.sync()
    assert not list(desk.root.glob(f"**/*{memory.id}*"))
    assert desk.sync(dry=True).in_step


def test_a_file_that_is_in_the_way_is_tried_again(desk) -> None:
    [memory] = desk.dream("The roof leaks")
    desk.sync()
    path = desk.entry(memory)
    (desk.root / NAME).unlink()
    path.write_text("somebody's own notes", encoding="utf-8")
    desk.sync()
    assert [clash.memory_id for clash in desk.sync().conflicts] == [memory.id]
    path.unlink()
    assert not desk.sync().conflicts
    assert "The roof leaks" in path.read_text(encoding="utf-8")


def test_what_was_forgotten_elsewhere_leaves_the_archive(desk) -> None:
    kept, gone = desk.dream("The roof leaks", "The code is 4471")
    desk.sync()
    target = Target(memory_ids=frozenset({gone.id}))
    desk.store.erase(find_all(desk.store, SPACE, target, desk.now).purge)
    desk.sync()
    assert not list(desk.root.glob(f"**/*{gone.id}*"))
    assert desk.entry(kept).exists()
    assert desk.sync(dry=True).in_step


def test_a_state_of_an_older_program_is_understood(desk) -> None:
    active, past = desk.dream("The boiler is from 1990", "The roof leaks")
    desk.sync()
    review.demote(desk.store, desk.by(), past.id)
    desk.store.memories_by_id(SPACE, [past.id])
    desk.sync()
    before = desk.tree()
    state = json.loads((desk.root / NAME).read_bytes())
    for memory_id, version in state.pop("gone", {}).items():
        state["entries"][memory_id] = {"path": "", "version": version, "stat": [0, 0, 0]}
    del state["mark"]
    (desk.root / NAME).write_text(json.dumps(state), encoding="utf-8")
    assert desk.sync().in_step
    assert desk.tree() == before
    desk.edit("- The boiler is from 1990", "- The boiler is from 1992", desk.entry(active))
    assert len(desk.sync().imported) == 1


OPS = ("dream", "demote", "restore", "edit", "file", "page", "delete", "rollback", "nothing")


def _live(desk, op: str, chance: random.Random, number: int) -> None:
    """One thing that happens; the same on every desk, given the same chance."""
    known = [one for one in desk.store.memories(SPACE) if not one.undone]
    cold = [one for one in known if one.status == "cold"]
    active = [one for one in known if one.status == "active"]
    if op == "dream":
        desk.dream(*(f"Thing {number}.{part} is blue" for part in range(chance.randint(1, 3))))
    elif op == "restore" and cold:
        review.restore(desk.store, desk.by(), chance.choice(cold).id)
    elif op == "rollback":
        heads = [night for night in desk.store.dreams(SPACE) if night.dream_id.startswith("dnight")]
        night = desk.store.dream(SPACE, chance.choice(heads).dream_id)
        if night.status == "applied":
            ledger.rollback(desk.store, night, desk.now)
    elif active:
        _touch(desk, op, chance.choice(active), number)


def _touch(desk, op: str, one: Memory, number: int) -> None:
    """What a person does to one memory, by command or in its files."""
    files = list(desk.root.glob(f"*/*/*{one.id}.md"))
    bullet = f"- {one.text}\n"
    if op == "demote":
        review.demote(desk.store, desk.by(), one.id)
    elif op == "edit":
        review.edit(desk.store, desk.by(), one.id, f"{one.text} and {number}")
    elif op == "page" and bullet in desk.text():
        desk.edit(bullet, f"- {one.text} or {number}\n")
    elif op == "delete" and files:
        files[0].unlink()
    elif op == "file" and files and bullet in files[0].read_text("utf-8"):
        desk.edit(bullet, f"- {one.text} but {number}\n\n", files[0])


def _told(desk) -> list[tuple[str, str, int]]:
    return [(one.text, one.status, one.version) for one in desk.store.memories(SPACE)]


def _tree(desk) -> dict[str, bytes]:
    """The files without the ids of events by hand, which are never the same twice."""
    ids = re.compile(rb"\be[a-z0-9]{12,13}\b|(?<=begin )[0-9a-f]{12}")
    return {name: ids.sub(b"", body) for name, body in desk.tree().items()}


@pytest.mark.parametrize("seed", range(12))
def test_the_files_are_as_if_all_had_been_looked_at(seed: int, make_desk, tmp_path: Path) -> None:
    desks = [make_desk(root=tmp_path / "all"), make_desk(root=tmp_path / "some", whole=False)]
    ops = random.Random(seed).choices(OPS, k=24)
    for number, op in enumerate(("dream", "nothing", *ops)):
        for one in desks:
            _live(one, op, random.Random(f"{seed} {number}"), number)
            one.now += timedelta(hours=7)
            if number % 3:
                one.sync()
        assert _told(desks[0]) == _told(desks[1])
    for one in desks:
        one.sync()
    assert _tree(desks[1]) == _tree(desks[0])
    assert desks[1].sync(dry=True).in_step
