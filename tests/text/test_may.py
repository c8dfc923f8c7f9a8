"""May, the month, beside the verb."""

import pytest

from slowwave.text.may import without_may


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("by may 28 now", "by     28 now"), ("it may rain in may", "it may rain in    "),
        ("the 3rd may", "the 3rd    "), ("you may merge again", "you may merge again"),
        ("early may works", "early     works"), ("may the 4th", "    the 4th"),
    ],
)  # fmt: skip
def test_may_the_month_is_no_verb(text: str, kept: str) -> None:
    assert without_may(text).split() == kept.split()
    assert len(without_may(text)) == len(text)
