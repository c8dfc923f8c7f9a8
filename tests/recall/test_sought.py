"""The sort of value a question asks for, and texts that have one."""

import pytest

from slowwave.recall.sought import gives, sort_of


@pytest.mark.parametrize(
    ("question", "gives_one", "gives_none"),
    [
        (
            "What is Halvor's email?",
            "halvor@fjordmap.example is where he reads",
            "Halvor edits maps",
        ),
        ("小柚的邮箱是什么？", "小柚用 youzi@example.cn 收信", "小柚每天查信"),
        ("What's Edda's phone number?", "Edda: +47 900 12 345", "Edda lives at 12 Tarn Road"),
        ("阿棠的手机号是多少？", "阿棠 139 0000 1234", "阿棠的税号 91AB0417"),
        (
            "What is the flight number?",
            "flight KX204 leaves on Monday",
            "the flight leaves on Monday",
        ),
        ("When is Edda's birthday?", "Edda turns 40 on May 4", "Edda comes on May 4"),
        ("毛豆的生日是哪天？", "毛豆 6 月 1 日过生日", "毛豆 6 月 1 日放假"),
        (
            "How much does the cabin cost a night?",
            "the cabin is 80 a night",
            "the cabin is at No. 4",
        ),
        ("工作室房租每月多少？", "房租押一付三，每月 5200", "工作室在杏花巷 7 号 302"),
        ("How many pumps do we run?", "we run 14 pumps now", "we run 14 gateways"),
        ("新仓库多少平米？", "新仓库 260 平，带月台", "新仓库在三楼"),
        ("孩子几岁了？", "孩子今年六岁", "孩子放学是 16:20"),
    ],
)
def test_a_text_has_a_value_of_the_sort_or_is_no_answer(
    question: str, gives_one: str, gives_none: str
) -> None:
    assert gives(gives_one, question)
    assert not gives(gives_none, question)


@pytest.mark.parametrize(
    "question",
    [
        "Where does Edda live?",
        "Did I email the landlord?",
        "阿棠喜欢什么？",
        "Why did we pick kelp?",
    ],
)
def test_other_questions_ask_for_no_form(question: str) -> None:
    assert sort_of(question) is None
    assert gives("anything at all", question)


def test_a_masked_value_is_a_value() -> None:
    assert gives("Edda's number is [secret:phone]", "What's Edda's phone number?")
