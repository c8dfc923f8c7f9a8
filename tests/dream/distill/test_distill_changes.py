"""Distilling what changes from day to day: plans given up, reminders, moves, roles, decisions."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.dream.distill.rules import Distilled, distill
from slowwave.dream.verify.stage import verify
from slowwave.model import Claim, Event

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 11, 18, 10, tzinfo=SHANGHAI)


def said(text: str, *, number: int = 0, origin: str = "owner", speaker: str | None = None) -> Event:
    return Event(
        id=f"e{number}", space="s", identity=f"e{number}", ts=WEDNESDAY, role="user",
        kind="message", origin=origin, text=text, source="test", session="s", speaker=speaker,
    )  # type: ignore[arg-type]  # fmt: skip


def learned(*texts: str) -> Distilled:
    events = [said(text, number=number) for number, text in enumerate(texts)]
    found = distill(events, SHANGHAI)
    assert not verify(found.claims, {event.id: event for event in events}).rejected
    return found


def about(text: str, part: str) -> Claim:
    """The claim of a message that carries `part`."""
    claims = [claim for claim in learned(text).claims if part in claim.text]
    assert claims, learned(text)
    return claims[0]


@pytest.mark.parametrize(
    ("text", "part", "negated"),
    [
        ("The Turin trip is cancelled, flights got too dear", "Turin", False),
        ("we called off the housewarming", "housewarming", False),
        ("Saturday's barbecue is off", "barbecue", False),
        ("The joint venture fell through", "fell through", False),
        ("Not going to Bergen after all", "Bergen", True),
        ("no longer doing the evening course", "evening course", True),
        ("Not renewing the allotment, told the committee", "allotment", True),
        ("We won't be hosting New Year this time round", "New Year", True),
        ("下周的团建取消了", "团建", False),
        ("说好的钓鱼泡汤了", "钓鱼", False),
        ("去庐山的计划作罢", "庐山", False),
        ("二月的滑雪不去了，膝盖没好", "不去了", True),
        ("研究生先不考了", "不考了", True),
        ("加盟的事放弃了", "放弃", True),
    ],
)
def test_a_plan_given_up_is_kept_so_that_it_can_end_the_plan(
    text: str, part: str, negated: bool
) -> None:
    claim = about(text, part)
    assert (claim.subject, claim.negated) == ("user", negated)


@pytest.mark.parametrize(
    "text",
    ["算了，先不弄了", "不用了谢谢", "let's not, thanks", "不聊了，睡了", "I'm not being funny"],
)  # fmt: skip
def test_declining_is_no_cancelled_plan(text: str) -> None:
    assert not learned(text).claims


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("remind me to renew the boat licence before March 14", "2027-03-14"),
        ("Could you nudge me on Friday to pay the deposit?", "2026-11-20"),
        ("don't let me forget: embassy appointment on December 3", "2026-12-03"),
        ("记得提醒我周五去取护照", "2026-11-20"),
        ("麻烦下周一提醒我给物业打电话", "2026-11-23"),
        ("12月10号提醒我给车做年检", "2026-12-10"),
        ("周四能不能提醒我去拿体检报告", "2026-11-19"),
    ],
)
def test_a_reminder_with_a_day_is_a_plan_of_the_user(text: str, day: str) -> None:
    (claim,) = learned(text).claims
    assert (claim.kind, claim.subject, claim.standing) == ("plan", "user", "dated")
    assert day in ((claim.valid_from or "")[:10], (claim.valid_to or "")[:10])


@pytest.mark.parametrize(
    "text",
    ["remind me in ten minutes to turn the oven off", "提醒我过会儿收衣服", "五分钟后叫我一声",
     "ping me in an hour", "提醒我一下刚才那个词怎么念"],
)  # fmt: skip
def test_a_reminder_for_the_moment_teaches_nothing(text: str) -> None:
    assert not learned(text).claims


@pytest.mark.parametrize(
    ("text", "part", "subject"),
    [
        ("My new manager is Bastian, Ilka left", "Bastian", "Bastian"),
        ("跳绳改成早上六点半了", "六点半", "user"),
        ("we moved to 7 Tanner Row last month", "7 Tanner Row", "user"),
        ("The 1:1 moved to Tuesday", "Tuesday", "user"),
        ("Since last Monday I cycle to the office", "cycle", "user"),
        ("工资卡换成信用社的了", "信用社", "user"),
        ("我现在不在无锡了，搬到镇江来了", "镇江", "user"),
        ("I've switched from Evernote to Joplin", "Joplin", "user"),
        ("our landlord is now Sanne", "Sanne", "Sanne"),
        ("从今天起班长是柏舟", "柏舟", "柏舟"),
    ],
)
def test_a_change_is_a_standing_claim_of_its_own(text: str, part: str, subject: str) -> None:
    claim = about(text, part)
    assert claim.subject == subject
    assert claim.valid_to is None or claim.valid_from != claim.valid_to or claim.kind == "plan"


def test_a_meeting_on_a_weekday_is_no_plan_for_the_coming_one() -> None:
    for text in ("The choir rehearses Wednesday at 6", "pilates is on Thursdays from now on"):
        claim = about(text, "day")
        assert (claim.standing, claim.valid_from, claim.valid_to) == ("standing", None, None)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("OK, settled: Nils goes to the village school", "village school"),
        ("After two weeks of dithering: we're keeping the van", "keeping the van"),
        ("琢磨了半个月，最后定了朝南那间", "朝南"),
        ("工具选好了，就用 Penpot", "Penpot"),
        ("We'll go with slate, not tile", "slate"),
        ("我们最后用了语雀，不用石墨", "语雀"),
    ],
)
def test_what_was_settled_is_no_order_to_the_agent(text: str, part: str) -> None:
    assert about(text, part).subject == "user"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Demo tape: 5 songs done, 2 to go", "5 songs done"),
        ("Bathroom: tiles up, shower on order", "tiles up"),
        ("进度：隔断做完了，地板铺了 40%", "40%"),
        ("论文：综述写完了，数据还差三组", "还差三组"),
        ("装修到吊顶了，上周刚验完水电", "吊顶"),
    ],
)
def test_progress_without_a_subject_is_kept(text: str, part: str) -> None:
    assert about(text, part).subject == "user"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("my dad's birthday is the 9th of June", "9th of June"),
        ("born April 18, 1988, in Narvik", "April 18"),
        ("我妈的生日是农历八月初三", "八月初三"),
        ("our anniversary is on 2 October", "2 October"),
    ],
)
def test_a_birthday_comes_every_year(text: str, part: str) -> None:
    claim = about(text, part)
    assert claim.kind in ("profile", "relationship", "fact")
    assert (claim.standing, claim.valid_to) == ("standing", None)


@pytest.mark.parametrize(
    "text",
    ["my laptop PIN is 4471, don't save that", "门锁密码是 2231，这个别存",
     "forget I said that, I live alone", "刚才那句当我没说"],
)  # fmt: skip
def test_what_is_not_to_be_kept_is_not_kept_in_part(text: str) -> None:
    assert not learned(text).claims
