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
        "password = request.form['password']",
        "username: string, required; phone: optional",
        "the password must have at least 8 characters",
        "我想换个密码，太难记了",
        "| Name | Version |\n|---|---|\n| numpy | 2.1.0 |",
        "Die Besprechung mit dem Lieferanten ist am Montag, der Bericht folgt am Dienstag",
        "El informe del proyecto llega antes del viernes, y la factura despues",
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("客户恩科尔先生下周来", "客户[PERSON-1]先生下周来"),
        ("麦克劳德教授回信了", "[PERSON-1]教授回信了"),
        ("联系维拉斯凯兹女士", "联系[PERSON-1]女士"),
        ("山口小姐订了两张", "[PERSON-1]小姐订了两张"),
        ("英文老师和法文老师都请假", "英文老师和法文老师都请假"),
        ("大提琴老师在二楼", "大提琴老师在二楼"),
    ],
)
def test_names_from_abroad_before_a_form_of_address(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("和同事孟溪一起吃的", "和同事[PERSON-1]一起吃的"),
        ("我同学卢苇一直没回", "我同学[PERSON-1]一直没回"),
        ("表弟方一鸣毕业了", "表弟[PERSON-1]毕业了"),
    ],
)
def test_a_name_ends_where_an_adverb_begins(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the client is Mr. Quashie", "the client is Mr. [PERSON-1]"),
        ("my neighbour Mrs. Tollgate-Byrne moved", "my neighbour Mrs. [PERSON-1] moved"),
    ],
)
def test_a_title_is_no_name(text: str, shown: str) -> None:
    assert masked(text) == shown
