from typing import Any

import pytest


@pytest.mark.parametrize(
    ("said", "question", "answered"),
    [
        ("Ottilie plays the viola in the town orchestra", "when is Ottilie's birthday", False),
        ("Ottilie plays the viola in the town orchestra", "which instrument: Ottilie viola?", True),
        ("阿澈在画院教水彩", "阿澈的生日是哪天", False),
        ("阿澈在画院教水彩", "阿澈教什么水彩", True),
    ],
)
def test_what_only_has_the_name_is_no_answer(
    world: Any, said: str, question: str, answered: bool
) -> None:
    subject = said.split()[0] if said.isascii() else said[:2]
    world.learn(world.say(said), subject=subject, entities=(subject,))
    hits = world.ask(question, for_prompt=True, min_score=0.35)
    assert bool(hits) is answered
    # To a person who looks, it is still shown.
    assert world.ask(question)


def test_beside_an_answer_what_only_has_the_name_stays_out(world: Any) -> None:
    names = {"subject": "Ottilie", "entities": ("Ottilie",)}
    answer = world.learn(world.say("Ottilie was born on the 3rd of May, her birthday"), **names)
    other = world.learn(world.say("Ottilie sold the blue boat", session="s2"), **names)
    found = {hit.id for hit in world.ask("Ottilie birthday", for_prompt=True)}
    assert answer.id in found
    assert other.id not in found


def test_a_question_of_a_name_alone_gets_all_of_it(world: Any) -> None:
    memory = world.learn(world.say("Ottilie sold the blue boat"), subject="Ottilie")
    assert [hit.id for hit in world.ask("Ottilie", for_prompt=True)] == [memory.id]
