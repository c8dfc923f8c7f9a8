"""What a text is about: its words of content, without quantities, frames, grammar and light verbs.

Words of time, quantity, change, permission and liking are never what something is about, and "make"
or "get" say nothing of it either.
"""

import re

from slowwave.dream.compare.reading.lexicon import AVERSION, FRAME_SLOTS, LIGHT, MARKS, SLOTS
from slowwave.dream.compare.reading.quantity import blank
from slowwave.dream.compare.reading.statement import read, stem_of, units_of
from slowwave.text.lately import lately
from slowwave.text.stopwords import HAN_CHARS

__all__ = [
    "EN_CHANGE", "EN_NOW", "EN_OVER", "ZH_CHANGE", "ZH_NOW", "ZH_OVER", "clauses_of",
    "details_of", "head_of", "phrases_of", "sentences_of", "topic_of",
]  # fmt: skip

EN_CHANGE = re.compile(
    r"\b(?:moved|switched|changed|shifted|migrated|upgraded|downgraded|raised|lowered|bumped|"
    r"increased|reduced|cut|replaced|renamed|pushed|postponed|rescheduled|extended|shortened|"
    r"improved|went (?:up|down|back)|gone (?:up|down|from)|converted|transferred|relocated|swapped|"
    r"adjusted|delayed|corrected|rewrote|rewritten|ported|rebuilt|put (?:off|back)|"
    r"(?<=to )(?:postpone|reschedule)|brought forward|grew|grown|rose|risen|fell|"
    r"dropped|doubled|halved|tripled|updated|became|turned (?:in)?to|moves to|"
    r"(?<=is )(?:moving|switching|changing|going up)|(?<=are )(?:moving|switching|changing)|"
    r"(?<='re )(?:moving|switching|changing)|(?<='m )(?:moving|switching|changing))\b"
    r"|^(?:please )?(?:move|switch|change|shift|raise|lower|bump|increase|reduce|cut|replace|"
    r"rename|push|postpone|extend|shorten)\b"
)
"""A change that was made or is asked for; "in order to reduce" makes none."""
ZH_CHANGE = re.compile(
    r"改(?:成|到|为|用|在|走|叫|名|口|喝|吃|住|坐|放|发|去|约|期|签|订|定|时间|日期|地[点方])|"
    r"改(?= ?\d)|换(?:成|到|去|用|了|上|为)|搬(?:到|去|进|至|来)|挪(?:到|至)|调(?:到|成|为|至|去)|"
    r"升(?:到|级|至|为)|涨(?:到|成|至|了)|(?:降|减|缩|压|砍|扩|切|拉|抬|加|增|扩大|扩充|增加|减少|"
    r"缩短|延长|提高|降低)(?:到|成|为|至|了)|变(?:成|为)|转(?:到|为|成)|迁(?:到|移|至|往)|延(?:到|"
    r"期|后|至)|推(?:迟|到|后)|提前到?|放宽|收紧|上调|下调|顺延|更正"
)
EN_NOW = re.compile(
    r"\b(?:now|nowadays|these days|from now on|going forward|as of|instead|currently|"
    r"(?:starting|from|since) (?:today|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|"
    r"saturday|sunday|next|this))\b"
)
ZH_NOW = re.compile(r"现在|如今|目前|今后|以后|从今|从[^，。]{1,24}起|自[^，。]{1,24}起|起，|新的?")
EN_OVER = re.compile(
    r"\b(?:no longer|not [^,.;]{0,30}any ?more|dead|gone(?! \w+ing| to| for| on| through| from|"
    r" up| down| back)|cancell?ed|called off|shut down|"
    r"discontinued|decommissioned|retired|sold (?:the|my|our|his|her|their)|quit|gave up|"
    r"given up|scrapped|expired|obsolete|"
    r"deprecated|is over|are over|closed(?: down)?|is off|are off|out of (?:date|use)|"
    r"void|got rid of|stopped|used to|was wrong|were wrong)\b(?!\s+by\b)"
)
ZH_OVER = re.compile(
    r"不再|取消|作废|停用|停掉|停了|下线|退租|退订|注销|解约|退掉|退了|废了|废弃|报废|没了|关了|"
    r"关门|卖了|卖掉|扔了|"
    r"散了|戒了|(?:早就|已经?)?不(?![远久多少小大同])用?(?=[^，。不没来得]{1,7}了(?:$|"
    r"[，。；！!]))|"
    r"别(?=[^，。]{1,8}了(?:$|[，。；！!]))|失效|过期|说错|搞错|写错"
)
_NOT_TOPIC = re.compile(
    "|".join(
        f"(?:{MARKS[name].pattern})"
        for name in ("now", "done", "once", "permit", "forbid", "restate")
    )
    + r"|所有|一律|全部|必须|永远|绝不|任何|一概|总是|从不|从来"
    + f"|{EN_CHANGE.pattern}|{ZH_CHANGE.pattern}|{EN_OVER.pattern}|{ZH_OVER.pattern}"
    + r"|今[天晚日年]|明[天晚日年]|后天|昨[天晚日]|前天|去年|最近"
    r"|[上下这本][个]?(?:周|月|星期|礼拜)"
    r"|\b(?:today|tonight|tomorrow|yesterday|morning|afternoon|evening|night|day|week|month|"
    r"year)s?\b"
)
_LIGHT_EN = (
    "make made get got gotten go went gone going take took taken give gave given keep kept "
    "let put set want wanna gonna need try tried use using come came say said see saw seen "
    "look looking think thought feel felt find found seem mean work works start started thing "
    "stuff lot bit way time kind sort kinda sure really great good nice awesome amazing new "
    "able help important love like enjoy hope wait back around always definitely totally "
    "super actually maybe probably well hey wow thanks thank appreciate oh yeah yep okay "
    "lately recently since last first people everyone much many little big long know talk "
    "happen"
)
_LIGHT_WORDS = frozenset(map(stem_of, _LIGHT_EN.split()))
"""English words of so wide a use that sharing them is sharing no topic."""
_LIGHT_ZH = (
    "觉得 想要 最多 超过 至少 不超 以内 留到 需要 开始 一起 时候 东西 事情 喜欢 "
    "非常 真的 特别 今天 最近 谢谢 感谢 帮忙 知道 好的 有点 起来 出来 下来 过来 "
    "过去 一直 一次 一点"
)
_LIGHT_UNITS = frozenset(_LIGHT_ZH.split())
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_GRAMMAR = frozenset("的了在是我你他她它们就都也还不没很着过这那个把被给从")
"""A pair of characters with one of these lies over the border of a word."""
_CLAUSE = re.compile(r"[，,。；;！!？?、()（）\n]+|[.:](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so)\b")
_PHRASE = re.compile(r"[，,。；;！!？?()（）\n]+|[.:](?=\s|$)|\s[-–—]+\s|\bbut\b")
_SENTENCE = re.compile(r"[。；;！!？?\n]+|[.](?=\s|$)|\s[-–—]+\s")


@lately(4_096)
def topic_of(folded: str) -> frozenset[str]:
    """The units of content of a canonical text.

    Where no pair of Han characters is left, a single one is what it is about (睡, 猫).
    """
    bare = _bare(folded)
    return _units(bare) or frozenset(_HAN.findall(bare)) - _GRAMMAR - HAN_CHARS


def _bare(folded: str) -> str:
    bare = _NOT_TOPIC.sub(" ", AVERSION.sub(" ", blank(folded)))
    for name in FRAME_SLOTS:
        bare = SLOTS[name].sub(" ", bare)
    return LIGHT.sub(" ", bare)


def _units(bare: str) -> frozenset[str]:
    units = units_of(bare) - _LIGHT_WORDS - _LIGHT_UNITS
    return frozenset(unit for unit in units if not _GRAMMAR & set(unit) or unit.isascii())


def details_of(folded: str) -> frozenset[str]:
    """All words of content, single Han characters too: what must survive a merge (case 75)."""
    return frozenset(read(_bare(folded)).words) - _LIGHT_WORDS


@lately(4_096)
def head_of(folded: str) -> frozenset[str]:
    """The last unit of content of a noun phrase: what the phrase names, in both languages."""
    for start in range(len(folded) - 1, -1, -1):
        if start and folded[start].isascii() and folded[start - 1].isalnum():
            continue  # in the middle of a Latin word
        found = _units(_bare(folded[start:]))
        if found:
            return found
    return topic_of(folded)


def clauses_of(folded: str) -> tuple[str, ...]:
    """The clauses of a canonical text, empty ones left out."""
    return tuple(part.strip() for part in _CLAUSE.split(folded) if part and part.strip())


def phrases_of(folded: str) -> tuple[str, ...]:
    """The clauses of a canonical text, those joined by "and" left together."""
    return tuple(part.strip() for part in _PHRASE.split(folded) if part and part.strip())


def sentences_of(folded: str) -> tuple[str, ...]:
    """The sentences of a canonical text, empty ones left out."""
    return tuple(part.strip() for part in _SENTENCE.split(folded) if part and part.strip())
