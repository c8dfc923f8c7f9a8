"""Sorts of things: nouns that tell what something is and not which, and how such things look.

A closed class of general nouns. What is not in it ("that ferry") is looked for by its own word.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from slowwave.model import Event, Memory
from slowwave.text.entities import Entity, find_entities
from slowwave.text.later import later
from slowwave.text.segment import fold


class Sort(NamedTuple):
    """Nouns of one sort, words that things of it are spoken of with, memory kinds, entities."""

    han: str
    latin: str
    signs: str
    kinds: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()


SORTS: Mapping[str, Sort] = {
    "person": Sort(
        "人 家伙 女生 男生 女孩 男孩 小伙子 姑娘 朋友 同事 同学 老师 客户 邻居 医生 师傅",
        "person people guy man woman girl boy lady fellow dude friend colleague coworker neighbour "
        "neighbor client somebody someone",
        r"[他她](?!们)|叫[^\s，。,]|先生|女士|老师|师傅|医生|同事|朋友|邻居|\b(?:named|called|met|he|she|him|his|her|mr|mrs|ms|dr)\b",
        frozenset({"relationship"}), frozenset({"name"}),
    ),
    "writing": Sort(
        "书 小说 文章 论文 博客 漫画 绘本 课程 教程 教材",
        "book books novel article paper essay blog post story course tutorial memoir",
        r"《|读|看完|看到第|作者|出版|章|页|小说|\b(?:read|reading|author|novel|chapters?|pages?"
        r"|wrote|written by|published|book)\b",
        frozenset(), frozenset({"title"}),
    ),
    "show": Sort(
        "电影 片子 剧 电视剧 纪录片 动画 动漫 综艺 歌 歌曲 曲子 专辑 乐队 播客 节目 游戏",
        "movie film show series documentary song album band podcast episode game",
        r"《|看|听|追|导演|主演|演|集|季|唱|玩|\b(?:watch\w*|listen\w*|heard|director|actor|season"
        r"|episode|played|singer|film|movie|song)\b",
        frozenset(), frozenset({"title"}),
    ),
    "code": Sort(
        "脚本 程序 代码 函数 命令 接口 软件 工具 插件 应用 小程序 库 正则 公式 宏 配置",
        "script program code function command snippet macro query tool app plugin library software "
        "package regex formula config",
        r"脚本|程序|代码|函数|命令|接口|宏|正则|\.(?:py|sh|js|ts|ps1|bat|sql|rb|go|rs|lua|vbs?)\b"
        r"|\b(?:script|code|function|command|python|bash|excel|vba|sql|macro|regex|cron|api|cli)\b",
        frozenset({"skill"}),
    ),
    "trouble": Sort(
        "问题 毛病 错误 报错 故障 漏洞 麻烦 bug 异常 事故",
        "issue problem bug error trouble glitch failure crash fault outage incident",
        r"报错|报 ?\d|错误|失败|故障|异常|坏了?|崩|卡|超时|漏|不对|不行|不动|不了|打不开|修|丢失"
        r"|\b(?:error|fail\w*|crash\w*|broke\w*|bug|issue|problem|timeout|timed out|fix\w*|leak\w*"
        r"|won'?t|doesn'?t|can'?t|stuck|stops?|jam\w*|exception|wrong|slow|missing|outage)\b",
    ),
    "place": Sort(
        "地方 地点 店 餐厅 饭店 饭馆 馆子 酒店 宾馆 民宿 咖啡馆 咖啡店 酒吧 公园 城市 "
        "景点 小区 商场 超市",
        "place spot restaurant cafe bar pub hotel hostel shop store city town park venue "
        "neighborhood neighbourhood",
        r"店|馆|餐厅|酒店|路|街|区|公园|城|镇|村|山|岛|湖|楼|吃|住|去了?"
        r"|\b(?:restaurant|cafe|bar|hotel|shop|street|road|avenue|park|city|town"
        r"|at the|near|downtown|place"
        r"|stayed|visited|ate)\b",
    ),
    "file": Sort(
        "链接 网址 网站 网页 文件 文档 表格 图片 照片 附件 报告 邮件 视频",
        "link url site website page file document doc spreadsheet picture photo image attachment "
        "report email video",
        r"https?://|www\.|\.(?:com|cn|org|io|pdf|docx?|xlsx?|pptx?|csv|png|jpe?g|mp4|zip|md|txt)\b"
        r"|链接|网址|网站|文件|文档|表格|图|附件|报告|邮件"
        r"|\b(?:link|file|doc\w*|spreadsheet|photo|report|email|attachment|video|site|page)\b",
        frozenset(), frozenset({"url", "path"}),
    ),
    "number": Sort(
        "号码 数字 电话 密码 价格 价钱 金额 地址 编号 版本 车牌 型号",
        "number phone price amount address code id version password figure",
        r"\d|[一二三四五六七八九十百千万]{2,}",
        frozenset(), frozenset({"number", "amount", "version"}),
    ),
    "plan": Sort(
        "计划 安排 行程 旅行 旅游 会议 会 活动 约会 聚会 面试 日程 打算 方案",
        "plan plans trip travel meeting event appointment party interview schedule itinerary idea "
        "arrangement",
        r"计划|安排|打算|准备|要去|行程|会议|开会|聚会|面试|出发|航班|票|[周号日月]"
        r"|\b(?:plan\w*|trip|going to|meeting|party|interview|flight|tickets?|schedule\w*|will|fly"
        r"\w*|next)\b",
        frozenset({"plan"}), frozenset({"date", "time"}),
    ),
    "task": Sort(
        "项目 任务 工作 待办 作业 订单 合同 案子 需求",
        "project task job assignment order contract deal request work ticket",
        r"项目|任务|待办|作业|订单|合同|需求|交付|截止|\b(?:project|task|deadline|contract|order|deliver\w*"
        r"|assignment|client|working on|to-?do)\b",
        frozenset({"project"}),
    ),
    "advice": Sort(
        "主意 办法 方法 窍门",
        "recommendation advice tip trick",
        r"建议|推荐|可以|试试|不妨|最好|适合|\b(?:try|recommend\w*|suggest\w*|how about|you could"
        r"|you can|consider|should|worth)\b",
        frozenset({"lesson"}),
    ),
    "food": Sort(
        "菜 菜谱 食谱 做法 饭 汤 酒 茶 咖啡 零食 水果 蛋糕",
        "recipe dish food meal cake soup drink wine tea coffee snack dessert",
        r"菜|煮|炒|炖|烤|蒸|煎|盐|糖|油|面粉|鸡|肉|鱼|喝|吃|\b(?:cook\w*|bake\w*|recipe|oven|flour|sugar|salt"
        r"|butter|simmer|taste\w*|ate|eat|drink|stir|boil\w*)\b",
    ),
}  # fmt: skip


class _Words(NamedTuple):
    han: Mapping[str, str]
    latin: Mapping[str, str]


SORT_WORDS = _Words(
    {word: name for name, sort in SORTS.items() for word in sort.han.split()},
    {word: name for name, sort in SORTS.items() for word in sort.latin.split()},
)
"""The sort of each noun, in Han and in Latin script."""

_SIGNS = {name: later(sort.signs, re.IGNORECASE) for name, sort in SORTS.items()}

_NOUNS = {
    name: later(
        "|".join(word for word in sort.han.split() if len(word) > 1)
        + rf"|\b(?:{'|'.join(sort.latin.split())})s?\b"
    )
    for name, sort in SORTS.items()
}

_READ = 2_000
"""Characters of a text that are looked at."""


def sort_of(noun: str) -> str:
    """The sort that a noun names; empty when it is none of them."""
    return SORT_WORDS.han.get(noun) or SORT_WORDS.latin.get(noun) or ""


def likeness(unit: Memory | Event, sort: str, noun: str) -> float:
    """How much what is said is about a thing of that sort, 0–1.

    1 where the noun itself is there; less for the kind of the memory, an entity of the sort,
    another noun of it, or signs: the more of them, the more.
    """
    text = fold(text_of(unit))
    if not is_bare(noun) and _holds(text, fold(noun)):
        return 1.0
    known = SORTS.get(sort)
    if known is None:
        return 0.0
    doubt = 1.0
    if isinstance(unit, Memory) and unit.kind in known.kinds:
        doubt *= 0.4
    if known.entities and any(_is_one(one, known) for one in find_entities(text_of(unit))):
        doubt *= 0.5
    if _NOUNS[sort].search(text):
        doubt *= 0.3
    if _SIGNS[sort].search(text):
        doubt *= 0.5
    return 1.0 - doubt


def text_of(unit: Memory | Event) -> str:
    """What is read of a text."""
    return unit.text[:_READ]


def _is_one(entity: Entity, known: Sort) -> bool:
    is_code = entity.kind == "name" and any(char.isdigit() for char in entity.text)
    return entity.kind in known.entities and not is_code


def is_bare(noun: str) -> bool:
    """Whether a noun is one Chinese character (书, 人): it stands in many words besides."""
    return len(noun) < 2


def _holds(text: str, noun: str) -> bool:
    if not noun.isascii():
        return noun in text
    return re.search(rf"\b{re.escape(noun)}(?:s|es)?\b", text) is not None
