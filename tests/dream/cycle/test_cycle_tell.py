"""A model elsewhere tells the diary of what it never saw: placeholders go out, names come back."""

from datetime import UTC, datetime

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.cycle.desk import Desk, Mind, Night
from slowwave.dream.cycle.tell import told
from slowwave.errors import ModelRefused
from slowwave.model import Ask, Dream, Reply
from slowwave.modelling import Asker, Collected
from slowwave.ports import LanguageModel, no_progress
from slowwave.privacy.curtain import MaskedModel
from slowwave.settings import DreamSettings, ModelSettings
from slowwave.testing.samples import add, dream, memory

NOW = datetime(2031, 3, 23, 3, tzinfo=UTC)
PLAN = dream(add(memory("Agneta Palm keeps my ladder", id="m1")), run_at=NOW)


class Elsewhere:
    """Repeats a part of what it is asked, in a story."""

    name, local = "elsewhere", False

    def __init__(self, story: str) -> None:
        self.story = story
        self.seen: list[Ask] = []

    def complete(self, ask: Ask) -> Reply:
        self.seen.append(ask)
        note = msgspec.json.decode(ask.user.splitlines()[1], type=dict[str, str])["new"]
        return Reply(text=self.story.format(note=note), model=self.name)


def tell(model: Elsewhere, **settings: object) -> tuple[Dream, Desk]:
    def masked(bare: LanguageModel) -> LanguageModel:
        return MaskedModel(bare, ["Agneta Palm"], [])

    night = Night(
        space="s", date="2031-03-22", now=NOW, settings=DreamSettings(), preset="balanced",
        cosine=lambda *_: None, progress=no_progress, mind=Mind(model.name, "rules"),
    )  # fmt: skip
    desk = Desk(InMemoryStore(), night, PLAN.dream_id, "2031-03-22")
    given = msgspec.convert({"privacy": "masked", **settings}, ModelSettings)
    desk.asker = Asker(model, given, Collected(), lambda: NOW, masked=masked)
    return told(desk, PLAN, ()), desk


def test_names_do_not_leave_and_come_back() -> None:
    model = Elsewhere("It was late, and one thing stayed with me. {note}, and I let it be.")
    made, _ = tell(model)
    assert made.diary
    assert "Agneta Palm keeps my ladder" in made.diary.text
    (ask,) = model.seen
    assert "Agneta" not in ask.user
    assert "ladder" in ask.user


def test_a_placeholder_that_stands_for_nothing_is_not_told() -> None:
    made, _ = tell(Elsewhere("It was late, and [PERSON-9] stayed with me. {note}, I let it be."))
    assert not made.diary
    assert [(one.stage, one.reason) for one in made.rejections] == [("diary", "no plain story")]


def test_local_only_asks_nobody() -> None:
    model = Elsewhere("{note}")
    with pytest.raises(ModelRefused):
        tell(model, privacy="local-only")
    assert model.seen == []


def test_the_budget_of_the_dream_holds() -> None:
    model = Elsewhere("{note}")
    made, _ = tell(model, max_tokens_per_dream=300)
    assert model.seen == []
    assert [one.stage for one in made.rejections] == ["diary"]
    assert "BudgetSpent" in made.rejections[0].reason


def test_what_was_answered_is_not_asked_again() -> None:
    model = Elsewhere("It was late, and one thing stayed with me. {note}, and I let it be.")
    made, desk = tell(model)
    again = Desk(desk.store, desk.night, PLAN.dream_id, "2031-03-22")
    again.asker = desk.asker
    assert told(again, PLAN, ()).diary == made.diary
    assert len(model.seen) == 1
