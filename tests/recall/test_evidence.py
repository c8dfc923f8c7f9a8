from typing import Any

import msgspec
import pytest

from slowwave.recall import evidence
from slowwave.recall.rank_table import GROUPS, TABLE
from slowwave.settings import RecallSettings

OFF = RecallSettings(session=0, beside=0, telling=0, wanted=0)


def test_the_table_knows_every_mark() -> None:
    assert tuple(GROUPS) == evidence.Marks._fields
    assert all(set(column) == set(GROUPS) for column in TABLE.values())


@pytest.mark.parametrize("vectors", [False, True])
def test_each_switch_takes_its_marks_away(vectors: bool) -> None:
    for group in set(GROUPS.values()):
        settings = msgspec.structs.replace(RecallSettings(), **{group: 0.0})
        table = evidence.worth(settings, vectors=vectors, share=0.0)
        gone = {name for name, value in table.items() if value == 0}
        assert {name for name, of in GROUPS.items() if of == group} <= gone
        assert any(table[name] for name, of in GROUPS.items() if of != group)


def test_chinese_questions_lean_less_on_the_table() -> None:
    english = evidence.worth(RecallSettings(), vectors=True, share=0.0)
    chinese = evidence.worth(RecallSettings(), vectors=True, share=1.0)
    assert chinese["session"] == pytest.approx(evidence.CHINESE * english["session"])


def first(world: Any, question: str, settings: RecallSettings) -> str:
    found: str = world.ask(question, settings=settings, scope="events")[0].text
    return found


def test_who_asks_when_gets_the_turn_with_a_time(world: Any) -> None:
    world.say("the greenhouse roof leaks over the tomatoes again", session="a")
    world.say("the greenhouse roof was repaired last Friday evening", session="b")
    assert "Friday" in first(world, "when was the greenhouse roof in order", RecallSettings())


def test_the_answer_follows_a_question_with_the_same_words(world: Any) -> None:
    world.say("Did you find a home for the grey kitten?", session="a", speaker="Ada")
    world.say("Yes, it lives with my aunt in the valley now.", session="a", speaker="Bo")
    world.say("That is lovely to hear, what a relief.", session="a", speaker="Ada")
    hits = world.ask("who has the grey kitten", scope="events", explain=True)
    lifts = {hit.text: hit.scores["lift"] for hit in hits}
    assert max(lifts, key=lambda text: lifts[text]).startswith("Yes, it lives")


def test_marks_bring_up_nothing_by_themselves(world: Any) -> None:
    world.say("I bought 3 lamps in Oslo last Friday, for the long hall and the porch")
    assert world.ask("crocodile", scope="events") == []


def test_switched_off_nothing_is_added(world: Any) -> None:
    world.say("the greenhouse roof was repaired last Friday")
    hits = world.ask("greenhouse roof", settings=OFF, scope="events", explain=True)
    assert hits[0].scores["lift"] == 0


def test_events_without_a_session_are_strangers(world: Any) -> None:
    world.say("the boiler hums", session="")
    world.say("the boiler was loud on the first night", session="")
    hits = world.ask("boiler", scope="events", settings=RecallSettings(telling=0, wanted=0),
                     explain=True)  # fmt: skip
    assert [hit.scores["lift"] for hit in hits] == [0, 0]
