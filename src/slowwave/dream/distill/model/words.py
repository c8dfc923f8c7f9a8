"""Words that nobody said: a model's text has them in the place of others, or besides.

A text may leave out words of its quotes, and it may say "the user" for "I". Where it says something
else than was said ("proud" became "desperate"), or more, it is another statement, however much of
the rest they share. Function words do not count: they follow from who tells it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from slowwave.text.segment import terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS

__all__ = ["Foreign", "foreign_words"]

_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\uac00-\ud7a3]+(?:['’][^\W\d_]+)?")
_POSSESSIVE = re.compile(r"['’]s?$")
_HAN = re.compile(r"[\u3400-\u9fff]")

_TELLING = frozenset({
    "user", "users", "owner", "speaker", "assistant", "agent", "they", "them", "their", "theirs",
    "he", "him", "his", "she", "her", "hers", "himself", "herself", "themselves", "says", "said",
    "states", "stated", "mentions", "mentioned", "told", "cannot", "whose",
})  # fmt: skip
_TELLING_HAN = frozenset("用户主人本助手理他她其们说表示提")
"""With these a model tells who it is about."""

_FRAMING = frozenset({
    "prefers", "likes", "wants", "needs", "uses", "has", "lives", "works", "feels", "plans",
    "name", "named", "called",
})  # fmt: skip
_FRAMING_HAN = frozenset("喜欢住叫用需名姓觉感计划")
"""What makes a sentence of words that were said without a verb. In a verb's place they do count."""


class Foreign(NamedTuple):
    """Words of a text that no quote holds, and the words of the quotes that it does not hold."""

    added: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def foreign_words(text: str, quotes: Sequence[str], names: Iterable[str] = ()) -> Foreign:
    """What a text says that was not said, and what it left out then; nothing where it adds nothing.

    `names` are those of the people it is about, who may be called by them.
    """
    said, named = " ".join(quotes), " ".join(names)
    theirs, ours = _words(said), _words(text)
    lost = [word for stem, word in theirs.items() if stem not in ours]
    known = theirs.keys() | _words(named).keys()
    added = [word for stem, word in ours.items() if stem not in known]
    han, han_said = dict.fromkeys(_HAN.findall(text)), dict.fromkeys(_HAN.findall(said))
    lost += [char for char in han_said if char not in han and char not in HAN_CHARS]
    telling = _TELLING_HAN | HAN_CHARS | set(named)
    added += [char for char in han if char not in han_said and char not in telling]
    if not lost:
        added = [one for one in added if one.casefold() not in _FRAMING | _FRAMING_HAN]
    return Foreign(tuple(added), tuple(lost)) if added else Foreign()


def _words(text: str) -> dict[str, str]:
    """The content words of a text by their stems."""
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        plain = _POSSESSIVE.sub("", word.casefold())
        if plain not in ENGLISH and plain not in _TELLING:
            found.setdefault(" ".join(terms(plain)), word)
    return found
