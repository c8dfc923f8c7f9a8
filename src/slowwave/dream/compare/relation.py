"""Do two statements say the same, does one replace the other, or have they nothing to do?

Three layers. Readings lay out each statement (`reading.statement`, `reading.quantity`). A small
table of weights over generic signals (`signals`; a multinomial logistic regression, no word of
any statement is in it) proposes a relation. Checks then refuse what must not be: a merge over a
changed number, another person, a flipped negation or an opposite; a change of number without one.
Cosine is one signal among many: it separates paraphrase from unrelated, never from contradiction
(quality.md). In doubt the answer is `related_but_different`, which changes nothing.
"""

import re
from collections.abc import Callable
from functools import cache
from math import exp
from pathlib import Path

import msgspec

from slowwave.dream.compare.grounds.called import called_alike
from slowwave.dream.compare.grounds.frame import refilled
from slowwave.dream.compare.grounds.people import two_people
from slowwave.dream.compare.grounds.value import TIGHT, revalued
from slowwave.dream.compare.reading.label import labels_apart, things_apart
from slowwave.dream.compare.reading.lexicon import FRAME_SLOTS, NEGATOR, SINGLE_SLOTS
from slowwave.dream.compare.reading.opposites import opposed
from slowwave.dream.compare.reading.quantity import blank
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.dream.compare.reading.turn import turns
from slowwave.dream.compare.signals import Pair, pair_up, signals
from slowwave.dream.compare.turns.handed import handed_on
from slowwave.dream.compare.turns.reschedule import intends
from slowwave.dream.compare.turns.restated import restated
from slowwave.dream.compare.turns.turned import turned
from slowwave.model import USER, Relation

__all__ = ["MERGES", "REPLACES", "Comparison", "Statement", "chances", "compare"]

MERGES: frozenset[Relation] = frozenset({"same", "richer"})
"""Relations that make one memory of two."""
REPLACES: frozenset[Relation] = frozenset({"contradicts", "number_changed"})
"""Relations where the newer statement ends the older one."""

MERGE_AT = 0.62
"""Least probability of same-or-richer to answer so. It is set by what it costs: five-fold over all
pairs of `bench/compare_table.py`, about 1 in 200 of those that must stay two is merged at it. A
memory is only merged where `grounds.merge` finds ground for it besides."""
UNSHARED_MERGE_AT = 0.65
"""The same where no word is shared."""
DOUBTED_MERGE_AT = 0.95
"""The same where one place of a common frame is filled differently."""
OTHERWISE_AT = 0.85
"""The same where one denies and the other does not, in other words."""
DENIED_FRAME = 0.34
"""Least share of common words for a denial to be a denial of what the other one says."""
EXCHANGE_FRAME = 0.4
"""Least share of common words for a single differing place to be an exchange."""
REFILLED = 0.7
"""Confidence of a contradiction found by its frame alone."""
CLASH_FRAME = 0.6
"""Least share of common words for an exchanged filler to count as a clash."""

_RELATIONS: tuple[Relation, ...] = (
    "same", "richer", "contradicts", "number_changed",
    "exception", "related_but_different", "unrelated", "different_subject",
)  # fmt: skip


class Statement(msgspec.Struct, frozen=True):
    """One statement: its words, the day it was made (ISO 8601), and whom it is about."""

    text: str
    date: str = ""
    subject: str = USER


class Comparison(msgspec.Struct, frozen=True):
    """How two statements relate. `current` names what holds now: "a", "b" or "both".

    For `richer` it names the fuller one. `confidence` is the probability of the relation, 0–1.
    """

    relation: Relation
    current: str
    reason: str
    confidence: float = 1.0


class _Table(msgspec.Struct, frozen=True):
    """Weights by signal, one per relation in the order of `_RELATIONS`."""

    bias: tuple[float, ...]
    weights: dict[str, tuple[float, ...]]


def compare(a: Statement, b: Statement, cosine: float | None = None) -> Comparison:
    """The relation of two statements; order does not matter, their dates do.

    `cosine` is that of their vectors, None without an embedder. Equal dates count as a before b.
    """
    if a.date and b.date and a.date > b.date:
        return _turned(compare(b, a, cosine))
    if a.subject != b.subject:
        return Comparison("different_subject", "both", "they are about different subjects")
    one, other = read(a.text), read(b.text)
    if one.folded.strip(" .。!！") == other.folded.strip(" .。!！"):
        return Comparison("same", "both", "the same words")
    pair = pair_up(one, other, cosine)
    relation, confidence = _decide(pair, _probabilities(pair))
    apart = labels_apart(a.text, b.text) and "change" not in pair.b.marks
    joins = relation in MERGES | REPLACES
    if apart or (joins and things_apart(one.folded, other.folded)):
        relation, confidence = "different_subject", REFILLED
    if two_people(a.text, b.text) and _by_structure(pair, "two people") not in REPLACES:
        relation, confidence = "different_subject", REFILLED
    current, reason = _current(relation, pair), _why(relation, pair)
    return Comparison(relation, current, reason, round(confidence, 3))


def chances(pair: Pair) -> dict[Relation, float]:
    """How likely each relation is by the table alone, 0–1, before any check: where it is unsure."""
    return _probabilities(pair)


def _turned(found: Comparison) -> Comparison:
    current = {"a": "b", "b": "a"}.get(found.current, found.current)
    return Comparison(found.relation, current, found.reason, found.confidence)


def _decide(pair: Pair, chance: dict[Relation, float]) -> tuple[Relation, float]:
    """The most probable relation that no check refuses."""
    fuller = chance["richer"] if pair.shared or pair.script == "mixed" else 0.0
    merge = chance["same"] + fuller  # what has no word of another one is not that and more
    refused = merge_refusal(pair)
    certain = _by_structure(pair, refused)
    if certain:
        least, own = (MERGE_AT, merge) if certain in MERGES else (REFILLED, chance[certain])
        return certain, max(least, own)
    floor = _merge_floor(pair)
    if merge >= (OTHERWISE_AT if refused else floor) and (not refused or _said_otherwise(pair)):
        return _merge(pair, chance) if fuller else "same", merge
    rest = {
        relation: value
        for relation, value in chance.items()
        if relation not in MERGES and _possible(relation, pair)
    }
    total = sum(rest.values()) or 1.0
    best = max(rest, key=lambda relation: rest[relation])
    doubt = not refused and merge > rest[best]
    if doubt:
        # Most likely the same, but not sure enough to make one of two: keep both.
        return "related_but_different", chance["related_but_different"]
    # What a refused merge leaves is only sure where the two clearly speak of the same thing.
    return best, rest[best] / total if refused and pair.shared >= 0.5 else rest[best]


def _by_structure(pair: Pair, refused: str) -> Relation | None:
    """What the build of the two statements decides on its own, or None."""
    told = _told_again(pair)
    if told:
        return told
    if not refused and _same_words(pair):
        return "same"
    if not refused and _goes_on(pair):
        return "richer"
    if turned(pair.a, pair.b, planned=intends(pair.a.folded)):
        return "number_changed" if pair.numbers == "changed" else "contradicts"
    if revalued(pair.a, pair.b) == TIGHT:
        return "contradicts" if pair.numbers == "day_changed" else "number_changed"
    return _filled_anew(pair)


def _told_again(pair: Pair) -> Relation | None:
    """The same name in other words, or what the earlier one has turned to, or what it left."""
    called = called_alike(pair.a, pair.b)
    if called and pair.numbers not in ("changed", "day_changed"):
        return called
    again = restated(pair.a, pair.b)
    if again:
        return "same" if again == "again" else "contradicts"
    return None


def _filled_anew(pair: Pair) -> Relation | None:
    """The same by what holds a place: something else is there now, or stands in the same frame."""
    if handed_on(pair.a, pair.b):
        return "contradicts"
    if pair.numbers != "changed" and refilled(pair.a, pair.b) and _clash(pair):
        return "contradicts"
    return _moved(pair)


def _same_words(pair: Pair) -> bool:
    """The same words in the same order (in any order where no roles can be exchanged), or the same
    filler of the same framing slot."""
    a, b = pair.a, pair.b
    if a.words == b.words != ():
        return True
    if pair.numbers == "agree" and _timeless(a) == _timeless(b) != ():
        return True
    roles = bool(a.kin or b.kin) or len(a.names | b.names) > 1
    if not roles and len(a.words) == len(b.words) > 1 and set(a.words) == set(b.words):
        return True
    return bool(a.filler and a.filler == b.filler and a.slots & b.slots & set(FRAME_SLOTS))


def _moved(pair: Pair) -> Relation | None:
    """The later one says in so many words that a number or day of the same thing was changed."""
    if pair.numbers not in ("changed", "day_changed") or "change" not in pair.b.marks:
        return None
    apart = pair.kin in ("other", "owner", "somebody") or "once" in pair.b.marks
    if apart or not _same_thing(pair) or not set(_timeless(pair.a)) & set(_timeless(pair.b)):
        return None
    return "number_changed" if pair.numbers == "changed" else "contradicts"


def _timeless(reading: Reading) -> tuple[str, ...]:
    """The words without those that only write a quantity: 早上九点 and 9:00 are left out alike."""
    return tuple(word for word in read(blank(reading.folded)).words if word)


def _goes_on(pair: Pair) -> bool:
    """One statement begins with all of the other and goes on from there."""
    short, long = sorted((pair.a.words, pair.b.words), key=len)
    return 2 <= len(short) < len(long) and long[: len(short)] == short and pair.a.who == pair.b.who


def _merge(pair: Pair, chance: dict[Relation, float]) -> Relation:
    longer = abs(len(pair.a.words) - len(pair.b.words))
    if pair.numbers == "one_sided" or bool(pair.a.names) != bool(pair.b.names):
        # A detail on one side only is news, however alike the rest is.
        return "richer" if longer else "same"
    return "same" if chance["same"] >= chance["richer"] else "richer"


_NEWS = re.compile(
    r"\bafter all\b|\bturns? out\b|\bturned out\b|\bactually\b|\binstead\b|\bin the end\b|"
    r"\bchanged my mind\b|到头来|结果还是|最后还是|最终|改主意"
)
"""That something came out otherwise than was said."""
_ENDED = re.compile(
    r"改[种吃喝用坐走住做成去学练养开]|换[成了用上]|拔了|散伙|分手|黄了|吹了|"
    r"\bcalled (?:it|things) off\b|\b(?:broke|split) up\b|"
    r"\b(?:is|are|was|were) (?:out|history|gone)\b"
)
"""That something has ended or given way, in words that only say so."""
_HELD = re.compile(r"\b(?:hold|pause|wait|freeze|postpone)\b|暂停|暂缓|先别|先不|暂不|缓一缓")
"""What is put off: a word that one of two tellings of one thing does not leave out."""


def _tells_turn(pair: Pair) -> bool:
    """The later one alone tells of an end, or of another outcome in place of what was said."""
    ends = ("stop", "off", "swap")
    over = [any(turn.kind in ends for turn in turns(one.folded)) for one in (pair.a, pair.b)]
    news = _NEWS.search(pair.b.folded) and not _NEWS.search(pair.a.folded)
    ended = bool(_ENDED.search(pair.b.folded)) and not _ENDED.search(pair.a.folded)
    held = bool(_HELD.search(pair.a.folded)) != bool(_HELD.search(pair.b.folded))
    if (over[1] and not over[0]) or ended or held:
        return True
    return bool(news and pair.only_a and pair.only_b)


_DENIAL, _OPPOSITE = "one denies what the other says", "a word stands against its opposite"
_REFUSALS: tuple[tuple[str, Callable[[Pair], bool]], ...] = (
    ("a number differs", lambda pair: pair.numbers in ("changed", "day_changed")),
    ("they speak of different people", lambda pair: pair.kin in ("other", "owner", "somebody")),
    (_DENIAL, lambda pair: _denial_apart(pair)),
    ("one likes or allows, the other does not", lambda pair: pair.a.attitude * pair.b.attitude < 0),
    (_OPPOSITE, lambda pair: pair.opposed),
    ("a state has ended", lambda pair: "no_longer" in pair.b.marks - pair.a.marks),
    ("one is an exception", lambda pair: ("once" in pair.a.marks) != ("once" in pair.b.marks)),
    ("the later one tells that something has turned", lambda pair: _tells_turn(pair)),
    ("one speaks of the past", lambda pair: ("past" in pair.a.marks) != ("past" in pair.b.marks)),
    ("names differ", lambda pair: pair.names_part and pair.script != "mixed"),
)
"""Why two statements must not become one, however alike they look: named, each alone enough."""


def _denial_apart(pair: Pair) -> bool:
    """The main statements differ in denial; or a denial stands in one only and is not a mere
    addition to what the other says."""
    if pair.a.denied != pair.b.denied:
        return True
    added = max(pair.in_a, pair.in_b) > 0.99 > min(pair.in_a, pair.in_b)
    return bool(pair.a.negators) != bool(pair.b.negators) and not added


def _said_otherwise(pair: Pair) -> bool:
    """Whether nothing but a denial parts them, and it denies quite other words ("can't hear",
    "deaf") or an opposite ("not late", "on time"): it may be the same, said the other way round."""
    apart = bool(pair.a.negators) != bool(pair.b.negators)
    bare = (NEGATOR.sub(" ", pair.a.folded), NEGATOR.sub(" ", pair.b.folded))
    # "Never" is against "always" by its denial alone, not another word against another.
    against = pair.opposed and opposed(*bare)
    if not apart or not (pair.shared < DENIED_FRAME or (against and pair.shared < 1)):
        return False
    found = {reason for reason, holds in _REFUSALS if holds(pair)}
    return found <= {_DENIAL, _OPPOSITE}


def _merge_floor(pair: Pair) -> float:
    """The least probability to answer same or richer. No word in common, or a common frame with one
    place filled differently: two wordings of one thing may look so, but so do two things."""
    if not pair.shared:
        linked = pair.kin != "open" or bool(pair.a.slots & pair.b.slots)
        unshared = UNSHARED_MERGE_AT if linked else DOUBTED_MERGE_AT
        return MERGE_AT if pair.script == "mixed" else unshared
    framed = pair.slot in ("lead", "middle", "tail") and pair.shared >= EXCHANGE_FRAME
    return DOUBTED_MERGE_AT if framed and pair.only_a and pair.only_b else MERGE_AT


def merge_refusal(pair: Pair) -> str:
    """The first reason against making one of two, or ""."""
    return next((reason for reason, holds in _REFUSALS if holds(pair)), "")


def _possible(relation: Relation, pair: Pair) -> bool:
    if relation == "number_changed":
        return pair.numbers == "changed" and _same_thing(pair)
    if relation == "contradicts":
        return _clash(pair)
    if relation == "unrelated":
        return pair.shared < 0.6
    return not (relation == "different_subject" and pair.kin in ("same", "object") and _plain(pair))


def _same_thing(pair: Pair) -> bool:
    """Two numbers may be of one thing: the heads agree, or the later one speaks of change."""
    a, b = set(pair.a.lead), set(pair.b.lead)
    return not a or not b or bool(a & b) or bool(pair.b.marks & {"change", "now", "done"})


def _clash(pair: Pair) -> bool:
    """Any sign at all that the later one ends the earlier: words of change, denial, an opposite, a
    new filler in a slot that holds one, or one exchanged place in a common frame."""
    if "past" in pair.a.marks - pair.b.marks:
        return False  # the earlier one itself says that it is over
    return bool(
        merge_refusal(pair)
        or pair.b.marks & {"change", "no_longer", "now"}
        or pair.a.slots & pair.b.slots & SINGLE_SLOTS
        or refilled(pair.a, pair.b)
        or (pair.slot in ("tail", "middle", "many") and pair.shared >= CLASH_FRAME)
    )


def _plain(pair: Pair) -> bool:
    """Both openly say the same grammatical subject."""
    return pair.a.who == pair.b.who != "" and not (pair.a.lead and pair.b.lead)


def _current(relation: Relation, pair: Pair) -> str:
    if relation in REPLACES:
        return "b"
    if relation != "richer":
        return "both"
    return "b" if _fullness(pair.b) >= _fullness(pair.a) else "a"


def _fullness(reading: Reading) -> float:
    return len(reading.words) + 2 * len(reading.numbers) + 2 * len(reading.names)


def _why(relation: Relation, pair: Pair) -> str:
    shared = f"{round(100 * pair.shared)} % of the shorter one's words are in the other"
    if pair.cosine is not None:
        shared += f", cosine {pair.cosine:.2f}"
    fuller = "later" if _current(relation, pair) == "b" else "earlier"
    clash = merge_refusal(pair) or "the same place is filled anew"
    reasons: dict[Relation, str] = {
        "same": f"they say the same ({shared})",
        "richer": f"the {fuller} one says the same and more ({shared})",
        "number_changed": "the later one gives another number for the same thing",
        "contradicts": f"both cannot hold: {clash} ({shared})",
        "exception": "the later one carves a single case out of the earlier rule",
        "different_subject": "they are about different subjects",
        "unrelated": f"they have nothing to do with each other ({shared})",
        "related_but_different": f"close, yet both can hold ({shared})",
    }
    return reasons[relation]


def _probabilities(pair: Pair) -> dict[Relation, float]:
    """The table's probability of each relation."""
    table = _table()
    scores = list(table.bias)
    for name, value in signals(pair).items():
        weights = table.weights.get(name)
        if weights is not None:
            for place, weight in enumerate(weights):
                scores[place] += weight * value
    top = max(scores)
    powers = [exp(score - top) for score in scores]
    total = sum(powers)
    return {name: power / total for name, power in zip(_RELATIONS, powers, strict=True)}


@cache
def _table() -> _Table:
    path = Path(__file__).with_name("table.json")
    return msgspec.json.decode(path.read_bytes(), type=_Table)
