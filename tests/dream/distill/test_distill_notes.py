"""Lines of hand-written notes: the heading says what a line without verb or subject is."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.distill.rules import Distilled, distill
from slowwave.dream.verify.stage import verify
from slowwave.model import Event, EventKind

MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)


def noted(text: str, heading: str | None, kind: EventKind = "note", **meta: str) -> Distilled:
    """What one block of a note yields."""
    event = Event(
        id="e", space="s", identity="e", ts=MONDAY, role="user", kind=kind, origin="owner",
        text=text, source="test", session="s",
        meta=meta if heading is None else {"heading": heading, **meta},
    )  # fmt: skip
    found = distill([event], UTC)
    assert not verify(found.claims, {event.id: event}).rejected
    return found


@pytest.mark.parametrize(
    ("heading", "text", "kind", "subject"),
    [
        ("Preferences", "Brief replies, tables", "preference", "user"),
        ("Oda > Writing style", "Plain words, British spelling", "preference", "user"),
        ("偏好", "摄氏度，二十四小时制", "preference", "user"),
        ("House rules", "Dates as 2026-03-01", "rule", "agent"),
        ("规矩", "周报：周五下午", "rule", "agent"),
        ("People", "Ines Falk, beekeeper, Lund", "relationship", "Ines Falk"),
        ("家人", "罗敏，护士，住苏州", "relationship", "罗敏"),
        ("About me", "Time zone: Europe/Oslo", "profile", "user"),
        ("关于我", "左撇子，色弱", "profile", "user"),
        ("Stack", "Go, Postgres 16", "environment", "world"),
    ],
)
def test_a_line_is_what_its_heading_says(heading: str, text: str, kind: str, subject: str) -> None:
    (claim,) = noted(text, heading).claims
    assert (claim.kind, claim.subject, claim.text) == (kind, subject, text)


@pytest.mark.parametrize(
    ("heading", "text", "plans"),
    [
        ("TODO", "- [ ] oil the loom by 4 May\n- call the glazier", 2),
        ("待办", "- 给阳台补漏\n- 修自行车", 2),
        ("Next steps", "- [x] paid the mooring fee\n- [ ] varnish the mast", 1),
    ],
)
def test_tasks_are_plans_and_ticked_ones_are_done(heading: str, text: str, plans: int) -> None:
    claims = noted(text, heading).claims
    assert [claim.kind for claim in claims] == ["plan"] * plans
    assert not any("[" in claim.text for claim in claims)


def test_every_bullet_is_a_claim_of_its_own() -> None:
    claims = noted("- Metric units\n- Tea, not coffee", "Likes").claims
    assert [claim.text for claim in claims] == ["Metric units", "Tea, not coffee"]


def test_a_whole_sentence_under_a_heading_is_read_as_one() -> None:
    (claim,) = noted("My sister Ines keeps bees in Lund", "About me").claims
    assert claim.subject == "Ines"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Preferences", "`make fmt`"),
        ("Preferences", "https://example.org/style"),
        ("Preferences", "See also:"),
        ("Preferences", "Which font?"),
        ("TODO", "- [x] paid the mooring fee"),
        ("待办", "- ~~修自行车~~"),
        ("Scratch", "Brief replies, tables"),
        (None, "Brief replies, tables"),
        ("", "Brief replies, tables"),
        ("People", "lots of noise in the hall"),
    ],
)
def test_code_links_done_tasks_and_lines_without_a_telling_heading_stay_out(
    heading: str | None, text: str
) -> None:
    assert not noted(text, heading).claims


def test_a_ticked_task_is_known_by_its_mark() -> None:
    assert not noted("varnish the mast", "TODO", task="done").claims


def test_a_message_has_no_heading() -> None:
    assert not noted("Brief replies, tables", "Preferences", "message").claims
