"""Distilling whose a statement is: the user's, somebody's by name or by role, the world's."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.dream.distill.clauses.people import person_in
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
    ("text", "part", "subject"),
    [
        ("Also, Dana is allergic to shellfish", "shellfish", "Dana"),
        ("Freya begins at the creamery in March", "creamery", "Freya"),
        ("Neil from Barton's handles our boilers, only takes calls", "boilers", "Neil"),
        ("So Jonas quit the band and moved to Malmö", "Malmö", "Jonas"),
        ("Pavel's daughter has coeliac disease", "coeliac", "Pavel"),
        ("my mum's surgery is on Monday", "surgery", "my mum"),
        ("The clinic says my dad has gout", "gout", "my dad"),
        ("Our new accountant is called Yusuf, invoices go to him", "Yusuf", "Yusuf"),
        ("我二姨张桂芬在镇上开理发店", "理发店", "张桂芬"),
        ("大舅在新疆种棉花", "棉花", "大舅"),
        ("医生说我妈的血糖又高了，药加到两片", "两片", "我妈"),
        ("新来的会计叫何敏，发票交给她", "何敏", "何敏"),
        ("我老公白天要补觉", "补觉", "我老公"),
    ],
)
def test_others_keep_what_is_said_of_them(text: str, part: str, subject: str) -> None:
    assert about(text, part).subject == subject


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("The proposal needs two signatures", "two signatures"),
        ("the recycling truck comes on Wednesdays", "Wednesdays"),
        ("Our client portal only accepts PDF under 5 MB", "5 MB"),
        ("the warehouse closes at 6 on Saturdays", "6"),
        ("报价要含 13% 的增值税", "13%"),
        ("合同必须一式三份", "一式三份"),
        ("会议室要提前一天订", "提前一天"),
        ("办公室门禁密码是 4471#", "4471"),
    ],
)
def test_a_thing_that_is_the_topic_is_of_the_world(text: str, part: str) -> None:
    assert about(text, part).subject == "world"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Second-year apprentice, joinery, in Hull.", "joinery"),
        ("Goalkeeper, Sunday league.", "Goalkeeper"),
        ("Mother of twins, night owl", "twins"),
        ("Drummer in a ska band", "Drummer"),
        ("大三，学的给排水", "给排水"),
        ("社区医院的夜班护士", "夜班护士"),
        ("两个娃的妈，全职带娃", "两个娃"),
        ("Top bunk, always", "Top bunk"),
        ("I'm allergic to latex, bear that in mind", "latex"),
        ("My rent went up to 980", "980"),
        ("我一喝牛奶就拉肚子", "牛奶"),
        ("I haven't smoked since 2019", "2019"),
    ],
)
def test_the_speaker_on_himself(text: str, part: str) -> None:
    assert about(text, part).subject == "user"


@pytest.mark.parametrize(
    ("text", "part", "negated"),
    [
        ("做表格的时候按部门分开列", "按部门", False),
        ("引用文献要写到页码，只写书名不行", "页码", False),
        ("周报里的数字保留一位小数", "一位小数", False),
        ("别写成散文，列要点", "列要点", False),
        ("金额超过五百先问我", "五百", False),
        ("When quoting prices, include VAT and the unit", "VAT", False),
        ("For client emails, sign off with the full name", "full name", False),
        ("The way we handle refunds is store credit first", "store credit", False),
        ("讲给你听：盘点先封柜再数货", "先封柜", False),
        ("no pings for the next two weeks", "pings", True),
        ("除了财务群，其他群消息都静音", "财务群", False),
        ("You can book business class this one time, my back is bad", "business", False),
    ],
)
def test_how_the_agent_is_to_act(text: str, part: str, negated: bool) -> None:
    claim = about(text, part)
    assert (claim.subject, claim.negated) == ("agent", negated)


@pytest.mark.parametrize(
    "text",
    [
        # role play and fiction
        "咱俩排一段：你当房产中介，我来看房", "You be the interviewer and I'm a nervous candidate",
        "你扮面试官，我是应届生，来吧", "Let's do a scene where you judge and I plead my case",
        # hearsay and quotation
        "群里有人发：家里三只狗，房租四千，急转", "I read that octopuses have three hearts",
        "听说楼下超市要关门了", "Supposedly the new park opens soon",
        # temper and irony
        "next time I volunteer for anything call me an idiot", "下次我再信他我就是猪",
        "my neighbour drilled at 6am again, I could have screamed",
        "Bravo. I simply thrive on unpaid overtime.", "我可是宇宙首席打杂官 ;)",
        # denial of having said or owned
        "I never said I was vegan", "我可没说过要辞职", "that umbrella isn't mine",
        "那个账号不是我的",
        # wishes and old dreams
        "哈哈哈要是我能中奖就辞职去放羊", "As a kid I wanted to be an astronaut",
        "I might go to the gig, not sure yet", "小时候我想当船长",
        # machine text with a question behind it
        "update users set city='Lyon' where id=7; why no rows?",
        "NullPointerException at Main.java:42, what is this",
        "git push --force origin main  # always do this",
        # jobs for now
        "这次用蓝色封面吧", "this time make it shorter", "otherwise as usual",
    ],
)  # fmt: skip
def test_nothing_is_learned_of(text: str) -> None:
    assert not claims_of(text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("我堂弟周航住在洛阳", "周航"), ("我外甥女孙悦不吃蘑菇", "孙悦"),
        ("我同事丁敏在修窑", "丁敏"),
        ("我同学陈志和在读博", "陈志和"),
    ],
)  # fmt: skip
def test_a_name_ends_where_the_verb_begins(text: str, who: str) -> None:
    assert person_in(text, text) == who
