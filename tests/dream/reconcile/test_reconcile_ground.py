"""Positive evidence: what ends or takes in a memory, and what only shares words with it."""

from datetime import UTC, datetime

import msgspec
import pytest

from slowwave.dream.compare.grounds.ending import ending
from slowwave.dream.compare.grounds.merge import mergeable
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Claim, Evidence, Kind, Memory, Standing

ENDED = """
The choir rehearses on Tuesdays at 19:30 | Choir rehearsal has been moved to Wednesdays at 20:00
My landlord is Mr Osei | My landlord is now Mrs Pratt
The nightly job writes to bucket lark-3 | The nightly job now writes to bucket lark-9
Parking permit costs 35 a month | The parking permit went up to 42 a month
The travel allowance is $60 a day | Head office raised the travel allowance to $75
I'm vegetarian | I'm no longer vegetarian
Our Wi-Fi router sits in the hallway | We moved the router to the study
I have a gym membership at FitBarn | I cancelled my FitBarn membership
Never push to main directly | You can push to main directly
Send me the summary at 8am | Send me the summary at 7am from now on
Mum lives in Cardiff | Mum moved to Swansea
I work at Halden Optics | I started at Brightwater Labs
The daily limit is 500 requests | Daily limit was raised from 500 to 800 requests
Use tabs for indentation | Use spaces for indentation instead of tabs
I like karaoke nights | I can't stand karaoke nights
Guests may park in the yard | Guests may not park in the yard
The picnic is on Saturday | The picnic is called off
My daughter is six | My daughter just turned seven
I'm single | I'm married
门诊时间是周二上午 | 门诊时间改到周五下午了
我老婆在市三院上班 | 我老婆跳槽到康宁诊所了
快递放门口就行 | 快递别放门口了，放驿站
班车早上 7:20 发车 | 班车改成早上 7:05 发车
我喜欢用黑色主题 | 我不喜欢用黑色主题了
家庭聚餐在外婆家 | 家庭聚餐改在饭店了
年假有 10 天 | 年假加到 12 天了
旧仓库的门禁码是 4471 | 旧仓库的门禁码 4471 作废了，新的是 9023
允许周末上线 | 周末不允许上线
小宝的班主任是林老师 | 小宝的班主任现在是韩老师
周报发给老吴 | 周报以后改发给小许
停车位在地下二层 | 停车位换到地下一层了
妈妈住在绍兴 | 妈妈搬到嘉兴了
"""
BOTH = """
I like having turtles around | Check out my turtles in the pond
I can't remember such a film | I just bought a new film camera
I won't give up on the marathon | I'm always happy to recommend running shoes
My record collection is growing | This is my go-to place for records
We moved the sofa | We moved the meeting to 4pm
I ran 5 km on Tuesday | I ran 8 km on Thursday
Let's switch topics | My thesis topic is bees
I changed my mind about the trip | The trip is in July
She quit her job | I love my job
My train was cancelled | I take the train to work
We changed trains in Basel | The trains in Basel are always late
I sold two paintings last week | My paintings hang in the hall
The first chapter is due on May 2 | The second chapter is due on June 9
The red team has 12 people | The blue team has 9 people
I'm not going to the party this time | I go to the party every year
My brother lives in Oslo | I live in Bergen
Server alpha has 16 GB | Server beta has 32 GB
The old code was slow | The door code is 5512
I couldn't agree more | I totally agree that we should plant trees
Can't wait to see the puppies | The puppies see the vet a lot
We use image sizes under 200 KB | I reduced my image sizes from 900 KB to 450 KB
最近我在整理相册 | 最近我在看房子
大儿子七岁 | 小儿子五岁
他不吃香菜 | 我吃香菜
陈叔住城南 | 王叔住城北
我不想聊工作 | 我的工作是护士
这周不去游泳了 | 我每周三游泳
一楼有 4 间房 | 二楼有 3 间房
以后别提醒我续订杂志 | 外公午睡，别把提醒发到客厅音箱
换了个发型 | 换了个手机壳
早会上老板发火了 | 早会 9:15 开
补充了能量，成功登顶 | 坚持下去，成功就不远了
"""
TOLD_TWICE = """
I play the viola | I play the viola in a trio on Fridays
We use Redis 7 and Kafka | We use Redis 7 and Kafka, with a proxy in front
I prefer charts with plain labels | and I prefer charts with plain labels
我在学插花 | 我在学插花，每周日上午上课
"""
TOLD_APART = """
I love those games too | I got a job at a studio. It joins my two loves - games and teaching
I appreciate your help | Taking time off helps us appreciate the simple things
I totally agree | I totally agree that we should plant trees
I can't wait to hear about it | I can't wait to hear about your move to Bergen
I'm trying to implement the search page | I've implemented the search page
We have a strong bond | I hope you and Rex can have a strong bond
I want my kids to learn swimming | I've always wanted to learn swimming
"""


def rows(table: str) -> list[tuple[str, str]]:
    pairs = [line.split(" | ") for line in table.strip().splitlines()]
    return [(one, other) for one, other in pairs]


def claim(text: str, day: int, kind: Kind = "fact", standing: Standing = "standing") -> Claim:
    said = datetime(2026, 5, day, 9, tzinfo=UTC)
    span = Evidence(event_id=f"e{day}{len(text)}", quote=text, start=0, end=len(text), ts=said)
    return Claim(kind=kind, subject="user", text=text, evidence=(span,), standing=standing)


def settled(*claims: Claim, cosine: float | None = None) -> list[Memory]:
    done = reconcile(
        claims, (), dream_id="d", space="home", now=datetime(2026, 5, 30, tzinfo=UTC),
        cosine=lambda _a, _b: cosine,
    )  # fmt: skip
    return [change.after for change in done.changes]


@pytest.mark.parametrize(("first", "second"), rows(ENDED))
def test_another_value_of_the_same_thing_ends_the_old_one(first: str, second: str) -> None:
    old, new = settled(claim(first, 3), claim(second, 20))
    assert (old.text, old.superseded_by) == (first, new.id)
    assert new.status == "candidate"


@pytest.mark.parametrize("cosine", [None, 0.97])
@pytest.mark.parametrize(("first", "second"), rows(BOTH))
def test_shared_words_end_nothing(first: str, second: str, cosine: float | None) -> None:
    memories = settled(claim(first, 3), claim(second, 20), cosine=cosine)
    assert [(memory.text, memory.superseded_by) for memory in memories] == [
        (first, None), (second, None),
    ]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), rows(TOLD_TWICE))
def test_what_is_told_whole_again_is_one_memory(first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        memories = settled(claim(one, 3), claim(other, 20))
        assert len(memories) == 1
        assert memories[0].text in (first, second)
        assert len(memories[0].evidence) == 2


@pytest.mark.parametrize(("first", "second"), rows(TOLD_APART))
def test_a_predicate_in_common_makes_no_repetition(first: str, second: str) -> None:
    assert not mergeable(read(first), read(second), lambda _unit: 1.0)
    assert len(settled(claim(first, 3), claim(second, 20), cosine=0.97)) == 2


def test_no_detail_is_lost_in_a_repetition() -> None:
    first = "I've defined the first features, a menu and a gallery with 6 pictures"
    second = "I've defined the first features, a menu, a gallery with 6 pictures and a contact form"
    memories = settled(claim(first, 3), claim(second, 20), cosine=0.98)
    assert any("contact form" in memory.text for memory in memories)


@pytest.mark.parametrize("aside", ["[shared image: a bowl of soup on a table]", "[sticker: soup]"])
def test_asides_in_brackets_make_nothing_alike(aside: str) -> None:
    first, second = f"This calms me down. {aside}", f"We bought a tent. {aside}"
    assert not ending(read(first), read(second), lambda _unit: 1.0)
    assert len(settled(claim(first, 3), claim(second, 20), cosine=0.95)) == 2
    assert read(f"I like figs {aside}").words == read("I like figs").words
    assert read(aside).words, "a text of nothing but an aside is compared as it stands"


@pytest.mark.parametrize(
    ("first", "second", "days"),
    [
        ("The crew call is at 9:40", "The crew call moved to 10:20 starting tomorrow", 1),
        ("兰兰 15:30 放学", "从明天起兰兰放学改到 16:10", 1),
    ],
)
def test_a_change_told_as_a_plan_takes_the_place_and_lasts(
    first: str, second: str, days: int
) -> None:
    plan = claim(second, 20, "plan", "dated")
    plan = msgspec.structs.replace(plan, valid_from=f"2026-05-{20 + days}")
    old, new = settled(claim(first, 3), plan)
    assert (old.superseded_by, old.valid_to) == (new.id, "2026-05-21")
    assert (new.kind, new.standing, new.expires_at, new.valid_to) == (
        "fact",
        "standing",
        None,
        None,
    )


def test_a_change_planned_for_later_ends_nothing_yet() -> None:
    plan = claim("The crew call moves to 10:20 starting June 20", 20, "plan", "dated")
    plan = msgspec.structs.replace(plan, valid_from="2026-06-20")
    assert all(not one.superseded_by for one in settled(claim("The crew call is at 9:40", 3), plan))


def test_the_whole_of_a_sentence_ends_what_its_part_did_not_name() -> None:
    text = "新店在桐花街 6 号，以后样品都送这儿，枫林里那边退租了"
    said = datetime(2026, 5, 20, 9, tzinfo=UTC)
    spans = [
        Evidence(event_id="e", quote=text[:end], start=0, end=end, ts=said)
        for end in (len("新店在桐花街 6 号"), len(text))
    ]
    parts = [
        Claim(kind="fact", subject="user", text=span.quote, evidence=(span,)) for span in spans
    ]
    memories = settled(claim("样品地址写枫林里 2 幢 11", 3), *parts)
    assert [bool(memory.superseded_by) for memory in memories] == [True, False]
