"""Lessons in a prompt: where the task calls for them, few, and never for the sake of the day."""

from collections.abc import Callable

import pytest

from slowwave.memory import SlowMemory
from slowwave.recall.learned import MOST

Opener = Callable[..., SlowMemory]

LESSONS = (
    "Mistake: I ran the migration before the backup had finished",
    "Workflow: run the checks, then the linter, then push the branch",
    "Lesson: weigh a parcel before booking the courier",
    "流程：先拉最新分支，再跑测试，最后合并",
)


@pytest.fixture
def memory(open_at: Opener) -> SlowMemory:
    opened = open_at("2026-12-01T10:00:00+08:00")
    for number, lesson in enumerate(LESSONS):
        opened.log_turn("thanks", lesson, session=f"s{number}")
    opened.catch_up_turns()
    return opened


def lessons(memory: SlowMemory, question: str) -> list[str]:
    given = [item.id for item in memory.context(question, 800).items]
    known = {one.id: one.text for one in memory.memories() if one.kind == "lesson"}
    return [known[one] for one in given if one in known]


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ("please push my branch", "push the branch"),
        ("start the migration", "before the backup"),
        ("book a courier for the parcel", "weigh a parcel"),
        ("合并这个分支", "先拉最新分支"),
    ],
)
def test_a_lesson_that_fits_the_task_comes_with_it(
    memory: SlowMemory, task: str, words: str
) -> None:
    assert any(words in text for text in lessons(memory, task))


@pytest.mark.parametrize(
    "question",
    ["what is the capital of Peru", "今天天气怎么样", "晚饭吃什么", "hi"],
)
def test_none_for_what_has_nothing_to_do_with_it(memory: SlowMemory, question: str) -> None:
    assert lessons(memory, question) == []


def test_a_few_at_most(memory: SlowMemory) -> None:
    for number in range(2 * MOST):
        memory.log_turn("ok", f"Lesson: branch rule {number}: name branch {number} by its ticket")
    memory.catch_up_turns()
    fitting = lessons(memory, "name the new branch")
    assert fitting
    found = memory.recall(memory.query("name the new branch", for_prompt=True), signal=False)
    assert sum(hit.kind == "lesson" and hit.score == 0.45 for hit in found) <= MOST


def test_an_undone_lesson_is_gone(memory: SlowMemory) -> None:
    heads = [head for head in memory.dreams() if head.by == "turn"]
    for head in heads:
        memory.rollback(head.dream_id)
    assert lessons(memory, "please push my branch") == []
