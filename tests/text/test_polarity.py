"""Negation and scope."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.polarity import (
    canonical,
    is_double_negated,
    is_exception,
    is_hold,
    is_negated,
    is_this_once,
    standing_of,
)


@pytest.mark.parametrize(
    "text",
    [
        "我不吃茄子", "别给老周发邮件", "我们没用 Kafka", "不准外传", "以後唔好叫我",
        "严禁在仓库抽烟",
        "No need to restart", "Deploys are not allowed", "I don't drink", "never call before ten",
        "we no longer use it", "She can't have nuts", "Hold off on the mailing", "未经同意不要转发",
        "過道嗰個位唔好", "we should quit arguing about it",
    ],
)  # fmt: skip
def test_denials_and_prohibitions(text: str) -> None:
    assert is_negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢茄子", "以后用横版，别用竖版", "我不是湖北人，我是湖南人", "特别喜欢爬山",
        "要不要去爬山",
        "差不多好了", "分别发给两个组", "Deploys are allowed", "No problem, it works", "Use tabs",
        "It's on Friday now, not Thursday", "不得不加班", "I haven't decided against it",
        "I quit Holm & Sons and opened a bakery",
    ],
)  # fmt: skip
def test_statements_that_deny_nothing(text: str) -> None:
    assert not is_negated(text)


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("以后都用 PDF", "standing"), ("这次先用 Word", "one_off"), ("暂时不要发", "temporary"),
        ("Always use tabs", "standing"), ("just this once, use spaces", "one_off"),
        ("hold off until Monday", "temporary"), ("我住在城南", "standing"),
    ],
)  # fmt: skip
def test_how_long_it_is_meant(text: str, standing: str) -> None:
    assert standing_of(text) == standing


def test_scopes() -> None:
    assert is_hold("这周先别发")
    assert is_this_once("only this time")
    assert is_exception("周末除外")
    assert is_exception("all of them except the blue one")
    assert not is_exception("我住在城南")
    assert is_double_negated("it isn't that I dislike it")


def test_canonical_folds_script_and_dialect_in_place() -> None:
    assert canonical("說話") == "说话"
    assert canonical("唔好寄，嗰張枱唔好") == "不要寄，那张枱不好"
    assert len(canonical("我唔好食İ𝒳")) == len("我唔好食İ𝒳")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    assert len(canonical(text)) == len(text)
    assert isinstance(is_negated(text), bool)
    assert standing_of(text) in ("standing", "temporary", "one_off")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I quit sugar", True),
        ("I quit smoking", True),
        ("I quit my job", False),
        ("I stopped eating meat", True),
        ("I refuse to fly", True),
        ("we've given up on the garden", True),
        ("留学的事放弃了", True),
        ("I can't stand cilantro", False),
        ("can't wait to see you", False),
        ("I'm vegan so no butter please", False),
        ("not the red one, the blue one", False),
        ("我不在厂里了，搬到市区了", False),
        ("the car park opens at six", False),
    ],
)
def test_verbs_that_deny_and_phrases_that_do_not(text: str, denied: bool) -> None:
    assert is_negated(text) is denied
