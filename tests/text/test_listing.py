"""The line of a memory: shorter than its words, dated where it may change, and led back to them."""

from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.testing.samples import memory
from slowwave.text.listing import bare, listed, undated, unlisted
from slowwave.text.markdown import line_of

ZONE = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("So I quit the choir lol", "I quit the choir"),
        ("because my kiln broke, so sad", "my kiln broke"),
        ("Oh well, we sold the boat haha!!", "We sold the boat"),
        ("But the roof still leaks 😅", "The roof still leaks"),
        ("and, we paint on Sundays ugh", "we paint on Sundays"),
        ("因为我对牡蛎过敏", "我对牡蛎过敏"),
        ("所以，窑房的钥匙换地方了哈哈哈", "窑房的钥匙换地方了"),
        ("对了，我把陶轮借给阿沅了，太开心了", "我把陶轮借给阿沅了"),
        ("不过阿沅不吃辣～嘿嘿", "阿沅不吃辣"),
        # what belongs to the sentence stays
        ("So Young Records is my label", "So Young Records is my label"),
        ("Because of Winn is my favourite novel", "Because of Winn is my favourite novel"),
        ("The film was so sad", "The film was so sad"),
        ("但愿窑能修好", "但愿窑能修好"),
        ("那个陶轮是我的", "那个陶轮是我的"),
        ("lol", "lol"),
        ("哈哈", "哈哈"),
        ("ok", "ok"),
        ("And Then There Were None is on my list", "And Then There Were None is on my list"),
    ],
)
def test_what_only_hung_it_into_a_talk_is_left_out(text: str, told: str) -> None:
    assert bare(text) == told


@pytest.mark.parametrize(
    ("dated", "fields"),
    [
        (True, {"kind": "environment"}), (True, {"kind": "project"}), (True, {"kind": "plan"}),
        (True, {"standing": "dated"}), (True, {"text": "I live near the harbour"}),
        (True, {"text": "我在青杨陶艺公司上班"}), (True, {"text": "Write to ida@kiln.example"}),
        (False, {"text": "Odile likes plums"}), (False, {"kind": "rule"}),
        (False, {"kind": "plan", "text": "周五（2031-03-21）送修"}),
    ],
)  # fmt: skip
def test_a_day_stands_behind_what_may_change(dated: bool, fields: dict) -> None:
    one = memory(**({"text": "The plums are ripe"} | fields))
    line = listed(one, ZONE)
    day = one.last_seen.astimezone(ZONE).date().isoformat()
    assert line.endswith(f" ({day})") is dated
    assert undated(line) == line_of(one.text) or not dated


@given(st.text(min_size=1, max_size=60), st.booleans())
@settings(max_examples=80, deadline=None)
def test_an_untouched_line_is_the_whole_text(text: str, project: bool) -> None:
    one = memory(text, kind="project" if project else "fact")
    line = listed(one, ZONE)
    assert unlisted(one, line, line, ZONE) == (one.text, one.text)
    assert len(line) <= len(line_of(text)) + 13
