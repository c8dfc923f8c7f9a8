"""Whether what one statement speaks of is named in another one, as a thing of its own.

"The Lisbon trip" is named in "we fly to Lisbon in May": the place stands there, and a trip is what
flying is. "The coffee" is not named in "I work at the coffee shop": there it is part of a name.
"""

import re

from slowwave.dream.compare.reading.quantity import blank
from slowwave.dream.compare.reading.statement import stem_of
from slowwave.text.lately import lately
from slowwave.text.stopwords import ENGLISH

__all__ = ["content_of", "mentioned"]

_SORTS: tuple[tuple[str, str], ...] = (
    (
        r"行程|旅行|旅游|之行|之旅|出行|旅程|出差|航班|机票|车票|酒店|民宿"
        r"|\b(?:trip|travel|journey|vacation|holiday|visit|getaway|tour|flight|travels)s?\b",
        r"去|飞|到|玩|旅|度假|出差|回|跑一趟"
        r"|\b(?:go|goes|going|fly|flying|travel\w*|visit\w*|head\w*|driv\w+|trip|drive|leav\w+)\b",
    ),
    (
        r"预约|约会|会面|见面|饭局|会议|活动|安排|时间|日程|名额|报名"
        r"|\b(?:meeting|appointment|session|call|date|booking|reservation|slot|event|"
        r"registration|entry|meetup|catch-up|get-together|outing)s?\b",
        "",
    ),
    (
        r"计划|打算|念头|项目|方案|想法|这事儿?|的事儿?"
        r"|\b(?:plan|idea|project|thing|effort|initiative|purchase|order|habit|routine|diet)s?\b",
        "",
    ),
    (
        r"订阅|会员|课程|课(?!题)|班(?!级|主)|账号"
        r"|\b(?:subscription|membership|account|lesson|class|course|practice|training|club|plan)"
        r"(?:es|s)?\b",
        "",
    ),
    (
        r"日期|日子|时间|期限|地点|地方|时段|号码"
        r"|\b(?:date|day|time|deadline|place|location|venue|spot|slot)s?\b",
        "",
    ),
)
"""Words for the sort of a thing, and what in the other statement stands for them (any, if empty)"
"."""
_SORT_WORDS = tuple((re.compile(name), re.compile(does)) for name, does in _SORTS)
_SORT = re.compile("|".join(name for name, _ in _SORTS))
_LIGHT_WORDS = frozenset(map(stem_of, (
    "do", "doing", "did", "does", "go", "goes", "going", "went", "play", "playing", "take",
    "taking", "took", "eat", "eating", "drink", "drinking", "have", "having", "had", "get",
    "getting", "use", "using", "used", "make", "making", "attend", "attending", "see", "seeing",
    "work", "working", "be", "being", "been", "keep", "run", "old", "new", "whole", "entire", "all",
    "completely", "entirely", "altogether", "finally", "just", "now", "today", "also", "really",
    "anymore", "more", "longer", "good", "officially", "dr", "mr", "mrs", "ms", "prof", "need",
    "needing", "write", "writing", "it's", "i'm", "we're", "my", "our", "meet", "meeting", "buy",
    "buying",
)))  # fmt: skip
"""Verbs and fillers that may be worded otherwise in the other statement."""
_HAN_LIGHT = frozenset(
    "的了在是我你他她它们就都也还不没很着过这那个把被给从再先已早以后去来上买做吃喝玩用学打订开抽"
    "看报参加跟和与一起得成要想会能跑养坐收领穿骑办发三两四五六七八九十半交搞弄叫说现目前如今完全彻底暂时吧呢啊周本今明下次天"
)
_EDGE = "的了在是我你他她它们就都也还很着把被给从再先已去来一和跟与那这个碰"
"""Characters of grammar that may stand around the name of a thing."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_TOKEN = re.compile(r"[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+(?:[-'][^\W\d_]+)*|\d+|[,.;!?]")
_AFTER = re.compile(
    r"$|[^\u3400-\u9fff]|"
    r"[一二三两四五六七八九十半几每了过着的吗吧和跟与及在去到来用做玩看吃喝上下学参见度旅出开培办比听给课班写记跑沟管存]"
)
"""What may stand behind a thing that is no part of a longer name."""
_GO_ON = frozenset({
    "next", "this", "every", "each", "twice", "once", "again", "together", "tomorrow", "today",
    "tonight", "daily", "weekly", "monthly", "first", "early", "late", "later", "instead",
})  # fmt: skip
SHARED = 2
"""Least number of Han characters in common to take a thing as named."""


@lately(4_096)
def content_of(thing: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems and the runs of Han characters that name a thing, without words for its sort."""
    bare = _SORT.sub(" ", blank(thing))
    stems = {
        stem_of(word)
        for word in _TOKEN.findall(bare)
        if word[0].isalpha() and word not in ENGLISH and word.removesuffix("'s") not in ENGLISH
    }
    runs = (run.strip(_EDGE) for run in _HAN.findall(bare.replace("跑步", "跑")))
    return frozenset(stems - _LIGHT_WORDS or stems), tuple(run for run in runs if run)


def mentioned(thing: str, text: str) -> bool:
    """Whether all that names a thing stands in a text, and not as a part of a longer name.

    Both are canonical. A thing that is named by its sort alone ("the appointment") is not.
    """
    stems, runs = content_of(thing)
    if not (stems or runs) or not _sorts_fit(thing, text):
        return False
    return _stems_stand(stems, thing, text) and all(_run_stands(run, text) for run in runs)


def _sorts_fit(thing: str, text: str) -> bool:
    """Whether the sort that is named ("trip") is named or acted out ("fly to") in the text."""
    for named, does in _SORT_WORDS:
        found = named.search(thing)
        if found and does.pattern and not (does.search(text) or named.search(text)):
            return False
    return True


def _stems_stand(stems: frozenset[str], thing: str, text: str) -> bool:
    words = _TOKEN.findall(_HAN.sub(" ; ", text))
    there = [stem_of(word.removesuffix("'s")) for word in words]
    if not stems <= set(there):
        return False
    if not stems:
        return True
    if all(word.endswith("ing") for word in _TOKEN.findall(thing) if stem_of(word) in stems):
        return True  # a doing is no part of a longer name
    ends = [at for at, stem in enumerate(there) if stem in stems]
    return any(_ends_name(words, there, at, stems) for at in ends)


def _ends_name(words: list[str], there: list[str], at: int, stems: frozenset[str]) -> bool:
    """Whether no noun follows that makes a longer name of it."""
    if at + 1 == len(words):
        return True
    after = words[at + 1]
    return (
        not after[0].isalpha()
        or there[at + 1] in stems
        or after in ENGLISH
        or after in _GO_ON
        or bool(_SORT.fullmatch(after))
    )


def _run_stands(run: str, text: str) -> bool:
    text = text.replace("跑步", "跑")
    best = max(
        (run[start:end] for start in range(len(run)) for end in range(start + 1, len(run) + 1)
         if run[start:end] in text),
        key=len,
        default="",
    )  # fmt: skip
    if len(best) < min(SHARED, len(run)):
        return False
    rest = run.replace(best, "", 1)
    if rest and not set(rest) <= _HAN_LIGHT:
        return False
    at = text.find(best)
    while at >= 0:
        if _AFTER.match(text[at + len(best) :]):
            return True
        at = text.find(best, at + 1)
    return False
