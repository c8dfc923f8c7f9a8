"""The week's review with a model: it decides what the rules doubt, and nothing else."""

import re
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.cycle.desk import Desk, Mind, Night
from slowwave.dream.cycle.weekly import consolidated
from slowwave.errors import ModelUnreachable
from slowwave.model import Ask, Evidence, Memory, Reply
from slowwave.modelling import Asker, Collected
from slowwave.ports import no_progress
from slowwave.settings import DreamSettings, ModelSettings
from slowwave.testing import samples

SUNDAY = datetime(2031, 3, 23, 3, tzinfo=timezone(timedelta(hours=8)))
TRAM = "I take the tram to work"
AGAIN = "For work I usually take the tram"


class Scripted:
    """Says of every pair what it is told to say."""

    name, local = "scripted", True

    def __init__(self, relation: str) -> None:
        self.relation = relation
        self.asked: list[Ask] = []

    def complete(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        if self.relation == "down":
            raise ModelUnreachable("nobody there", "")
        ids = re.findall(r"\[(p\d+)\]|\bpair (\w+)", ask.user)
        items = [
            {"pair": one or other, "relation": self.relation, "words": AGAIN} for one, other in ids
        ]
        return Reply(text=msgspec.json.encode({"items": items}).decode(), model=self.name)


def memory(text: str, days_ago: int, **fields: Any) -> Memory:
    seen = SUNDAY - timedelta(days=days_ago)
    span = Evidence(event_id=f"e{days_ago}", quote=text, start=0, end=len(text), ts=seen)
    given = {"id": f"m{days_ago}", "first_seen": seen, "last_seen": seen, "evidence": (span,)}
    return samples.memory(text, **(given | fields))


def desk_with(model: Scripted | None) -> Desk:
    mind = Mind(model.name, "rules") if model else None
    night = Night(
        space="s", date="2031-03-22", now=SUNDAY, settings=DreamSettings(), preset="balanced",
        cosine=lambda *_: None, progress=no_progress, mind=mind,
    )  # fmt: skip
    desk = Desk(InMemoryStore(), night, "d9", "2031-03-22")
    if model is not None:
        desk.asker = Asker(
            model, ModelSettings(), Collected(), lambda: SUNDAY, sleep=lambda _seconds: None
        )
    return desk


KNOWN = (memory(TRAM, 20), memory(AGAIN, 2), memory("I keep bees", 3))


def test_the_rules_leave_apart_what_they_doubt() -> None:
    assert consolidated(desk_with(None), KNOWN, ()).changes == ()


def test_what_the_model_calls_the_same_becomes_one() -> None:
    model = Scripted("same")
    let = consolidated(desk_with(model), KNOWN, ())
    assert sorted((one.op, one.memory_id) for one in let.changes) == [
        ("merge", "m20"), ("supersede", "m2"),
    ]  # fmt: skip
    merged = next(one for one in let.changes if one.op == "merge")
    assert len(merged.after.evidence) == 2
    assert len(model.asked) == 1
    assert "bees" not in model.asked[0].user


def test_what_the_night_touched_is_not_asked_about() -> None:
    model = Scripted("same")
    assert consolidated(desk_with(model), KNOWN, {"m2"}).changes == ()
    assert model.asked == []


@pytest.mark.parametrize("relation", ["new", "down", "nonsense"])
def test_otherwise_nothing_is_merged(relation: str) -> None:
    let = consolidated(desk_with(Scripted(relation)), KNOWN, ())
    assert let.changes == ()
    assert bool(let.warnings or let.rejected) is (relation != "new")


def test_what_was_decided_is_decided_again_without_asking() -> None:
    first = desk_with(Scripted("same"))
    before = consolidated(first, KNOWN, ()).changes
    again = Desk(first.store, first.night, "d9", "2031-03-22")
    assert consolidated(again, KNOWN, ()).changes == before
