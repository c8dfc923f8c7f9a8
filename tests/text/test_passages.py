from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.text.passages import CUT, PASSAGE_CHARS, passage_chars, passages

LINE = "The ferry to the island leaves at nine from the northern pier. "


def test_a_short_text_is_one_piece_as_it_is() -> None:
    text = "  The ferry leaves at nine.\n"
    assert passages(text, 8) == [text]
    assert passages("", 8) == [""]


def test_pieces_end_where_sentences_end() -> None:
    found = passages(LINE * 12, 8)
    assert len(found) == 2
    assert all(piece.endswith("northern pier.") for piece in found)
    assert all(len(piece) <= PASSAGE_CHARS for piece in found)


def test_nothing_is_lost_while_the_pieces_are_few() -> None:
    lines = [
        f"Line {number} tells of cabin {number * 7} on the upper deck." for number in range(40)
    ]
    assert "\n".join(passages("\n".join(lines), 99)).split() == "\n".join(lines).split()


def test_a_page_without_sentences_is_cut_at_blanks() -> None:
    words = " ".join(f"crate{number}" for number in range(200))
    found = passages(words, 99)
    assert " ".join(piece.strip() for piece in found).split() == words.split()
    assert max(map(len, found)) <= CUT * PASSAGE_CHARS


def test_a_word_without_end_is_cut_too() -> None:
    found = passages("x" * 5_000, 99)
    assert "".join(found) == "x" * 5_000


def test_of_a_very_long_text_the_beginning_and_a_spread_of_the_rest() -> None:
    lines = [
        f"Cabin {number} is {number * 7} steps from the {number}th stairs." for number in range(900)
    ]
    text = "\n".join(lines)
    found = passages(text, 8)
    assert len(found) == 8
    at = [text.index(piece) / len(text) for piece in found]
    assert at[0] == 0
    assert at[3] < 0.1
    assert 0.3 < at[5] < 0.4
    assert at[7] > 0.95


def test_chinese_says_more_in_fewer_characters() -> None:
    line = "渡轮早上九点从北码头开往小岛，晚上六点返航。"
    assert passage_chars(line) < PASSAGE_CHARS / 2
    found = passages(line * 20, 8)
    assert len(found) > 2
    assert all(piece.endswith("。") for piece in found)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=3_000), st.integers(3, 9))
def test_pieces_are_few_and_from_the_text_in_order(text: str, most: int) -> None:
    found = passages(text, most)
    assert 1 <= len(found) <= most
    at = 0
    for piece in found:
        at = text.index(piece, at) + len(piece)
