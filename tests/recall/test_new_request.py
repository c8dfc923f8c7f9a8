"""What is asked anew, and what only asked."""

import pytest

from slowwave.recall.new_request import has_material, is_anew, only_asks


@pytest.mark.parametrize(
    "text",
    [
        "Tell me a riddle", "another limerick please",
        "31 times 12", "write a function that rounds",
        "how tall is a giraffe", "can you draw a boat", "give us five names for a ship",
        "讲个谜语", "给我写首诗", "六乘以九", "长颈鹿有多高", "帮我算一下面积", "写一个排序函数",
    ],
)  # fmt: skip
def test_what_asks_for_something_new(text: str) -> None:
    assert is_anew(text)


@pytest.mark.parametrize(
    "text",
    [
        "where did I park", "what is my size", "why did we choose oak", "the regex you wrote",
        "write it like last time", "what have I told you about Ivo", "我的尺码", "上次那个脚本",
        "我们为什么选橡木", "还记得伊沃吗", "像之前一样写",
    ],
)  # fmt: skip
def test_what_asks_for_what_is_known(text: str) -> None:
    assert not is_anew(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tell me a riddle about bees.", "What is 12 plus 30?", "can you convert 3 miles to km?",
        "Write a limerick about soup", "翻译：门坏了", "讲个关于蜜蜂的谜语", "12加30等于几",
        "把这句话翻译成德语", "帮我写一首诗", "天气怎么样",
    ],
)  # fmt: skip
def test_what_only_asks(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "Bought the blue kettle", "Met Ivo at the ferry", "I moved to Ghent. Can you find movers?",
        "Painted the gate today", "The kettle leaks.",
        "今天什么都没做", "把门锁换成了新的", "我怕蜘蛛",
    ],
)  # fmt: skip
def test_what_tells_something(text: str) -> None:
    assert not only_asks(text)


@pytest.mark.parametrize(
    ("text", "handed"),
    [
        ("translate: the gate is open", True),
        ("把“门开着”翻译成英文", True), ("“茶”用法语怎么说", True),
        ("proofread this:\nthe gate are open", True), ("rewrite 'see you' more politely", True),
        ("who translated the manual", False),
        ("我在翻译一本小说", False), ("where is the gate", False),
    ],
)  # fmt: skip
def test_a_text_to_work_on(text: str, handed: bool) -> None:
    assert has_material(text) is handed
