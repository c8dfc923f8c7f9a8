"""Distilling denials, holds, exceptions and unlike facts: the main predicate decides."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.dream.distill.rules import distill
from slowwave.model import Claim, Event

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 11, 18, 10, tzinfo=SHANGHAI)


def claims_of(text: str) -> tuple[Claim, ...]:
    event = Event(
        id="e", space="s", identity="e", ts=WEDNESDAY, role="user", kind="message",
        origin="owner", text=text, source="test", session="s",
    )  # fmt: skip
    return distill([event], SHANGHAI).claims


def about(text: str, part: str) -> Claim:
    claims = [claim for claim in claims_of(text) if part in claim.text]
    assert claims, text
    return claims[0]


@pytest.mark.parametrize(
    ("text", "part", "negated"),
    [
        ("炒菜先放葱，别先放蒜", "放葱", False),
        ("装箱之前先称重，别估", "称重", False),
        ("信别写长，用要点列", "要点", False),
        ("以后不许改我的文件名，改了我找不到", "文件名", True),
        ("别自動幫我續約，我喜歡自己看", "續約", True),
        ("I work weekends because there are no weekday shifts", "weekends", False),
        ("From now on quote in euros, never dollars", "euros", False),
        ("Never quote in dollars, our clients hate it", "dollars", True),
        ("我跟苦瓜势不两立", "苦瓜", True),
        ("I turned down the Bergen job", "Bergen", True),
        ("我右耳听力不太行", "听力", False),
        ("Refunds under 20 euros may go out without asking me", "Refunds", False),
    ],
)
def test_the_main_predicate_decides(text: str, part: str, negated: bool) -> None:
    assert about(text, part).negated is negated


@pytest.mark.parametrize(
    ("text", "part", "subject", "standing"),
    [
        ("样片出来以前别联系电台", "电台", "agent", "temporary"),
        ("Pause the bulletin for three weeks", "bulletin", "agent", "temporary"),
        ("Please don't order more seed just yet", "seed", "agent", "temporary"),
        ("Until Friday send everything to my assistant Beate", "Beate", "agent", "temporary"),
        ("not taking on new tenants until May", "tenants", "user", "temporary"),
        ("今天破例，十点以后也可以打电话", "打电话", "agent", "one_off"),
        ("For this order only you may leave out the table", "table", "agent", "one_off"),
        ("从下周一开始我上晚班", "晚班", "user", "standing"),
        ("As of today our registrar is Marlene", "registrar", "Marlene", "standing"),
        ("从今天起门卫是庄敏", "门卫", "庄敏", "standing"),
    ],
)
def test_how_long_it_holds(text: str, part: str, subject: str, standing: str) -> None:
    claim = about(text, part)
    assert (claim.subject, claim.standing) == (subject, standing)


@pytest.mark.parametrize(
    ("text", "rule", "exception"),
    [
        ("简历一律不发照片，但设计岗的可以附作品集", "不发照片", "作品集"),
        ("Quotes always go out in euros, but for Zurich you may use francs", "euros", "francs"),
    ],
)
def test_a_rule_and_its_exception_are_two(text: str, rule: str, exception: str) -> None:
    first, second = claims_of(text)
    assert rule in first.text
    assert exception not in first.text
    assert exception in second.text
    assert not second.negated


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("我婆婆上午睡觉，中午前别打家里电话", {"我婆婆": "睡觉", "agent": "电话"}),
        ("Theo, our lodger, works nights, so no calls before noon",
         {"Theo": "nights", "agent": "calls"}),
        ("我们家四口，老婆在税务局，儿子念初二，我在家做木工",
         {"儿子": "初二", "user": "木工"}),
        ("my wife Oona is a vet, our son Per is six, our cat Miso hates visitors",
         {"Oona": "vet", "Per": "six", "Miso": "visitors"}),
        ("moved to desk 12, the intern is called Pim, and I hate the new chairs",
         {"user": "chairs", "Pim": "intern"}),
    ],
)  # fmt: skip
def test_unlike_facts_are_memories_of_their_own(text: str, parts: dict[str, str]) -> None:
    claims = claims_of(text)
    for subject, part in parts.items():
        assert any(part in claim.text and claim.subject == subject for claim in claims), subject


def test_a_health_condition_stands_by_itself() -> None:
    texts = [claim.text for claim in claims_of("我叫谷雨，在苏州修古籍，对尘螨过敏")]
    assert texts == ["我叫谷雨，在苏州修古籍", "对尘螨过敏"]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The new head of sales is Tove", "Tove"),
        ("我们换了位儿科医生，叫秦岚", "秦岚"),
        ("my father-in-law's carer is Bettina", "Bettina"),
        ("医生说我爸的血压药要加量", "我爸"),
        ("医生让我少坐多走", "user"),
        ("The plumber is coming to us on Friday at 9", "user"),
        ("The second barn is called Nordhaus", "world"),
        ("Visitors are not permitted in bay 3", "world"),
        ("KX-210 drives the pump", "world"),
        ("内部价不可以告诉客户", "agent"),
        ("Interns may see the roadmap", "agent"),
        ("Priya keeps the books at Fernhill", "Priya"),
    ],
)
def test_whose_it_is(text: str, subject: str) -> None:
    assert [claim.subject for claim in claims_of(text)] == [subject]
