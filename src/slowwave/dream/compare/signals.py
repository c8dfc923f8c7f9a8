"""The signals of a pair of statements: generic measurements, each a number between −1 and 1.

They are what `compare`'s rules and its small table of weights look at. None of them knows a topic.
"""

from difflib import SequenceMatcher
from itertools import pairwise

import msgspec

from slowwave.dream.compare.reading.lexicon import SINGLE_SLOTS
from slowwave.dream.compare.reading.opposites import opposed
from slowwave.dream.compare.reading.quantity import Conflict, conflict, names_old_and_new
from slowwave.dream.compare.reading.statement import Reading
from slowwave.dream.compare.reading.turn import corrects
from slowwave.dream.compare.turns.turned import turned

__all__ = ["Pair", "pair_up", "signals"]

_BASE = {"zh": (0.87, 0.98), "en": (0.75, 0.97), "mixed": (0.69, 0.90)}
"""Cosines of unrelated and of nearly equal statements, by script: where the scale begins, ends."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """What the two readings have in common and where they part.

    `shared` is the share of the shorter statement's words found in the other, `jaccard` of all
    words; `only_a`/`only_b` the words of one side alone; `slot` where the sides differ: `lead`
    (before the common part), `tail`, `middle`, or "" (no single place).
    """

    a: Reading
    b: Reading
    shared: float
    in_b: float
    in_a: float
    jaccard: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    slot: str
    numbers: Conflict
    kin: str
    opposed: bool
    names_part: bool
    cosine: float | None
    script: str


def pair_up(a: Reading, b: Reading, cosine: float | None) -> Pair:
    """Lays two readings side by side."""
    one, other = set(a.words), set(b.words)
    both = one & other
    script = "zh" if min(a.han, b.han) > 0.5 else "en" if max(a.han, b.han) < 0.5 else "mixed"
    return Pair(
        a=a,
        b=b,
        shared=len(both) / max(1, min(len(one), len(other))),
        in_b=len(both) / max(1, len(one)),
        in_a=len(both) / max(1, len(other)),
        jaccard=len(both) / max(1, len(one | other)),
        only_a=tuple(word for word in a.words if word not in other),
        only_b=tuple(word for word in b.words if word not in one),
        slot=_slot(a.words, b.words),
        numbers=_numbers(a, b),
        kin=_kin(a, b),
        opposed=opposed(a.folded, b.folded),
        names_part=_missing(a, b) and _missing(b, a),
        cosine=cosine,
        script=script,
    )


def _numbers(a: Reading, b: Reading) -> Conflict:
    found = conflict(a.numbers, b.numbers)
    moved = found == "agree" and "change" in b.marks and names_old_and_new(a.numbers, b.numbers)
    return "changed" if moved else found


def _missing(a: Reading, b: Reading) -> bool:
    """Whether a name of `a` is nowhere in `b`."""
    return any(name not in b.folded for name in a.names)


def _slot(a: tuple[str, ...], b: tuple[str, ...]) -> str:
    """Where the two differ when the rest is a common frame."""
    blocks = [
        block
        for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
        if block.size
    ]
    if not blocks:
        return ""
    first, last = blocks[0], blocks[-1]
    before = first.a > 0 and first.b > 0
    after = last.a + last.size < len(a) and last.b + last.size < len(b)
    gaps = pairwise(blocks)
    inside = any(x.a + x.size < y.a and x.b + x.size < y.b for x, y in gaps)
    found = (("lead", before), ("middle", inside), ("tail", after))
    places = [name for name, there in found if there]
    return places[0] if len(places) == 1 else ("many" if places else "none")


def _kin(a: Reading, b: Reading) -> str:
    """How the subjects stand: `same`, `other` (two different people), `object` (the one is what the
    other statement has or speaks of), `owner` (owner against somebody), or `open`."""
    if a.who == b.who:
        return "same" if a.who else "open"
    persons = [who for who in (a.who, b.who) if who not in ("", "owner", "third")]
    if len(persons) == 2:
        return "same" if _fits(a.who, b.who) else "other"
    if not persons:
        return "same" if a.who and b.who else "open"
    who = persons[0]
    absent = b if a.who == who else a
    if any(_fits(who, kin) for kin in absent.kin):
        return "object"
    return "owner" if absent.who in ("owner", "third") else "somebody"


def _opening_swap(pair: Pair) -> bool:
    """A few words at the very start are exchanged and the rest goes on alike (two namesakes)."""
    a, b = pair.a.words, pair.b.words
    limit = 3 if pair.script == "zh" else 1
    for at in range(min(limit, len(a), len(b))):
        if a[at] != b[at]:
            after = range(at + 1, min(at + limit + 1, len(a), len(b)))
            return any(a[place] == b[place] for place in after)
    return False


def _fits(one: str, other: str) -> bool:
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


def scaled_cosine(pair: Pair) -> float:
    """Cosine on a scale of its script: 0 like unrelated, 1 like nearly equal; 0.5 without one."""
    if pair.cosine is None:
        return 0.5
    low, high = _BASE[pair.script]
    return max(-0.3, min(1.0, (pair.cosine - low) / (high - low)))


def signals(pair: Pair) -> dict[str, float]:
    """All signals by name; absent ones are zero."""
    found: dict[str, float] = {}
    found.update(_overlap(pair))
    found.update(_marks(pair))
    found.update(_subject(pair))
    found.update(_stance(pair))
    return {name: value for name, value in found.items() if value}


def _overlap(pair: Pair) -> dict[str, float]:
    cosine = scaled_cosine(pair)
    length_a, length_b = len(pair.a.words), len(pair.b.words)
    longer = (length_b - length_a) / max(1, length_a, length_b)
    grams = len(pair.a.grams & pair.b.grams) / max(1, min(len(pair.a.grams), len(pair.b.grams)))
    return {
        "cosine": cosine,
        "no_cosine": float(pair.cosine is None),
        "cosine_squared": cosine * cosine,
        "shared": pair.shared,
        "in_b": pair.in_b,
        "in_a": pair.in_a,
        "jaccard": pair.jaccard,
        "grams": grams,
        "nothing_shared": float(not pair.shared),
        "like_but_other_words": cosine * (1 - pair.shared),
        "b_longer": max(0.0, longer),
        "a_longer": max(0.0, -longer),
        "b_adds": pair.in_b * max(0.0, longer),
        "a_adds": pair.in_a * max(0.0, -longer),
        "both_left": min(len(pair.only_a), len(pair.only_b), 5) / 5,
        "mixed": float(pair.script == "mixed"),
        "names_part": float(pair.names_part),
        "names_shared": float(bool(pair.a.names & pair.b.names)),
        **{f"slot_{pair.slot}": 1.0 for _ in range(bool(pair.slot))},
    }


def _marks(pair: Pair) -> dict[str, float]:
    found = {f"a_{mark}": 1.0 for mark in pair.a.marks}
    found.update({f"b_{mark}": 1.0 for mark in pair.b.marks})
    change = float(bool(pair.b.marks & {"change", "no_longer", "now"}))
    found["change_shared"] = change * pair.shared
    found["change_cosine"] = change * scaled_cosine(pair)
    rule = bool(pair.a.marks & {"universal", "forbid"})
    found["rule_and_scope"] = float(rule and bool(pair.b.marks & {"scope", "once"}))
    found["rule_and_permit"] = float(rule and "permit" in pair.b.marks)
    return found


def _subject(pair: Pair) -> dict[str, float]:
    lead_a, lead_b = set(pair.a.lead), set(pair.b.lead)
    apart = bool(lead_a and lead_b and lead_a - lead_b and lead_b - lead_a)
    tail_shared = bool(pair.a.lead and pair.b.lead and pair.a.lead[-1] == pair.b.lead[-1] and apart)
    return {
        f"kin_{pair.kin}": 1.0,
        "lead_apart": float(apart),
        "lead_same": float(bool(lead_a) and lead_a == lead_b),
        "lead_modifier_apart": float(tail_shared),
        "opening_apart": float(pair.slot == "lead" and pair.shared >= 0.3),
        "opening_swap": float(pair.kin in ("open", "same") and _opening_swap(pair)),
        "opening_swap_names": float(_opening_swap(pair) and pair.a.who == pair.b.who == ""),
    }


def _stance(pair: Pair) -> dict[str, float]:
    a, b = pair.a, pair.b
    denies_a, denies_b = bool(a.negators), bool(b.negators)
    changed = float(pair.numbers == "changed")
    both = a.slots & b.slots
    single = both & SINGLE_SLOTS
    parted = min(1.0, len(pair.only_a) / 3) * min(1.0, len(pair.only_b) / 3)
    return {
        "denial_apart": float(a.denied != b.denied),
        "negation_apart": float(denies_a != denies_b),
        "negation_apart_shared": float(denies_a != denies_b) * pair.shared,
        "b_denies": float(denies_b and not denies_a),
        "both_deny": float(bool(a.negators and b.negators)),
        "attitude_apart": abs(a.attitude - b.attitude) / 2,
        "opposed": float(pair.opposed),
        f"numbers_{pair.numbers}": 1.0,
        "numbers_changed_shared": changed * pair.shared,
        "numbers_changed_marked": changed * bool(b.marks & {"change", "now", "done"}),
        "single_slot": float(bool(single)),
        "single_slot_parted": float(bool(single)) * parted,
        "other_slot": float(bool(both - SINGLE_SLOTS)),
        "multi_parted": float("multi" in a.marks and "multi" in b.marks) * parted,
        "turned": float(bool(turned(a, b))),
        "corrects": float(bool(corrects(b.folded))),
        # Denied on one side, and by the opposite on the other: the same, said the other way round.
        "denied_opposite": float(pair.opposed and denies_a != denies_b),
        "fills_differ": float(bool(a.filler and b.filler and not a.filler & b.filler)),
        "fills_alike": float(bool(a.filler & b.filler)),
        "same_slots": float(bool(both)) * (1 - pair.shared),
        "slots_apart": float(bool(a.slots and b.slots and not both)),
    }
