import re
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.segment import (
    _stem,
    cjk_share,
    fold,
    query_phrases,
    sentences,
    shadow,
    terms,
)
from slowwave.text.tokens import estimate

MIXED = st.text(
    st.characters(min_codepoint=1, max_codepoint=0x2FFFF, exclude_categories=())
    | st.sampled_from("猫在线会议的我 abcDEF don't v1.3.2 。？!.\n\u3000一二"),
    max_size=80,
)


def test_chinese_becomes_bigrams_and_the_last_character() -> None:
    assert terms("看电影") == ["看电", "电影", "影"]
    assert terms("茶") == ["茶"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("running", "runs"),
        ("Marta's garden", "Marta garden"),
        ("ＡＢＣ１２", "abc12"),
        ("café", "CAFE"),
        ("don’t", "don't"),
        ("1,250 trees", "1250 trees"),
        ("GPT-4", "gpt4"),
        ("naïve", "naive"),
    ],
)
def test_spellings_of_the_same_word_give_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(
    "text", ["हिन्दी", "مرحبا", "שלום", "สวัสดี", "안녕하세요", "ひらがな", "𠀀𠀁字"]
)
def test_every_script_gives_terms_that_a_question_finds(text: str) -> None:
    found = set(terms(text))
    assert found
    assert all(set(phrase) <= found for phrase in query_phrases(text))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("部署了 v2.7.1 到线上", "v2.7.1"),
        ("储物柜在 C4-208", "C4-208"),
        ("储物柜在 C4-208", "208"),
        ("server at 10.9.0.77", "10.9.0.77"),
        ("throughput is 3 GB/s", "GB/s"),
        ("a pre-edit draft", "pre-edit"),
        ("we run debian 12.5 here", "debian 12.5"),
        ("it doesn't start", "doesn't"),
        ("下午玩桌游接力", "接力"),
        ("养了一只橘猫和狗", "猫"),
    ],
)
def test_numbers_versions_and_short_words_are_found(text: str, query: str) -> None:
    words = f" {shadow(text)} "
    phrases = query_phrases(query)
    assert phrases
    assert all(f" {' '.join(phrase)} " in words for phrase in phrases)


def test_a_longer_version_is_not_a_shorter_one() -> None:
    words = f" {shadow('release v12.7.1')} "
    (phrase, *_) = query_phrases("v2.7.1")
    assert f" {' '.join(phrase)} " not in words


def test_single_characters_do_not_tear_phrases_apart() -> None:
    words = shadow("明天去爬山").split()
    assert words[: len(terms("明天去爬山"))] == terms("明天去爬山")
    assert {"明", "天", "去", "爬", "山"} <= set(words)


def test_shadow_is_limited() -> None:
    assert len(shadow("one two three four five six", limit=3).split()) == 3


def test_function_words_are_left_out_of_questions() -> None:
    assert query_phrases("Where did Otto buy the violin?") == [
        ("otto",),
        ("buy",),
        ("violin",),
    ]
    assert query_phrases("你还记得我的琴放在哪里吗") == [("琴放",)]


def test_a_lone_character_keeps_its_neighbours() -> None:
    # 在 looks like a function word, but 在线 is a word.
    assert ("在线",) in query_phrases("在线")


@pytest.mark.parametrize("query", ["AND", "the", "我的", "what", "don't"])
def test_a_question_of_function_words_is_taken_literally(query: str) -> None:
    assert query_phrases(query)


@pytest.mark.parametrize("query", ["", '"', "*", "（）", "🎉", "  \n", "\x00"])
def test_a_question_without_words_has_no_phrases(query: str) -> None:
    assert query_phrases(query) == []


@given(MIXED)
@settings(max_examples=100, deadline=None)
def test_terms_hold_no_syntax_and_every_phrase_is_of_the_text(text: str) -> None:
    found = terms(text)
    assert all(term and not re.search(r"[\s\"'*():^_\-]", term) for term in found)
    assert shadow(text).split()[: len(found)] == found
    # What is asked for literally is found in the text itself.
    joined = f" {shadow(text)} "
    assert all(f" {' '.join(phrase)} " in joined for phrase in query_phrases(text))


@given(MIXED)
@settings(max_examples=50, deadline=None)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert terms(fold(text)) == terms(text)


@pytest.mark.parametrize(
    ("text", "share"), [("hello there", 0.0), ("今天很好", 1.0), ("", 0.0), ("用 Rust 写的", 0.6)]
)
def test_share_of_chinese(text: str, share: float) -> None:
    assert cjk_share(text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我到家了。你呢？好！", ["我到家了。", "你呢？", "好！"]),
        (
            "Dr. Lind paid 3.50 for it. Then she left.",
            ["Dr. Lind paid 3.50 for it.", "Then she left."],
        ),
        ("她说「走吧。」我们就走了", ["她说「走吧。」", "我们就走了"]),
        ("1. buy milk\n2. call Ada", ["1. buy milk", "2. call Ada"]),
        ("see a.py and v1.2.3 now", ["see a.py and v1.2.3 now"]),
        ("Well... maybe. J. R. Moe knows", ["Well...", "maybe.", "J. R. Moe knows"]),
        ("先买票；再订房", ["先买票；", "再订房"]),
        ("   \n\n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(MIXED)
@settings(max_examples=100, deadline=None)
def test_sentences_cover_all_that_is_not_space(text: str) -> None:
    spans = sentences(text)
    assert spans == sorted(spans)
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("cat", 1), ("猫猫", 3), ("2026-05-01", 6), ("a b\nc", 4)]
)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_text_is_cut_like_any_other(text: str) -> None:
    # A Chinese character at the end takes the general way.
    assert [*terms(text), "\u9e45"] == terms(text + " \u9e45")


def test_threads_do_not_get_into_each_others_words() -> None:
    """A stemmer works in place: one for all threads tears words, now and then even by an error."""
    roots = [f"{root}{letter}" for root in ("glaz", "pott", "hesit") for letter in "abcdefgh"]
    words = [root + end for root in roots for end in ("ing", "ationally", "fulness", "edly")]
    expected = [_stem(word) for word in words]
    start = Barrier(4)

    def read(shift: int) -> bool:
        start.wait()
        places = [(place + shift) % len(words) for place in range(len(words))] * 10
        return all(_stem(words[place]) == expected[place] for place in places)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(read, range(0, 92, 23)))
    finally:
        sys.setswitchinterval(interval)
