"""A whole night: plan, dry run, apply, apply in part, resume, repeat."""

import hashlib
from datetime import datetime
from pathlib import Path

import pytest

from slowwave.errors import AlreadyDecided, UsageError
from slowwave.model import Record


def fill(memory) -> None:
    lines = ["我对花生过敏", "以后报告一律用 PDF", "I live in Ghent", "哈哈", "我下周二飞杭州"]
    memory.log(
        Record(
            text=line,
            source="t",
            session="s",
            ts=datetime.fromisoformat(f"2026-11-30T10:0{number}:00+08:00"),
        )
        for number, line in enumerate(lines)
    )


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


def test_a_plan_changes_nothing_until_it_is_applied(open_at) -> None:
    memory = open_at()
    fill(memory)
    plan = memory.dream()
    assert plan.status == "planned"
    assert plan.changes
    assert not memory.memories()
    applied = memory.apply(plan.dream_id)
    assert applied.status == "applied"
    assert {one.id for one in memory.memories()} == {change.memory_id for change in plan.changes}
    with pytest.raises(AlreadyDecided):
        memory.apply(plan.dream_id)


def test_a_dry_run_stores_nothing(open_at, tmp_path: Path) -> None:
    memory = open_at()
    fill(memory)
    memory.close()
    memory = open_at()
    before = tree(tmp_path)
    made = memory.dream(dry_run=True)
    assert made.changes
    assert not memory.dreams()
    memory.close()
    assert tree(tmp_path) == before


def test_the_same_night_gives_the_same_plan_byte_for_byte(open_at) -> None:
    import msgspec

    memory = open_at()
    fill(memory)
    plans = [memory.dream(dry_run=True) for _ in range(3)]
    assert len({msgspec.json.encode(plan.changes) for plan in plans}) == 1


def test_each_event_is_dreamed_once(open_at) -> None:
    memory = open_at()
    fill(memory)
    assert memory.dream(apply=True).input_events == 5
    again = memory.dream(apply=True)
    assert again.input_events == 0
    assert again.status == "nothing_to_do"


def test_apply_only_some_changes(open_at) -> None:
    memory = open_at()
    fill(memory)
    plan = memory.dream()
    chosen = plan.changes[0]
    applied = memory.apply(plan.dream_id, [chosen.id])
    assert [one.id for one in memory.memories()] == [chosen.memory_id]
    assert [change.id for change in applied.changes if change.approved] == [chosen.id]


def test_an_unknown_change_is_refused(open_at) -> None:
    memory = open_at()
    fill(memory)
    plan = memory.dream()
    with pytest.raises(UsageError):
        memory.apply(plan.dream_id, ["cnone"])
    assert not memory.memories()


def test_a_plan_that_another_took_the_place_of_is_refused(open_at) -> None:
    memory = open_at()
    fill(memory)
    first = memory.dream("2026-11-30")
    second = memory.dream("all")
    with pytest.raises(AlreadyDecided, match=second.dream_id):
        memory.apply(first.dream_id)
    assert memory.apply(second.dream_id).status == "applied"


def test_every_dream_leaves_a_log(open_at, tmp_path: Path) -> None:
    import msgspec

    memory = open_at()
    fill(memory)
    memory.dream(apply=True)
    log = msgspec.json.decode((tmp_path / "home/vault/dream_logs/2026-11-30.json").read_bytes())
    for field in (
        "date", "run_at", "input_events", "extracted_items", "new_entries", "updated_entries",
        "merged_entries", "archived_entries", "duration_sec", "model_used",
    ):  # fmt: skip
        assert field in log


def test_a_killed_dream_goes_on_and_does_not_read_the_log_again(
    open_at, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slowwave.dream.cycle import distill as cycle_distill
    from slowwave.dream.cycle import night as cycle

    memory = open_at()
    fill(memory)
    undisturbed = memory.dream(dry_run=True)

    def crash(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cycle, "verify", crash)
        with pytest.raises(KeyboardInterrupt):
            memory.dream()
    with monkeypatch.context() as patch:
        patch.setattr(cycle, "collect", crash)
        patch.setattr(cycle_distill, "distill_by_rules", crash)
        resumed = memory.dream()
    assert resumed.changes == undisturbed.changes
