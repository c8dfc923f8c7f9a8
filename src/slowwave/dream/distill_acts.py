"""What each clause of a message does: states a fact, gives a standing instruction, asks, vents …

Grammar decides. A clause is read with the cues of its language(s); the message it stands in (its
`Scene`) decides what cannot be seen in a clause alone: whether we are inside a story, inside pasted
material, in a fit of temper. Every act that is not kept names its kind, which becomes the reason
of a `Rejected`.
"""

from collections.abc import Sequence
from typing import Final

from slowwave.dream.distill_clauses import BLANK
from slowwave.dream.distill_cues import cue
from slowwave.dream.distill_material import material_from, material_until
from slowwave.dream.distill_orders import carves_out, order_of
from slowwave.dream.distill_reading import KEPT, Act, Reading, Scene, same_sentence

__all__ = ["read_acts"]

BRIEF: Final = 20
"""Characters of a facility and its value and nothing else ("port 8080")."""

ENOUGH: Final = 3
"""The least weight of a statement that is kept."""


def read_acts(clauses: Sequence[Reading], scene: Scene) -> None:
    """Sets `act` on every reading, in order."""
    _survey(clauses, scene)
    for index, reading in enumerate(clauses):
        reading.act = _act(clauses, index, scene)
    for index in range(len(clauses)):
        _complete(clauses, index)


def _complete(clauses: Sequence[Reading], index: int) -> None:
    """An exception belongs to its rule: "except for Ada" alone is half a sentence."""
    reading = clauses[index]
    if reading.act != "exception" or not reading.has("carve_opens"):
        return
    goes_on = index + 1 < len(clauses) and same_sentence(clauses, index + 1)
    if goes_on and clauses[index + 1].act in KEPT:
        return
    before = clauses[index - 1] if index else None
    if before is not None and before.act in KEPT:
        return
    together = before is not None and same_sentence(clauses, index)
    if before is not None and together and before.any("bid", "ban", "task", "rule", "norm"):
        before.act = "rule"
    else:
        reading.act = "depend"


# ── the message ─────────────────────────────────────────────────────────────────────────────────


def _survey(clauses: Sequence[Reading], scene: Scene) -> None:
    whole = "，".join(reading.folded for reading in clauses)
    irony = [cue("zh", "irony"), cue("en", "irony")]
    scene.ironic = any(pattern and pattern.search(whole) for pattern in irony)
    for reading in clauses:
        scene.fiction |= reading.has("fiction")
        scene.venting |= reading.has("vent")
        scene.ironic |= reading.any("sarcasm", "jest")
        scene.person |= reading.has("kin") or bool(reading.person())
    if scene.fiction:
        turns = (r.clause.start for r in clauses if r.has("real"))
        scene.real_from = next(turns, -1)
    scene.material_from = material_from(clauses)
    scene.material_until = material_until(clauses)


# ── the clause ──────────────────────────────────────────────────────────────────────────────────


def _act(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    reading = clauses[index]
    blocked = _blocked(reading, scene) or _manners(reading)
    if blocked:
        return blocked
    if _is_quotation(clauses, index) or _heads_quote(clauses, index):
        return "quote"
    if _is_question(clauses, index):
        return "question"
    if reading.has("hypo") or _in_hypothesis(clauses, index):
        return "hypothetical"
    return _heated(reading, scene) or _told(clauses, index, scene)


def _told(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    if carves_out(clauses, index):
        return "exception"
    return _order(clauses, index, scene) or _statement(clauses, index, scene)


def _order(clauses: Sequence[Reading], index: int, scene: Scene) -> Act | None:
    """An order; another speaker's remarks about himself or somebody are no orders to the agent."""
    if scene.speaker_is_other and clauses[index].any("i", "mine", "he", "kin"):
        return None
    return order_of(clauses, index, scene)


def _blocked(reading: Reading, scene: Scene) -> Act | None:
    """Words that are not the speaker's own, or that he wants forgotten."""
    scene.tainted |= reading.has("inject")
    if scene.tainted:
        return "injection"
    if not reading.own:
        return "material"
    start = reading.clause.start
    real = 0 <= scene.real_from <= start
    if (0 <= scene.material_from <= start or start < scene.material_until) and not real:
        return "material"
    if reading.has("forget"):
        return "private"
    return "fiction" if scene.fiction and not real else None


def _manners(reading: Reading) -> Act | None:
    if reading.has("greet"):
        return "greeting"
    if reading.has("assent"):
        return "assent"
    if reading.has("refuse") and (reading.zh or not reading.any("rule", "ban")):
        return "refusal"
    if reading.has("dismiss"):
        return "refusal"
    return None


def _is_quotation(clauses: Sequence[Reading], index: int) -> bool:
    """Somebody's words; not a name that is given ("…, 叫「…」") nor a term that is explained."""
    reading = clauses[index]
    if not reading.is_quote() or reading.has("naming"):
        return False
    explained = index + 1 < len(clauses) and same_sentence(clauses, index + 1)
    return not (explained and clauses[index + 1].has("explains"))


def _heads_quote(clauses: Sequence[Reading], index: int) -> bool:
    """ "The client's words: “…”": what only announces a quotation says nothing itself."""
    after = clauses[index + 1 : index + 2]
    if not after or after[0].clause.opener not in (":", "：") or not after[0].is_quote():
        return False
    return not clauses[index].any("is", "state", "i", "mine", "naming", "remember", "teach")


def _is_question(clauses: Sequence[Reading], index: int) -> bool:
    reading = clauses[index]
    last = index + 1 == len(clauses) or not same_sentence(clauses, index + 1)
    if last and reading.clause.closer == "?":
        return True
    return reading.has("question") and not reading.has("not_question")


def _in_hypothesis(clauses: Sequence[Reading], index: int) -> bool:
    """A hypothesis reaches to the end of its sentence."""
    return same_sentence(clauses, index) and clauses[index - 1].act == "hypothetical"


def _heated(reading: Reading, scene: Scene) -> Act | None:
    """Temper and irony: only what would be true on a calm day too (a condition of the body)."""
    if not (scene.venting or scene.ironic):
        return None
    if reading.has("body") and reading.any("i", "mine", "kin"):
        return None
    if scene.ironic:
        return "sarcasm"
    calm = not reading.has("vent") and reading.any("i", "mine", "kin")
    if calm and reading.any("change", "role", "naming") and not reading.has("opinion"):
        return None
    return None if reading.has("remember") else "venting"


# ── statements ──────────────────────────────────────────────────────────────────────────────────


def _statement(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    reading = clauses[index]
    if reading.has("stranger") and not reading.any("kin", "except"):
        return "third_person"
    if _tells_of_job(clauses, index):
        return "request"
    told = index > 0 and clauses[index - 1].act == "third_person"
    if told and not reading.any("i", "mine"):
        return "third_person"
    if _weight(reading, scene) >= ENOUGH:
        return "fact"
    if reading.has("transient"):
        return "smalltalk"
    return "opinion" if reading.has("opinion") else "depend"


def _tells_of_job(clauses: Sequence[Reading], index: int) -> bool:
    """ "Find a title for her essay, she writes about …": particulars of the job asked for."""
    reading = clauses[index]
    if not same_sentence(clauses, index) or clauses[index - 1].act != "request":
        return False
    return reading.has("he") and not reading.any("i", "mine", "kin", "body", "pref", "naming")


def _weight(reading: Reading, scene: Scene) -> int:
    """How much a statement looks like lasting knowledge about somebody or something."""
    quoting = reading.has("said") and BLANK in reading.folded and not reading.has("teach")
    if quoting or reading.any("leadin", "ellipsis"):
        return 0
    weight = _content(reading) + _value(reading)
    weight += _aboutness(reading, scene, weight)
    moved = reading.any("change", "role")
    counted = reading.has("change") and reading.has_value()
    if not (reading.has("did") and reading.person()):  # "met Ada Lund today" is about Ada
        weight -= (1 if counted else 2 if moved else 3) * reading.has("transient")
    if not reading.any("day", "teach", "body"):
        weight -= 2 * reading.has("opinion")
    return weight


def _content(reading: Reading) -> int:
    """Predicates: states, habits, preferences, changes, plans, decisions, conditions, names."""
    weight = reading.count(
        "own", "is", "does", "role", "pref", "habit", "change", "correct", "teach",
        "project", "remember", "did",
    )  # fmt: skip
    weight += reading.has("role") + reading.any("is", "does")
    weight += 3 * reading.any("body", "naming", "done", "stored", "trait")
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
    more = mine + 2 * reading.has("kin")
    if weight + more < ENOUGH and weight and reading.person():
        more += 2 if reading.zh else 3
    elif reading.has("he") and not reading.has("i") and scene.person:
        more += 2
    if not mine and not reading.any("kin", "he", "stranger", "you"):
        more += reading.any("role", "pref", "did")
    if scene.speaker_is_other and (mine or reading.any("did", "he", "kin")):
        more += 1
    return more + (reading.has("past") and reading.any("did", "change", "own"))
