"""Salted signatures: the same and rewordings are known, different facts are not refused."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import Tombstone
from slowwave.text.signature import Hints, Seal, Statement, identity_hash, sign

NOW = datetime(2031, 3, 14, 8, tzinfo=UTC)
SALT = "5a" * 16


def seal(*statements: Statement) -> Seal:
    whole, terms = sign(SALT, statements)
    return Seal(
        Tombstone(id="r1", space="alder", forgotten_at=NOW, before=NOW, salt=SALT, whole=whole,
                  terms=terms)
    )  # fmt: skip


RETURNS = [
    ("I'm allergic to hazelnuts", "user", "Hazelnuts make me ill, I have an allergy", "user"),
    ("I'm allergic to hazelnuts", "", "Noted: you are allergic to hazelnuts.", ""),
    ("我对榛子过敏", "user", "榛子我不能吃，会过敏", "user"),
    ("我住在青杨小区3号楼", "user", "我家在青杨小区3号楼", "user"),
    ("我住在青杨小区", "user", "我家住青楊小區", "user"),
    ("I earn 6150 euros a month", "user", "my salary is 6150 euros per month", "user"),
    ("Odile's phone number is 15922338", "Odile", "You reach Odile by phone at 15922338", "Odile"),
    ("My landlord is called Bertil Krans", "user", "Bertil Krans is the name of my landlord", ""),
    ("每周四晚上去上陶艺课", "user", "周四晚上我都要去陶艺课", "user"),
    ("阿沅的生日是3月9号", "user", "9号是阿沅生日", ""),
    ("我和阿沅3月9号离婚了", "user", "3月9号我跟阿沅离了婚", "user"),
    ("My sister Odile is pregnant", "", "Odile, my sister, is pregnant", ""),
    ("我住在青杨小区3号楼", "user", "我住青杨小区", "user"),
]

DIFFERENT = [
    ("I'm allergic to hazelnuts", "user", "My cousin Odile is allergic to hazelnuts", "Odile"),
    ("I'm allergic to hazelnuts", "", "My cousin Odile is allergic to hazelnuts", ""),
    ("I'm allergic to hazelnuts", "user", "I'm allergic to mussels", "user"),
    ("I'm not allergic to cats", "user", "I'm allergic to cats", "user"),
    ("我对榛子过敏", "user", "我对海鲜过敏", "user"),
    ("我对榛子过敏", "user", "我喜欢吃榛子酱", "user"),
    ("我住在青杨小区3号楼", "user", "我住在青杨小区5号楼", "user"),
    ("我妹妹在泉州开花店", "", "我妹妹住在泉州", ""),
    ("Odile works at the harbour museum", "Odile", "Odile lives in Turku", "Odile"),
    ("Odile's phone number is 15922338", "Odile", "Odile moved to Turku in May", "Odile"),
    ("Odile's phone number is 15922338", "Odile", "Odile's phone number is 15922771", "Odile"),
    ("I earn 6150 euros a month", "user", "my rent is 980 euros per month", "user"),
    ("I drink coffee in the morning", "user", "I drink tea in the evening", "user"),
    ("Reports go out as PDF", "user", "Reports go to Bertil every Monday", "user"),
    ("每周四晚上去上陶艺课", "user", "每周二晚上去游泳", "user"),
    ("I like tea", "", "Odile likes tea", ""),
    # the same names and the same day, another thing said of them
    ("阿沅的生日是3月9号", "user", "订了9号晚上六点的包间，三个人，给阿沅过生日", "user"),
    ("阿沅的生日是3月9号", "user", "给阿沅过生日", "user"),
    ("阿沅的生日是3月9号", "user", "阿沅3月9号去泉州送货", "user"),
    ("我和阿沅3月9号离婚了", "user", "我和阿沅3月9号去了泉州", "user"),
    ("My sister Odile is pregnant", "", "Odile is my sister", ""),
    ("Odile's birthday is on March 9", "Odile", "Odile flies to Turku on March 9", "Odile"),
    ("I earn 6150 euros a month", "user", "I paid 6150 euros for the kiln", "user"),
    ("豆豆对腰果过敏", "豆豆", "豆豆喜欢腰果", "豆豆"),
    ("我喜欢喝茶", "", "小林喜欢喝茶", ""),
    ("I drink coffee in the morning", "", "Do you want coffee this morning?", ""),
]


@pytest.mark.parametrize(("told", "about", "text", "whom"), RETURNS)
def test_the_same_in_other_words_is_known(told: str, about: str, text: str, whom: str) -> None:
    assert seal(Statement(told, about)).means(text, whom)
    assert Hints([Statement(told, about)]).may_say(text)


@pytest.mark.parametrize(("told", "about", "text", "whom"), DIFFERENT)
def test_a_different_fact_is_not_refused(told: str, about: str, text: str, whom: str) -> None:
    assert not seal(Statement(told, about)).means(text, whom)


def test_width_case_blanks_and_punctuation_do_not_hide_the_same_words() -> None:
    known = seal(Statement("The door code is 4471."))
    assert known.same_words("THE　door-code is 4471")
    assert not known.same_words("The door code is 4472.")


def test_what_says_nothing_leaves_no_signature() -> None:
    assert sign(SALT, [Statement("好的"), Statement("yes, do that"), Statement("👍")]) == ((), ())


def test_a_later_statement_is_not_covered() -> None:
    known = seal(Statement("The door code is 4471."))
    assert known.covers(NOW)
    assert known.covers(None)
    assert not known.covers(NOW + timedelta(seconds=1))


def test_a_signature_does_not_hold_the_words() -> None:
    whole, terms = sign(SALT, [Statement("Odile works at the harbour museum", "Odile")])
    for word in ("odile", "harbour", "museum", "harbou"):
        assert word not in " ".join((*whole, *terms)).casefold()


def test_another_salt_gives_another_signature() -> None:
    told = [Statement("Odile works at the harbour museum")]
    assert not set(sign(SALT, told)[0]) & set(sign("5b" * 16, told)[0])
    assert identity_hash(SALT, "a") != identity_hash("5b" * 16, "a")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_every_text_has_a_signature_and_knows_itself(text: str) -> None:
    whole, _ = sign(SALT, [Statement(text)])
    assert seal(Statement(text)).means(text) or not whole
