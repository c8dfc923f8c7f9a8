"""Vague questions over a small world: which talk, who said it, what sort, the running session."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)

Talk = Callable[..., list[Any]]


@pytest.fixture
def talk(world: Any) -> Talk:
    """Logs a talk, so many days before now: lines of the owner, those with `a:` of the agent."""

    def logged(session: str, days: float, *lines: str) -> list[Any]:
        start = NOW - timedelta(days=days)
        events = []
        for number, line in enumerate(lines):
            agent = line.startswith("a: ")
            events.append(
                world.say(
                    line.removeprefix("a: "),
                    session=session,
                    ts=start + timedelta(minutes=number),
                    role="assistant" if agent else "user",
                    origin="agent" if agent else "owner",
                )
            )
        return events

    return logged


def texts(hits: list[Any]) -> list[str]:
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    "text", ["上次说的那件事", "that thing from last time", "上回我们聊了什么"]
)
def test_last_time_is_the_talk_before_this_one(world: Any, talk: Talk, text: str) -> None:
    talk("old", 20, "the roof of the barn leaks above the loft")
    talk("before", 2, "hello", "我想把鱼缸换成两米的，过滤也要换", "ok")
    talk("running", 0.01, "早上好", "帮我算一下十七乘以十九")
    assert texts(world.ask(text, session="running"))[0].startswith("我想把鱼缸")


def test_one_session_for_ever_has_a_last_time_too(world: Any, talk: Talk) -> None:
    talk("chat", 3, "the piano tuner comes every second spring")
    talk("chat", 1, "we should repaint the rowing boat before July")
    talk("chat", 0.01, "good morning", "what is nineteen times seventeen")
    found = texts(world.ask("what did we discuss last time", session="chat"))
    assert found[0].startswith("we should repaint")


def test_what_was_said_beside_this_talk_is_no_last_time(world: Any, talk: Talk) -> None:
    talk("before", 1, "the beekeeper sells wax in autumn")
    talk("running", 0.02, "morning, a question about verbs")
    talk("beside", 0.01, "the projector needs a new lamp")
    found = texts(world.ask("that thing from last time", session="running"))
    assert found[0].startswith("the beekeeper")


def test_just_now_is_the_running_talk(world: Any, talk: Talk) -> None:
    talk("before", 1, "the beekeeper sells wax in autumn")
    talk("running", 0.02, "the harbour tariff went up by nine percent", "a: since when?")
    assert texts(world.ask("我们刚才聊到哪了", session="running"))[0].startswith("the harbour")
    # It is in the prompt already.
    assert world.ask("我们刚才聊到哪了", session="running", for_prompt=True) == []


def test_who_said_it_decides(world: Any, talk: Talk) -> None:
    talk(
        "s", 1, "I keep my grandmother's recipes in a tin box",
        "a: you could scan the tin box recipes with a flatbed at 600 dpi",
    )  # fmt: skip
    assert "flatbed" in texts(world.ask("the thing you told me last time"))[0]
    assert "grandmother" in texts(world.ask("what did I tell you last time"))[0]


def test_a_sort_of_thing_is_found_where_its_noun_is_not(world: Any, talk: Talk) -> None:
    talk("a", 9, "我在追《长夜渡轮》，导演很会用光")
    talk("b", 5, "新来的会计叫骆安，周一入职")
    talk("c", 2, "the washing machine stops with code F21 in the rinse")
    assert "骆安" in texts(world.ask("那个人叫什么来着"))[0]
    assert "长夜渡轮" in texts(world.ask("那部剧叫什么来着"))[0]
    assert "F21" in texts(world.ask("did that problem ever get fixed"))[0]


def test_an_answer_is_of_the_sort_of_its_question(world: Any, talk: Talk) -> None:
    talk("a", 3, "which film suits a rainy evening", "a: Paper Signal is slow and tender", "thanks")
    talk("b", 1, "the gutter was cleaned")
    assert "Paper Signal" in texts(world.ask("the movie you mentioned"))[0]


def test_the_running_session_tells_what_that_is(world: Any, talk: Talk) -> None:
    talk("old", 40, "the incubator alarm was silenced by a loose fuse")
    talk("other", 1, "the choir needs two more tenors by autumn")
    talk("running", 0.01, "I looked at the incubator today", "a: How is it running?")
    found = texts(world.ask("what happened to it", session="running"))
    assert found[0].startswith("the incubator alarm")
    # A bare pronoun without a session points at nothing.
    assert world.ask("what about it", for_prompt=True, min_score=0.35) == []


def test_the_question_itself_is_no_answer(world: Any, talk: Talk) -> None:
    talk("before", 1, "the ferry winch is rusty and squeaks")
    talk("running", 0.0, "那件事后来怎么样了")
    found = texts(world.ask("那件事后来怎么样了", session="running"))
    assert found == ["the ferry winch is rusty and squeaks"]


def test_nothing_old_goes_into_a_prompt_without_a_session(world: Any, talk: Talk) -> None:
    talk("old", 60, "the sundial was moved behind the greenhouse")
    assert world.ask("上次说的那件事", for_prompt=True, min_score=0.35) == []
    assert world.ask("上次说的那件事")
    talk("new", 2, "the observatory dome opens at nine")
    found = world.ask("上次说的那件事", for_prompt=True, min_score=0.35)
    assert texts(found) == ["the observatory dome opens at nine"]


@pytest.mark.parametrize("text", ["今天天气怎么样", "你好", "how are you", "what can you do"])
def test_what_is_not_vague_brings_nothing(world: Any, talk: Talk, text: str) -> None:
    talk("new", 2, "the observatory dome opens at nine", "we oil the hinges each spring")
    assert world.ask(text, for_prompt=True, min_score=0.35) == []


def test_a_memory_stands_for_its_turn_and_importance_decides(world: Any, talk: Talk) -> None:
    events = talk("s", 1, "the hedge is trimmed on odd weeks", "my passport expires in November")
    memory = world.learn(events[1], importance=90)
    assert world.ask("that thing from last time")[0].id == memory.id


def test_as_of_is_the_now_of_a_vague_question(world: Any, talk: Talk) -> None:
    talk("a", 9, "the kiln was sold to a school")
    talk("b", 2, "the loom arrives by lorry")
    asked_at = NOW - timedelta(days=5)
    found = texts(world.ask("that thing from last time", as_of=asked_at))
    assert found == ["the kiln was sold to a school"]


def test_pointing_settles_ties_among_what_is_named(world: Any, talk: Talk) -> None:
    talk("a", 90, "the violin needs a new bridge")
    talk("b", 2, "the violin needs a new string")
    found = texts(world.ask("that violin repair you mentioned"))
    assert found[0].endswith("string")


def test_scopes_and_filters_hold(world: Any, talk: Talk) -> None:
    events = talk("s", 1, "the hedge is trimmed on odd weeks", "my passport expires in November")
    memory = world.learn(events[1])
    assert {hit.type for hit in world.ask("上次说的那件事", scope="events")} == {"event"}
    assert [hit.id for hit in world.ask("上次说的那件事", scope="memories")] == [memory.id]
    assert world.ask("上次说的那件事", since=NOW - timedelta(hours=1)) == []
