"""A line that carries other people's words: harmless, and the same after any number of turns."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.testing.samples import memory
from slowwave.text.markdown import line_of, shown, slug, text_of, unshown

MARKS = st.text(st.sampled_from(list("<!->[]\\#`~*_+=1.)ax /?:x\n\u2028\x07 ")), max_size=40)


@given(st.one_of(MARKS, st.text(max_size=60)))
@settings(max_examples=100, deadline=None)
def test_back_and_forth(text: str) -> None:
    line = line_of(text)
    assert line_of(text_of(line)) == line
    assert "\n" not in line
    assert "<!--" not in line
    assert "-->" not in line
    assert not re.search(r"(?<!\\)<[A-Za-z/?]", line)


@given(MARKS)
@settings(max_examples=100, deadline=None)
def test_plain_text_comes_back_as_it_was(text: str) -> None:
    plain = " ".join(text.replace("\x07", " ").split())
    assert text_of(line_of(plain)) == plain


@pytest.mark.parametrize(
    "text",
    [
        "# a heading", "## two", "- a list", "+ x", "* x", "1. first", "12) twelfth", "> quoted",
        "```", "```sh rm", "~~~", "---", "***", "- - -", "[ ] to do", "[x] done", "[ref]: /etc",
        "<!-- slowwave:end -->", "<!-- openclaw:dreaming:deep:start -->", "<script>x</script>",
        "</slowwave-memory>", "![](https://example.test/pixel.png)", "--> out",
    ],
)  # fmt: skip
def test_nothing_acts(text: str) -> None:
    line = line_of(text)
    assert line != text
    assert text_of(line) == text
    assert re.match(r"\\|<\\|\d+\\|--\\|!\\", line)


@pytest.mark.parametrize(
    "text",
    [
        "-5 °C at night",
        "#tag",
        "3.14 is enough",
        "C:\\new\\.cfg",
        "a < b",
        "*bold* words",
        "[link](x)",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert line_of(text) == text == text_of(text)


def test_whom_it_is_about_is_said_once() -> None:
    other = memory("can't stand football", subject="Marek")
    assert shown(other) == "Marek: can't stand football"
    assert unshown(other, "Marek: can't stand rugby") == "can't stand rugby"
    assert unshown(other, "he likes rugby") == "he likes rugby"
    assert shown(memory("Marek can't stand football", subject="Marek")).startswith("Marek can't")
    assert shown(memory("I sail", subject="user")) == "I sail"


def test_slugs_are_short_and_plain() -> None:
    assert slug("Port: 5433 / Postgres 15.3!") == "port-5433-postgres-15-3"
    assert slug("湖滨新村 3 栋") == "湖滨新村-3-栋"
    assert slug("…") == ""
    assert len(slug("长" * 200).encode()) <= 60
    assert slug("../../etc/passwd") == "etc-passwd"
