"""What a trial says, from a ledger that is written down here."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave import trial
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import NotFound
from slowwave.model import Event, Hit, InjectedItem, Injection, Verdict

SPACE = "test"
NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


def item(name: str, score: float, verdict: Verdict = "", **given: Any) -> InjectedItem:
    return InjectedItem(id=name, score=score, verdict=verdict, **given)


def entry(
    number: int, items: list[InjectedItem], passed: list[InjectedItem] | None = None, **given: Any
) -> Injection:
    fields: dict[str, Any] = {
        "id": f"i{number}", "ts": NOW + timedelta(hours=number), "query": f"question {number}",
        "items": tuple(items), "passed": tuple(passed or ()), "threshold": 0.4, "trial": True,
        "tokens": 50 * len(items), "took_ms": 10.0 + number,
    }  # fmt: skip
    return Injection(**{**fields, **given})


def judged_world(right: list[float], wrong: list[float]) -> list[Injection]:
    """One question for each item, judged."""
    told: list[tuple[float, Verdict]] = [(score, "right") for score in right]
    told += [(score, "wrong") for score in wrong]
    entries = []
    for number, (score, verdict) in enumerate(told):
        one = item(f"m{number}", score, verdict)
        over, below = ([one], []) if score >= 0.4 else ([], [one])
        entries.append(entry(number, over, below))
    return entries


# whether it runs


def test_a_trial_runs_for_its_days_and_is_undone_by_stopping() -> None:
    store = InMemoryStore()
    assert trial.standing(store, SPACE) is None
    begun = trial.begin(store, SPACE, NOW, 7)
    assert begun.until == NOW + timedelta(days=7)
    assert trial.running(store, SPACE, NOW + timedelta(days=6.9)) == begun
    assert trial.running(store, SPACE, NOW + timedelta(days=7)) is None
    # A clock that was set back does not let anything into a prompt.
    assert trial.running(store, SPACE, NOW - timedelta(days=3)) == begun
    assert trial.running(store, "other", NOW) is None
    longer = trial.begin(store, SPACE, NOW + timedelta(days=1), 9)
    assert (longer.started, longer.until) == (NOW, NOW + timedelta(days=10))
    ended = trial.end(store, SPACE, NOW + timedelta(days=2))
    assert ended is not None
    assert ended.until == NOW + timedelta(days=2)
    assert trial.running(store, SPACE, NOW + timedelta(days=2)) is None
    assert trial.end(store, SPACE, NOW + timedelta(days=2)) is None
    assert trial.running(store, SPACE, NOW + timedelta(days=1)) is None
    assert trial.standing(store, SPACE) == ended
    again = trial.begin(store, SPACE, NOW + timedelta(days=3), 1)
    assert again.started == NOW + timedelta(days=3)


# what would be in


def hit(name: str, score: float) -> Hit:
    return Hit(id=name, type="event", kind="message", text=name, score=score, ts=NOW)


def test_the_threshold_splits_what_was_found() -> None:
    scores = [0.9, 0.4, 0.39, 0.35, 0.3, 0.25, 0.22, 0.21, 0.19]
    over, passed = trial.split([hit(f"e{score}", score) for score in scores], 0.4)
    assert [one.id for one in over] == ["e0.9", "e0.4"]
    assert [one.score for one in passed] == [0.39, 0.35, 0.3, 0.25, 0.22]
    assert {one.type for one in passed} == {"event"}
    assert trial.split([hit("e", 0.19)], 0.4) == ([], ())


# judging


def test_only_what_a_threshold_decides_on_is_judged() -> None:
    known = trial.samples(
        [entry(1, [item("a", 0.9), item("b", 1.0, layer="profile"), item("c", 1, type="work",
                                                                         layer="working")])]
    )  # fmt: skip
    assert [one.item.id for one in known] == ["a", "b"]
    assert trial.samples([entry(2, [item("b", 1.0, layer="profile")], query=" ")]) == []


def test_a_question_that_was_asked_twice_is_judged_once() -> None:
    first = entry(1, [item("a", 0.9)], query="Where is the ladder?")
    again = entry(2, [item("a", 0.8, "right")], query="where is  the LADDER?")
    (known,) = trial.samples([first, again])
    assert known.item.verdict == "right"
    assert trial.queue([known]) == []


def test_the_queue_takes_turns_over_and_below_the_threshold() -> None:
    entries = [
        entry(number, [item(f"a{number}", 0.8)], [item(f"b{number}", 0.3)]) for number in range(20)
    ]
    waiting = trial.queue(trial.samples(entries))
    assert len(waiting) == 40
    assert [one.injected for one in waiting[:6]] == [True, False] * 3
    assert waiting == trial.queue(trial.samples(entries))
    # Not in the order of asking: a few of them must stand for all.
    assert [one.item.id for one in waiting[::2]] != [f"a{number}" for number in range(20)]
    only_over = [msgspec.structs.replace(one, passed=()) for one in entries]
    assert len(trial.queue(trial.samples(only_over))) == 20


def test_a_verdict_is_kept_where_it_was_given() -> None:
    one = entry(1, [item("a", 0.9), item("c", 0.7)], [item("b", 0.3)])
    told = trial.judged(trial.judged(one, "a", "right"), "b", "wrong")
    assert [each.verdict for each in (*told.items, *told.passed)] == ["right", "", "wrong"]
    assert trial.judged(told, "a", "") .items[0].verdict == ""  # fmt: skip


def test_a_sample_is_named_by_the_beginning_of_its_id() -> None:
    known = trial.samples([entry(n, [item(f"m{n}", 0.9)]) for n in range(30)])
    assert trial.one_of(known, known[3].id) == known[3]
    for prefix in ("", "j", "nothing"):
        with pytest.raises(NotFound):
            trial.one_of(known, prefix)


# rates


@given(st.integers(0, 60), st.integers(1, 60))
@settings(max_examples=100, deadline=None)
def test_the_interval_holds_the_share(hits: int, more: int) -> None:
    n = hits + more
    low, high = trial.wilson(hits / n, n)
    assert 0 <= low <= hits / n <= high <= 1
    wider_low, wider_high = trial.wilson(hits / n, n / 2)
    assert wider_low <= low
    assert high <= wider_high


def test_wilson_is_wilsons() -> None:
    # Newcombe (1998), table I: 81 of 263, and 0 of 20.
    assert trial.wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert trial.wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_rates_of_what_was_judged_whole() -> None:
    known = trial.samples(judged_world([0.9, 0.8, 0.7, 0.3], [0.5, 0.35, 0.25]))
    found = trial.rates(known, 0.4)
    assert found.hit is not None
    assert found.false_recall is not None
    assert (found.hit.rate, found.hit.n) == (0.75, 4)
    assert (found.false_recall.rate, found.false_recall.n) == (0.25, 4)
    strict = trial.rates(known, 0.75)
    assert (strict.hit and strict.hit.rate, strict.false_recall and strict.false_recall.rate) == (
        0.5,
        0.0,
    )


def test_few_judged_ones_stand_for_all_of_their_group() -> None:
    """Of 80 items over the threshold 4 were judged, of 20 below it 4: they weigh 20 and 5."""
    over = [item(f"a{n}", 0.8, ("right", "right", "right", "wrong")[n] if n < 4 else "")
            for n in range(80)]  # fmt: skip
    below = [item(f"b{n}", 0.3, ("right", "wrong", "wrong", "wrong")[n] if n < 4 else "")
             for n in range(20)]  # fmt: skip
    found = trial.rates(trial.samples([entry(1, over, below)]), 0.4)
    assert found.hit is not None
    assert found.hit.rate == pytest.approx(60 / 65, abs=1e-4)
    assert found.false_recall is not None
    assert found.false_recall.rate == 0.25


def test_what_nobody_judged_is_not_known() -> None:
    known = trial.samples([entry(1, [item("a", 0.8, "right")], [item("b", 0.3)])])
    assert trial.rates(known, 0.4).hit is None
    assert trial.rates(known, 0.4).false_recall is not None
    assert trial.rates(known, 0.2).false_recall is None
    assert trial.rates([], 0.4) == trial.Rates(None, None)


# a threshold


def test_too_few_verdicts_suggest_nothing() -> None:
    entries = judged_world([0.9, 0.8], [0.3] * 12)
    found = trial.suggest(entries, trial.samples(entries), 0.4)
    assert (found.more_right, found.more_wrong, found.after) == (8, 0, None)
    assert (found.before.answered, found.before.items) == (2, 2)


def test_the_threshold_goes_between_right_and_wrong() -> None:
    """All right ones from 0.46 on, all wrong ones up to 0.44: 0.4 lets some wrong ones in."""
    right = [0.46 + place / 100 for place in range(20)]
    wrong = [0.25 + place / 100 for place in range(20)]
    entries = judged_world(right, wrong)
    found = trial.suggest(entries, trial.samples(entries), 0.4, 0.05)
    assert found.after is not None
    assert found.kept
    assert 0.44 < found.after.threshold <= 0.46
    assert found.after.rates.hit is not None
    assert found.after.rates.hit.rate == 1.0
    assert found.after.items == 20 < found.before.items == 25


def test_a_lower_threshold_is_suggested_where_right_ones_are_missed() -> None:
    right = [0.3 + place / 50 for place in range(20)]
    wrong = [0.21 + place / 200 for place in range(12)]
    entries = judged_world(right, wrong)
    found = trial.suggest(entries, trial.samples(entries), 0.4, 0.05)
    assert found.after is not None
    assert 0.26 < found.after.threshold <= 0.3
    assert found.after.answered == 20 > found.before.answered


def test_nobody_changes_a_setting_for_nothing() -> None:
    entries = judged_world([0.5 + place / 50 for place in range(15)], [0.3] * 15)
    found = trial.suggest(entries, trial.samples(entries), 0.4)
    assert found.after == found.before
    assert found.kept


def test_where_no_threshold_is_good_the_least_bad_is_told_as_such() -> None:
    scores = [0.3 + place / 40 for place in range(20)]
    entries = judged_world(scores, [score + 0.001 for score in scores])
    found = trial.suggest(entries, trial.samples(entries), 0.4, 0.01)
    assert found.after is not None
    assert not found.kept


verdict_scores = st.lists(st.integers(20, 100).map(lambda n: n / 100), min_size=10, max_size=25)


@given(verdict_scores, verdict_scores, st.sampled_from([0.05, 0.1, 0.3]))
@settings(max_examples=60, deadline=None)
def test_no_other_threshold_that_keeps_the_limit_hits_more(
    right: list[float], wrong: list[float], limit: float
) -> None:
    entries = judged_world(right, wrong)
    known = trial.samples(entries)
    found = trial.suggest(entries, known, 0.4, limit)
    assert found.after is not None
    taken = found.after.rates
    if not found.kept:
        return
    assert taken.hit is not None
    assert taken.false_recall is not None
    assert taken.false_recall.rate <= limit
    for score in {*right, *wrong}:
        other = trial.rates(known, score)
        if other.false_recall and other.hit and other.false_recall.rate <= limit:
            assert other.hit.rate <= taken.hit.rate


# the report


def test_the_report_counts_by_the_users_days() -> None:
    entries = [
        entry(0, [item("a", 0.9), item("p", 1, layer="working")]),
        entry(1, [], [item("b", 0.3)], caller="evaluation"),
        entry(30, [item("a", 0.5), item("c", 0.6)]),
    ]
    made = trial.report(entries, 0.4, UTC, 0.1)
    assert (made.questions, made.replayed, made.answered) == (3, 1, 2)
    assert (made.items, made.passed, made.waiting) == (3, 1, 4)
    assert made.tokens == 100
    assert made.took_ms == (11.0, 40.0)
    assert [(day.questions, day.answered) for day in made.days] == [(2, 1), (1, 1)]
    assert [day.day.isoformat() for day in made.days] == ["2026-05-04", "2026-05-05"]
    assert made.rates == trial.Rates(None, None)
    empty = trial.report([], 0.4, UTC, 0.1)
    assert (empty.questions, empty.days, empty.took_ms) == (0, (), (0.0, 0.0))


# replaying


def event(number: int, text: str, **given: Any) -> Event:
    fields: dict[str, Any] = {
        "id": f"e{number}", "space": SPACE, "identity": str(number), "role": "user",
        "ts": NOW + timedelta(minutes=number), "kind": "message", "origin": "owner", "text": text,
        "source": "test", "session": "s",
    }  # fmt: skip
    return Event(**{**fields, **given})


def test_the_users_own_messages_are_the_questions() -> None:
    said = [
        event(1, "where is the ladder"),
        event(2, "behind the shed", role="assistant", origin="agent"),
        event(3, "ok"),
        event(4, "my ladder is red", origin="other"),
        event(5, "call: find ladder", kind="tool_call", origin="tool"),
        event(6, "who borrowed it"),
    ]
    asked = trial.questions(said, lambda text: text != "ok", [], 10)
    assert [one.id for one in asked] == ["e1", "e6"]


def test_what_was_asked_live_is_not_replayed() -> None:
    said = [event(1, "where is the ladder"), event(90, "where is the ladder")]
    live = entry(0, [], query="where is the ladder")
    assert [one.id for one in trial.questions(said, bool, [live], 9)] == ["e90"]
    replayed = msgspec.structs.replace(live, caller="evaluation")
    assert len(trial.questions(said, bool, [replayed], 9)) == 2


def test_of_many_questions_some_are_asked_evenly_spread() -> None:
    said = [event(number, f"question {number}") for number in range(100)]
    asked = trial.questions(said, bool, [], 10)
    assert [one.id for one in asked] == [f"e{number}" for number in range(0, 100, 10)]


def test_a_trial_that_cannot_be_read_is_none() -> None:
    for payload in (b"{{{", b'{"on": true}', b"[]", b"\xff"):
        store = InMemoryStore()
        store.put_stage("alder", "", "trial", payload)
        assert trial.standing(store, "alder") is None
