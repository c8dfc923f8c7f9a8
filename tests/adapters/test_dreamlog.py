"""Dream logs: whole files, one per night, old ones dropped."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from slowwave.adapters.dreamlog import FolderDreamLog
from slowwave.adapters.files import replace_file
from slowwave.dream.cycle.failure import recorded
from slowwave.errors import DiskFull, DreamError, SlowwaveError, StoreError, UsageError
from slowwave.model import Dream
from slowwave.ports import Failure


def dream(day: str, dream_id: str = "d1", run: str = "2026-05-02") -> Dream:
    return Dream(dream_id=dream_id, space="s", mode="apply", date=day, status="applied",
                 run_at=datetime.fromisoformat(f"{run}T03:00:00").replace(tzinfo=UTC))  # fmt: skip


def test_one_file_per_night(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path / "logs", 30)
    log.write(dream("2026-05-01"))
    log.write(dream("2026-05-01"))
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["2026-05-01.json"]
    assert msgspec.json.decode((tmp_path / "logs/2026-05-01.json").read_bytes())["dream_id"] == "d1"


def test_a_night_dreamed_again_keeps_both(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path, 30)
    log.write(dream("2026-05-01"))
    log.write(dream("2026-05-01", "d2"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "2026-05-01.d2.json",
        "2026-05-01.json",
    ]


def test_all_is_named_by_its_run(tmp_path: Path) -> None:
    FolderDreamLog(tmp_path, 30).write(dream("all"))
    assert (tmp_path / "2026-05-02.json").exists()


def test_old_logs_go_other_files_stay(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path, 30)
    log.write(dream("2026-03-01", run="2026-03-02"))
    (tmp_path / "mine.json").write_text("{}")
    log.write(dream("2026-05-01"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2026-05-01.json", "mine.json"]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.json"
    replace_file(target, b"old")

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_full_disk_and_a_closed_folder_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot write") as refused:
        FolderDreamLog(tmp_path / "file" / "logs", 30).write(dream("2026-05-01"))
    assert not isinstance(refused.value, DiskFull)

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DiskFull, match="No space"):
        FolderDreamLog(tmp_path / "logs", 30).write(dream("2026-05-01"))
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_failed_dream_leaves_a_record(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path, 30)
    for day, run in (("2026-03-01", "2026-03-02"), ("2026-05-01", "2026-05-02")):
        log.failed(
            Failure(
                date=day, run_at=datetime.fromisoformat(f"{run}T03:00:05+00:00"), error="DiskFull",
                message="no room", hint="free some",
            )
        )  # fmt: skip
    assert [path.name for path in (tmp_path / "error").iterdir()] == ["2026-05-01.030005.json"]
    kept = msgspec.json.decode((tmp_path / "error/2026-05-01.030005.json").read_bytes())
    assert (kept["error"], kept["message"], kept["hint"]) == ("DiskFull", "no room", "free some")


def test_it_knows_which_logs_are_there(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path, 30)
    first, again = dream("2026-05-01"), dream("2026-05-01", "d2")
    assert not log.has(first)
    log.write(first)
    log.write(again)
    assert log.has(first)
    assert log.has(again)
    assert not log.has(dream("2026-05-01", "d3"))
    # Older than what is kept: not missing.
    assert log.has(dream("2026-01-01", "d0"))
    (tmp_path / "2026-05-01.json").write_text("damaged")
    assert not log.has(first)


def test_a_dream_that_fails_is_recorded(tmp_path: Path) -> None:
    log = FolderDreamLog(tmp_path, 30)
    now = datetime(2026, 5, 2, 3, tzinfo=UTC)
    for dry, error in ((False, StoreError("no way", "try")), (False, ValueError("a bug")),
                       (True, StoreError("dry")), (False, UsageError("bad day"))):  # fmt: skip
        told = type(error) if isinstance(error, SlowwaveError) else DreamError
        with pytest.raises(told), recorded(log, "2026-05-01", now, dry=dry):
            raise error
        now = now.replace(second=now.second + 1)
    found = [
        msgspec.json.decode(path.read_bytes()) for path in sorted((tmp_path / "error").iterdir())
    ]
    assert [one["message"] for one in found] == ["no way", "a bug"]
