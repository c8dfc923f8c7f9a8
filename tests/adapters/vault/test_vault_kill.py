"""Case 56: a kill or a full disk at any step leaves old or new files, and the rerun is the same."""

import errno
import os
import shutil
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from slowwave import review
from slowwave.errors import DiskFull


class Killed(BaseException):
    """The process is gone."""


class Trap:
    """Fails at the n-th step that touches the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> None:
        self.count, self.at, self.error = 0, at, error
        fsync, replace = os.fsync, Path.replace

        def counted_fsync(descriptor: int) -> None:
            self.step()
            fsync(descriptor)

        def counted_replace(path: Path, target: Path) -> Path:
            self.step()
            done = replace(path, target)
            self.step()
            return done

        monkeypatch.setattr(os, "fsync", counted_fsync)
        monkeypatch.setattr(Path, "replace", counted_replace)

    def step(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise self.error


def prepare(desk) -> None:
    desk.root.mkdir(exist_ok=True)
    desk.page.write_text("# Mine\n\nmy own words\n", encoding="utf-8")
    desk.dream("The boiler is from 1990", "The roof leaks", "Wanda feeds the hens")
    desk.sync()
    desk.now += timedelta(days=1)
    desk.dream("The gate squeaks")
    review.demote(desk.store, desk.by(), desk.memory("The roof leaks").id)
    desk.now += timedelta(hours=1)
    review.edit(
        desk.store, desk.by(), desk.memory("Wanda feeds the hens").id, "Otto feeds the hens"
    )


def whole(tree: dict[str, bytes], *allowed: dict[str, bytes]) -> None:
    for name, body in tree.items():
        if name.endswith(".tmp"):
            continue
        assert any(body == one.get(name) for one in allowed), name


@pytest.mark.parametrize("error", [Killed(), OSError(errno.ENOSPC, "No space left on device")])
def test_at_every_step(
    desk, error: BaseException, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prepare(desk)
    before = desk.tree()
    saved = tmp_path / "saved"
    shutil.copytree(desk.root, saved)
    with monkeypatch.context() as patch:
        trap = Trap(patch, 10**9, error)
        desk.sync()
    after, steps = desk.tree(), trap.count
    assert after != before
    assert steps > 12
    for at in range(1, steps + 1):
        shutil.rmtree(desk.root)
        shutil.copytree(saved, desk.root)
        with monkeypatch.context() as patch:
            Trap(patch, at, error)
            # What only follows a rename (its folder's fsync) may fail without harm.
            with suppress(Killed, DiskFull):
                desk.sync()
        whole(desk.tree(), before, after)
        assert not desk.sync().conflicts
        assert {
            name: body for name, body in desk.tree().items() if not name.endswith(".tmp")
        } == after
        assert desk.sync().in_step
