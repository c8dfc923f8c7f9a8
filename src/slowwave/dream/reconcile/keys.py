"""What memories are found by, and whose memories may touch each other at all.

Every memory of a space is laid out by these keys at every dream, so they are cheap: whole readings
are only made of the few memories that share something with a claim.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from slowwave.dream.compare.reading.lexicon import SLOTS
from slowwave.dream.compare.reading.statement import spoken, stem_of
from slowwave.model import USER, Claim, Memory
from slowwave.text.polarity import canonical
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

__all__ = [
    "SLOT_KEYS",
    "apart",
    "exact_key",
    "keys_of",
    "normal",
    "sphere_of",
    "title_of",
    "worlds_of",
]

TITLE_CHARS, TITLE_WORDS = 40, 8

_OWN = (USER, "world", "agent")
_SLOTTED = (
    *((name, SLOTS[name]) for name in ("home", "work", "love", "age", "name", "diet", "allergy")),
    (
        "home",
        re.compile(
            r"搬|新家|地址|租|寄|落脚|\b(?:based|staying|address|relocated|lodg\w+|rent(?:s|ing|ed)?|"
            r"moved|\d+ \w+ (?:street|road|lane|avenue|way|close|court|row|place))\b"
        ),
    ),
    ("work", re.compile(r"\b(?:started|starting|employer|company)\b|公司|单位")),
)
"""Slots that statements about one thing share even where they share no word."""
_ANY_SLOT = re.compile("|".join(pattern.pattern for _, pattern in _SLOTTED))
SLOT_KEYS = frozenset(f"slot:{name}" for name, _ in _SLOTTED)
_TOKEN = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff]+|[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+|\d+(?:[.:]\d+)*"
)


@lru_cache(maxsize=131_072)
def keys_of(text: str) -> frozenset[str]:
    """What a statement is found by: stems, numbers, pairs of Han characters, slots it may fill.

    Cheap on purpose: every memory of a space is laid out by it, whole readings are only made of
    the few that share something with a claim.
    """
    folded = canonical(unicodedata.normalize("NFKC", spoken(text)))
    keys: set[str] = set()
    for token in _TOKEN.findall(folded):
        if token > "\u3400":
            keys.update(map("".join, pairwise(token)), token)
        elif token[0].isdigit():
            keys.add(token)
        elif token not in ENGLISH:
            keys.add(stem_of(token))
    keys -= HAN_WORDS
    keys -= HAN_CHARS
    if _ANY_SLOT.search(folded):
        keys.update(f"slot:{name}" for name, pattern in _SLOTTED if pattern.search(folded))
    return frozenset(keys)


class _Letters(dict[int, str | None]):
    """What becomes of each character in `normal`, learnt as characters come along."""

    def __missing__(self, code: int) -> str | None:
        kept = chr(code) if unicodedata.category(chr(code))[0] in "LNS" else None
        self[code] = kept
        return kept


_LETTERS = _Letters()


def normal(text: str) -> str:
    """A text as it counts for being the same: NFKC, lower case, letters and digits only."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)


def sphere_of(subject: str) -> str:
    """Whose memories may touch each other: the owner's own world is one, every other person one.

    "Our rehearsal is at eight" may be filed under the user, the agent or the world.
    """
    return USER if subject in _OWN else normal(subject) or subject


def worlds_of(subject: str, text: str) -> tuple[str, ...]:
    """Where a statement is looked for: with its subject, and with the owner if the owner tells of
    that person by name ("my manager is Petra"): who holds the role next is told of as well."""
    own = sphere_of(subject)
    return (own, USER) if own != USER and own in normal(text) else (own,)


def apart(claim: Claim, memory: Memory) -> bool:
    """Whether they are filed under two people, so that neither is about the other's subject."""
    return sphere_of(claim.subject) != sphere_of(memory.subject)


def title_of(text: str) -> str:
    """A short title: the first clause, at most 40 characters and 8 words."""
    line = " ".join(text.split())
    words = line.split(" ")
    short = " ".join(words[:TITLE_WORDS])
    if len(short) > TITLE_CHARS:
        short = short[: TITLE_CHARS - 1].rstrip()
    return short if short == line else short.rstrip(" ,，;；。.:：") + "…"


def exact_key(said: Claim | Memory) -> tuple[str, str, str]:
    """What two statements share that say the same words of the same one in the same way."""
    return sphere_of(said.subject), normal(said.text), said.standing
