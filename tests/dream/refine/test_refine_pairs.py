"""A new reading beside what an older one left: what belongs together, and what becomes of it."""

from typing import Any

import msgspec
import pytest

from slowwave.dream.refine.pairs import Compared, Past, Reading, beside
from slowwave.model import Claim, Evidence, Memory
from slowwave.testing.samples import memory as sample

CLOCK = "Grandfather's clock runs eleven minutes fast, Odo says it always did"
SHED = "The shed smells of tar"
TALK = {"e1": CLOCK, "e2": SHED, "e3": "备用钥匙挂在锅炉后面", "e4": "I moved to Lahti in May 2030"}


def span(quote: str) -> Evidence:
    event_id, text = next((key, text) for key, text in TALK.items() if quote in text)
    at = text.index(quote)
    return Evidence(event_id=event_id, quote=quote, start=at, end=at + len(quote))


def claim(text: str, *quotes: str, **fields: Any) -> Claim:
    known = {"kind": "fact", "subject": "user", "importance": 60, "rule": "model:fact", **fields}
    return Claim(text=text, evidence=tuple(map(span, quotes or (text,))), **known)


def memory(text: str, *quotes: str, **fields: Any) -> Memory:
    return sample(text, id=text, evidence=tuple(map(span, quotes or (text,))), **fields)


def compared(claims: list[Claim], known: list[Memory], **fields: Any) -> Compared:
    past = {"left": {one.id: one for one in known}, "begun": frozenset(one.id for one in known)}
    read = {"events": frozenset(TALK), "waiting": frozenset()}
    named = ("events", "waiting", "seeds", "speaks")
    read |= {key: fields.pop(key) for key in named if key in fields}
    return beside(Reading(claims, **read), known, Past(**(past | fields)))


def verdict(one: Claim, other: Memory, **fields: Any) -> str:
    ((found, _, _),) = compared([one], [other], **fields).met
    return found


@pytest.mark.parametrize(
    ("text", "fields", "known"),
    [
        (CLOCK, {}, CLOCK),
        ("grandfather's clock runs eleven minutes fast; Odo says it always did.", {}, CLOCK),
        ("Grandfather's clock runs eleven minutes fast", {}, CLOCK),
        (CLOCK, {"importance": 40}, CLOCK),
        (CLOCK, {"importance": 65}, CLOCK),
        ("备用钥匙挂在锅炉后面", {}, "备用钥匙挂在锅炉后面"),
    ],
)
def test_the_same(text: str, fields: dict[str, Any], known: str) -> None:
    assert verdict(claim(text, known, **fields), memory(known)) == "same"


@pytest.mark.parametrize(
    ("text", "known", "found"),
    [
        (CLOCK, "Grandfather's clock runs eleven minutes fast", "reworded"),
        ("I moved to Lahti in May 2030", "I moved to Lahti", "reworded"),
        ("The shed does not smell of tar", SHED, "replaced"),
    ],
)
def test_said_otherwise(text: str, known: str, found: str) -> None:
    quote = next(talk for talk in TALK.values() if known in talk)
    negated = "not" in text
    assert verdict(claim(text, quote, negated=negated), memory(known, quote)) == found


@pytest.mark.parametrize(
    "fields",
    [{"kind": "environment"}, {"standing": "temporary"}, {"importance": 90},
     {"valid_from": "2031-01-01"}, {"valid_to": "2031-02-01"}],
)  # fmt: skip
def test_held_otherwise(fields: dict[str, Any]) -> None:
    assert verdict(claim(SHED, **fields), memory(SHED)) == "revalued"


def test_a_plainer_kind_changes_nothing() -> None:
    assert verdict(claim(SHED, kind="fact"), memory(SHED, kind="environment")) == "same"


def test_what_belongs_to_nobody_any_more_or_to_nobody_yet() -> None:
    found = compared([claim(SHED)], [memory(CLOCK)])
    assert [one.text for one in found.fresh] == [SHED]
    assert [one.text for one in found.ended] == [CLOCK]
    assert found.kept == ()


def test_the_same_words_about_somebody_else_take_the_place() -> None:
    found = compared([claim(CLOCK, subject="Odo")], [memory(CLOCK)])
    ((what, said, known),) = found.met
    assert (what, said.subject, known.subject) == ("replaced", "Odo", "user")
    assert (found.fresh, found.ended) == ((), ())


def test_two_claims_of_one_memory_change_nothing() -> None:
    parts = [claim("the clock runs fast", "clock runs eleven minutes fast"),
             claim("Odo says so", "Odo says it always did")]  # fmt: skip
    found = compared(parts, [memory(CLOCK)])
    assert [what for what, _, _ in found.met] == ["same"]
    assert (found.fresh, found.ended) == ((), ())


# ── what is not this reading's to change ────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "fields",
    [
        {"guarded": frozenset({CLOCK})},
        {"left": {CLOCK: memory("as it was", CLOCK)}},
        {"left": {}},
    ],
)
def test_what_others_made_of_it_stays(fields: dict[str, Any]) -> None:
    better = claim(CLOCK, kind="environment")
    assert verdict(better, memory(CLOCK), **fields) == "kept"
    found = compared([], [memory(CLOCK)], **fields)
    assert (found.ended, [one.id for one in found.kept]) == ((), [CLOCK])


def test_what_is_pinned_or_torn_stays() -> None:
    for fields in ({"pinned": True}, {"conflicts_with": ("m9",)}):
        found = compared([], [memory(CLOCK, **fields)])
        assert (found.ended, len(found.kept)) == ((), 1)


@pytest.mark.parametrize(
    "fields",
    [
        {"events": frozenset({"e1"})},
        {"seeds": frozenset({"e2"})},
        {"heirs": frozenset({"both"})},
    ],
)
def test_what_other_words_bear_stays(fields: dict[str, Any]) -> None:
    both = msgspec.structs.replace(memory("both", CLOCK, SHED), id="both")
    found = compared([], [both], **fields)
    assert (found.ended, len(found.kept)) == ((), 1)


def test_what_waits_is_not_looked_at() -> None:
    found = compared([], [memory(SHED)], events=frozenset({"e1"}), waiting=frozenset({"e2"}))
    assert (found.ended, found.kept) == ((), ())


@pytest.mark.parametrize("fields", [{"kind": "lesson"}, {"status": "retired"}, {"status": "cold"}])
def test_what_a_reading_does_not_yield(fields: dict[str, Any]) -> None:
    found = compared([], [memory(SHED, **fields)])
    assert (found.ended, found.kept) == ((), ())


def test_only_who_speaks_says_otherwise() -> None:
    better = claim(SHED, kind="environment")
    assert verdict(better, memory(SHED), speaks=lambda _claim: False) == "same"


def test_what_an_earlier_reading_ended_comes_back() -> None:
    cold = memory(SHED, status="cold")
    assert verdict(claim(SHED), cold, ended={SHED: memory(SHED)}) == "back"
    assert verdict(claim(SHED), cold) == "same"
