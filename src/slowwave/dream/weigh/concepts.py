"""What a memory is about: its names and content words, in a form that can be counted (O5, O6).

Words are counted by their stem, so `backup` and `backups` are one concept. Function words, numbers,
dates, clock times and the general words of any talk (`day`, `get`, 今天, 东西) are no concept: a
theme says what was talked about, not how people talk.
"""

import re
from collections.abc import Iterator

from slowwave.model import Memory
from slowwave.text.lately import lately
from slowwave.text.segment import fold, terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

__all__ = ["GRAM_CHARS", "concepts", "runs", "tags", "words"]

GRAM_CHARS = 6
"""Longest piece of a run without spaces that can be the name of a theme."""
LONGEST_NAME = 40

_GENERAL_ENGLISH = (
    # units of time and words that only place something in time
    "second minute hour day week weekend month year decade morning noon afternoon evening night "
    "midnight today yesterday tomorrow tonight time date moment while ago later soon early late "
    "always often sometimes usually again already recently lately monday tuesday wednesday "
    "thursday friday saturday sunday january february march april june july august september "
    "october november december am pm "
    # verbs and nouns so general that they stand for nothing by themselves
    "get go going gone went come came make made take took taken give gave given put let keep kept "
    "say said tell told ask talk speak mean see saw seen look find found know knew known think "
    "thought feel felt want need like love hate prefer wish hope try use used work start stop "
    "begin end finish change call seem become became happen bring help plan "
    "thing stuff way lot bit kind sort part side case point fact matter idea reason example "
    "people person someone guy folk man woman name number new old good bad nice great big small "
    "little long short high low first last next same different right wrong sure okay ok yeah "
    "really actually probably maybe perhaps currently finally together away back "
    # who takes part in a talk
    "user assistant agent system message chat"
)
_GENERAL = frozenset(
    stem for word in _GENERAL_ENGLISH.split() for stem in (word, *terms(word)) if stem
)
_GENERAL_CHINESE = (
    "今天 昨天 明天 前天 后天 今年 去年 明年 前年 上午 下午 "
    "早上 晚上 中午 凌晨 周末 周一 周二 周三 周四 周五 周六 "
    "周日 星期 礼拜 上周 下周 本周 这周 上个月 下个月 这个月 "
    "月底 月初 年底 现在 刚才 最近 以后 以前 之后 之前 时候 "
    "时间 每天 每周 每次 喜欢 觉得 认为 希望 打算 计划 准备 "
    "需要 开始 结束 继续 知道 看到 听说 发现 使用 进行 成为 "
    "东西 事情 问题 情况 方面 地方 样子 部分 一起 一直 一点 "
    "一次 非常 特别 真的 其实 可能 大概 比较 用户 助手 系统 "
    "消息 "
)
_GENERAL_HAN = frozenset(_GENERAL_CHINESE.split())
_CUT = re.compile(
    "|".join(sorted(HAN_WORDS | _GENERAL_HAN, key=lambda word: (-len(word), word)))
    + f"|[{''.join(sorted(HAN_CHARS))}]"
)
_HAN_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_LETTER = r"[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]"
_WORD = re.compile(
    # Letters only: what is joined to digits (5th, B2) counts as a name or not at all.
    rf"(?<![^\W\u3400-\u4dbf\u4e00-\u9fff]){_LETTER}{{2,}}(?!\d)(?:'{_LETTER}+)?"
)
_COUNTED = re.compile("[\\d〇零一二三四五六七八九十百千万亿两半年月日号点分秒周星期个]+")
_PIECE = re.compile(r"[^\W_]+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)?")


def concepts(memory: Memory) -> dict[str, str]:
    """The concepts of one memory: how each is counted, and how it is written there.

    Names come as a whole, words by their stem, and of what is written without spaces every piece of
    2 to `GRAM_CHARS` characters, since only counting tells which of them is a word.
    """
    found: dict[str, str] = dict(_names(memory))
    for stem, surface in words(memory.text):
        found.setdefault(stem, surface)
    for run in runs(memory.text):
        for size in range(2, min(GRAM_CHARS, len(run)) + 1):
            for at in range(len(run) - size + 1):
                found.setdefault(run[at : at + size], run[at : at + size])
    return found


def tags(memory: Memory) -> int:
    """How many different concepts a memory has: its names, its words, and two characters each."""
    names = {key for key, _ in _names(memory)}
    inner = {piece for name in names for piece, _ in words(name)}
    said = {stem for stem, _ in words(memory.text)} - inner - names
    pairs = {run[at : at + 2] for run in runs(memory.text) for at in range(0, len(run) - 1, 2)}
    return len(names) + len(said) + len({pair for pair in pairs if pair not in "".join(names)})


def words(text: str) -> Iterator[tuple[str, str]]:
    """The content words of scripts with spaces: stem, and the word as it stands (folded)."""
    for match in _WORD.finditer(fold(text)):
        word = match.group()
        if word in ENGLISH or word in _GENERAL:
            continue
        stem = _stem(word)
        if stem and stem not in _GENERAL and len(stem) > 1:
            yield stem, word


def runs(text: str) -> Iterator[str]:
    """Pieces of Chinese text between function and general words, of two characters or more."""
    for run in _HAN_RUN.findall(fold(text)):
        for piece in _CUT.split(run):
            if len(piece) > 1 and not _COUNTED.fullmatch(piece):
                yield piece


def _names(memory: Memory) -> Iterator[tuple[str, str]]:
    """Its entities, without numbers, dates and times: `28-31` is no theme."""
    for entity in memory.entities:
        key = " ".join(fold(entity).split())
        if 1 < len(key) <= LONGEST_NAME and not _says_when(key):
            # A name of one word is counted as the word, however it is written.
            stem = _stem(key) if _WORD.fullmatch(key) else key
            if stem not in _GENERAL | _GENERAL_HAN:
                yield stem or key, entity


def _says_when(key: str) -> bool:
    """Whether nothing is left of a name without numbers, dates and words of any talk."""
    for piece in _PIECE.findall(key):
        general = piece in ENGLISH or piece in _GENERAL or piece in _GENERAL_HAN
        if not general and not _ORDINAL.fullmatch(piece) and not _COUNTED.fullmatch(piece):
            return False
    return True


@lately(16_384)
def _stem(word: str) -> str:
    return next(iter(terms(word)), "")
