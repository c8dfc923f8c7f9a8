"""Two statements: the same, replaced, beside each other. Every kind in several wordings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.compare.reading.quantity import conflict, quantities
from slowwave.dream.compare.relation import MERGES, REPLACES, Statement, compare
from slowwave.dream.compare.turns.chain import follows

SAME = """
我对花生过敏 | 我花生过敏
我住在昆明 | 我现在住昆明
我住在昆明 | 我家在昆明
我讨厌香菜 | 我不喜欢香菜
我不吃香菜 | 香菜我不吃
请用中文回答 | 回答请用中文
我喜欢打网球 | 我爱打网球
用户喜欢苹果 | 用户爱吃苹果
I like apples | I love eating apples
I live in Ghent | I live in Ghent now
I am allergic to nuts | I'm allergic to nuts!
I hate olives | I dislike olives
Please reply in English | Reply in English please
The backup runs at 02:00 | The backup runs at 2:00
例会早上九点开始 | 例会 9:00 开始
我喜歡打網球 | 我喜欢打网球
"""
RICHER = """
我在学吉他 | 我在学吉他，每周六下午跟一位老师上课
我养了一只乌龟，叫石头，七岁了 | 我养了一只乌龟
I play the oboe | I play the oboe in an amateur quartet on Wednesdays
I run a bakery near the station with two ovens | I run a bakery
The project uses Kotlin | The project uses Kotlin, with a Postgres database behind it
"""
REPLACED = """
I live in Ghent | I live in Namur
我住在昆明 | 我住在大理
My manager is Petra. | My manager is Ossian.
我的主管是贺敏 | 我的主管是尚远
My favourite colour is teal | My favourite colour is orange
我最喜欢的颜色是绿色 | 我最喜欢的颜色是紫色
项目代号叫青鸟 | 项目代号叫白鹭
I work at Lumen Foods | I work at Bexley Rail
我在腾远上班 | 我在宏达上班
The primary region is eu-west | The primary region is ap-south
The office is in Leuven | The office is in Mechelen
My dentist is Dr Moreau | My dentist is Dr Vance
周会在周二 | 周会在周四
备份放在硬盘 | 备份放在 NAS
I am single | I am married
报告用英文写 | 报告用中文写
I love Chinese food | I hate Chinese food
我爱吃榴莲 | 我讨厌吃榴莲
Production deployment is allowed | Production deployment is not allowed
可以直接改线上配置 | 不可以直接改线上配置
SSH 端口 22 | SSH 端口改成 49222 了
会员费一年三百 | 会员费涨到一年四百五
水电费每月两百 | 水电费现在每月两百六
The alarm is set to 6:30 | The alarm is set to 7:15 now
Rent is $900 | Rent went up to $975
We run Node 16 | We upgraded to Node 20
我每天喝三杯水 | 我现在每天喝六杯水
The limit is 20 requests | The limit was raised to 50 requests
"""
APART = """
I like tea | I like coffee
I work at Lumen Foods | I work out at Lumen Gym
My sister is a nurse | My sister is a runner
我妹妹是护士 | 我妹妹是射手座
会议室有投影 | 会议室有白板
我会做饭 | 我会修车
The app supports iOS | The app supports Android
我每天跑步 | 我每天背单词
I read on Sundays | I cook on Sundays
买了苹果 | 买了香蕉
I live with my grandmother | I live in Ghent
昨天去了云冈石窟 | 昨天去了五台山
我在上海开会 | 我在上海吃饭
我讨厌下雨 | 我讨厌堵车
Call me at noon | Email me at noon
提醒我交房租 | 提醒我交电费
我养猫 | 我养狗
女儿对牛奶过敏 | 女儿对鸡蛋过敏
去了咖啡店 | 咖啡机修好了
我住在阳光小区 | 今天阳光很好
林在 A 公司任财务 | 林管理 A 公司的 GitHub 组织
取消周三产品评审会，改到周五上午 | 周三需要发布新版本
张伟是我同事 | 张伟是我房东
I speak Danish | I speak Basque
我以前住在漳州 | 我住在泉州
I used to live in Porto | I live in Braga
I'm allergic to latex | I'm allergic to feathers
"""
OTHER_PEOPLE = """
我女儿叫小满 | 我儿子叫小满
My mother is a judge | My mother-in-law is a judge
ASR1603 用于手表 | ASR1605 用于网关
I eat meat | My flatmate eats no meat
我妈属龙 | 我婆婆属马
我喜欢吃辣 | 我同事不能吃辣
My brother is eight | My nephew is eight
"""
EXCEPTIONS = """
以后发报告用 PDF | 这次先用 Word
我晚上不接电话 | 今晚可以打给我，就这一次
Never delete logs | Debug logs can be deleted this once
我从不喝酒 | 婚礼那次破例喝了一杯
No dogs in the office | Guide dogs may come in
"""
NOTHING = """
我怕黑 | 发票要月底前交
I bake bread | The API key rotates monthly
数据库在上海 | 我外婆会唱昆曲
My knee hurts | Use two spaces after a period
"""


def rows(table: str) -> list[tuple[str, str]]:
    pairs = [line.split(" | ") for line in table.strip().splitlines()]
    return [(one, other) for one, other in pairs]


def relation(a: str, b: str, cosine: float | None = None) -> str:
    found = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"), cosine)
    assert found.reason
    assert 0 <= found.confidence <= 1
    return found.relation


ALL = [pair for table in (SAME, RICHER, REPLACED, APART, OTHER_PEOPLE, EXCEPTIONS, NOTHING)
       for pair in rows(table)]  # fmt: skip
DIFFERENT = [pair for table in (REPLACED, APART, OTHER_PEOPLE, EXCEPTIONS, NOTHING)
             for pair in rows(table)]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), rows(SAME))
def test_the_same_in_other_words(a: str, b: str) -> None:
    assert relation(a, b) in MERGES


@pytest.mark.parametrize(("a", "b"), rows(RICHER))
def test_the_fuller_one_is_current(a: str, b: str) -> None:
    found = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"))
    assert (found.relation, found.current) == ("richer", "a" if len(a) > len(b) else "b")


@pytest.mark.parametrize(("a", "b"), rows(REPLACED))
def test_the_later_one_takes_the_place(a: str, b: str) -> None:
    found = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"))
    assert found.relation in REPLACES
    assert found.current == "b"


@pytest.mark.parametrize(("a", "b"), rows(APART))
def test_both_can_hold(a: str, b: str) -> None:
    found = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"))
    # A low confidence is no ground for ending a memory (`reconcile.REPLACE_AT`).
    assert found.relation not in MERGES | REPLACES or (
        found.relation in REPLACES and found.confidence < 0.5
    )


@pytest.mark.parametrize(("a", "b"), rows(OTHER_PEOPLE))
def test_other_people_are_other_subjects(a: str, b: str) -> None:
    assert relation(a, b) == "different_subject"


@pytest.mark.parametrize(("a", "b"), rows(EXCEPTIONS))
def test_an_exception_leaves_the_rule_alone(a: str, b: str) -> None:
    found = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"))
    assert found.relation not in MERGES
    assert found.relation == "exception"
    assert found.current == "both"


@pytest.mark.parametrize("cosine", [None, 0.8, 0.9, 0.95])
@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_what_differs_is_never_merged_however_alike_the_vectors(
    a: str, b: str, cosine: float | None
) -> None:
    assert relation(a, b, cosine) not in MERGES


@pytest.mark.parametrize(("a", "b"), rows(NOTHING))
def test_nothing_in_common(a: str, b: str) -> None:
    assert relation(a, b, 0.78) in ("unrelated", "related_but_different", "different_subject")


@pytest.mark.parametrize(("a", "b"), ALL)
def test_the_order_of_the_arguments_does_not_matter_the_dates_do(a: str, b: str) -> None:
    forward = compare(Statement(a, "2026-01-02"), Statement(b, "2026-03-04"))
    turned = compare(Statement(b, "2026-03-04"), Statement(a, "2026-01-02"))
    assert turned.relation == forward.relation
    assert turned.current == {"a": "b", "b": "a", "both": "both"}[forward.current]


@pytest.mark.parametrize(("a", "b"), ALL)
def test_a_statement_is_the_same_as_itself(a: str, b: str) -> None:
    assert relation(a, a) == relation(b, b) == "same"


def test_subjects_that_are_given_decide() -> None:
    a, b = Statement("likes tea", "", "Ines"), Statement("likes tea", "", "Tomas")
    assert compare(a, b).relation == "different_subject"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("凌晨两点备份", "02:00 备份"),
        ("下午三点开会", "15:00 开会"),
        ("房租两千六", "房租 2600"),
        ("预算 1.2 万", "预算一万二"),
        ("opens at half seven", "opens 7:30"),
        ("half past five", "5:30 am"),
        ("twenty-five people", "25 people"),
        ("on 4 June", "June 4th"),
        ("五月十二号", "5 月 12 日"),
        ("salary 52k", "salary 52,000"),
        ("周五", "Fridays"),
        ("三楼", "3 层"),
    ],
)
def test_one_quantity_in_two_notations(one: str, other: str) -> None:
    assert conflict(quantities(one.lower()), quantities(other.lower())) == "agree"


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("7:30", "7:45", "changed"),
        ("三只猫", "四只猫", "changed"),
        ("30 秒", "90 秒", "changed"),
        ("node 18", "node 22", "changed"),
        ("周二", "周四", "day_changed"),
        ("80 公斤", "2 小时", "other_unit"),
        ("语气正式一点", "随意些", "none"),
        ("有三个人", "没有人", "one_sided"),
    ],
)
def test_quantities_that_differ(one: str, other: str, kind: str) -> None:
    assert conflict(quantities(one), quantities(other)) == kind


@pytest.mark.parametrize(
    ("a", "b", "chain"),
    [
        ("咖啡机坏了", "换了新咖啡机", True),
        ("热水器漏水", "热水器修好了", True),
        ("钥匙丢了", "钥匙找到了", True),
        ("The dishwasher broke", "Got a new dishwasher", True),
        ("My laptop is dead", "I replaced the laptop", True),
        ("去了咖啡店", "咖啡机修好了", False),
        ("咖啡机坏了", "咖啡店换了老板", False),
        ("My camera is a Leica", "New camera is a Nikon", False),
        ("热水器修好了", "热水器漏水", False),
    ],
)
def test_trouble_and_its_end(a: str, b: str, chain: bool) -> None:
    assert follows(a, b) is chain


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.none() | st.floats(-1, 1))
def test_any_text_can_be_compared(a: str, b: str, cosine: float | None) -> None:
    first = compare(Statement(a), Statement(b), cosine)
    assert first == compare(Statement(a), Statement(b), cosine)
