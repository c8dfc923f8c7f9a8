"""Distilling talk of two people: both tell of their own lives, and each claim has its kind."""

from datetime import UTC, datetime

import pytest

from slowwave.dream.distill.rules import Distilled, distill
from slowwave.dream.distill.statements.talk import LONGEST
from slowwave.dream.verify.stage import verify
from slowwave.model import Event

MONDAY = datetime(2026, 11, 16, 18, tzinfo=UTC)


def talk(*turns: str) -> Distilled:
    """Turns of Ottilie and Bram, one after the other."""
    events = [
        Event(
            id=f"e{number}", space="s", identity=f"e{number}", ts=MONDAY, role="user",
            kind="message", origin="other", text=text, source="test", session="s",
            speaker=("Ottilie", "Bram")[number % 2],
        )
        for number, text in enumerate(turns)
    ]  # fmt: skip
    found = distill(events, UTC)
    assert not verify(found.claims, {event.id: event for event in events}).rejected
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm a bookbinder in Leuven", "profile"),
        ("I love sour cherries and hate olives", "preference"),
        ("I'm flying to Oslo next Friday for the fair", "plan"),
        ("I bought a second-hand loom last week", "fact"),
        ("My sister moved to Ghent", "relationship"),
        ("I have coeliac disease", "profile"),
    ],
)
def test_a_speaker_has_the_kinds_of_his_statements(text: str, kind: str) -> None:
    (claim,) = talk(text).claims
    assert claim.kind == kind


@pytest.mark.parametrize(
    "text",
    ["I can't wait to see the show", "I'd love to learn to sail one day",
     "I'm so excited about the new studio", "I feel like I could fly when I'm out there"],
)  # fmt: skip
def test_a_passing_wish_or_mood_is_no_profile(text: str) -> None:
    for claim in talk(text).claims:
        assert claim.kind == "fact"
        assert claim.importance < 60


def test_an_answer_is_claimed_with_its_question() -> None:
    found = talk(
        "Which instrument did you pick up?",
        "The hurdy-gurdy, an old walnut one, repaired twice in Namur!",
    )
    (claim,) = found.claims
    assert claim.subject == "Bram"
    assert [span.event_id for span in claim.evidence] == ["e1", "e0"]
    assert claim.text.startswith("The hurdy-gurdy")


def test_a_turn_without_a_kept_clause_gives_its_fullest_one() -> None:
    found = talk("Wow! Wooden puzzles and candlelight with the whole gang at Brecht's workshop.")
    assert len(found.claims) == 1
    assert "puzzles" in found.claims[0].text


@pytest.mark.parametrize(
    "text",
    ["Wow, that's amazing!", "Thanks so much, take care!", "You must be so proud!",
     "How was it? Did you like it?", "Haha, good luck!"],
)  # fmt: skip
def test_what_only_reacts_says_nothing(text: str) -> None:
    assert not talk(text).claims


def test_comments_at_the_end_are_cut_off() -> None:
    found = talk(
        "I planted forty tulips behind the chapel, and it was so lovely, and the light was golden, "
        "and everything around there was calm, and it all felt like the days of long ago"
    )
    (claim,) = found.claims
    assert claim.text.startswith("I planted forty tulips")
    assert len(claim.text) <= LONGEST


def test_a_recorders_note_that_stands_alone_is_read_without_its_brackets() -> None:
    found = talk("Check out this jug I made! [shared image: a photo of a jug with a heron on it]")
    assert "shared image: a photo of a jug with a heron on it" in [
        claim.text for claim in found.claims
    ]
