"""The closed lists that names are told by."""

from functools import cache
from importlib.resources import files

__all__ = ["english", "given_chars", "surname_chars", "zh_words"]


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
def given_chars() -> frozenset[str]:
    """Characters that Chinese given names are made of."""
    return frozenset(_zh()["given"])


@cache
def zh_words() -> frozenset[str]:
    """Chinese words with a surname's character in them that are no names."""
    return frozenset(_zh()["words"].split())


@cache
def english() -> dict[str, frozenset[str]]:
    """`given`; `words` and `things` (given names that are words as well); `family`. Lower case."""
    text = files("slowwave.privacy").joinpath("names_en.txt").read_text(encoding="utf-8")
    lists: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in text.splitlines():
        if line.startswith("["):
            current = lists.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            current.update(line.lower().split())
    return {name: frozenset(words) for name, words in lists.items()}
