"""What a clause says to have changed, or to be over: the thing that is named, and how sure that is.

A word of change alone changes nothing that was said before: only the thing it is said of ("standup
moved to", "raised the limit", "校车改到") can have another value now, and only what is named as
over ("8441 is dead", "老仓库退租了") has ended.
"""

import re

import msgspec

from slowwave.dream.compare.reading.quantity import Quantity, quantities
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.reading.topic import (
    EN_CHANGE,
    EN_NOW,
    EN_OVER,
    ZH_CHANGE,
    ZH_NOW,
    ZH_OVER,
    clauses_of,
    head_of,
    phrases_of,
    sentences_of,
    topic_of,
)
from slowwave.text.lately import lately

__all__ = ["Clause", "clauses", "phrases", "sentences"]

_EN_NOT = re.compile(
    r"\b(?:not(?! just| only)|isn't|rather than|instead of)\s+(?P<old>[^,.;]{1,40})$"
)
_ZH_NOT = re.compile(r"^(?:而)?不是(?P<old>[^，。；]{1,16})$")
_EN_NOT_OVER = re.compile(
    r"(?:n't|\bnot|\bnever|\bno)\s+(?:\w+\s+){0,2}(?:quit|stop\w*|cancel\w*|give|gave|given|"
    r"retired|"
    r"sold|closed|dead|gone|over)\b"
)
"""What is denied to have ended goes on."""
_FROM = re.compile(
    r"\bfrom (?P<old>[^,.;]{1,40}?)\s+to\b|"
    r"[从由](?P<old_zh>[^，。；]{1,20}?)(?=[改换调升涨降延推提减加到])"
)
_STEP = re.compile(
    r"\bby (?:about |around |another )?[$€£]?\d[\d.,]*\s?%?|"
    r"(?<=[增减涨降加升高低少多])了\s?\d[\d.,]*\s?%?"
)
"""How much a value has changed by, which is no value of its own."""
_NOBODY = " - "
_EN_PERSON = re.compile(
    r"\b(?:i|we|you|he|she|they|who|everyone|everybody)\b|\bto$|'(?:ve|m|re|ll)\b"
)
_EN_IT = re.compile(r"(?:it|that|this|which|and it|so it)")
_EN_AUXILIARY = re.compile(
    r"(?:\s*\b(?:is|are|was|were|has|have|been|be|being|will|got|gets|just|now|also|already|"
    r"recently|finally|'s))+$"
)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of)\s+(?P<old>[^,.;]{1,40})$|(?:而不是|代替|"
    r"取代)(?P<old_zh>[^，。；]{1,16})$"
)
_EN_OBJECT_END = re.compile(
    r"\s*(?:\b(?:to|from|into|onto|by|at|on|in|for|with|as|since|until|up|down|and|but|because|"
    r"after|before|so)\b|(?<=\s)[$€£\d]|$)"
)
_EN_TARGET = re.compile(
    r"\s*(?:up |down |back )?to (?P<name>(?!the\b)[a-z][^,.;\d]{1,30}?)\s*(?=v?\d)"
)
_EN_SUBJECT_END = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|goes|go|runs?|lives?|sits?|takes?|costs?|starts?|"
    r"listens?|closes?|opens?|stands?|be|gets?|being)\b|'s\b"
)
_ZH_SUBJECT_END = re.compile(r"[是在走用放叫要为有归]|都|一律|统一")
_ZH_BEFORE = re.compile(
    r"[从自][^，。]{1,40}?起|^[^，。把让]{0,10}[把让]|[我你他她们]{1,2}|将|给|了$"
    r"|(?<=[^的\s]{2})的?(?:截止)?(?:日期|时间|日子|期限|期)\s*$"
)
"""What stands before a verb of change and does not name the thing: since when, who, its value."""


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause, with what it is about; a clause about nothing goes on about what was before it.

    `change`: `changed` (a verb of change), `over` (says that something has ended), `instead` (puts
    something in its place), `now` (speaks of what holds from now on), or "". `thing` are the units
    of what that is said of, `head` the last of them, `noun` the single Han character it ends with;
    `inherited`: the clause names nothing itself. `values` are the quantities that the change leads
    to, `origin` those that it says to come from.
    """

    text: str
    topic: frozenset[str]
    quantities: tuple[Quantity, ...]
    negators: int
    change: str
    thing: frozenset[str]
    head: frozenset[str]
    noun: str
    values: tuple[Quantity, ...]
    origin: tuple[Quantity, ...]
    inherited: bool


@lately(4_096)
def clauses(folded: str) -> tuple[Clause, ...]:
    """The clauses of a canonical text, in order."""
    return tuple(_laid_out(clauses_of(folded)))


@lately(4_096)
def phrases(folded: str) -> tuple[Clause, ...]:
    """The clauses of a canonical text, those joined by "and" read as one."""
    return tuple(_laid_out(phrases_of(folded)))


@lately(4_096)
def sentences(folded: str) -> tuple[Clause, ...]:
    """The sentences of a canonical text, in order, each read as one clause."""
    return tuple(_laid_out(sentences_of(folded)))


def _laid_out(texts: tuple[str, ...]) -> list[Clause]:
    found: list[Clause] = []
    before: frozenset[str] = frozenset()
    for text in texts:
        topic = topic_of(text)
        change, named, rest = _change(text)
        thing = topic_of(named)
        inherited = change in ("changed", "now") and not named.strip(" ,，")
        found.append(
            Clause(
                text=text,
                topic=topic or before,
                quantities=quantities(text),
                negators=read(text).negators,
                change=change,
                thing=before if inherited else thing,
                head=head_of(named) if thing else frozenset(),
                noun=_noun(named) if thing else "",
                values=quantities(_STEP.sub(" ", rest)),
                origin=_origin(text),
                inherited=inherited,
            )
        )
        before |= topic
    return found


def _change(text: str) -> tuple[str, str, str]:
    """The kind of change a clause speaks of, the words for the thing, and what the change is to.

    The words are empty where the clause leaves the thing to those before it; " - " where it is said
    of somebody rather than of a thing.
    """
    gone = _gone(text)
    if gone is not None:
        return *gone, text
    english = EN_CHANGE.search(text)
    if english:
        return "changed", _english_thing(text, english), text[english.end() :]
    chinese = ZH_CHANGE.search(text)
    if chinese:
        before = _ZH_BEFORE.sub(" ", text[: chinese.start()])
        return "changed", before, text[chinese.start() :]
    return _present(text)


def _gone(text: str) -> tuple[str, str] | None:
    """What a clause says is not so, has ended or was replaced, and the words for it."""
    old = _EN_NOT.search(text) or _ZH_NOT.search(text)
    if old and quantities(old["old"]):
        return "over", old["old"]
    instead = _INSTEAD.search(text)
    if instead:
        return "instead", instead["old"] or instead["old_zh"]
    if (EN_OVER.search(text) or ZH_OVER.search(text)) and not _EN_NOT_OVER.search(text):
        return "over", ZH_OVER.sub(" ", EN_OVER.sub(" ", text))
    return None


def _present(text: str) -> tuple[str, str, str]:
    """The same of a clause that tells what holds from now on."""
    if EN_NOW.search(text):
        rest = EN_NOW.sub(" ", text)
        end = _EN_SUBJECT_END.search(rest)
        return "now", _subject(rest[: end.start()] if end else rest), text
    if ZH_NOW.search(text):
        rest = _ZH_BEFORE.sub(" ", ZH_NOW.sub(" ", text))
        end = _ZH_SUBJECT_END.search(rest, 1) if len(rest) > 1 else None
        return "now", rest[: end.start()] if end else rest, text
    return "", "", text


def _noun(named: str) -> str:
    last = named.strip()[-1:]
    return last if last > "\u3400" else ""


def _origin(text: str) -> tuple[Quantity, ...]:
    found = _FROM.search(text)
    return quantities(found["old"] or found["old_zh"]) if found else ()


def _english_thing(text: str, verb: re.Match[str]) -> str:
    """The object of a verb of change ("raised the limit to"), else its subject ("it moved to")."""
    after = text[verb.end() :]
    end = _EN_OBJECT_END.search(after)
    named = after[: end.start()] if end else after
    if topic_of(named):
        return named
    subject = _subject(text[: verb.start()])
    target = _EN_TARGET.match(after)
    # "Upgraded to Node 22" names the thing with its new value.
    return target["name"] if target and subject in ("", _NOBODY) else subject


def _subject(before: str) -> str:
    """The words for the subject before a verb: a thing, "" for "it" or none, or " - " for "
    "people."""
    bare = _EN_AUXILIARY.sub("", before).strip()
    if not bare or _EN_IT.fullmatch(bare):
        return ""
    return _NOBODY if _EN_PERSON.search(bare) else bare
