"""Everyday statements that look like something else: an order, a permission, a stranger's role."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.dream.compare.turns.hold import RELEASE
from slowwave.dream.distill.clauses.people import is_pronoun
from slowwave.dream.distill.rules import distill
from slowwave.model import Claim, Event

ZURICH = ZoneInfo("Europe/Zurich")
WEDNESDAY = datetime(2026, 4, 22, 15, tzinfo=ZURICH)


def claims_of(text: str) -> tuple[Claim, ...]:
    event = Event(
        id="e", space="s", identity="e", ts=WEDNESDAY, role="user", kind="message",
        origin="owner", text=text, source="test", session="s",
    )  # fmt: skip
    return distill([event], ZURICH).claims


def only(text: str) -> Claim:
    (claim,) = claims_of(text)
    return claim


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("No meat since Easter", None),
        ("No cigarettes for two years now", None),
        ("No beer since New Year, feeling great", None),
        ("no emails from the council since Friday", None),
        ("The physio was clear: no lifting until June", "2026-06-30"),
        ("My ankle is sprained: no dancing for a month", "2026-05-22"),
        ("No gluten for six weeks, my gastroenterologist is testing", "2026-06-03"),
        ("No running until June, doctor's orders", "2026-06-30"),
        ("膝盖去看了，医生说半月板撕裂，六周不能跑步", "2026-06-03"),
        ("我膝盖手术后，三个月不能爬山", "2026-07-22"),
        ("物理治疗师说别跑步了，改骑车", None),
        ("医生说这个月别喝酒", "2026-04-30"),
    ],
)
def test_what_somebody_does_without_is_no_order(text: str, until: str | None) -> None:
    claim = only(text)
    assert (claim.kind, claim.subject, claim.valid_to) == ("profile", "user", until)
    assert claim.standing == ("temporary" if until else "standing")


@pytest.mark.parametrize(
    "text",
    ["no cello lesson this week", "No choir practice on Thursday", "No German class tomorrow"],
)
def test_what_does_not_take_place_is_no_order(text: str) -> None:
    claim = only(text)
    assert claim.subject == "user"
    assert claim.kind != "rule"


@pytest.mark.parametrize(
    "text",
    [
        "No calls after eight", "No meetings on Fridays please", "No training on Sundays",
        "no deploys this week", "No dairy in the meal plan, the doctor said so",
        "No emojis in my reports", "别给我推荐酒，医生说这个月别喝",
    ],
)  # fmt: skip
def test_an_order_stays_one(text: str) -> None:
    claim = only(text)
    assert (claim.kind, claim.subject) == ("rule", "agent")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The baths on Quellweg reopened on Monday", "2026-04-20"),
        ("Ferry service resumed on 3 May", "2026-05-03"),
        ("The visa office is open again from May 4 now", "2026-05-04"),
        ("Deploys are unblocked as of tomorrow", "2026-04-23"),
        ("地铁三号线四月二十号恢复运营", "2026-04-20"),
        ("医保卡解冻了，新卡号是 8841", None),
        ("The bakery on Lindenstrasse reopened under new owners", None),
    ],
)
def test_what_tells_more_than_a_permission_is_kept_for_that(text: str, day: str | None) -> None:
    claim = only(text)
    assert claim.rule != RELEASE
    assert claim.valid_from == day


@pytest.mark.parametrize(
    "text",
    ["the freeze is over", "封网结束了，可以发版了", "the gate is open again"],
)  # fmt: skip
def test_a_mere_permission_is_kept_only_for_what_it_ends(text: str) -> None:
    assert only(text).rule == RELEASE


@pytest.mark.parametrize(
    "text", ["Hold off on the gazette for now", "Hold off on the gazette until Monday"]
)
def test_to_hold_off_is_no_release(text: str) -> None:
    assert (only(text).kind, only(text).standing) == ("rule", "temporary")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("客户温特先生要求样品下周五寄到", "温特先生"),
        ("客户奥孔科先生希望六月十号之前交货", "奥孔科先生"),
        ("洛伦佐教授五月退休", "洛伦佐教授"),
        ("埃文斯老师每周三教我吹长笛", "埃文斯老师"),
        ("昨天跟邻居卡塔琳娜喝了咖啡，她在港口上班", "卡塔琳娜"),
        ("晚饭和同事岑兰一起吃的，她负责灯光", "岑兰"),
        ("和室友阿磊一起看房，他是挪威人", "阿磊"),
        ("跟朋友程野去爬山，他对花生过敏", "程野"),
        ("水管工周二来", "user"),
        ("她负责调音", "world"),
    ],
)
def test_whom_a_statement_is_about(text: str, subject: str) -> None:
    assert only(text).subject == subject


@pytest.mark.parametrize(
    "text",
    ["My favorite painter is Agnes Martin", "My favourite composer is Dvořák",
     "Our favourite baker is Ilse", "我最喜欢的作家是沈从文"],
)  # fmt: skip
def test_a_favourite_is_a_preference(text: str) -> None:
    assert (only(text).kind, only(text).subject) == ("preference", "user")


@pytest.mark.parametrize(
    "text",
    ["埃文斯医生建议我多走路", "张大夫建议我少吃盐", "Dr Marsh advised me to walk more",
     "My physio told me to stretch every morning"],
)  # fmt: skip
def test_advice_to_the_user_is_kept(text: str) -> None:
    assert only(text).subject == "user"


@pytest.mark.parametrize("word", ["她", "他们", "人家", "she", "They"])
def test_pronouns_name_nobody(word: str) -> None:
    assert is_pronoun(word)
    assert not is_pronoun(f"{word}n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I signed the contract yesterday", "fact"),
        ("We finished the report this morning", "fact"),
        ("We started the migration on Monday", "project"),
        ("I'm in charge of the migration", "project"),
        ("程野五月要来伯尔尼看我，住一个星期", "plan"),
        ("韩丽下个月要来我家住几天", "plan"),
        ("My cousin is coming to stay with me in May for two weeks", "plan"),
        ("Linnea is coming to Bern in June, staying ten days", "plan"),
    ],
)
def test_what_is_over_is_no_work_and_a_visit_is_a_plan(text: str, kind: str) -> None:
    assert only(text).kind == kind


def test_a_bare_month_is_a_month() -> None:
    claim = only("程野五月要来伯尔尼看我")
    assert (claim.valid_from, claim.valid_to) == ("2026-05-01", "2026-05-31")


@pytest.mark.parametrize(
    "text",
    ["我妈包了饺子，真香", "姑姑做了梅子酱，特别好吃", "My aunt baked a cake, it was delicious",
     "My neighbour made soup, so good"],
)  # fmt: skip
def test_a_treat_counts_little(text: str) -> None:
    assert only(text).importance <= 50


@pytest.mark.parametrize(
    "text", ["我弟考上大学了", "My brother broke his leg", "姑姑每周日做苹果派"]
)
def test_what_stays_so_counts_as_before(text: str) -> None:
    assert only(text).importance >= 65
