"""What becomes of two readings of the same words, one of the rules and one of a model."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.distill.union import Left, left_out, union
from slowwave.model import Claim, Evidence, Rejected
from slowwave.testing.samples import event

TEXT = "My aunt Selma keeps 3 goats in Visby, and the fence there is new"


def claim(quote: str, *, text: str | None = None, **fields: Any) -> Claim:
    start = TEXT.index(quote)
    span = Evidence(event_id="e", quote=quote, start=start, end=start + len(quote))
    known: dict[str, Any] = {"kind": "fact", "subject": "Selma", "rule": "fact:fact", **fields}
    return Claim(text=text or quote, evidence=(span,), **known)


def left(reason: str, event_id: str = "e", start: int = 0) -> Left:
    return Left(event_id, start, len(TEXT), reason)


GOATS = "My aunt Selma keeps 3 goats in Visby"


def test_both_are_one_claim_with_the_text_of_the_model() -> None:
    ours = claim(GOATS, entities=("3",), importance=50, confidence=0.7, valid_from="2031-01-01")
    told = "The aunt Selma keeps 3 goats in Visby"
    theirs = claim(GOATS, text=told, kind="relationship", importance=66, confidence=0.6)
    (one,), rejected = union([ours], [theirs])
    assert (one.text, one.kind, one.importance, one.confidence) == (told, "relationship", 66, 0.7)
    assert (one.valid_from, one.evidence, rejected) == ("2031-01-01", ours.evidence, ())


@pytest.mark.parametrize(
    "text", ["Selma keeps goats in Visby", "Selma keeps 30 goats in Visby since May"]
)
def test_a_text_that_lost_a_detail_is_not_taken(text: str) -> None:
    ours = claim(GOATS, entities=("3 goats",))
    (one,), _ = union([ours], [claim(GOATS, text=text)])
    assert one.text == GOATS


def test_a_day_beside_a_word_stays() -> None:
    ours = claim(GOATS, text=f"{GOATS} since May (2031-05-01)")
    (one,), _ = union([ours], [claim(GOATS)])
    assert one.text == ours.text


def test_nothing_of_the_diary_takes_the_place_of_a_fact() -> None:
    (one,), _ = union([claim(GOATS)], [claim(GOATS, kind="emotion")])
    assert one.kind == "fact"


def test_what_only_one_of_them_found_goes_on() -> None:
    fence = claim("the fence there is new", subject="world")
    claims, rejected = union([claim(GOATS)], [fence])
    assert claims == (claim(GOATS), fence)
    assert rejected == ()
    assert union([], [fence])[0] == (fence,)
    assert union([fence], [])[0] == (fence,)


def test_a_part_raises_the_whole_and_a_second_part_is_left_out() -> None:
    ours = claim(TEXT, importance=40)
    parts = [claim(GOATS, importance=70), claim("the fence there is new", importance=90)]
    (one,), rejected = union([ours], parts)
    assert (one.text, one.importance) == (TEXT, 70)
    assert [item.reason for item in rejected] == ["part of a statement that is kept whole"]


def test_what_joins_two_statements_stands_beside_them() -> None:
    parts = [claim(GOATS), claim("the fence there is new")]
    chain = claim(TEXT)
    assert union(parts, [chain])[0] == (*parts, chain)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"subject": "user"}, "the rules read another subject in these words"),
     ({"negated": True}, "the rules read the contrary in these words")],
)  # fmt: skip
def test_a_contrary_reading_is_refused(fields: dict[str, Any], reason: str) -> None:
    claims, rejected = union([claim(GOATS)], [claim(GOATS, **fields)])
    assert claims == (claim(GOATS),)
    assert [item.reason for item in rejected] == [reason]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [("user", "Selma"), ("world", "aunt Selma"), ("She", "Selma"), ("他", "Selma"),
     ("Selma", "aunt Selma"), ("Torvald", "Selma")],
)  # fmt: skip
def test_whom_the_model_names_in_these_words_they_are_about(wrong: str, named: str) -> None:
    theirs = claim(GOATS, subject=named, kind="relationship")
    (one,), rejected = union([claim(GOATS, subject=wrong)], [theirs])
    assert (one.subject, one.kind, rejected) == (named, "relationship", ())


@pytest.mark.parametrize(
    ("ours", "theirs", "kept"),
    [("aunt", "Ingrid", "aunt"),  # she is not named there
     ("agent", "Selma", "agent"),  # an order stays one
     ("Selma", "she", "Selma"), ("Selma", "world", "Selma"), ("Visby", "Selma", "Visby"),
     ("aunt Selma", "Selma", "aunt Selma")],  # the fuller name stays
)  # fmt: skip
def test_otherwise_the_rules_know_whom_words_are_about(ours: str, theirs: str, kept: str) -> None:
    (one,), _ = union([claim(GOATS, subject=ours)], [claim(GOATS, subject=theirs)])
    assert one.subject == kept


def test_somebody_in_a_longer_statement_is_told_of_beside_it() -> None:
    ours = claim(TEXT, subject="user")
    claims, _ = union([ours], [claim("keeps 3 goats in Visby", subject="user"), claim(GOATS)])
    assert [one.subject for one in claims if one.text == GOATS] == ["Selma"]
    assert claims[0].subject == "user"


@pytest.mark.parametrize("reason", ["question", "private", "fiction", "injection"])
def test_from_some_words_nobody_may_learn(reason: str) -> None:
    refused = [left(reason)]
    claims, rejected = union([], [claim(GOATS)], refused)
    assert claims == ()
    assert [item.reason for item in rejected] == [f"the rules read it as {reason}"]
    elsewhere = [left(reason, event_id="other"), left("smalltalk"), left(reason, start=50)]
    assert union([], [claim(GOATS)], elsewhere)[0] == (claim(GOATS),)


def test_what_was_left_out_is_found_in_its_event() -> None:
    long = "Summarise this: " + "word " * 100
    events = {"a": event(TEXT, id="a"), "b": event(long, id="b")}
    rejected = [Rejected("distill", "question", "in Visby", "a"),
                Rejected("distill", "material", long[5:305], "b"),
                Rejected("distill", "quote", "not there", "a"),
                Rejected("distill", "quote", "", "a"),
                Rejected("distill", "quote", "x", "gone")]  # fmt: skip
    place = TEXT.index("in Visby")
    assert left_out(rejected, events) == [
        Left("a", place, place + 8, "question"), Left("b", 5, len(long), "material")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "fields", "kept"),
    [("third_person", {"subject": "user"}, False), ("third_person", {}, True),
     ("request", {"kind": "rule"}, False), ("request", {"kind": "fact"}, True),
     ("venting", {}, False), ("venting", {"kind": "emotion"}, True), ("opinion", {}, True)],
)  # fmt: skip
def test_some_words_say_something_else(reason: str, fields: dict[str, Any], kept: bool) -> None:
    claims, _ = union([], [claim(GOATS, **fields)], [left(reason)])
    assert bool(claims) is kept


def test_a_text_that_does_not_verify_takes_no_place() -> None:
    theirs = claim(GOATS, text="Goats of Selma, 3 in Visby", importance=90)
    (one,), _ = union([claim(GOATS)], [theirs], (), lambda told: told.text == GOATS)
    assert (one.text, one.importance) == (GOATS, 90)
    (one,), _ = union([claim(GOATS)], [theirs], (), lambda _told: False)
    assert one == claim(GOATS)


WORDS = [(0, 20), (0, len(GOATS)), (21, len(GOATS)), (len(GOATS) + 6, len(TEXT)), (0, len(TEXT))]
CLAIMS = st.builds(
    lambda span, subject, negated, text: claim(
        TEXT[slice(*span)], subject=subject, negated=negated, text=text
    ),
    st.sampled_from(WORDS), st.sampled_from(["Selma", "user"]), st.booleans(),
    st.sampled_from([None, "goats", "3 goats of Selma in Visby"]),
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(CLAIMS, max_size=3), st.lists(CLAIMS, max_size=6))
def test_whatever_is_proposed_nothing_of_the_rules_is_lost(
    found: list[Claim], proposed: list[Claim]
) -> None:
    found = [msgspec.structs.replace(one, entities=("3",)) for one in found]
    claims, rejected = union(found, proposed)
    for ours, after in zip(found, claims, strict=False):
        assert set(ours.evidence) <= set(after.evidence)
        assert (ours.negated, ours.standing) == (after.negated, after.standing)
        assert after.subject == ours.subject or (ours.subject, after.subject) == ("user", "Selma")
        assert after.text == ours.text or "3" in after.text
        assert after.importance >= ours.importance
    merged = sum(" + " in one.rule for one in claims)
    assert len(claims) - len(found) + len(rejected) + merged == len(proposed)
