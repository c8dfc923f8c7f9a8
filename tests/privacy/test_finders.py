"""The finders one by one: check digits, borders, and inputs made to make patterns slow."""

import pytest

from slowwave.privacy import mask
from slowwave.privacy.checks import is_card, is_iban, is_national
from slowwave.privacy.reading import key_of


def masked(text: str) -> str:
    return mask([text]).texts[0].text


def test_check_digits() -> None:
    assert is_card("4111111111111111")
    assert not is_card("4111111111111112")
    assert not is_card("0000000000000000")
    assert is_iban("DE89370400440532013000")
    assert not is_iban("DE88370400440532013000")
    assert is_national("11010519491231002X")
    assert is_national("12345678Z")
    assert not is_national("110105194912310021")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("138 0013 8077", "１３８００１３８０７７"),
        ("+86 138-0013-8077", "13800138077"),
        ("Ana  Torres", "ANA TORRES"),
        ("DE89 3704 0044 0532 0130 00", "de89370400440532013000"),
    ],
)
def test_spellings_of_one_value_share_a_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4 and v10.20.30.40 are out",
        "127.0.0.1 is this machine",
        "it took 12:30:45, from 2026-11-03 to 2026-11-04",
        "see https://example.com/docs/page.html for more",
        "@dataclass\nclass Point: ...",
        "小时候喜欢小雨，从小学到大学都在老家",
        "高兴、方便、周末、成功、黄色、石头、马上、白天",
        "the order of 5000 units costs 1200 euros",
        "第3号文件，5号楼的电梯，11月3号",
        "in May and in March, mark my words",
        "nothing to do with std::string or AND/OR",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "part",
    ["a", "1 ", "路", "王小", "a@", "+1 ", "http://a?", "12号楼3单元", "对a", "·李", "[PERSON-",
     "1.234 ", "12 Ab Cd ", "生日", "password ", "one two ", "Abcd", "Ab-",
     "A'", "Abcdefghijklmnopqrstuvwxyz "],
)  # fmt: skip
def test_repetitions_do_no_harm(part: str) -> None:
    text = part * (6_000 // len(part)) + "!"
    found = mask([text]).texts[0]
    kept = [found.original[piece.start : piece.end] for piece in found.pieces]
    assert all(kept)
    assert len(found.text) <= len(text) + 12 * len(kept)
