"""What a model may decide about a claim and a memory, and what no model may.

The rules read two statements; where their table finds several relations likely and they act on
none of them, a model may be asked: the same, the same and more, a contradiction, or nothing to do
with each other. The guard comes after it. Numbers, names, denials, opposites, other people, other
days and passing exceptions forbid a merge; what is only supposed, what was said before, what two
messages of one moment say, and what is no statement forbid an end. Pure.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from slowwave.dream.compare.grounds.people import two_people
from slowwave.dream.compare.grounds.weight import HAPPENED, is_event, values_within
from slowwave.dream.compare.reading.label import labels_apart
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.dream.compare.reading.topic import details_of
from slowwave.dream.compare.relation import chances, merge_refusal
from slowwave.dream.compare.signals import Pair, pair_up, scaled_cosine
from slowwave.dream.reconcile.keys import apart
from slowwave.dream.reconcile.parts import statements
from slowwave.model import Claim, Memory, text_hash
from slowwave.text.dates_numeric import en_number, zh_number
from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES, find_entities
from slowwave.text.polarity import canonical, is_exception, is_hold, is_this_once

__all__ = [
    "SURE", "Doubt", "Meeting", "Ruled", "Ruling", "doubt_of", "end_forbidden", "joint_text",
    "key_of", "merge_forbidden",
]  # fmt: skip

Relation = Literal["same", "richer", "contradicts", "new"]
"""What a model may answer. `richer`: the new one says the same and more."""

Ruled = Literal["confirm", "update", "merge"]

LIKELY = 0.2
"""Chance of a relation, by the table alone, from which on it is worth a question."""
APART = 0.5
"""The same for statements that share no word."""
SURE = 0.7
"""Confidence from which on the rules are not doubted."""
NEAR = 0.55
"""Cosine, on the scale of its script, of statements that share no word and may speak of one thing;
half of it is what nobody measured."""
LEAST = 0.1
"""Chance of a relation below which no model may claim it."""
FRAME = 0.4
"""Share of common words that makes a frame of them."""
OWNER = "owner"
LONGEST_JOINT = 400
"""Characters of a text that two wordings make together; longer ones stay two."""

_SUPPOSED = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|consider(?:ing|s)?|think(?:ing|s)? (?:of|about)|if|whether|"
    r"wants?|wanted|wanna|would|could|hopes?|hoping|wish(?:es)?|tr(?:y|ies|ying)|dreams? of|"
    r"tempted|someday|one day)\b|'d (?:like|love|rather)\b|可能|也许|或许|大概|说不定|要是|如果|"
    r"假如|是否|要不要|会不会|想(?!到|起|出)|打算|考虑|希望|准备|将来|有朝一日|没准"
)
"""What is supposed, wished or weighed, and not so yet."""
_GRAMMAR = frozenset("一个只位家些上下里外边前后内间中那这哪是的地得")
"""Han characters that only measure, point or place what stands beside them."""
_CALLED_ZH = re.compile(
    rf"(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}])(?:姐|哥|叔|姨|总|工|师傅|老师|先生|女士|阿姨|医生|大夫)"
    rf"|[老小阿][{ZH_SURNAMES}]"
)
"""How people are called by their surname."""
_PASSING = frozenset({"one_off", "temporary"})
_UNENDING = frozenset({"emotion", "quote", "digest", "skill", "lesson"})
"""Kinds that no other statement ends: each stands for its own moment or its own work."""


class Ruling(msgspec.Struct, frozen=True):
    """What a model decided about a pair: who, and in answer to which question (its hash)."""

    relation: Relation
    model: str
    question: str


class Doubt(msgspec.Struct, frozen=True):
    """A pair that the rules are unsure of. `chance` is that of the likeliest relation, 0–1.

    `said` and `seen` are the days of the new statement and of the known one.
    """

    key: str
    new: str
    known: str
    about: str
    said: str
    seen: str
    chance: float


class Meeting(NamedTuple):
    """A claim laid beside a memory. `older`: it was said before what is known."""

    claim: Claim
    memory: Memory
    said: datetime
    older: bool
    pair: Pair

    @classmethod
    def of(cls, claim: Claim, memory: Memory, said: datetime, cosine: float | None) -> "Meeting":
        """Both read; the earlier one first."""
        older = said < memory.last_seen
        texts = (claim.text, memory.text) if older else (memory.text, claim.text)
        pair = pair_up(read(texts[0]), read(texts[1]), cosine)
        return cls(claim, memory, said, older, pair)


def key_of(claim: Claim, memory: Memory, *, older: bool) -> str:
    """Stands for a pair as it was judged: other words, another order or standing are another."""
    parts = (
        claim.subject, claim.text, claim.kind, claim.standing, memory.id, memory.text,
        memory.kind, memory.standing, "older" if older else "",
    )  # fmt: skip
    return text_hash("\x1f".join(parts))


def doubt_of(meeting: Meeting, days: tuple[str, str]) -> Doubt | None:
    """The pair as a question, where the rules are unsure of it and the guard leaves a choice.

    `days` are those on which the claim and the memory were said.
    """
    claim, memory, pair = meeting.claim, meeting.memory, meeting.pair
    if {span.event_id for span in claim.evidence} & {span.event_id for span in memory.evidence}:
        return None  # one message: its own words tell how its statements belong together
    same, against = _odds(pair)
    if same < LIKELY or merge_forbidden(meeting):
        same = 0.0
    if against < LIKELY or end_forbidden(meeting):
        against = 0.0
    if not same and not against:
        return None
    return Doubt(
        key=key_of(claim, memory, older=meeting.older),
        new=claim.text,
        known=memory.text,
        about=claim.subject,
        said=days[0],
        seen=days[1],
        chance=round(max(same, against), 3),
    )


# ── the guard ───────────────────────────────────────────────────────────────────────────────────


def merge_forbidden(meeting: Meeting) -> str:
    """Why two statements must stay two, whoever says that they are one; "" where they may be."""
    claim, memory, pair = meeting.claim, meeting.memory, meeting.pair
    standings = {claim.standing, memory.standing}
    checks: Mapping[str, bool] = {
        "different subjects": _apart(claim, memory),
        "one denies, the other does not": claim.negated != memory.negated,
        "one is planned only": (claim.kind == "plan") != (memory.kind == "plan"),
        "one is a mood or a quote": claim.kind != memory.kind
        and bool(_UNENDING & {claim.kind, memory.kind}),
        "one is an exception": len(standings) > 1 and bool(standings & _PASSING),
        "one holds for now or this once only": _bounds(memory.text) != _bounds(claim.text),
        "two different days": _other_days(claim, memory),
        "one is only supposed": supposed(pair.a) != supposed(pair.b),
        "a number differs": pair.numbers != "agree" and _figures_apart(memory.text, claim.text),
        "one happened once": _happened(pair.a) != _happened(pair.b),
        "two people": _people_apart(memory.text, claim.text),
        "one place is filled differently": _exchanged(pair),
        "they have nothing in common": _odds(pair)[0] < (LEAST if _related(pair) else APART),
    }
    refused = next((reason for reason, holds in checks.items() if holds), "")
    return refused or merge_refusal(pair)


def end_forbidden(meeting: Meeting) -> str:
    """Why a statement must not end a known one, whoever says so; "" where it may."""
    claim, memory, pair = meeting.claim, meeting.memory, meeting.pair
    checks: Mapping[str, bool] = {
        "there is no quote for it": not claim.evidence,
        "different subjects": _apart(claim, memory),
        "it was said before what is known": meeting.older or meeting.said == memory.last_seen,
        "moods, quotes and lessons end nothing": bool(_UNENDING & {claim.kind, memory.kind}),
        "the owner pinned it": memory.pinned,
        "what is only supposed ends nothing": supposed(pair.b),
        "what happened stays so": _happened(pair.a),
        "it is over by its own words": "past" in pair.a.marks - pair.b.marks,
        "it says the same words": _repeats(pair),
        "it says more than what has ended": len(statements(memory.text)) > 1,
        "two things": _two_things(pair),
        "two likes stand beside each other": _two_likes(pair),
        "they have nothing in common": _odds(pair)[1] < (LEAST if _related(pair) else APART),
    }
    return next((reason for reason, holds in checks.items() if holds), "")


def _apart(claim: Claim, memory: Memory) -> bool:
    texts = (memory.text, claim.text)
    return apart(claim, memory) or two_people(*texts) or labels_apart(*texts)


def supposed(reading: Reading) -> bool:
    """Whether a statement tells what may be or is wanted, not what is."""
    return bool(_SUPPOSED.search(reading.folded))


def _odds(pair: Pair) -> tuple[float, float]:
    """The chance that two statements are one, and that one ends the other, by the table alone."""
    found = chances(pair)
    return found["same"] + found["richer"], found["contradicts"] + found["number_changed"]


def _related(pair: Pair) -> bool:
    """Whether anything at all says that two statements are of one thing: a word, a slot that both
    fill, or vectors that are nearer than those of strangers."""
    common = bool(pair.a.grams & pair.b.grams or pair.a.slots & pair.b.slots)
    return common or scaled_cosine(pair) >= NEAR


def _bounds(text: str) -> tuple[bool, bool]:
    """Whether a statement holds for a while only, and whether for one occasion."""
    folded = canonical(text)
    return is_hold(folded), is_this_once(folded) or is_exception(folded)


def _exchanged(pair: Pair) -> bool:
    """Whether the two are one frame with one place filled differently: another value, or another
    thing of which the same is said."""
    framed = pair.slot in ("tail", "middle") and pair.shared >= FRAME and _both_differ(pair)
    one, other = pair.a.filler, pair.b.filler
    liked = bool(one and other) and not (one <= other or other <= one)
    return framed or liked or _two_things(pair)


def _two_things(pair: Pair) -> bool:
    """Whether the same is said of two things: only what they are about differs."""
    framed = pair.slot == "lead" and pair.shared >= FRAME and _both_differ(pair)
    return framed and OWNER not in (pair.a.who, pair.b.who)


def _both_differ(pair: Pair) -> bool:
    """Whether each side has a word of content that the other one has not."""
    here, there = (details_of(one.folded) - _GRAMMAR for one in (pair.a, pair.b))
    return bool(here - set(pair.b.words)) and bool(there - set(pair.a.words))


def _two_likes(pair: Pair) -> bool:
    """Whether both tell of a liking, or both of a dislike, and none that it has changed."""
    alike = pair.a.attitude * pair.b.attitude > 0
    return alike and not pair.b.marks & {"change", "no_longer", "now"}


def _people_apart(one: str, other: str) -> bool:
    """Whether each names somebody whom the other one does not."""
    here, there = (frozenset(_CALLED_ZH.findall(text)) for text in (one, other))
    return bool(here - there) and bool(there - here)


def _happened(reading: Reading) -> bool:
    """Whether a statement tells what took place once; 了 also tells what is so since."""
    changed = reading.han > 0.5 or reading.marks & {"change", "no_longer", "now"}
    return is_event(reading) or bool(HAPPENED.search(reading.folded) and not changed)


def _repeats(pair: Pair) -> bool:
    """Whether the later one says all words of the earlier one, with nothing turned round."""
    return pair.in_b >= 1 and not merge_refusal(pair) and "change" not in pair.b.marks


def _figures_apart(one: str, other: str) -> bool:
    """Whether each text has a number that the other one has not, in figures or in words."""
    here, there = _figures(one), _figures(other)
    return bool(here - there) and bool(there - here)


def _figures(text: str) -> frozenset[int]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    found = {int(match[0]) for match in re.finditer(r"[0-9]{1,18}", folded)}
    found.update(
        filter(None, map(zh_number, re.findall(r"[零〇一二三四五六七八九十百千万两]+", folded)))
    )
    found.update(filter(None, map(en_number, re.findall(r"[a-z]+(?:-[a-z]+)?", folded))))
    return frozenset(found - {1})  # "one" and 一 mostly count nothing


def _other_days(claim: Claim, memory: Memory) -> bool:
    mine, theirs = (claim.valid_from or "")[:10], (memory.valid_from or "")[:10]
    return bool(mine and theirs) and mine != theirs


# ── what a merge keeps ──────────────────────────────────────────────────────────────────────────


def joint_text(claim: Claim, memory: Memory, relation: Relation) -> Ruled | None:
    """How two statements become one without losing a detail; None where they would not.

    `confirm`: the known text holds all that is new. `update`: the new text holds all that is known.
    `merge`: both wordings are kept, one after the other.
    """
    if relation == "same" and _details_kept(claim.text, memory.text, words=False):
        return "confirm"
    if _details_kept(memory.text, claim.text, words=True):
        return "update"
    if relation == "richer" and _details_kept(claim.text, memory.text, words=True):
        return "confirm"  # the model has it the wrong way round: nothing is new
    short = len(claim.text) + len(memory.text) <= LONGEST_JOINT
    return "merge" if short and relation == "richer" else None


def _details_kept(less: str, more: str, *, words: bool) -> bool:
    """Whether the second text has all numbers and names of the first, and with `words` all words
    of content too."""
    few, many = read(less), read(more)
    folded = _fold(more)
    if few.attitude not in (0, many.attitude):
        return False  # what is liked or disliked is no longer said
    if not values_within(few.numbers, many.numbers):
        return False
    if any(_fold(entity.text) not in folded for entity in find_entities(less)):
        return False
    return not words or details_of(few.folded) <= details_of(many.folded)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
