"""Cases of change over time and of undoing, over whole nights: what replaces what, what stands
beside it, what joins, and on which day it happened. Each kind in several wordings."""

from datetime import datetime, timedelta

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Memory, Record

CURRENT = ("candidate", "active")
DAYS = ("2026-11-23", "2026-11-26", "2026-11-29")


def told(open_at, *sayings: str, days: tuple[str, ...] = DAYS) -> SlowMemory:
    """Each saying on a day of its own, dreamed the night after. Returns the memory then."""
    memory = None
    for day, said in zip(days, sayings, strict=False):
        start = datetime.fromisoformat(f"{day}T10:00:00+08:00")
        memory = open_at((start + timedelta(hours=17)).isoformat())
        memory.log([Record(text=said, source="test", session=day, ts=start)])
        memory.dream(day, apply=True)
        assert not memory.diagnose()
    assert memory is not None
    return memory


def texts(known: list[Memory]) -> list[str]:
    return [one.text for one in known]


def standing(memory: SlowMemory) -> list[str]:
    return texts(memory.memories(CURRENT))


# Each: said first, said later, what of the later one is current, what of the first is past.
REPLACED = [
    ("I love Chinese food", "I hate Chinese food"),
    ("我喜欢爬山", "我讨厌爬山"),
    ("SSH 端口 22", "SSH 端口改成 49222 了"),
    ("The staging database listens on 5432", "The staging database listens on 6543 now"),
    ("我住在青石桥", "我搬到滨江路了"),
    ("I work at Halvorsen Paper", "I left Halvorsen Paper, I work at Brightwater now"),
    ("Production deployment is allowed", "Production deployment is not allowed"),
    ("周报可以发给全组", "周报不可以发给全组"),
    ("我的车位是 B2-117", "我的车位换成 C1-044 了"),
    ("My dentist is Dr. Okafor", "My dentist is Dr. Lindqvist now, Dr. Okafor retired"),
]


@pytest.mark.parametrize(("first", "later"), REPLACED)
def test_8_23_24_the_newer_is_current_and_the_older_is_dated(
    open_at, first: str, later: str
) -> None:
    memory = told(open_at, first, later)
    assert standing(memory) == [later]
    (old,) = [one for one in memory.memories() if one.text == first]
    (new,) = memory.memories(CURRENT)
    assert (old.status, old.superseded_by) == ("retired", new.id)
    assert old.valid_to is not None
    assert old.valid_to[:10] == DAYS[1]


@pytest.mark.parametrize(
    ("first", "later", "question", "answer", "old"),
    [
        ("SSH 端口 22", "SSH 端口改成 49222 了", "ssh 端口", "49222", "端口 22"),
        ("My locker is 41", "My locker is 87 now", "which locker is mine", "87", "locker is 41"),
        ("例会在三楼开", "例会改到五楼开了", "例会在几楼", "五楼", "三楼"),
    ],
)
def test_24_recall_has_the_new_first_and_the_old_as_past(
    open_at, first: str, later: str, question: str, answer: str, old: str
) -> None:
    memory = told(open_at, first, later)
    hits = [hit for hit in memory.recall(memory.query(question)) if hit.type == "memory"]
    assert answer in hits[0].text
    assert all(hit.status == "retired" for hit in hits if old in hit.text)


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("I switched from coffee to green tea", "Green tea it is, every morning"),
        ("I drink coffee in the morning", "I drink tea in the morning now, no more coffee"),
        ("早上我喝咖啡", "早上我改喝茶了"),
    ],
)
def test_29_one_side_of_a_change_stays_visible(open_at, first: str, later: str) -> None:
    memory = told(open_at, first, later)
    assert "tea" in " ".join(standing(memory)) or "茶" in " ".join(standing(memory))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("林在 A 公司任财务", "林管理 A 公司的 GitHub 组织"),
        ("Priya keeps the books at Fernhill", "Priya runs the Fernhill choir"),
        ("ASR1603 用于手表", "ASR1605 用于网关"),
        ("KX-210 drives the pump", "KX-212 drives the valve"),
        ("张伟是我同事", "张伟是我房东"),
        ("去了咖啡店", "咖啡机修好了"),
        ("The bakery opens at 7", "The library opens at 9"),
        ("我妹妹住在成都", "我弟弟住在重庆"),
        ("报价单用 A 模板", "合同用 B 模板"),
    ],
)
def test_27_28_79_what_only_looks_alike_stays_apart(open_at, one: str, other: str) -> None:
    memory = told(open_at, one, other)
    assert sorted(standing(memory)) == sorted([one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢苹果", "我爱吃苹果"),
        ("I like figs", "I love eating figs"),
        ("I'm allergic to walnuts", "I have a walnut allergy"),
        ("我对芒果过敏", "我吃芒果会过敏"),
        ("我女儿叫小满", "小满是我女儿"),
    ],
)
def test_79_the_same_in_other_words_is_one_with_two_pieces_of_evidence(
    open_at, one: str, other: str
) -> None:
    memory = told(open_at, one, other)
    (only,) = memory.memories(CURRENT)
    assert {span.quote for span in only.evidence} == {one, other}


@pytest.mark.parametrize(
    ("broken", "after"),
    [
        ("咖啡机坏了", "换了新咖啡机"),
        ("洗衣机坏了", "洗衣机修好了"),
        ("My bike has a flat tyre", "Got the flat tyre on my bike fixed"),
    ],
)
def test_79_a_thing_and_what_became_of_it_are_one_record(open_at, broken: str, after: str) -> None:
    memory = told(open_at, broken, after)
    record = [one for one in memory.memories(CURRENT) if len(one.evidence) == 2]
    assert len(record) == 1
    assert {span.quote for span in record[0].evidence} == {broken, after}


@pytest.mark.parametrize(
    ("rule", "exception", "question", "answer", "once"),
    [
        ("以后发报告用 PDF", "这次先用 Word", "报告用什么格式", "PDF", "Word"),
        ("周报以后都发邮件", "这周的周报发微信就行，仅此一次", "周报怎么发", "邮件", "微信"),
        ("From now on send me invoices as CSV", "Just this once, send the invoice as a spreadsheet",
         "in which format do I want invoices", "CSV", "spreadsheet"),
    ],
)  # fmt: skip
def test_73_an_exception_stands_beside_the_rule(
    open_at, rule: str, exception: str, question: str, answer: str, once: str
) -> None:
    memory = told(open_at, rule, exception)
    known = {one.text: one for one in memory.memories(CURRENT)}
    assert known[rule].standing == "standing"
    (beside,) = [one for text, one in known.items() if once in text]
    assert beside.standing == "one_off"
    assert beside.valid_from is not None or beside.evidence[0].ts is not None
    hits = memory.recall(memory.query(question))
    assert answer in hits[0].text


def test_76_two_different_wednesdays(open_at) -> None:
    memory = told(
        open_at, "取消周三产品评审会，改到周五上午", "周三需要发布新版本",
        days=("2026-11-30", "2026-11-30"),
    )  # fmt: skip
    known = standing(memory)
    assert len(known) == 2
    hits = [hit for hit in memory.recall(memory.query("周三安排")) if hit.type == "memory"]
    assert "发布" in hits[0].text
    review = next(one for one in memory.memories(CURRENT) if "评审" in one.text)
    assert str(review.valid_from)[:10] == "2026-12-04"


@pytest.mark.parametrize(
    ("said", "when", "question"),
    [
        ("我下周二飞杭州", "2026-12-08", "我什么时候飞杭州"),
        ("I have a dentist appointment next Tuesday at 9", "2026-12-08", "when is my dentist"),
        ("12月8号我要去做体检", "2026-12-08", "体检是哪天"),
    ],
)
def test_78_a_plan_is_useful_before_it_is_late(
    open_at, said: str, when: str, question: str
) -> None:
    day = ("2026-12-03",)
    memory = told(open_at, said, days=day)
    (plan,) = memory.memories(CURRENT)
    assert str(plan.valid_from)[:10] == when
    assert said in [hit.text for hit in memory.recall(memory.query(question))] or any(
        hit.id == plan.id for hit in memory.recall(memory.query(question))
    )
    later = open_at("2027-01-20T03:00:00+08:00")
    later.dream("yesterday", apply=True)
    found = later.recall(later.query(question, scope="memories"))
    assert plan.id not in [hit.id for hit in found]


@pytest.mark.parametrize(
    ("earlier", "later", "day", "then", "now"),
    [
        ("我在青石桥上班", "我换到滨江路上班了", "2026-06-01", "青石桥", "滨江路"),
        ("I work at Halvorsen", "I work at Brightwater now", "2026-06-01", "Halvorsen", "Brightw"),
    ],
)
def test_34_a_past_question_gets_what_was_known_then(
    open_at, earlier: str, later: str, day: str, then: str, now: str
) -> None:
    memory = told(open_at, earlier, later, days=("2026-05-11", "2026-07-11"))
    as_of = datetime.fromisoformat(f"{day}T12:00:00+08:00")
    question = "上班" if "上班" in earlier else "where do I work"
    hits = memory.recall(memory.query(question, as_of=as_of, scope="memories"))
    assert [then in hit.text for hit in hits] == [True]
    assert hits[0].status == "active"
    hits = memory.recall(memory.query(question, scope="memories"))
    assert now in hits[0].text


@pytest.mark.parametrize(
    ("moment", "place"),
    [
        ("2026-11-29T09:59:00+08:00", "青石桥"), ("2026-11-29T10:00:00+08:00", "滨江路"),
        ("2026-11-29T23:00:00+08:00", "滨江路"), ("2026-11-30T09:00:00+08:00", "滨江路"),
    ],
)  # fmt: skip
def test_at_no_instant_are_both_current(open_at, moment: str, place: str) -> None:
    memory = told(open_at, "我住在青石桥", "我搬到滨江路了", days=("2026-11-01", "2026-11-29"))
    question = memory.query("我住在哪", as_of=datetime.fromisoformat(moment), scope="memories")
    hits = memory.recall(question)
    assert [place in hit.text for hit in hits if hit.status == "active"] == [True]
    assert place in hits[0].text


def test_a_log_that_is_imported_late_does_not_override_what_is_newer(open_at) -> None:
    memory = told(open_at, "我的车位换成 C1-044 了", days=("2026-11-26",))
    old = datetime.fromisoformat("2026-03-02T10:00:00+08:00")
    memory.log([Record(text="我的车位是 B2-117", source="old", session="o", ts=old)])
    memory.dream("all", apply=True)
    current = [one.text for one in memory.memories(("active",)) if one.valid_to is None]
    assert "我的车位换成 C1-044 了" in current
    assert "我的车位是 B2-117" not in current
    hits = memory.recall(memory.query("我的车位在哪"))
    assert "C1-044" in hits[0].text


def test_84_the_second_of_three_dreams_is_undone(open_at) -> None:
    memory = told(open_at, "我对花生过敏", "我的车位是 B2-117", "我女儿叫小满")
    dreams = sorted(memory.dreams(), key=lambda one: one.date)
    undone = memory.rollback(dreams[1].dream_id)
    assert standing(memory) == ["我对花生过敏", "我女儿叫小满"]
    assert undone.built_on == ()
    assert not memory.diagnose()
    memory.rollback(undone.dream_id)
    assert standing(memory) == ["我对花生过敏", "我的车位是 B2-117", "我女儿叫小满"]


def test_84_what_built_on_it_is_listed(open_at) -> None:
    memory = told(open_at, "SSH 端口 22", "SSH 端口改成 49222 了", "SSH 端口改成 2222 了")
    dreams = sorted(memory.dreams(), key=lambda one: one.date)
    undone = memory.rollback(dreams[1].dream_id)
    assert standing(memory) == ["SSH 端口改成 2222 了"]
    assert [item.dream_id for item in undone.built_on] == [dreams[2].dream_id]
    assert not memory.diagnose()
