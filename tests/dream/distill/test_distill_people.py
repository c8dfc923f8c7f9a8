"""Who is named in a stretch of text."""

import pytest

from slowwave.dream.distill.clauses.people import name_in


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("I'm Edda Marsh", ""),
        ("We’re Edda", ""),
        ("It's Edda Marsh", "Edda Marsh"),
        ("She’s Edda", "Edda"),
        ("Edda Marsh", "Edda Marsh"),
        ("Edda's Boat", "Edda's Boat"),
    ],
)
def test_a_pronoun_in_front_is_no_part_of_a_name(words: str, name: str) -> None:
    assert name_in(words) == name
