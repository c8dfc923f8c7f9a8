"""The text around time expressions: even spelling, what only looks like a time, tense, region."""

import re
from datetime import datetime

_SPELLING = str.maketrans(
    "０１２３４５６７８９：／．－後禮點號週兩個鐘鍾時間這內過從現開節國慶農曆臘陰陽聖誕歷"
    "聽尋噚晝淩頭當邊陸貳〇○前來會還裡裏"
    "\u00a0\u2007\u202f\u3000",
    "0123456789:/.-后礼点号周两个钟钟时间这内过从现开节国庆农历腊阴阳圣诞历"
    "听寻寻昼凌头当边陆贰零零前来会还里里"
    "    ",
)
"""Full-width digits, traditional characters and rare spaces, one for one: offsets stay."""

BLANK = "\x00"
"""Stands in for every character of what is no time; no pattern matches it."""


def even(text: str) -> str:
    """The text in one spelling, of the same length."""
    return text.translate(_SPELLING)


# ── what only looks like a time ─────────────────────────────────────────────────────────────────

_NOTHING = re.compile(
    r"""
      https?://[^\s<>"'，。）)]+ | www\.[^\s<>"'，。）)]+
    | [\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}
    | `[^`\n]{1,200}`
    | 《[^》\n]{1,60}》 | 〈[^〉\n]{1,60}〉
    | (?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])                     # IP address
    | (?<![\w.])[vV]\d+(?:\.\d+){0,4}                                 # v1.2
    | \#\d+
    | (?<!\d)24\s?[/x×]\s?7(?!\d) | (?<!\d)9[·.・]11(?!\d) | (?<![\d-])7-11(?![\d-]) | 7-eleven
    | (?<![\w/])(?:~|\.{0,2})/(?:[A-Za-z_.@][\w.@%+-]*/)+[\w.@%+-]*                        # path
    | (?<![\w/\\])(?:[A-Za-z_]\w*[/\\]){2,20}\w+\.\w{1,5}\b
    | [\w-]+\.(?:py|js|ts|md|txt|csv|json|ya?ml|log|pdf|docx?|xlsx?|pptx?
        |zip|png|jpe?g|mp[34]|sql|html?|sh)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

_VERSION = re.compile(
    r"(?:\b(?:version|ver|release|firmware|build|python|node(?:js)?|ios|"
    r"android|ubuntu|debian|macos|windows|kernel|"
    r"section|chapter|figure|fig|table|page|room|flight|model|article|"
    r"clause|rule|lot|item|no|part|serial|code|"
    r"ticket|order|invoice|ref|extension|ext|channel|platform|gate|suite|unit|apt|flat|pin)"
    r"|版本号?|固件|系统|升级?到|更新到|回退到|编号|单号|订单号?|工号|学号|"
    r"尾号|车牌号?|房号|型号|门牌号?|航班号?|车次|"
    r"密码|验证码|邮编|电话|手机号?|账号|卡号|代码|端口|章节)"
    r"[.:：#]?\s?(?:是|为|is|was|number|no\.?)?\s?"
    r"(?!\d{1,2}/\d{1,2}/\d{2,4}|"
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|"
    r"\d{1,2}\.\d{1,2}\.\d{4})(?P<n>[\w.\-/·:]*\d"
    r"[\w.\-/·:]*)(?![年月日])",
    re.IGNORECASE,
)

_SCORE = re.compile(
    r"(?:比分|赔率|比例|配比|按|score[ds]?|odds|ratio|"
    r"won|lost|beat|win|lose|aspect|"
    r"scale)[^\n。.;；]{0,16}?"
    r"(?P<a>\d{1,3}\s?[:/比-]\s?\d{1,3})(?!\d|\s?[ap]\.?m)"
    r"|(?P<b>\d{1,3}\s?[:/]\s?\d{1,3})(?=\s?的?(?"
    r":比分|比例|赔率|配比|兑|调|领先|落后|获胜|战胜|惜败|拍[子号]?|"
    r"\s?(?:odds|ratio|scale|"
    r"time signature|dowel|inch|cups?|tsp|tbsp|teaspoons?|mile|lb|oz|of\b|"
    r"full|majority|screw|bolt|size|split|aspect)))",
    re.IGNORECASE,
)

_NAMED = re.compile(
    r"(?:叫做?|名叫|外号|绰号|昵称|代号|名为|歌名?|曲|店名|网名|艺名|"
    r"called|named|nicknamed|titled|entitled|"
    r"song|album|band|"
    r"film|movie|novel|book|show|episode|game|"
    r"track|playlist|poem|series|magazine|"
    r"brand)\s?(?:是|为|叫|is|was|,|:)?\s?"
    r"(?P<n>[“\"「『‘'][^”\"」』’'\n]{1,40}[”\"」』’'])"
    r"|(?P<m>[“\"「『][^”\"」』\n]{1,30}[”\"」』])(?=\s"
    r"?(?:这首|这部|这本|那首|那部|那本|乐队|组合|餐厅|酒吧|书店|"
    r"the (?:song|film|"
    r"movie|book|band|album)|(?:is|was) (?:a|the|my) (?:song|film|movie|book|band|album)))",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """The text with what only looks like a time blanked out: addresses, paths, code, titles,
    versions and numbers of things, scores, ratios, names.
    """
    for pattern in (_NOTHING, _VERSION, _SCORE, _NAMED):
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    named = [name for name, value in match.groupdict().items() if value is not None]
    if not named:
        return BLANK * len(match.group())
    start, end = (match.span(named[0])[i] - match.start() for i in (0, 1))
    whole = match.group()
    return whole[:start] + BLANK * (end - start) + whole[end:]


# ── tense ───────────────────────────────────────────────────────────────────────────────────────

_CLAUSE_END = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")
_REACH = 80
"""How far from an expression, in characters, its clause is looked at."""

_ZH_FUTURE = re.compile(
    r"[要将](?![了过])|(?<![开的次场例晚早年周聚宴个班社机])(?<![开散][了过完])会(?![了过员议])|准备|打算|计划"
    r"|预计|预约|预订|提醒|记得|"
    r"别忘|别|请|务必|得(?=[去提早赶先把给交到来准])|该|想|争取|"
    r"之前|以前|前(?=[把交完给])|截止|到期|届时|就[回来去走到能]|"
    r"再(?=[说来去看联])|票|酒店|航班|报名|起[,，]?|开始|生效|还没|"
    r"能不能|可以|"
    r"不[^，。]{0,4}了|叫我|帮我|明天|下周|来得及|定在|安排|改到|推迟到|提前到|见$"
)
_ZH_PAST = re.compile(
    r"(?<![不别要快])了(?=[^吗嘛吧呢，。!！?？\s])|"
    r"[一-鿿]过(?![年节来去程期后生寿满]|[一二三四五六七八九十\d]+(?:大?寿|岁|周年|生日))|"
    r"刚|已经|当时|那[时会]|(?<=[^ ])那天|曾|上次|"
    r"之前就|"
    r"[一-鿿]完了|[买到做写开去来回说谈吃见寄发交办付签搬装修住拿收]了|"
    r"[买办寄发交付签搬装换修开提收下生结毕入]的"
)
_EN_FUTURE = re.compile(
    r"\b(?:will|won['’]t|shall|going to|gonna|let['’]?s|remind|need|needs|"
    r"must|should|due|plan(?:s|ning)?|book|"
    r"schedule|expires?|starts?|begins?|ends?|opens?|arrives?|leaves?|runs|"
    r"could|would|want|please|hope|"
    r"have to|has to|want|by|until|till|move|see you|mark|next)\b|['’]ll\b",
    re.IGNORECASE,
)
_EN_PAST = re.compile(
    r"\b(?:was|were|wasn['’]t|weren['’]t|had|did|didn['’]t|went|saw|left|"
    r"met|bought|came|got|took|made|told|said|"
    r"gave|found|lost|sold|sent|paid|ran|ate|drove|flew|broke|began|started|"
    r"moved|called|finished|signed|"
    r"arrived|visited|happened|ago|kept|felt|thought|heard|read|wrote|spent|"
    r"built|caught|taught|won|fell|"
    r"died|born|grew|chose|froze|back in|already|joined|quit|launched|"
    r"shipped|released|watched|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_EN_PASSIVE = re.compile(
    r"(?:\b(?:is|are|be|being|am|get|gets|getting|need|needs|want)|['’](?:s|re|m))\s+(?:\w+\s+)?"
    r"(?:\w+ed|paid|sent|made|done|sold|built|told|cut|shut|held|kept|left|"
    r"set|put|born|broken|taken|given|gone)\b"
    r"|^\s*\w+ed\b(?! (?:the|an?|my|our|his|her|from|at|in)\b)",
    re.IGNORECASE,
)
_EN_ARRANGED = re.compile(
    r"\b(?:booked|scheduled|arranged|reserved|planned|pencil+ed in|fixed|confirmed|due|can['’]?t|"
    r"cannot)"
    r"(?: [\w' ]{1,20}?)? (?:for|on|do|make|come)\s(?:the\s|this\s)?$",
    re.IGNORECASE,
)
"""What is arranged for a day, or cannot be on it: the day is ahead."""
_EN_MOVED_TO = re.compile(
    r"\b(?:moved|pushed|shifted|switched|rescheduled|postponed|changed|bumped|delayed|forward)\b"
    r"[^.;,]{0,40}\b(?:to|until|till)\s(?:the\s|this\s|next\s)?$",
    re.IGNORECASE,
)
"""Something was moved, and the day it was moved to is ahead."""
_ZH_ARRANGED = re.compile(
    r"(?:约(?:了|好了?|在|到|定|上了?|的是?)|[预订]约?(?:了|好了?|在|到|上了?)|"
    r"定(?:了|好了?|在|到|于)|安排(?:了|好了?|在|到)|排(?:了|好了?|在|到)|挂(?:了|好了?|到)|"
    r"(?:改|推|延|挪|调|提前|推迟|延后)期?[在到])[^，,了过]{0,8}$"
)
_ZH_ARRANGED_BEHIND = re.compile(r"^[^，,]{0,3}(?:约|预约|订|预订)(?:了|好了?)[^，,了过来]{0,12}$")
_CAME_OF_IT = re.compile(r"[一-鿿](?:了|过|完|得很)|没[来去到成]|结果")
"""Told behind what was arranged: that day is over."""
_EN_DONE_IN = re.compile(r"\b(?:back )?in\s(?:early\s|late\s|mid-?\s?)?$", re.IGNORECASE)
_EN_WILL = re.compile(r"\b(?:will|going to|gonna|remind)\b|['’]ll\b")
_COMMA = re.compile(r"[，,]")
_EARLY = re.compile(
    r"起床|叫醒|闹钟|醒|赶飞机|早班|早餐|早饭|晨|"
    r"\b(?:wake|get up|getting up|be up|alarm|breakfast|sunrise|dawn|jog)\b",
    re.IGNORECASE,
)


def clause(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after an expression in its own sentence, at most 80 characters."""
    before = text[max(0, start - _REACH) : start]
    for stop in reversed(list(_CLAUSE_END.finditer(before))):
        before = before[stop.end() :]
        break
    after = text[end : end + _REACH]
    stop_after = _CLAUSE_END.search(after)
    return before, after[: stop_after.start()] if stop_after else after


def tense_of(before: str, after: str) -> int:
    """-2 surely past, -1 past, 1 future, 0 unknown: what the sentence says of when it happens.

    The part between the commas counts first, then the whole sentence.
    """
    if _EN_MOVED_TO.search(before) or _EN_ARRANGED.search(before):
        return 1
    if _is_arranged(before, after):
        return 1
    near = f"{_COMMA.split(before)[-1]} {_COMMA.split(after, maxsplit=1)[0]}"
    tense = _tense(near) or _tense(f"{before} {after}")
    if tense < 0 and _EN_DONE_IN.search(before) and _EN_PAST.search(_COMMA.split(before)[-1]):
        return -2
    return tense


def _is_arranged(before: str, after: str) -> bool:
    """Whether Chinese words around a day say that something is fixed for it, and is still ahead."""
    if _CAME_OF_IT.search(after.partition("，")[2]):
        return False
    if _ZH_ARRANGED.search(before):
        return not _CAME_OF_IT.search(after)
    return bool(_ZH_ARRANGED_BEHIND.search(after))


def _tense(around: str) -> int:
    if any("\u4e00" <= c <= "\u9fff" for c in around):
        future, past = _ZH_FUTURE.search(around), _ZH_PAST.search(around)
    else:
        plain = _EN_PASSIVE.sub(" is ", around)
        future, past = _EN_FUTURE.search(plain), _EN_PAST.search(plain)
        if past and future and not _EN_WILL.search(around):
            future = None
    if future:
        return 1
    return -1 if past else 0


def is_early(before: str, after: str) -> bool:
    """Whether the sentence is about getting up or leaving early: a bare hour is in the morning."""
    return bool(_EARLY.search(before) or _EARLY.search(after))


# ── region ──────────────────────────────────────────────────────────────────────────────────────

_CANADA = {
    "Toronto",
    "Vancouver",
    "Montreal",
    "Winnipeg",
    "Halifax",
    "Edmonton",
    "Regina",
    "St_Johns",
    "Moncton",
    "Calgary",
    "Ottawa",
    "Iqaluit",
    "Whitehorse",
    "Yellowknife",
}
_UNITED_STATES = {
    "New_York",
    "Chicago",
    "Denver",
    "Los_Angeles",
    "Phoenix",
    "Anchorage",
    "Detroit",
    "Boise",
    "Juneau",
    "Louisville",
    "Indianapolis",
    "Honolulu",
    "Adak",
    "Nome",
    "Sitka",
    "Menominee",
}
_BY_AREA = {
    "Australia": "au",
    "US": "us",
    "Canada": "ca",
    "GB": "gb",
    "PRC": "cn",
    "ROC": "cn",
    "NZ": "nz",
    "Hongkong": "cn",
}
_BY_CITY = {
    "London": "gb",
    "Belfast": "gb",
    "Jersey": "gb",
    "Guernsey": "gb",
    "Isle_of_Man": "gb",
    "Dublin": "gb",
    "Auckland": "nz",
    "Shanghai": "cn",
    "Hong_Kong": "cn",
    "Taipei": "cn",
    "Macau": "cn",
    "Urumqi": "cn",
    "Chongqing": "cn",
    "Harbin": "cn",
}


def region_of(now: datetime) -> str:
    """The region whose customs count, by the zone's name; "us" for a bare American offset."""
    key = getattr(now.tzinfo, "key", None)
    if key is None:
        offset = now.utcoffset()
        hours = offset.total_seconds() / 3600 if offset else 0
        return "us" if -10 <= hours <= -4 else ""
    parts = str(key).split("/")
    area, city = parts[0], parts[-1]
    if city in _CANADA:
        return "ca"
    if city in _UNITED_STATES or parts[1:2] in (["Indiana"], ["Kentucky"], ["North_Dakota"]):
        return "us"
    return _BY_CITY.get(city) or _BY_AREA.get(area, "")
