from typing import Any

import pytest

from slowwave.recall.guidance import asks_for_work, guides


@pytest.mark.parametrize(
    "question",
    [
        "How do I set up a test for the parser?",
        "Could you show me a packing list for the sailing week?",
        "Which boots would you recommend for the ridge walk?",
        "Where do you think we should hang the shelf?",
        "I'm about to paint the hall. What colours would you suggest?",
        "Write a letter to the landlord about the boiler.",
        "What are some good ways to cook lentils?",
        "怎么写一封辞职信？",
        "帮我写一段开场白",
        "能不能推荐几本书？",
        "周末我该穿什么去登山？",
    ],
)
def test_questions_that_ask_for_work(question: str) -> None:
    assert asks_for_work(question)


@pytest.mark.parametrize(
    "question",
    [
        "What did you recommend for the ridge walk?",
        "Can you tell me the name of the ferry?",
        "When should I be at the pier?",
        "How many boots do I own?",
        "Can you list the order in which I brought up the boats in our conversations?",
        "Can you summarise how my garden has developed over time?",
        "Where does Ines live?",
        "Could you remind me what I wanted to buy?",
        "我妹妹叫什么名字？",
        "我什么时候该去复诊？",
        "你上次给我推荐了什么书？",
        "我对什么过敏？",
        "今天天气怎么样",
    ],
)
def test_questions_for_what_is_known(question: str) -> None:
    assert not asks_for_work(question)


@pytest.mark.parametrize(
    "text",
    [
        "Always add types when I ask for Python code.",
        "One more thing: whenever I send you a recipe, convert it to grams.",
        "I want you to always answer in two sentences.",
        "I'm packing, and I'd rather travel with one small bag.",
        "From now on, use metric units.",
        "以后回答都用中文。",
        "每次写代码都要加注释",
        "我比较喜欢安静的咖啡馆",
    ],
)
def test_wishes(world: Any, text: str) -> None:
    assert guides(world.say(text))
    assert not guides(world.say(text, origin="agent", role="assistant"))


@pytest.mark.parametrize(
    "text",
    [
        "We always met at the pier when I lived there.",
        "The boiler failed again, can you help?",
        "I went to the market and bought lentils.",
        "我昨天去了咖啡馆",
    ],
)
def test_talk_that_is_no_wish(world: Any, text: str) -> None:
    assert not guides(world.say(text))


def test_memories_of_rules_and_preferences_guide(world: Any) -> None:
    event = world.say("Grams, please.")
    assert guides(world.learn(event, kind="rule"))
    assert guides(world.learn(event, kind="preference"))
    assert not guides(world.learn(event, kind="fact"))


def test_a_wish_comes_before_talk_of_the_same_matter(world: Any) -> None:
    wish = world.say("Always give weights in grams when I ask for a recipe.")
    for place in ("harbour", "market", "mill", "chapel"):
        world.say(f"The recipe from the {place} was a good recipe.")
    hits = world.ask("How do I bake bread? A recipe, please.", scope="events")
    assert hits[0].id == wish.id
    hits = world.ask("Which recipe was from the mill?", scope="events")
    assert "mill" in hits[0].text


def test_what_the_agent_says_at_length_comes_after_the_owner(world: Any) -> None:
    told = world.say("My kayak is called Petrel.")
    world.say("A kayak called Petrel is a fine kayak.", origin="agent", role="assistant")
    hits = world.ask("What is the kayak called?", scope="events")
    assert hits[0].id == told.id
