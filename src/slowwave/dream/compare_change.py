"""What a clause says to have changed, or to be over: the thing that is named, and how sure that is.

A word of change alone changes nothing that was said before: only the thing it is said of ("standup
moved to", "raised the limit", "校车改到") can have another value now, and only what is named as
over ("8441 is dead", "老仓库退租了") has ended.
"""

import re
from functools import lru_cache

import msgspec

from slowwave.dream.compare_quantity import Quantity, quantities
from slowwave.dream.compare_reading import negation
from slowwave.dream.compare_topic import (
    EN_CHANGE,
    EN_NOW,
    EN_OVER,
    ZH_CHANGE,
    ZH_NOW,
    ZH_OVER,
    clauses_of,
    sentences_of,
    topic_of,
)

__all__ = ["Clause", "clauses", "sentences"]

_EN_NOT = re.compile(r"\b(?:not|isn't|rather than|instead of)\s+(?P<old>[^,.;]{1,40})$")
_ZH_NOT = re.compile(r"^(?:而)?不是(?P<old>[^，。；]{1,16})$")
_EN_NOT_OVER = re.compile(
    r"(?:n't|\bnot|\bnever|\bno)\s+(?:\w+\s+){0,2}(?:quit|stop\w*|cancel\w*|give|given|retired|"
    r"sold|closed|dead|gone|over)\b"
)
"""What is denied to have ended goes on."""
_EN_OBJECT_END = re.compile(
    r"\s*(?:\b(?:to|from|into|onto|by|at|on|in|for|with|as|since|until|up|down|and|but|because|"
    r"after|before|so)\b|[$€£\d]|$)"
)
_EN_SUBJECT_END = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|goes|go|runs?|lives?|sits?|takes?|costs?|starts?|"
    r"listens?|closes?|opens?|stands?|be|gets?|being)\b|'s\b"
)
_ZH_SUBJECT_END = re.compile(r"[是在走用放叫要为有归]|都|一律|统一")
_ZH_BEFORE = re.compile(r"^.*?起|[我你他她们]{1,2}|把|将|给|了$")


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause, with what it is about; a clause about nothing goes on about what was before it.

    `change`: `changed` (a verb of change), `over` (says that something has ended), `now` (speaks of
    what holds from now on), or "". `thing` are the units of what that is said of, `inherited` tells
    that they stand in an earlier clause. `object_of` tells that the thing is what somebody changed
    rather than the subject.
    """

    text: str
    topic: frozenset[str]
    quantities: tuple[Quantity, ...]
    negators: int
    change: str
    thing: frozenset[str]
    inherited: bool


@lru_cache(maxsize=16_384)
def clauses(folded: str) -> tuple[Clause, ...]:
    """The clauses of a canonical text, in order."""
    return tuple(_laid_out(clauses_of(folded)))


@lru_cache(maxsize=16_384)
def sentences(folded: str) -> tuple[Clause, ...]:
    """The sentences of a canonical text, in order, each read as one clause."""
    return tuple(_laid_out(sentences_of(folded)))


def _laid_out(texts: tuple[str, ...]) -> list[Clause]:
    found: list[Clause] = []
    before: frozenset[str] = frozenset()
    for text in texts:
        topic = topic_of(text)
        change, thing = _change(text)
        inherited = not thing and change in ("changed", "now")
        if inherited:
            thing = before
        found.append(
            Clause(
                text=text,
                topic=topic or before,
                quantities=quantities(text),
                negators=negation(text),
                change=change,
                thing=thing,
                inherited=inherited,
            )
        )
        before |= topic
    return found


def _change(text: str) -> tuple[str, frozenset[str]]:
    """The kind of change a clause speaks of, and the units of the thing it is said of."""
    old = _EN_NOT.search(text) or _ZH_NOT.search(text)
    if old and quantities(old["old"]):
        return "over", topic_of(old["old"])
    if (EN_OVER.search(text) or ZH_OVER.search(text)) and not _EN_NOT_OVER.search(text):
        return "over", topic_of(ZH_OVER.sub(" ", EN_OVER.sub(" ", text)))
    english = EN_CHANGE.search(text)
    if english:
        return "changed", _english_thing(text, english)
    chinese = ZH_CHANGE.search(text)
    if chinese:
        before = topic_of(_ZH_BEFORE.sub(" ", text[: chinese.start()]))
        return "changed", before
    if EN_NOW.search(text):
        end = _EN_SUBJECT_END.search(text)
        return "now", topic_of(EN_NOW.sub(" ", text[: end.start()] if end else text))
    if ZH_NOW.search(text):
        rest = _ZH_BEFORE.sub(" ", ZH_NOW.sub(" ", text))
        end = _ZH_SUBJECT_END.search(rest, 1) if len(rest) > 1 else None
        return "now", topic_of(rest[: end.start()] if end else rest)
    return "", frozenset()


def _english_thing(text: str, verb: re.Match[str]) -> frozenset[str]:
    """The object of a verb of change ("raised the limit to"), else its subject ("it moved to")."""
    after = text[verb.end() :]
    end = _EN_OBJECT_END.search(after)
    named = topic_of(after[: end.start()] if end else after)
    return named or topic_of(text[: verb.start()])
