"""Whom a statement is about: the user, the agent, the world, or somebody by the name that was said.

A name is used only when it was said; a kin or role term stands as it was said ("我妈", "my
daughter"). A pronoun is traced to the last person named before it; when there is none the statement
is of the world, because a pronoun names nobody and nobody is guessed (L4).
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from slowwave.dream.compare.reading.lexicon import KIN_PATTERN
from slowwave.dream.distill.clauses.cues import cue
from slowwave.dream.distill.clauses.people import called_in, companion_in, kin_in, name_in
from slowwave.dream.distill.clauses.reading import Reading
from slowwave.model import USER

__all__ = ["AGENT", "WORLD", "introduced", "named_first", "subject_of", "whose"]

_OWN_AFFAIR: Final = ("cancel", "avow", "scheduled", "agenda", "contra", "progress")
"""Plans, appointments and corrections are the user's, whatever they are about."""

_OF_SOMEBODY: Final = (
    "he", "i", "reported", "you", "body", "pref", "role", "cancel", "did", "done",
)  # fmt: skip
"""Cues of a person in a statement that begins with a thing."""

_BARE_NAME: Final = re.compile(r"(?:[A-ZÀ-Þ][\w’'-]+ ?){1,3}")
_CALLED: Final = re.compile(r"(?:名叫|叫做?|姓|(?:is|he's|she's|they're) called|called|named)")

_LEAD: Final = 9
"""Characters that may stand before the subject of a clause ("also", "另外")."""

_TOLD: Final = 3
"""The fewest characters that tell something of a person beside his name."""

_BESIDE: Final = re.compile(
    r"[跟和给找见约陪同与对向替帮请带接送问让叫]|\b(?:with|to|for|meet|met|see|saw|at|from|by"
    r"|of|told|ask)\b"
)
"""What makes a name in front of the verb somebody beside the subject."""

_ACTS: Final = re.compile(r" (?:is|was|has|can|will|never|always|just|\w{2,}s)\b")
_OURS: Final = re.compile(r"(?:my|our) (?:(?:older|younger|little|big|eldest) )?")
_TOGETHER: Final = re.compile(
    r"(?:[跟和与约找见陪请送接带]|同(?![事学桌乡行])|拜访|探望)(?:我们?的?|我家的?)?[^，]{0,6}$"
    r"|\b(?:with|meet|meeting|see|seeing|visit|visiting|pick(?:ing)? up|call|calling|at)"
    r" (?:(?:my|our|the)(?: [a-z-]+){0,3} )?$"
)
"""What makes a name the company of the one who has the plan."""

AGENT: Final = "agent"
WORLD: Final = "world"


def subject_of(group: Sequence[Reading], earlier: Sequence[Reading], known: Sequence[str]) -> str:
    """The subject of a group of statement clauses.

    `earlier` are the clauses before it in the message, `known` people named shortly before (most
    recent last). The first clause that names anybody decides.
    """
    name = introduced(group)
    if name:
        return name
    told = [reading for reading in group if not reading.has("reports")]
    for reading in told if told and told[0].any("mine", "env", "i") else group:
        called = called_in(reading.clause.text, reading.clause.folded)
        if called:
            return called if len(called) > 1 else _better_name(called, group)
        if reading is group[0] and (_is_facility(reading) or _is_of_world(group)):
            return WORLD
        before = [*earlier, *(r for r in group if r.clause.end <= reading.clause.start)]
        subject = _of_clause(reading, group, before, known)
        if subject:
            return subject
    return whose(group)


def introduced(group: Sequence[Reading]) -> str | None:
    """ "Ilse, our vet, …" and "a new doctor came, called Ilse": the name beside the role."""
    for first, after in pairwise(group):
        name = name_in(first.clause.text)
        apposed = after.has("kin") or after.folded.startswith(("my ", "our "))
        if apposed and _BARE_NAME.fullmatch(name) and not after.person_named():
            return name
        if first.any("kin", "person_noun") and _CALLED.match(after.folded):
            called = called_in(after.clause.text, after.folded)
            if called:
                return called
    return None


def named_first(reading: Reading) -> str | None:
    """Whom a clause names as its grammatical subject: the user, or a person before the verb."""
    if reading.has("i_first"):
        return USER
    person = reading.person()
    start = reading.clause.text.find(person) if person else -1
    alone = len(reading.folded) - len(person or "") < _TOLD  # "…, the manager, …" names him again
    if start < 0 or start > _LEAD or alone or _BESIDE.search(reading.folded[:start]):
        return None
    return person


def _of_clause(
    reading: Reading, group: Sequence[Reading], earlier: Sequence[Reading], known: Sequence[str]
) -> str | None:
    """Whom one clause names: the speaker first, then a person, then a pronoun traced back."""
    person = reading.person()
    if person and _opens_by_name(reading, person):
        return _better_name(person, group)
    beside = bool(person) and not reading.any("authority", "by_other")
    if _is_of_speaker(reading, earlier) or (beside and _is_beside(reading, person or "")):
        return USER
    if reading.any("authority", "by_other"):
        return _told_by(reading, earlier, known)
    if person or reading.any("i", "mine"):
        return _better_name(person, group) if person else USER
    if reading.any("avow", "cancel", "scheduled") or not reading.has("pronoun"):
        return None
    return _trace(earlier, known) if reading.has("he") else None


def _opens_by_name(reading: Reading, person: str) -> bool:
    """ "钟离雪是我们组的…": somebody else is named before the speaker."""
    leads = tuple(f"{person}{verb}" for verb in ("是", "负责", "管"))
    own = person.startswith(("我", "咱", "俺"))
    return reading.zh and not own and reading.clause.text.startswith(leads)


def _is_of_speaker(reading: Reading, earlier: Sequence[Reading]) -> bool:
    """Whether a clause tells of the speaker as its subject, said or left out."""
    if reading.has("i_first") and reading.any("is", "does", "did", "i") and not _mixed(reading):
        return True
    # "Night-shift nurse, Ward 6": he left out the "I am".
    return reading.has("bare_role") and not any(r.person() for r in earlier[-1:])


def _is_beside(reading: Reading, person: str) -> bool:
    """ "Lunch with Ada on Friday": what the speaker has before him, whoever else is there."""
    if not (reading.has("day") and reading.any("event", "agenda")):
        return False
    at = reading.clause.text.find(person)
    return at > 0 and _TOGETHER.search(reading.folded[:at]) is not None


def _told_by(reading: Reading, earlier: Sequence[Reading], known: Sequence[str]) -> str:
    """ "The doctor says …": not about the doctor, but about whom he speaks of, or speaks to."""
    advised = reading.has("advised") and not reading.has("reported")
    kin = None if advised else kin_in(reading.clause.text, reading.folded)
    if kin:
        return kin
    return _trace(earlier, known) if reading.has("he") else USER


def _is_facility(reading: Reading) -> bool:
    """A machine or an account with a value of its own, whoever set it ("the router is at …")."""
    return (
        reading.has("env")
        and reading.has_value()
        and not reading.any("i", "mine", "kin", "he", "day", "body", "pref", "you", "role", "home")
    )


def _mixed(reading: Reading) -> bool:
    """ "我 mentor Anselm …": a Chinese "my" before a Latin role and name."""
    pattern = cue("en", "name_mixed")
    return pattern is not None and pattern.search(reading.clause.text) is not None


def _better_name(person: str, group: Sequence[Reading]) -> str:
    """A kin term gives way to the name said of the same person a clause later."""
    for reading in group:
        name = called_in(reading.clause.text, reading.clause.folded)
        if name and len(name) > 1:
            return name
    return person


def _trace(earlier: Sequence[Reading], known: Sequence[str]) -> str:
    """Whom a pronoun means: the last one named before it (by name rather than by role)."""
    people = [name for r in earlier if (name := _anybody(r)) is not None]
    if people:
        named = [p for p in people if p[0].isupper() and not p.startswith(("My ", "Our "))]
        return (named or people)[-1]
    return known[-1] if known else WORLD


def _anybody(reading: Reading) -> str | None:
    """Whoever is in a clause: the one it is about, his company, a role."""
    words = reading.clause.text, reading.folded
    return reading.person() or companion_in(*words) or kin_in(*words)


def whose(group: Sequence[Reading]) -> str:
    """Where no person is named: facilities belong to the world, states and plans to the user."""
    if any(r.any("i", "mine", "i_first", "kin", "home", *_OWN_AFFAIR) for r in group):
        return USER
    if any(r.has("env") for r in group) and not any(
        r.any("day", "body", "pref", "done", "role") for r in group
    ):
        return WORLD
    if group and group[0].has("thing") and group[0].has_code():
        return WORLD
    if group and group[0].any("named_thing", "permitted"):
        return WORLD
    return WORLD if group and _is_of_world(group) else USER


def _is_of_world(group: Sequence[Reading]) -> bool:
    """An institution, a building, a document and how it is, with nobody of the user's in it."""
    if group[0].any("by_other", "authority", "place_norm"):
        return group[0].has("place_norm")
    whose = _OURS.match(group[0].folded)
    kin = KIN_PATTERN.match(group[0].folded, whose.end()) if whose else None
    if kin and _ACTS.match(group[0].folded, kin.end()):
        return False  # "our daughter plays …", but not "our client portal …"
    if not group[0].has("topic"):
        return False
    if any(r.has("project") and r.has("day") for r in group):
        return False
    return not any(r.any(*_OF_SOMEBODY) for r in group)
