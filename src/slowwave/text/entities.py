"""The parts of a text that must survive every rewording: numbers, names, paths, codes (N15).

Pure pattern matching, no model: entities are used to check claims against their evidence, to
compare statements and to name pages. Spans count code points. When two readings overlap, the more
specific one (a URL over a path over a version over a number) wins.
"""

import re
from functools import lru_cache
from typing import Literal

import msgspec

from slowwave.text.lately import lately

__all__ = [
    "ZH_COMPOUND_SURNAMES",
    "ZH_SURNAMES",
    "Entity",
    "EntityKind",
    "find_entities",
    "number_value",
]

EntityKind = Literal[
    "number", "version", "amount", "date", "time", "path", "url", "name", "title", "code"
]


class Entity(msgspec.Struct, frozen=True):
    """One entity: `text == source[start:end]`."""

    kind: EntityKind
    text: str
    start: int
    end: int


_DIGITS = "零〇一二三四五六七八九十百千万亿两"
_UNITS = (
    "个|名|位|人|次|回|台|页|张|本|块|元|万元|分钟|小时|天|周|年|岁|月|号楼|楼|层|室|米"
    "|公里|公斤|斤|克|亩|公顷|度|桌|份|杯|瓶"
    "|只|条|辆|间|家|套|节点|节|句|步|码|倍|成|折|粒|片|颗|支|集|章|期|届|级|段|行|字|箱|桶"
    "|双|把|件|首|篇|门|口|代|路|组"
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
ZH_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云"
    "苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳鲍史唐费廉岑薛"
    "雷贺倪汤滕殷罗毕郝邬安常乐于时傅卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝"
    "明臧计成戴宋庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭"
    "梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应宗丁邓郁单洪包诸左石崔吉钮龚程"
    "邢裴陆荣翁荀羊甄封储靳焦牧隗山谷车侯全班仰秋仲伊宫宁仇甘武符刘"
    "景詹束龙叶幸司韶黎薄印白怀蒲邰从鄂索赖卓蔺屠蒙池乔阴胥苍双闻莘党翟谭贡劳姬申扶堵冉"
    "宰郦桑桂牛寿通边扈燕冀浦尚农温别庄晏柴瞿阎充慕连茹习艾鱼容向古"
    "易慎戈廖终居衡步都耿满弘匡国文寇广禄阙东殴沃利越隆师巩聂晁勾敖冷辛那简饶空曾沙养丰"
    "巢关蒯相查后荆红游权盖益桓公覃岳缑阳佟"
)
ZH_COMPOUND_SURNAMES = (
    "欧阳|司马|上官|诸葛|夏侯|皇甫|尉迟|公孙|慕容|令狐|端木|东方|南宫|司徒|宇文|长孙"
)
_GIVEN = r"[\u4e00-\u9fff]"
_TITLE_WORDS = (
    "老师|医生|大夫|经理|总监|总|主任|教授|先生|女士|小姐|太太|阿姨|叔叔|师傅|律师|护士"
    "|编辑|编|导|工|局|处|科长|院长|校长|同学|老板|姐|哥|叔|姨|伯|婆"
    "|爷"
)
_AFTER_NAMING = (
    r"(?:(?<=叫)|(?<=名叫)|(?<=名字是)|(?<=小名)|(?<=大名)|(?<=姓)|(?<=老板是)|(?<=经理是)"
    r"|(?<=老师是)|(?<=导师是)"
    r"|(?<=对接人是)|(?<=责编是))"
)

_SOURCES: tuple[tuple[EntityKind, int, str], ...] = (
    (
        "url",
        0,
        (
            r"(?:https?|ftp|postgres(?:ql)?|ssh|redis)://[^\s，。；、》」』”\"'<>（）]+"
            r"|\bwww\.[^\s，。]+"
        ),
    ),
    ("url", 0, (r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")),
    ("path", 0, (r"(?<![\w./])(?:~|\.{1,2})?(?:/[\w.@+~-]+){1,}/?|\b[A-Za-z]:\\[^\s，。]+")),
    (
        "path",
        re.A,
        (
            r"(?<![\w./])[A-Za-z_][\w-]*(?:/[\w.-]+)+|(?<![\w.])[\w-]+\.(?:py|md|txt|toml|yaml|yml"
            r"|json|csv|xlsx?|docx?|pdf|png|jpe?g|sh|go|rs|ts|js|sql|db|log|conf|ini|psd)\b"
        ),
    ),
    ("code", 0, (r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?\b")),
    (
        "code",
        re.A,
        (
            r"\b[a-zA-Z][\w-]*(?:\.[\w-]+)+(?::\d{2,5})\b"
            r"|\b[a-z][\w-]*(?:\.[a-z][\w-]*){2,}\b"
        ),
    ),
    (
        "date",
        re.A,
        (
            rf"\b\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}\b"
            rf"|\b\d{{4}}\s*年(?:\s*\d{{1,2}}\s*月)?(?:\s*\d{{1,2}}\s*[日号])?"
            rf"|\d{{1,2}}\s*月\s*\d{{1,2}}\s*[日号]?|[{_DIGITS}]{{1,3}}月(?:[{_DIGITS}]{{1,3}}[日号]?)?"
            rf"|[{_DIGITS}]{{1,3}}[号日](?!楼|院|线)"
        ),
    ),
    (
        "date",
        re.I,
        (
            rf"\b(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b|\b\d{{1,2}}(?:st|nd"
            rf"|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\b(?:\s+\d{{4}})?"
        ),
    ),
    (
        "time",
        re.I,
        (
            rf"\b\d{{1,2}}[:：]\d{{2}}(?:[:：]\d{{2}})?(?:\s*[ap]\.?m\.?)?|\b\d{{1,2}}\s*[ap]\.?m\b\.?"
            rf"|(?:\d{{1,2}}|[{_DIGITS}]{{1,3}})\s*点(?:半|钟|整|\d{{1,2}}分?"
            rf"|[{_DIGITS}]{{1,3}}分?|[一三]刻)?"
        ),
    ),
    (
        "amount",
        re.I,
        (
            r"[¥￥$€£]\s?\d[\d,]*(?:\.\d+)?\s?(?:[kKmM万亿]\b)?|\d[\d,]*(?:\.\d+)?\s?(?:万元"
            r"|亿元|元|块钱|块|美元"
            r"|美金|欧元|日元|港币|usd|eur|gbp|cny|rmb|dollars?|euros?|pounds?|%"
            r"|％)(?![A-Za-z])"
        ),
    ),
    (
        "version",
        re.I | re.A,
        (r"\bv\d+(?:\.\d+)*(?:[-+][\w.]+)?\b|(?<![\d.])\d+\.\d+\.\d+(?:[-+][\w.]+)?\b"),
    ),
    (
        "code",
        re.A,
        (
            r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z\d]+(?:[-_][A-Za-z\d]+)*(?!["
            r"\w-])"
        ),
    ),
    ("code", re.A, (r"(?<![\w-])[A-Za-z]+(?:_[A-Za-z\d]+)+(?![\w-])|\b[a-z]+[A-Z]\w+\b|@[a-z]\w+")),
    ("number", re.A, (r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![\w]*[A-Za-z_])")),
    (
        "number",
        0,
        (
            rf"[{_DIGITS}]{{1,9}}(?=(?:{_UNITS}))|[{_DIGITS}]{{2,9}}(?:多|几"
            rf"|来)?(?=[\u4e00-\u9fff])"
        ),
    ),
    ("title", 0, (r"《[^》\n]{1,40}》|“[^”\n]{1,24}”|「[^」\n]{1,24}」|『[^』\n]{1,24}』")),
    ("name", 0, (rf"(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}]){_GIVEN}{{0,2}}?(?:{_TITLE_WORDS})")),
    (
        "name",
        0,
        (
            rf"{_AFTER_NAMING}(?:(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}]){_GIVEN}{{1,2}}"
            rf"|[小老阿]{_GIVEN}|{_GIVEN}{{2,3}})(?=[，。、；！？\s）)和跟的]|$)"
        ),
    ),
    (
        "name",
        0,
        (
            rf"(?<![\u4e00-\u9fff])(?:小|老|阿)(?![板师家婆公伴时孩学]){_GIVEN}(?=[，。、；！？\s说是在住对叫和跟不]|$)"
        ),
    ),
)
"""Kind, flags and pattern, the most specific first."""

_LATIN_NAME = re.compile(
    r"(?<![\w@#./-])[A-ZÀ-Þ][\w'’-]*(?:\s+(?:[A-ZÀ-Þ][\w'’-]*|of|de|van|von|da|del"
    r"|la)(?=\s+[A-ZÀ-Þ]|\s*\b))*"
)
_SENTENCE_START = re.compile(
    r"(?:^|[.!?。！？:：;；\n—–\"“「'‘(（]\s*|[，,]\s*(?=[A-Z][a-z]+\b\s[a-z]))$"
)
_NOT_NAMES = re.compile(
    r"i|i'(?:m|d|ve|ll)|im|ok|okay|oh|yes|no|hi|hello|hey|thanks|please|the|an?|and|but|so|if|when"
    r"|while|my|our|your|his|her|its|it|we|you|he|she|they|this|that|these|those|there|what|why|how"
    r"|who|where|which|do|does|did|don't|never|always|not|just|only|also|today|tomorrow|yesterday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|morning|evening|after|before|from|for|on|in|at|by|with|as"
    r"|to|of|or"
)
"""Words that are capitalised without being names."""


@lately(512)
def find_entities(text: str) -> list[Entity]:
    """All entities of `text`, in order, without overlaps. Never fails; the list may be empty."""
    taken: list[tuple[int, int]] = []
    found: list[Entity] = []
    for kind, pattern in _patterns():
        for match in pattern.finditer(text):
            start, end = match.span()
            while end > start and text[end - 1] in "., ":
                end -= 1
            if end > start and _free(taken, start, end):
                taken.append((start, end))
                found.append(Entity(kind, text[start:end], start, end))
    found.extend(_latin_names(text, taken))
    return sorted(found, key=lambda entity: entity.start)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[EntityKind, re.Pattern[str]], ...]:
    """The patterns, compiled when they are first needed (they cost start-up time)."""
    return tuple((kind, re.compile(source, flags)) for kind, flags, source in _SOURCES)


def _free(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    return all(end <= a or start >= b for a, b in taken)


def _latin_names(text: str, taken: list[tuple[int, int]]) -> list[Entity]:
    """Capitalised runs; a lone word at the start of a sentence may be any word: left out."""
    names: list[Entity] = []
    for match in _LATIN_NAME.finditer(text):
        start, end = match.span()
        words = match.group().split()
        while words and _plain(words[0]):
            start += len(words.pop(0))
            while start < end and text[start].isspace():
                start += 1
        while words and (words[-1].islower() or _plain(words[-1])):
            end -= len(words.pop())
            while end > start and text[end - 1].isspace():
                end -= 1
        lone_opener = len(words) == 1 and start == match.start() and _opens_sentence(text, start)
        possessive = text[end - 2 : end] in ("'s", "’s")
        if words and not (lone_opener and not words[0].isupper()) and _free(taken, start, end):
            end -= 2 if possessive else 0
            if end > start:
                names.append(Entity("name", text[start:end], start, end))
    return names


def _plain(word: str) -> bool:
    return _NOT_NAMES.fullmatch(word.casefold().replace("’", "'")) is not None


def _opens_sentence(text: str, start: int) -> bool:
    return _SENTENCE_START.search(text[max(0, start - 4) : start] if start else "") is not None


_ZH_VALUE = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_SCALE = {"十": 10, "百": 100, "千": 1000}


def number_value(text: str) -> float | None:
    """The value of a number in digits or Chinese numerals (`三十六` → 36.0), or None."""
    plain = text.replace(",", "").lstrip("¥￥$€£ ").rstrip("%％ ")
    try:
        return float(plain) if plain.isascii() else _zh_value(plain)
    except ValueError:
        return None


def _zh_value(text: str) -> float | None:
    total, section, digit = 0.0, 0.0, 0.0
    for char in text:
        if char in _ZH_VALUE:
            digit = _ZH_VALUE[char]
        elif char in _ZH_SCALE:
            section += (digit or 1) * _ZH_SCALE[char]
            digit = 0
        elif char in "万亿":
            total = (total + section + digit) * (10_000 if char == "万" else 100_000_000)
            section = digit = 0
        else:
            return None
    return total + section + digit if text else None
