"""The closed lists that names are told by."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from slowwave.text.entities import ZH_COMPOUND_SURNAMES

__all__ = [
    "COMPOUND",
    "english",
    "given_chars",
    "is_place",
    "is_word",
    "rare_surnames",
    "surname_chars",
    "twice_words",
    "zh_lands",
    "zh_places",
    "zh_words",
]

COMPOUND = (
    f"{ZH_COMPOUND_SURNAMES}|闻人|澹台|万俟|呼延|轩辕|钟离|濮阳|淳于|申屠|鲜于|闾丘|亓官|赫连"
    "|拓跋|独孤|纳兰|完颜|叶赫|西门|百里|东郭|南门|单于|太史|仲孙|公羊|巫马|宗政"
)
"""Chinese surnames of two characters."""

_ENDINGS = [
    "s", "es", "ed", "d", "ing", "er", "ers", "ly", "ness", "r", "rs", "ings", "ally", "y", "ful",
    "less", "able", "ment", "ments", "ies", "ied", "iest", "ier", "est", "st", "ism", "ist", "ists",
    "ized", "izing", "ize", "izes", "ised", "ising", "ise", "ises", "isation", "ization", "ation",
    "ations", "ion", "ions", "or", "ors", "al", "ity", "ities", "ily", "ship", "hood", "ive",
    "ously", "ous", "ance", "ence",
]  # fmt: skip
"""What English words end in that are forms of another."""


@cache
def _zh() -> dict[str, str]:
    text = files("slowwave.privacy").joinpath("names_zh.txt").read_text(encoding="utf-8")
    rows = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return {name: rest for name, _, rest in rows}


@cache
def surname_chars() -> str:
    """The Chinese surnames of one character that a name may begin with."""
    return _zh()["surnames"]


@cache
def rare_surnames() -> frozenset[str]:
    """Those of them that are hardly ever part of a word."""
    return frozenset(_zh()["rare"])


@cache
def given_chars() -> frozenset[str]:
    """Characters that Chinese given names are made of."""
    return frozenset(_zh()["given"])


@cache
def zh_words() -> frozenset[str]:
    """Chinese words with a surname's character in them that are no names."""
    return frozenset(_zh()["words"].split())


@cache
def twice_words() -> frozenset[str]:
    """Chinese words of one character said twice that are no names."""
    return frozenset(_zh()["twice"].split())


@cache
def zh_lands() -> frozenset[str]:
    """Countries, and what is spoken of like one, in Chinese."""
    return frozenset(_zh()["lands"].split())


@cache
def zh_places() -> frozenset[str]:
    """Cities, regions and makes in Chinese, without those that are more often a person's name."""
    return frozenset(_zh()["places"].split())


@cache
def english() -> dict[str, frozenset[str]]:
    """`given`; `words` and `things` (given names that are words as well); `family`. Lower case."""
    return _lists("names_en.txt")


def is_word(word: str) -> bool:
    """Whether a word (lower case) is a common one of English, in whatever form."""
    known = _lists("common_en.txt")["common"]
    return word in known or any(stem in known for stem in _stems(word))


def is_place(word: str) -> bool:
    """Whether a word (lower case) is the name of a place, a people, a day, or a thing of "
    "machines."""
    lists = _lists("common_en.txt")
    return word in lists["places"] or word in lists["machines"]


def _stems(word: str) -> Iterator[str]:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            yield stem
            yield stem + "e"
            if ending.startswith("i"):
                yield stem + "y"
            if len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]


@cache
def _lists(name: str) -> dict[str, frozenset[str]]:
    text = files("slowwave.privacy").joinpath(name).read_text(encoding="utf-8")
    lists: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in text.splitlines():
        if line.startswith("["):
            current = lists.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            current.update(line.lower().split())
    return {name: frozenset(words) for name, words in lists.items()}
