"""How much a statement looks like lasting knowledge, in points that its cues earn and cost.

Predicates of state, habit, preference, change and plan earn points, so do values and whom it is
about; what passes by or only opines costs some. A statement with enough of them is kept; one in
which the speaker tells of himself in a full sentence needs fewer.
"""

from typing import Final

from slowwave.dream.distill.clauses.cut import BLANK
from slowwave.dream.distill.clauses.reading import Reading, Scene

__all__ = ["is_kept"]

BRIEF: Final = 20
"""Characters of a facility and its value and nothing else ("port 8080")."""

ENOUGH: Final = 3
"""The least weight of a statement that is kept."""

ENOUGH_OF_SELF: Final = 1
"""The same of a full sentence of the speaker on himself."""


def is_kept(reading: Reading, scene: Scene) -> bool:
    """Whether a statement is worth a claim."""
    weight = _weight(reading, scene)
    return weight >= ENOUGH or (weight >= ENOUGH_OF_SELF and _is_of_self(reading))


def _is_of_self(reading: Reading) -> bool:
    """A full sentence of the speaker on himself that neither reacts nor passes by."""
    first = reading.has("self_first") or (reading.has("i_first") and not reading.zh)
    if not first or reading.has("you"):
        return False
    passing = ("transient", "opinion", "feeling", "wish", "deixis", "task", "soon", "said", "wants")
    long = len(reading.folded) >= (7 if reading.zh else 20)
    return long and not reading.any(*passing)


def _weight(reading: Reading, scene: Scene) -> int:
    """How much a statement looks like lasting knowledge about somebody or something."""
    quoting = reading.has("said") and BLANK in reading.folded and not reading.has("teach")
    if quoting or reading.any("leadin", "ellipsis"):
        return 0
    weight = _content(reading) + _value(reading)
    weight += _aboutness(reading, scene, weight)
    moved = reading.any("change", "role")
    counted = reading.has("change") and reading.has_value()
    settled = reading.any("cancel", "avow", "scheduled")
    met = reading.has("did") and reading.person()  # "met Ada Lund today" is about Ada
    if not settled and not met:
        weight -= (1 if counted else 2 if moved else 3) * reading.has("transient")
    if not reading.any("day", "teach", "body", "correct", "cancel"):
        weight -= 2 * reading.has("opinion")
    return weight


def _content(reading: Reading) -> int:
    """Predicates: states, habits, preferences, changes, plans, decisions, conditions, names."""
    weight = reading.count(
        "own", "is", "does", "role", "pref", "habit", "change", "correct", "teach",
        "project", "remember", "did",
    )  # fmt: skip
    weight += reading.has("role") + reading.any("is", "does")
    weight += 3 * reading.any("body", "naming", "done", "stored", "trait", "cancel", "advised")
    weight += 3 * reading.any("scheduled", "progress", "avow", "agenda")
    weight += reading.has("altered") and reading.has("thing")
    weight += 3 * (reading.has("topic") and reading.has("demands"))
    weight += reading.has("intend") * (1 + 2 * reading.has("day"))
    weight += 2 * reading.has("teach") + 2 * reading.has("altered")
    weight += 3 * reading.has("decide") + (reading.has("habit") and reading.has("i"))
    if reading.has("day"):
        weight += 2 + reading.any("event", "change")
    return weight


def _value(reading: Reading) -> int:
    """A number, a code, a place: what makes a statement worth looking up again."""
    value = reading.has_value()
    weight = int(value)
    if value and reading.has("state"):
        weight += 2
    elif reading.has("env") and reading.any("state", "place", "change"):
        weight += 1 + 2 * reading.has("place")
    if reading.has("env"):
        brief = value and len(reading.folded) <= BRIEF
        weight += 2 if brief or reading.has_code() else reading.has("change")
    return weight


def _aboutness(reading: Reading, scene: Scene, weight: int) -> int:
    """Whom it is about: the speaker, his people, somebody named, or the dropped "I"."""
    mine = reading.any("i", "mine")
    more = mine + 2 * reading.has("kin") + reading.has("kin_named")
    if weight + more < ENOUGH and (weight or reading.has_name()) and reading.person():
        more += 2 if reading.zh else 3
    elif reading.has("he") and not reading.has("i") and scene.person:
        more += 2
    if not mine and not reading.any("kin", "he", "stranger", "you"):
        more += reading.any("role", "pref", "did")
    if scene.speaker_is_other and (mine or reading.any("did", "he", "kin")):
        more += 1
    return more + (reading.has("past") and reading.any("did", "change", "own"))
