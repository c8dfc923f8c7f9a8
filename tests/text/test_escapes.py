"""What a text with escapes says."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.escapes import readings


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('"\\u7a91\\n"', '"窑\n"'),
        ("a \\/ b", "a / b"),
        ("\\ud83c\\udffa", "🏺"),
        ("C:\\work", "C:\\work"),
    ],
)
def test_both_readings(text: str, read: str) -> None:
    assert readings(text)[0] == text
    assert readings(text)[-1] == read


def test_a_text_without_escapes_has_one() -> None:
    assert readings("窑 \n /") == ("窑 \n /",)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\\")))
def test_what_json_escapes_is_read(text: str) -> None:
    escaped = json.dumps(text)[1:-1]
    assert readings(escaped)[-1] == text
