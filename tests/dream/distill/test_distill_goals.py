"""Goals inside requests: the goal is kept word for word; the request and the job are not."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.distill.rules import Distilled, distill
from slowwave.dream.verify.stage import verify
from slowwave.model import Claim, Event, Origin

MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)


def told(text: str, origin: Origin = "owner") -> Distilled:
    """What one message yields."""
    event = Event(
        id="e", space="s", identity="e", ts=MONDAY, role="user", kind="message",
        origin=origin, text=text, source="test", session="s",
    )  # fmt: skip
    found = distill([event], UTC)
    assert not verify(found.claims, {event.id: event}).rejected
    for claim in found.claims:
        for span in claim.evidence:
            assert text[span.start : span.end] == span.quote
    return found


def only(text: str) -> Claim:
    """The one claim of a message."""
    (claim,) = told(text).claims
    return claim


@pytest.mark.parametrize(
    ("text", "kept", "importance"),
    [
        ("I'm trying to lose 6 kg before the regatta, can you suggest some meals?",
         "I'm trying to lose 6 kg before the regatta", 60),
        ("I'm building a weather station with 12 sensors - how do I log the readings?",
         "I'm building a weather station with 12 sensors", 60),
        ("We're migrating the ledger of Marlowe Ltd to Odoo, could you draft a checklist?",
         "We're migrating the ledger of Marlowe Ltd to Odoo", 60),
        ("I'm trying to learn wood carving, any tips?", "I'm trying to learn wood carving", 50),
        ("My rent has increased to 1450, can you help me make a budget?",
         "My rent has increased to 1450", 60),
        ("I'm restoring a Vespa from 1963 and I'm not sure where to begin",
         "I'm restoring a Vespa from 1963", 60),
        ("想减重到60公斤，帮我列个菜单", "想减重到60公斤", 60),
        ("我们团队正在把账本从Excel迁到Odoo，能不能帮我写个步骤？",
         "我们团队正在把账本从Excel迁到Odoo", 60),
    ],
)  # fmt: skip
def test_a_goal_is_kept_without_its_request(text: str, kept: str, importance: int) -> None:
    claim = only(text)
    assert claim.text == kept
    assert claim.subject == "user"
    assert claim.importance == importance
    assert claim.kind in ("project", "plan", "fact")


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("I'm trying to finish my survey of mosses by June 4, can you plan the weeks?",
         "survey of mosses by June 4", "2027-06-04"),
        ("我在做一个邻里借工具的小程序，用户三百人，六月十号上线，帮我看看怎么排期",
         "用户三百人", "2027-06-10"),
    ],
)  # fmt: skip
def test_a_goal_with_a_day_holds_until_that_day(text: str, words: str, day: str) -> None:
    claim = only(text)
    assert words in claim.text
    assert claim.valid_to == day
    assert "帮我" not in claim.text


def test_code_below_a_goal_stays_out() -> None:
    text = "I'm writing a parser for 3 dialects of GEDCOM, here's my code:\n```python\nx = 1\n```"
    claim = only(text + "\nwhat is wrong?")
    assert claim.text == "I'm writing a parser for 3 dialects of GEDCOM"


@pytest.mark.parametrize(
    "text",
    [
        "I'm trying to open this jar, can you help me?",
        "I'm trying to get a stain out of a shirt, what works best?",
        "I'm trying to fix this error on line 12, can you help?",
        "I'm trying to convert 12 miles to km, how far is it?",
        "I'm looking for a word that rhymes with orange, any ideas?",
        "I want to know how a heat pump works, can you explain?",
        "I need to book two seats for Friday, can you find a show?",
        "I need a title for a talk, can you give me three?",
        "I'm writing an email to Bram, can you check the grammar?",
        "I want to watch a film with Ines Falk, any suggestions?",
        "I'm trying to find a quiet bar in Lund for tonight, any tips?",
        "If I wanted to open a bakery in Ghent, what would I need?",
        "Can you help me plan a garden of 40 square metres?",
        "Translate: I'm trying to finish the bridge by May 3, can you help me?",
        "如果我想开一家花店，需要什么手续？",
        "我想问一下怎么退货",
        "我想把这段话翻成英文，帮我翻一下",
        "帮我写一份八百字的发言稿",
        "需要一份周报，帮我写",
    ],
)
def test_jobs_at_hand_questions_and_hypotheses_are_no_goals(text: str) -> None:
    assert not told(text).claims


def test_a_goal_of_the_agent_or_a_page_is_not_the_owners() -> None:
    text = "I'm trying to finish the bridge by June 4, can you help me?"
    assert not told(text, "agent").claims
    assert not told(text, "external").claims


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        ["I'm trying to ", "We want to ", "I've been ", "我想", "我在做", "最近在准备"]
    ),
    st.text(max_size=60),
    st.sampled_from([", can you help me?", " - how do I start?", "，帮我看看", "，怎么办？"]),
)
def test_whatever_stands_in_a_request_its_claims_are_verbatim(a: str, b: str, c: str) -> None:
    told(a + b + c)
