import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.recall.pointing import pointing


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("上回提到的那件事呢", "last"),
        ("上一次我们谈了什么", "last"),
        ("刚刚讲到哪儿了", "now"),
        ("前阵子说的那个东西", "before"),
        ("前两天聊的那件事情", "lately"),
        ("那件事有下文了吗", ""),
        ("接着上次的话题", "last"),
        ("what was it we discussed last time", "last"),
        ("where did we stop", ""),
        ("the thing I told you about the other day", "lately"),
        ("what did we just talk about, just now?", "now"),
        ("do you remember that thing?", ""),
        ("can we go back to what we discussed earlier", "before"),
        ("上次那个 thing", "last"),
    ],
)
def test_a_question_without_content_is_vague_as_a_whole(text: str, talk: str) -> None:
    found = pointing(text)
    assert found is not None
    assert (found.grade, found.talk, found.sure) == ("whole", talk, True)


@pytest.mark.parametrize(
    ("text", "sort", "what"),
    [
        ("那篇文章叫什么来着", "writing", "文章"),
        ("你上次说的那家餐厅在哪", "place", "餐厅"),
        ("之前那个报错后来解决了吗", "trouble", "报错"),
        ("我提过的那位邻居", "person", "邻居"),
        ("那块手表后来修好了吗", "", "手表"),
        ("which podcast did you recommend", "show", "podcast"),
        ("that woman I mentioned", "person", "woman"),
        ("did that outage get resolved", "trouble", "outage"),
        ("the kettle you told me about", "", "kettle"),
        ("上次聊的那个 app", "code", "app"),
    ],
)
def test_the_noun_it_points_at_is_its_sort(text: str, sort: str, what: str) -> None:
    found = pointing(text)
    assert found is not None
    assert (found.grade, found.sort, found.what) == ("sort", sort, what)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("你推荐的那本书", "agent"),
        ("我跟你说过的那个人", "owner"),
        ("我们上次聊的那件事", ""),
        ("the film you suggested", "agent"),
        ("what did I tell you last time", "owner"),
        ("the thing we talked about", ""),
    ],
)
def test_who_said_it(text: str, who: str) -> None:
    found = pointing(text)
    assert found is not None
    assert found.who == who


@pytest.mark.parametrize(
    "text",
    [
        "明天天气怎么样", "今天心情如何", "你好呀", "你说得对", "我说过了", "好的，继续吧谢谢",
        "我叫什么名字",
        "你还记得我吗", "帮我写一个脚本", "什么是递归", "现在几点", "最近还好吗",
        "how are you", "who am I", "what can you do", "tell me a story", "good morning",
        "write a script for backups", "as I said", "thanks, that works", "let's talk about boats",
    ],
)  # fmt: skip
def test_what_names_its_matter_or_asks_nothing_is_not_vague(text: str) -> None:
    found = pointing(text)
    assert found is None or not found.sure or found.grade == "tie"


@pytest.mark.parametrize(
    "text",
    ["上次说的那家搬家公司的电话", "the ferry schedule you mentioned", "那个陶艺班的学费交了吗"],
)
def test_content_makes_the_pointing_a_tie_break(text: str) -> None:
    found = pointing(text)
    assert found is not None
    assert found.grade == "tie"


@pytest.mark.parametrize("text", ["why is that", "那是为什么", "what does it mean", "后来呢"])
def test_a_bare_pronoun_is_not_sure(text: str) -> None:
    found = pointing(text)
    assert found is not None
    assert not found.sure


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    found = pointing(text)
    assert found is None or found.grade in {"whole", "sort", "tie"}
