"""Two clauses laid beside each other, word by word: what both name, and what only one of them does.

Chinese has no spaces, so common runs of characters are taken instead of words; what is left over on
a side is a word of its own unless it is grammar.
"""

import re

import msgspec

from slowwave.dream.compare.reading.lexicon import KIN_PATTERN
from slowwave.dream.compare.reading.quantity import blank
from slowwave.dream.compare.reading.statement import stem_of
from slowwave.dream.compare.reading.topic import topic_of
from slowwave.text.lately import lately

__all__ = ["Alike", "content", "laid_beside", "names_anything"]


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """What two clauses share and what is left of each.

    `common`: what both name. `alone_first`, `alone_second`: what only one of them names. `opens`:
    the first one begins with something that both name. `told`: the second one names anything.
    `persons_only`: all they share are people; `same_doing`: the verb after them is shared too.
    `second_persons`: what the second has alone are people.
    """

    common: frozenset[str]
    alone_first: frozenset[str]
    alone_second: frozenset[str]
    opens: bool
    told: bool
    persons_only: bool = False
    same_doing: bool = False
    second_persons: bool = False


_GRAMMAR = re.compile(
    r"得花|要花|花费|再添|添到|补到|我们|我的|咱们?|我家|家里|现在|目前|如今|以后|今后|从今|[从自打][^，。]{1,6}起|"
    r"每[天周月晚年日]|都|就|才|也|"
    r"还是|还|再|得|要|能|可以|可|最多|最少|至少|不能|别|超过?|封顶|以内|之内|左右|大概|差不多|"
    r"已经?|正式|统一|直接|"
    r"早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|凌晨|"
    r"放宽|开始|追加|提高|增加|减少|提升|缩减|上调|下调|延长|缩短|"
    r"扩大|总是|老是|经常|"
    r"[上下本这]个?[周月]|[今明去后][天年]|昨天|年底|月底|时间|日期|日子|期限|截止|这次|刚刚?|"
    r"终于|一下|不用|"
    r"[我你他她它的了在是为到至把让给被由向跟和与吧呢啊呀哦嘛这那里上下改换调加减降升涨提推延压砍缩变转成后前每有做个只用约定约末底初内外来去行]|起(?!床|$|\s*$)"
)
_ZH_OF = re.compile(r"^[^的]{1,6}的(?=.)")
_PERSON_EN = re.compile(r"^(?:mr|mrs|ms|dr|prof)\b")
_WORD = re.compile(r"[a-z][a-z'-]*")
_SORTS = frozenset(map(stem_of, ("deadline", "date", "time", "day", "slot", "start", "price",
                                 "closing", "appointment", "due", "extension")))  # fmt: skip
_AUXILIARY = frozenset(
    ("now", "is", "are", "will", "be", "been", "has", "have", "the", "a", "an", "my", "our", "at",
     "to", "by", "on", "in", "until", "till", "from", "then", "just", "today")
)  # fmt: skip
_GENERAL = frozenset(map(stem_of, (
    "next", "early", "till", "switch", "move", "shift", "change", "go", "goes", "late", "later",
    "half", "past", "most", "least", "extra", "maximum", "minimum",
)))  # fmt: skip
LIKE = 5
"""Least length of a common beginning for two stems to be of one word (insure, insurance)."""


@lately(4_096)
def laid_beside(first: str, second: str, zh: bool) -> Alike:
    """What two canonical clauses share, their quantities left out."""
    return _zh(blank(first), blank(second)) if zh else _en(first, second)


def names_anything(text: str, zh: bool) -> bool:
    """Whether a canonical clause has any word of content beside its quantities."""
    return bool(content(blank(text)) if zh else topic_of(text) - _SORTS)


def content(text: str) -> tuple[str, ...]:
    """The runs of Han characters of a canonical text that are not grammar."""
    bare = _GRAMMAR.sub(" ", text)
    return tuple(run for run in re.split(r"[^㐀-鿿a-z0-9]+", bare) if run)


def _zh(first: str, second: str) -> Alike:
    one, other, common = first, second, []
    while True:
        shared = _longest(one, other) or _single(one, other)
        if not shared:
            break
        common.append(shared)
        one, other = one.replace(shared, "|", 1), other.replace(shared, "|", 1)
    told = content(second)
    kept = frozenset(word for run in common for word in content(run))
    alone_first, alone_second = frozenset(content(one)), frozenset(content(other))
    opening = next(iter(content(_ZH_OF.sub("", first))), "")
    single = all(len(word) == 1 for word in kept)
    if single and not all(word in kept for word in told):
        kept = frozenset[str]()  # one character of several is no word
    return Alike(
        common=kept,
        alone_first=alone_first,
        alone_second=alone_second,
        opens=bool(opening) and any(_opens(opening, word) for word in kept),
        told=bool(told),
        persons_only=bool(kept) and all(_is_kin(word) for word in kept),
        second_persons=False,
    )


def _opens(opening: str, word: str) -> bool:
    """Whether a common word is that of an opening, which may begin with a verb (买相机)."""
    return opening.startswith(word) or word in opening[: len(word) + 3] or opening in word


def _is_kin(word: str) -> bool:
    return bool(KIN_PATTERN.fullmatch(word))


def _longest(one: str, other: str) -> str:
    """The longest run of several characters that stands in both, or ""."""
    best = ""
    for start in range(len(one)):
        if one[start] in "| " or not one[start].isalpha():
            continue
        for end in range(len(one), start + len(best), -1):
            run = one[start:end]
            if run in other and run.isalpha() and len(run) > len(best):
                best = run
                break
    return best if len(best) > 1 else ""


def _single(one: str, other: str) -> str:
    """A single character of content that stands in both, or ""."""
    return next((char for char in one if char.isalpha() and char in other and content(char)), "")


def _en(first: str, second: str) -> Alike:
    one, other = (topic_of(text) - _GENERAL for text in (first, second))
    here = frozenset(unit for unit in one if any(_like(unit, each) for each in other))
    there = frozenset(unit for unit in other if any(_like(unit, each) for each in one))
    opening = next((stem for stem in map(stem_of, _plain(first)) if stem in one), "")
    doing = _doing(second, other)
    said = " ".join(_plain(first))
    persons = here and all(_person(unit, first) for unit in here)
    return Alike(
        common=here,
        alone_first=one - here,
        alone_second=other - there - _SORTS,
        opens=opening in here,
        told=bool(other - _SORTS) or bool(here),
        persons_only=bool(persons),
        same_doing=bool(doing) and doing in said,
        second_persons=False,
    )


def _like(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) >= LIKE
        and (one.startswith(other[:LIKE]) and other.startswith(one[:LIKE]))
    )


def _plain(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(blank(text))]


def _doing(text: str, topic: frozenset[str]) -> str:
    """The verb of a clause whose only content is who does it."""
    words = [word for word in _plain(text) if word not in _AUXILIARY and stem_of(word) not in topic]
    return " ".join(words)


def _person(unit: str, text: str) -> bool:
    """Whether a unit opens a clause that goes on with a verb of its own."""
    words = [stem_of(word) for word in _plain(text)]
    return bool(words) and words[0] == unit and not re.search(r"\b(?:is|are|costs?)\b|'s \w", text)
