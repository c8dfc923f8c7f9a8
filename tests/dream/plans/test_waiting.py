"""Nights under review: one waits at a time, overtaken plans are rejected, rejections are kept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from slowwave.errors import AlreadyDecided, DreamError
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Record

Opener = Callable[..., SlowMemory]


@pytest.fixture
def review_at(tmp_path: Path, open_at: Opener) -> Opener:
    """Opens a memory whose plans wait for a person."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    (home / "slowwave.toml").write_text('[dream]\nmode = "review"\n', "utf-8")
    return open_at


def say(memory: SlowMemory, day: str, *texts: str) -> None:
    for number, text in enumerate(texts):
        ts = memory.now().fromisoformat(f"{day}T10:{number:02d}:00+08:00")
        memory.log([Record(text=text, source="me", ts=ts)])


def alive(memory: SlowMemory) -> list[str]:
    return sorted(one.text for one in memory.memories(("active", "candidate")))


def stands(memory: SlowMemory) -> dict[str, str]:
    return {dream.dream_id: dream.status for dream in memory.dreams()}


MOVES = {
    "2026-11-27": "I live in Tampere",
    "2026-11-28": "嗯嗯",
    "2026-11-29": "I moved to Bergen, I live in Bergen now",
    "2026-11-30": "My brother is called Oswin",
}


def test_in_review_mode_one_night_waits_at_a_time(review_at: Opener) -> None:
    memory = review_at("2026-12-01T03:00:00+08:00")
    for day, text in MOVES.items():
        say(memory, day, text)
    assert [dream.date for dream in memory.dream_due()] == ["2026-11-27"]
    assert memory.dream_due() == []
    memory.apply(memory.waiting()[0].dream_id)
    # A night that changes nothing holds up none.
    assert [dream.date for dream in memory.dream_due()] == ["2026-11-28", "2026-11-29"]
    [_, moved] = memory.waiting()
    assert "supersede" in {change.op for change in memory.dream_by_id(moved.dream_id).changes}
    memory.reject(moved.dream_id)
    assert [dream.date for dream in memory.dream_due()] == ["2026-11-30"]
    memory.apply_all()
    assert alive(memory) == ["I live in Tampere", "My brother is called Oswin"]
    assert not memory.due()
    assert not memory.waiting()
    assert not memory.diagnose()


def test_due_nights_are_applied_one_by_one_when_asked(review_at: Opener) -> None:
    memory = review_at("2026-12-01T03:00:00+08:00")
    for day, text in MOVES.items():
        say(memory, day, text)
    made = memory.dream_due(apply=True)
    assert [(dream.date, dream.status) for dream in made] == [(day, "applied") for day in MOVES]
    assert len(alive(memory)) == 2


def backlog(memory: SlowMemory) -> list[Dream]:
    """Plans of several nights, each made against nothing."""
    for day, text in MOVES.items():
        say(memory, day, text)
    return [memory.dream(day) for day in MOVES]


def test_a_backlog_is_applied_oldest_first_each_planned_anew(review_at: Opener) -> None:
    memory = review_at("2026-12-01T03:00:00+08:00")
    plans = backlog(memory)
    told: list[str] = []
    done = memory.apply_all(told=lambda dream: told.append(dream.date))
    assert told == list(MOVES) == [dream.date for dream in done]
    assert alive(memory) == ["I moved to Bergen, I live in Bergen now",
                             "My brother is called Oswin"]  # fmt: skip
    assert not memory.waiting()
    assert set(stands(memory).values()) == {"applied", "rejected"}
    replaced = memory.dream_by_id(plans[2].dream_id)
    assert (replaced.status, replaced.replaced_by) == ("rejected", done[2].dream_id)
    assert memory.apply_all() == []


def test_what_was_left_out_of_a_plan_stays_out_when_it_is_planned_anew(review_at: Opener) -> None:
    memory = review_at("2026-12-01T03:00:00+08:00")
    say(memory, "2026-11-29", "I live in Tampere")
    say(memory, "2026-11-30", "My brother is called Oswin", "我对榛子过敏", "以后周报一律用英文写")
    memory.dream("2026-11-29")
    plan = memory.dream("2026-11-30")
    nuts = next(change for change in plan.changes if "榛子" in change.after.text)
    oswin = next(change for change in plan.changes if "Oswin" in change.after.text)
    memory.approve(plan.dream_id, [nuts.id])
    memory.reject(plan.dream_id, [oswin.id])
    memory.apply_all()
    assert alive(memory) == sorted(["I live in Tampere", nuts.after.text])


def test_plans_of_the_same_events_do_not_wait_side_by_side(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    plans = backlog(memory)
    whole = memory.dream("all")
    assert [plan.dream_id for plan in memory.waiting()] == [whole.dream_id]
    assert "takes the place of 4 plans that waited for 4 events" in whole.warnings[-1]
    assert plans[0].dream_id in whole.warnings[-1]
    again = memory.dream("2026-11-27")
    assert [plan.dream_id for plan in memory.waiting()] == [again.dream_id]
    with pytest.raises(AlreadyDecided, match=again.dream_id):
        memory.apply(whole.dream_id)
    # What only replaced plans had read is due like any other night.
    assert [day.isoformat() for day in memory.due()] == list(MOVES)[1:]


def test_a_dry_run_replaces_nothing_and_tells_what_it_would(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    plans = backlog(memory)
    tried = memory.dream("all", dry_run=True)
    assert "4 events of these are in 4 plans that will be replaced" in tried.warnings[-1]
    assert len(memory.waiting()) == len(plans)


def test_an_applied_dream_rejects_the_plans_whose_events_it_read(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    plan = backlog(memory)[0]
    applied = memory.dream("all", apply=True)
    assert not memory.waiting()
    assert applied.dream_id in memory.dream_by_id(plan.dream_id).reason


def test_plans_a_kill_left_waiting_are_swept_with_the_next_dream(
    open_at: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slowwave.dream.cycle import night as cycle
    from slowwave.dream.plans import waiting

    memory = open_at("2026-12-01T03:00:00+08:00")
    with monkeypatch.context() as patched:
        patched.setattr(waiting, "settle", lambda *_: [])
        patched.setattr(cycle, "settle", lambda *_: [])
        backlog(memory)
        memory.dream("all", apply=True)
    assert len(memory.waiting()) == len(MOVES)
    say(memory, "2026-11-30", "我对榛子过敏")
    memory.dream("2026-11-30", apply=True)
    assert not memory.waiting()


def test_rejecting_a_whole_plan_is_remembered(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    say(memory, "2026-11-30", "I live in Tampere", "My brother is called Oswin")
    plan = memory.dream()
    memory.reject(plan.dream_id)
    for asked in ("yesterday", "2026-11-30"):
        again = memory.dream(asked, apply=True)
        assert (again.dream_id, again.status) == (plan.dream_id, "rejected")
    say(memory, "2026-11-30", "我对榛子过敏")
    for asked in ("yesterday", "all"):
        more = memory.dream(asked)
        marks = {change.after.text: change.approved for change in more.changes}
        assert [marks[change.after.text] for change in plan.changes] == [False, False]
        assert list(marks.values()).count(None) == 1
        assert more.new_entries == 1
    memory.apply(more.dream_id)
    assert [text for text in alive(memory) if "榛子" not in text] == []


def test_again_proposes_what_was_rejected(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    say(memory, "2026-11-30", "I live in Tampere", "My brother is called Oswin")
    plan = memory.dream()
    memory.reject(plan.dream_id)
    again = memory.dream(again=True)
    assert (again.dream_id, again.status) == (plan.dream_id, "planned")
    assert {change.approved for change in again.changes} == {None}
    memory.apply(again.dream_id)
    assert len(alive(memory)) == 2


def test_a_plan_the_gates_refuse_stays_and_stops_no_other(tmp_path: Path, open_at: Opener) -> None:
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    (home / "slowwave.toml").write_text("[dream.gates]\nchanges_per_day = 1\n", "utf-8")
    memory = open_at("2026-12-01T03:00:00+08:00")
    say(memory, "2026-11-29", "I live in Tampere", "My brother is called Oswin")
    say(memory, "2026-11-30", "我对榛子过敏")
    for day in ("2026-11-29", "2026-11-30"):
        memory.dream(day)
    with pytest.raises(DreamError, match="1 of 2 plans were not applied: 2026-11-29"):
        memory.apply_all()
    assert len(alive(memory)) == 1
    assert [plan.status for plan in memory.waiting()] == ["refused"]


def test_status_tells_what_waits(open_at: Opener) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    plans = backlog(memory)
    say(memory, "2026-12-01", "我对榛子过敏")
    report = memory.status()
    assert report.waiting == tuple(plan.dream_id for plan in plans)
    assert (report.waiting_events, report.counts.undreamed_events) == (4, 5)
