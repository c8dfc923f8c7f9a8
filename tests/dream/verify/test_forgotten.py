"""Old evidence of something forgotten is refused and counted; a new statement is not."""

from datetime import timedelta

from slowwave.dream.verify.forgotten import sift
from slowwave.model import Claim, Erased, Event, Receipt, Removed, Tombstone
from slowwave.testing.samples import MORNING, event, quoting
from slowwave.text.signature import Statement, sign

SALT = "5a" * 16


def erased(*statements: Statement) -> list[Erased]:
    whole, terms = sign(SALT, statements)
    tombstone = Tombstone(id="r1", space="alder", forgotten_at=MORNING, before=MORNING, salt=SALT,
                          whole=whole, terms=terms)  # fmt: skip
    receipt = Receipt(id="r1", space="alder", forgotten_at=MORNING, removed=Removed(),
                      event_ids=(), memory_ids=(), tombstone=tombstone)  # fmt: skip
    return [Erased(receipt=receipt)]


def claim(source: Event, subject: str = "user") -> Claim:
    return Claim(kind="fact", subject=subject, text=source.text, evidence=quoting(source).evidence)


def reasons(source: Event, subject: str = "user") -> list[str]:
    known = erased(Statement("My landlord is Bertil Krans", "user"))
    good, bad = sift([claim(source, subject)], {source.id: source}, known)
    assert len(good) + len(bad) == 1
    assert all(source.text not in item.text for item in bad)
    return [item.reason for item in bad]


def test_a_rewording_said_before_is_refused_with_the_day() -> None:
    assert reasons(event("Bertil Krans is my landlord")) == ["forgotten on 2031-03-14"]


def test_a_later_statement_returns() -> None:
    assert reasons(event("My landlord is Bertil Krans", ts=MORNING + timedelta(hours=1))) == []


def test_another_fact_of_the_same_day_stays() -> None:
    assert reasons(event("Bertil Krans plays the cello")) == []


def test_the_rest_of_a_sentence_around_a_gap_is_no_claim() -> None:
    assert reasons(event("Because of [forgotten] I moved")) == ["quotes around forgotten words"]


def test_nothing_forgotten_costs_nothing() -> None:
    source = event("My landlord is Bertil Krans")
    assert sift([claim(source)], {}, []) == ((claim(source),), ())
