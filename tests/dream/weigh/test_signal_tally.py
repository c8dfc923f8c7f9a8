"""Sightings, recalls and what is found again are counted on one unit: the memory."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from slowwave.dream.weigh.tally import Tally, gather, merged, score_of
from slowwave.model import Event, Evidence, Memory, PhaseHit, Signal
from slowwave.testing import samples

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2031, 3, 20, 3, tzinfo=ZONE)
TEXT = "The pottery kiln wants eleven hours"


def said(number: int, days_ago: int, **fields: Any) -> Event:
    ts = NOW - timedelta(days=days_ago)
    return samples.event(TEXT, identity=f"i{number}", id=f"e{number}", ts=ts, **fields)


def quoting(*events: Event) -> Memory:
    spans = tuple(
        Evidence(event_id=event.id, quote=TEXT, start=0, end=len(TEXT), ts=event.ts)
        for event in events
    )
    return samples.memory(TEXT, id="m1", status="candidate", evidence=spans)


def asked(query: str, days_ago: int, score: float = 0.9) -> Signal:
    return Signal(memory_id="m1", ts=NOW - timedelta(days=days_ago), query_hash=query, score=score)


def tally_of(
    events: list[Event],
    signals: list[Signal] | None = None,
    hits: list[PhaseHit] | None = None,
    journal: list[Event] | None = None,
) -> Tally:
    live = events if journal is None else journal
    return gather(
        [quoting(*events)], signals or [], hits or [], {event.id: event for event in live}, ZONE
    )["m1"]


def test_three_sightings_and_three_recalls_add_up() -> None:
    notes = [said(number, days_ago, kind="note") for number, days_ago in enumerate((6, 4, 2))]
    tally = tally_of(notes, [asked("a", 2), asked("b", 1), asked("c", 1)])
    assert (tally.recalls, tally.sightings, tally.grounded, tally.signals) == (3, 3, 3, 9)
    assert tally.total == pytest.approx(3 * 0.9 + 6 * 0.62)
    assert len(tally.queries) == 3
    assert sorted(tally.days) == [date(2031, 3, day) for day in (14, 16, 18, 19)]


def test_a_note_counts_more_than_a_line_of_a_session() -> None:
    assert tally_of([said(1, 1, kind="note")]).average == pytest.approx(0.62)
    assert tally_of([said(1, 1)]).average == pytest.approx(0.58)
    both = tally_of([said(1, 1), said(2, 1, kind="note")])
    assert (both.sightings, both.grounded) == (1, 2)
    assert both.total == pytest.approx(0.62 + 0.58 + 0.62)


def test_two_quotes_of_one_message_are_one_sighting() -> None:
    event = said(1, 1)
    memory = quoting(event, event)
    tally = gather([memory], [], [], {event.id: event}, ZONE)["m1"]
    assert (tally.sightings, tally.grounded) == (1, 1)


def test_days_are_the_users_days() -> None:
    late = samples.event(TEXT, identity="1", id="e1", ts=datetime(2031, 3, 14, 15, 30, tzinfo=ZONE))
    next_utc = samples.event(
        TEXT, identity="2", id="e2", ts=datetime(2031, 3, 15, 0, 30, tzinfo=ZONE)
    )
    assert tally_of([late, next_utc]).sightings == 2


@pytest.mark.parametrize(
    "journal",
    [
        [],
        [samples.event("The pottery kiln wants twelve hours", identity="i1", id="e1")],
        [samples.event(TEXT, identity="i1", id="e1", origin="recalled")],
        [samples.event(TEXT, identity="i1", id="e1", origin="external")],
        [samples.event(TEXT, identity="i1", id="e1", origin="tool")],
    ],
)
def test_what_is_gone_changed_or_came_from_elsewhere_counts_for_nothing(
    journal: list[Event],
) -> None:
    tally = tally_of([said(1, 1)], journal=journal)
    assert (tally.sightings, tally.grounded, tally.total) == (0, 0, 0.0)


def test_recalls_that_nobody_asked_for_count_for_nothing() -> None:
    tally = tally_of([said(1, 1)], [asked("", 0), asked("", 0), asked("a", 0)])
    assert (tally.recalls, len(tally.queries)) == (1, 1)


def test_phase_hits_are_counted_with_their_last_day() -> None:
    hits = [
        PhaseHit("m1", "light", NOW - timedelta(days=3)),
        PhaseHit("m1", "light", NOW - timedelta(days=2)),
        PhaseHit("m1", "rem", NOW - timedelta(days=3)),
        PhaseHit("m9", "rem", NOW),
    ]
    tally = tally_of([said(1, 1)], hits=hits)
    assert (tally.light, tally.lit) == (2, date(2031, 3, 18))
    assert (tally.rem, tally.dreamt) == (1, date(2031, 3, 17))
    tonight = tally.considered("rem", date(2031, 3, 20))
    assert (tonight.rem, tonight.dreamt, tonight.light) == (2, date(2031, 3, 20), 2)
    plain, lifted = score_of(tally_of([said(1, 1)]), NOW.date()), score_of(tonight, NOW.date())
    assert lifted.total - plain.total == pytest.approx(lifted.light + lifted.rem)
    assert 0 < lifted.light < 0.06
    assert 0 < lifted.rem < 0.09


def test_a_merge_keeps_the_larger_counts_and_all_questions_and_days() -> None:
    one = Tally(recalls=3, sightings=1, total=2.5, best=0.9, queries=frozenset("ab"),
                recall_days=frozenset({date(2031, 3, 1)}), tags=2)  # fmt: skip
    other = Tally(recalls=1, sightings=4, total=2.0, best=0.95, queries=frozenset("bc"),
                  seen_days=frozenset({date(2031, 3, 2)}), tags=5)  # fmt: skip
    both = merged(one, other)
    assert both == merged(other, one)
    assert (both.recalls, both.sightings, both.best, both.tags) == (3, 4, 0.95, 5)
    assert both.queries == frozenset("abc")
    assert both.days == {date(2031, 3, 1), date(2031, 3, 2)}
