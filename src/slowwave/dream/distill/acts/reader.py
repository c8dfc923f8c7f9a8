"""What each clause of a message does: states a fact, gives a standing instruction, asks, vents …

Grammar decides. A clause is read with the cues of its language(s); the message it stands in (its
`Scene`) decides what cannot be seen in a clause alone: whether we are inside a story, inside pasted
material, in a fit of temper. Every act that is not kept names its kind, which becomes the reason
of a `Rejected`.
"""

import re
from collections.abc import Sequence

from slowwave.dream.distill.acts.abstain import abstains
from slowwave.dream.distill.acts.material import material_from, material_until
from slowwave.dream.distill.acts.orders import carves_out, order_of
from slowwave.dream.distill.acts.own_name import introduces
from slowwave.dream.distill.acts.turning import turn_of
from slowwave.dream.distill.acts.weight import is_kept
from slowwave.dream.distill.clauses.cues import cue
from slowwave.dream.distill.clauses.reading import (
    KEPT,
    Act,
    Reading,
    Scene,
    same_sentence,
    sentence_of,
)

__all__ = ["read_acts"]

_SECRET = re.compile(r"\[secret:[^\]]*\]")
"""What capture put in the place of a password: without it there is nothing to remember."""

_ADDRESS = re.compile(r"[a-z][\w-]*(?:\.[a-z][\w-]+)+|/[\w-]+/|:\d{2,5}\b", re.IGNORECASE)


_FOR_ME = re.compile(r"[^，你请]{0,6}[教帮给陪带送接替]我")
"""What somebody named in front of it does for the speaker."""

_RELATES = re.compile(r"(?:who|whose|which)(?:['’]s)? \w+")


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
    scene.ironic |= _anywhere("irony", whole)
    scene.fiction = _anywhere("roleplay", whole)
    for reading in clauses:
        scene.fiction |= reading.has("fiction")
        scene.venting |= reading.has("vent")
        scene.ironic |= reading.any("sarcasm", "jest") or (scene.winks and reading.has("title"))
        scene.disbelieved |= reading.has("discredit")
        scene.person |= reading.any("kin", "companion") or bool(reading.person())
    if scene.fiction:
        turns = (r.clause.start for r in clauses if r.has("real"))
        scene.real_from = next(turns, -1)
    scene.material_from = material_from(clauses)
    scene.material_until = material_until(clauses)


def _anywhere(name: str, whole: str) -> bool:
    """Whether a cue that reaches over clauses is found in the whole message."""
    patterns = (cue("zh", name), cue("en", name))
    return any(pattern is not None and pattern.search(whole) is not None for pattern in patterns)


# ── the clause ──────────────────────────────────────────────────────────────────────────────────


def _act(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    reading = clauses[index]
    shut_out = _blocked(reading, scene) or _printed(clauses, index)
    early = shut_out or _manners(clauses, index) or _reminder(clauses, index)
    if early:
        return early
    if _is_quotation(clauses, index) or _heads_quote(clauses, index):
        return "quote"
    if _is_question(clauses, index):
        return "question"
    if reading.has("hypo") or _in_hypothesis(clauses, index):
        return "hypothetical"
    if _is_moment(clauses, index):
        return "smalltalk"
    return _heated(reading, scene) or _told(clauses, index, scene)


def _told(clauses: Sequence[Reading], index: int, scene: Scene) -> Act:
    if carves_out(clauses, index):
        return "exception"
    if clauses[index].has("procedure") or _opens_steps(clauses, index):
        return "rule"
    if introduces(clauses[index].clause.text, clauses[index].folded):
        clauses[index].turn = "named"
        return "fact"
    if turn_of(clauses, index) or abstains(clauses, index):
        return "fact"
    return _order(clauses, index, scene) or _statement(clauses, index, scene)


def _order(clauses: Sequence[Reading], index: int, scene: Scene) -> Act | None:
    """An order; another speaker's remarks about himself or somebody are no orders to the agent."""
    reading = clauses[index]
    if scene.speaker_is_other and reading.any("i", "mine", "he", "kin"):
        return None
    if _reports(reading) or _of_thing(reading) or reading.any("avow", "contra"):
        return None
    return None if _is_outcome(clauses, index) else order_of(clauses, index, scene)


def _reports(reading: Reading) -> bool:
    """Tells what is, whatever words of an order are in it ("the vet told me to …")."""
    if reading.has("decide") and reading.has("i_first"):
        return not reading.has("you")
    if reading.any("ban", "you"):
        return False
    person = reading.person() if reading.zh else None
    if person and _FOR_ME.match(reading.folded.removeprefix(person.casefold())):
        return True
    if reading.any("cancel", "halted", "scheduled"):
        return not reading.any("bid", "reminder")
    if reading.has("by_other"):
        return not reading.has("reminder")
    # "Ada never eats pork" is about Ada; "everything works" is no rule.
    told = reading.any("new_state", "all_well") or reading.has_name()
    return told and not reading.any("bid", "task")


def _opens_steps(clauses: Sequence[Reading], index: int) -> bool:
    """ "For the roof: clear the gutter first, then …": how something is done."""
    if not clauses[index].has("first_step") or clauses[index].any("i", "mine", "day", "past"):
        return False
    after = clauses[index + 1 : index + 2]
    return bool(after) and same_sentence(clauses, index + 1) and after[0].has("next_step")


def _of_thing(reading: Reading) -> bool:
    """ "The proposal needs two signatures": what holds of a thing, whoever acts on it."""
    if not (reading.has("topic") and reading.has("demands")):
        return False
    if reading.has("place_norm"):
        return not reading.has("you")
    return not reading.any("ban", "you", "strong") and "我" not in reading.folded


def _is_outcome(clauses: Sequence[Reading], index: int) -> bool:
    """ "After a week of dithering: we keep the boat": what was settled, not an order."""
    if not same_sentence(clauses, index) or clauses[index].any("you", "deixis"):
        return False
    if clauses[index - 1].has("ponder"):
        return not clauses[index].has("ban")
    # "Decided: oak for the floor, no tiles": all that follows was settled.
    opened = sentence_of(clauses, index)[0].has("settled_on")
    return opened and clauses[index - 1].act == "fact"


def _reminder(clauses: Sequence[Reading], index: int) -> Act | None:
    """ "Remind me on the 9th to …": what is ahead on a day is the speaker's plan, not a job.

    In two clauses ("don't let me forget: embassy on the third") the day is in the second.
    """
    reading = clauses[index]
    if reading.any("soon", "habit", "when", "once", "carve"):
        return None
    asked = reading.has("reminder")
    if reading.has("day"):
        before = same_sentence(clauses, index) and clauses[index - 1]
        asked = asked or bool(before and before.has("reminder") and not before.any("day", "soon"))
        return "fact" if asked else None
    goes_on = index + 1 < len(clauses) and same_sentence(clauses, index + 1)
    return "depend" if asked and goes_on and clauses[index + 1].has("day") else None


def _blocked(reading: Reading, scene: Scene) -> Act | None:
    """Words that are not the speaker's own, or that he wants forgotten."""
    scene.tainted |= reading.has("inject")
    if scene.tainted:
        return "injection"
    if not reading.own or reading.has("code"):
        return "material"
    start = reading.clause.start
    real = 0 <= scene.real_from <= start
    if (0 <= scene.material_from <= start or start < scene.material_until) and not real:
        return "material"
    if reading.has("forget") or _is_masked(reading, scene):
        return "private"
    return "fiction" if scene.fiction and not real else None


def _is_masked(reading: Reading, scene: Scene) -> bool:
    """A masked secret with no address beside it, and what goes on about "it"."""
    text = reading.clause.text
    if _SECRET.search(text) and _ADDRESS.search(_SECRET.sub(" ", text)) is None:
        scene.masked = True
        return True
    return scene.masked and reading.any("deixis", "pronoun")


def _printed(clauses: Sequence[Reading], index: int) -> Act | None:
    """ "ValueError: no such unit, what is that?": what is printed goes on after its colon."""
    if not same_sentence(clauses, index) or clauses[index].clause.opener not in (":", "："):
        return None
    return "material" if clauses[index - 1].has("code") else None


def _manners(clauses: Sequence[Reading], index: int) -> Act | None:
    reading = clauses[index]
    if _is_outcome(clauses, index):
        return None
    if reading.any("greet", "assent"):
        return "greeting" if reading.has("greet") else "assent"
    declined = reading.has("refuse") and (reading.zh or not reading.any("rule", "ban"))
    if declined or reading.has("dismiss"):
        return "refusal"
    if reading.has("at_loss") and not reading.any("habit", "strong"):
        return "smalltalk"
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
    if reading.has("asks_kindly") and reading.has("strong") and not reading.any("once", "soon"):
        return False  # "could you always …?" asks for something that is to last
    related = same_sentence(clauses, index) and reading.clause.opener in (",", "，")
    if related and reading.clause.closer != "?" and _RELATES.match(reading.folded):
        return False  # "…, who teaches maths" goes on about somebody
    last = index + 1 == len(clauses) or not same_sentence(clauses, index + 1)
    if last and reading.clause.closer == "?":
        return True
    return reading.has("question") and not reading.has("not_question")


def _in_hypothesis(clauses: Sequence[Reading], index: int) -> bool:
    """A hypothesis reaches to the end of its sentence, whoever laughs in between."""
    while same_sentence(clauses, index):
        index -= 1
        if clauses[index].act == "hypothetical":
            return True
        if not clauses[index].has("laugh"):
            return False
    return False


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
    if scene.disbelieved and not reading.any("i", "kin"):
        return "third_person"
    shut_out = _not_of_speaker(clauses, index) or _says_nothing(clauses, index)
    if shut_out:
        return shut_out
    if _is_outcome(clauses, index) or is_kept(reading, scene):
        return "fact"
    if reading.has("contra") and (reading.en or _corrects(clauses, index)):
        return "fact"
    told = same_sentence(clauses, index) and clauses[index - 1].act == "fact"
    return "depend" if told and reading.has("contrasts") else _passing(reading)


def _passing(reading: Reading) -> Act:
    if reading.has("transient"):
        return "smalltalk"
    return "opinion" if reading.has("opinion") else "depend"


def _not_of_speaker(clauses: Sequence[Reading], index: int) -> Act | None:
    """What strangers do or say, and particulars of a job that was asked for."""
    reading = clauses[index]
    if reading.has("stranger") and not reading.any("kin", "except"):
        return "third_person"
    if _is_hearsay(clauses, index):
        return "third_person"
    if _tells_of_job(clauses, index):
        return "request"
    told = index > 0 and clauses[index - 1].act == "third_person"
    return "third_person" if told and not reading.any("i", "mine") else None


def _is_hearsay(clauses: Sequence[Reading], index: int) -> bool:
    """What one heard of another who heard it, or what the speaker himself doubts."""
    if any(r.has("doubt") for r in sentence_of(clauses, index)):
        return True
    return clauses[index].has("chain")


def _says_nothing(clauses: Sequence[Reading], index: int) -> Act | None:
    """What goes on declining, denies having said something, or leaves all as it is."""
    reading = clauses[index]
    refused = same_sentence(clauses, index) and clauses[index - 1].act == "refusal"
    if refused and (reading.has("myself") or not reading.any("i", "mine", "kin", "bid", "day")):
        return "refusal"
    if reading.has("usual_only"):
        return "depend"
    denied = reading.has("denial") and not (reading.zh and reading.has("you"))
    return "opinion" if denied else None


def _is_moment(clauses: Sequence[Reading], index: int) -> bool:
    """ "At the bakery without my keys, back soon": over before anybody could ask for it."""
    if clauses[index].any("body", "naming", "day", "habit"):
        return False
    return any(r.has("returns") for r in sentence_of(clauses, index))


def _corrects(clauses: Sequence[Reading], index: int) -> bool:
    """ "Not that one, it is …", told in two clauses."""
    if clauses[index].has("correct"):
        return True
    return same_sentence(clauses, index) and clauses[index - 1].has("correct")


def _tells_of_job(clauses: Sequence[Reading], index: int) -> bool:
    """ "Find a title for her essay, she writes about …": particulars of the job asked for."""
    reading = clauses[index]
    if not same_sentence(clauses, index) or clauses[index - 1].act != "request":
        return False
    job = [r for r in sentence_of(clauses, index) if r.clause.start < reading.clause.start]
    if any(r.has("creates") for r in job) and not reading.any("i", "mine", "strong", "rule"):
        return True
    return reading.has("he") and not reading.any("i", "mine", "kin", "body", "pref", "naming")
