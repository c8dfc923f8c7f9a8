"""Words that nobody said, in the text of a model's claim. People and places are invented."""

import pytest

from slowwave.dream.distill.model.words import foreign_words

TOLD_ALIKE = [
    ("The user's aunt Ottoline mends clocks in Turku", "My aunt Ottoline mends clocks in Turku"),
    ("User's aunt Ottoline is mending clocks", "My aunt Ottoline mends clocks in Turku"),
    ("Wilmar keeps bees", "I keep bees"),
    ("The user prefers rye bread", "rye bread, please"),
    ("The user is allergic to walnuts", "I’m allergic to walnuts, and to dust as well"),
    ("They don't eat meat", "we don't eat meat at home"),
    ("用户对桃子过敏", "我对桃子过敏，推荐水果时避开"),
    ("他的妹妹在湖州学陶艺", "我妹妹在湖州学陶艺"),
    ("用户喜欢黑麦面包", "黑麦面包就好"),
    ("每周三要交周报", "每周三交周报"),
    ("The release is v2.4.1 on 2031-05-01", "The release is v2.4.1 next Thursday"),
    ("", "anything"),
]


@pytest.mark.parametrize(("text", "quote"), TOLD_ALIKE)
def test_who_tells_it_and_what_is_left_out_are_no_foreign_words(text: str, quote: str) -> None:
    assert foreign_words(text, [quote], ["Wilmar Stoop"]).added == ()


REPLACED = [
    ("I keep wasps in the garden", "I keep bees in the garden", "wasps", "bees"),
    ("The gate opens by itself", "the gate closes by itself", "opens", "closes"),
    ("Feeling hopeless today", "Feeling hopeful today", "hopeless", "hopeful"),
    ("每周四交周报", "每周三交周报", "四", "三"),
    ("我舅舅在湖州", "我叔叔在湖州", "舅", "叔"),
    ("水位表放在南边", "水位表放在北边", "南", "北"),
    ("The user likes tea", "I hate tea", "likes", "hate"),
]


@pytest.mark.parametrize(("text", "quote", "added", "lost"), REPLACED)
def test_a_word_in_the_place_of_another_is_told_with_that(
    text: str, quote: str, added: str, lost: str
) -> None:
    found = foreign_words(text, [quote])
    assert added in found.added
    assert lost in found.lost


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I keep bees with my brother", "I keep bees"),
        ("The user keeps many valuable bees", "I keep bees"),
        ("我妹妹在湖州学陶艺，学费很贵", "我妹妹在湖州学陶艺"),
    ],
)
def test_more_than_was_said_is_added(text: str, quote: str) -> None:
    assert foreign_words(text, [quote]).added


def test_words_may_come_from_any_of_the_quotes() -> None:
    quotes = ["Shall I water the ferns on Fridays?", "Yes, from now on"]
    assert foreign_words("water the ferns on Fridays from now on", quotes).added == ()
