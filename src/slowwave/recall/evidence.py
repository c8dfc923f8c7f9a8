"""What else speaks for a candidate: its session, the turns beside it, and what it looks like.

Words and vectors judge a turn by itself (and by the words around it). Evidence comes in company:
where one turn of a session answers, others do, and a turn beside good ones is rather meant than
one among strangers. Each mark is 0–1; `rank_table` holds what each is worth beside the weighted
sum, and how that was measured. Only the candidates at hand are looked at, nothing is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from slowwave.model import Event
from slowwave.recall.found import Found
from slowwave.recall.question import Asked
from slowwave.recall.rank_table import GROUPS, TABLE, Worth
from slowwave.recall.telling import Traits, Wanted, traits, wanted
from slowwave.settings import RecallSettings

LEAST = 0.1
"""Share of its sum that no mark takes from a candidate."""

CHINESE = 0.5
"""Share of the table that counts for a Chinese question: it is measured on English, and vectors
find more in Chinese."""


class Marks(NamedTuple):
    """The marks of one candidate, in the order of the table."""

    session: float = 0.0
    before: float = 0.0
    near: float = 0.0
    long: float = 0.0
    time: float = 0.0
    statement: float = 0.0
    wanted_time: float = 0.0
    wanted_name: float = 0.0
    wanted_number: float = 0.0
    of_himself: float = 0.0
    of_another: float = 0.0


COMPANY = 3
"""Marks that come from a candidate's session and neighbours; they stand first."""

ALONE = (0.0, 0.0, 0.0)


def lift(found: Sequence[Found], asked: Asked) -> None:
    """Adds to the sum of each candidate what its marks are worth.

    They speak for what was found, and bring up nothing by themselves.
    """
    table = worth(asked.settings, vectors=asked.vector is not None, share=asked.share)
    values = [table[name] for name in Marks._fields]
    if not any(values):
        return
    company, look = values[:COMPANY], values[COMPANY:]
    # Few looks are different: what each is worth is added up once.
    looks: dict[tuple[float, ...], float] = {}
    for each, (beside, sign) in zip(found, _marks(found, wanted(asked.query.text)), strict=True):
        if each.relevance > 0:
            worth_of_look = looks.get(sign)
            if worth_of_look is None:
                worth_of_look = looks[sign] = sum(map(mul, look, sign))
            each.lift = sum(map(mul, company, beside), worth_of_look)
            each.relevance = max(LEAST * each.relevance, each.relevance + each.lift)


def marks(found: Sequence[Found], sought: Wanted) -> list[Marks]:
    """The marks of each candidate, for a question that seeks such answers.

    What is not among the candidates lends nothing. Memories have no session and no neighbours.
    """
    return [Marks(*beside, *sign) for beside, sign in _marks(found, sought)]


def _marks(
    found: Sequence[Found], sought: Wanted
) -> Iterator[tuple[tuple[float, float, float], tuple[float, ...]]]:
    """The marks of each candidate: those of its company, and those of its look."""
    places = {
        (each.unit.session, each.unit.seq): each
        for each in found
        if isinstance(each.unit, Event) and each.unit.session
    }
    sessions = _sessions(found) if places else {}
    known = any(each.asked_of for each in found)
    looks: dict[tuple[Traits, bool], tuple[float, ...]] = {}
    for each in found:
        sign = traits(each.unit.text)
        look = looks.get((sign, each.asked_of))
        if look is None:
            look = _look(sign, sought, him=each.asked_of, known=known)
            looks[sign, each.asked_of] = look
        yield _company(each, places, sessions) if places else ALONE, look


def worth(settings: RecallSettings, *, vectors: bool, share: float) -> Worth:
    """What each mark adds, by the switches of the settings; `share` of the question is Chinese."""
    table: Worth = TABLE[vectors]
    switch: Mapping[str, float] = {
        "session": settings.session,
        "beside": settings.beside,
        "telling": settings.telling,
        "wanted": settings.wanted,
    }
    scale = 1 + (CHINESE - 1) * share
    return {name: value * scale * switch[GROUPS[name]] for name, value in table.items()}


def _sessions(found: Sequence[Found]) -> dict[str, float]:
    """By session the best sum of its candidates, as a share of the best of all."""
    best: dict[str, float] = {}
    for each in found:
        if isinstance(each.unit, Event) and each.unit.session:
            session = each.unit.session
            best[session] = max(best.get(session, 0.0), each.relevance)
    top = max(best.values(), default=0.0)
    return {session: value / top for session, value in best.items()} if top > 0 else {}


def _company(
    each: Found, places: Mapping[tuple[str, int], Found], sessions: Mapping[str, float]
) -> tuple[float, float, float]:
    event = each.unit
    if not isinstance(event, Event) or not event.session:
        return 0.0, 0.0, 0.0
    before = places.get((event.session, event.seq - 1))
    after = places.get((event.session, event.seq + 1))
    vectors = (before.part.vector or 0.0) if before else 0.0
    vectors += (after.part.vector or 0.0) if after else 0.0
    # An agent always replies to the words before it, whether it has an answer or not.
    asked = before is not None and event.origin != "agent" and _asks(before)
    own = before.part.own if before and asked else 0.0
    return sessions.get(event.session, 0.0), own, vectors / 2


def _asks(each: Found) -> bool:
    return not traits(each.unit.text).statement


def _look(sign: Traits, sought: Wanted, *, him: bool, known: bool) -> tuple[float, ...]:
    return (
        sign.long,
        sign.time,
        sign.statement,
        sign.time * sought.time,
        sign.name * sought.name,
        sign.number * sought.number,
        sign.me * him,
        sign.me * (known and not him),
    )
