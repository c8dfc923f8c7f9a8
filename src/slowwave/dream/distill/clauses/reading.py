"""A clause with its cues: what grammar says about it, evaluated on demand and once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from slowwave.dream.distill.clauses.cues import cue
from slowwave.dream.distill.clauses.cut import BLANK, Clause, has_han
from slowwave.dream.distill.clauses.people import person_in
from slowwave.text.may import without_may

__all__ = ["KEPT", "Act", "Reading", "Scene", "readings", "same_sentence", "sentence_of"]

Act = Literal[
    "fact", "rule", "hold", "exception", "attach", "depend",
    "question", "hypothetical", "fiction", "material", "quote", "injection", "private", "greeting",
    "assent", "refusal", "venting", "sarcasm", "request", "third_person", "smalltalk", "opinion",
]  # fmt: skip
"""What a clause does. `attach` belongs to the fact before it, `depend` to whatever is around it."""

Turned = Literal["moved", "off", "release", "named", "without"]

KEPT: Final[frozenset[Act]] = frozenset({"fact", "rule", "hold", "exception", "attach"})
"""The acts that become claims."""

_FRONT: Final = frozenset({"ban", "bid", "task", "generic"})
"""Cues of the verb in front: adverbials before it ("from now on, …") are passed over."""

_MODAL: Final = frozenset({"ban", "bid", "generic", "grant", "hypo", "norm", "strong"})
"""Cues of a modal verb: the month of May is none."""

_NAMING: Final = ("name_lone", "name_role", "name_kin")
"""Ways in which a person is named whom a clause is about."""

_LATIN_WORD = re.compile(r"[a-z][a-z']+")
_VALUE = re.compile(
    r"\d|[a-z][\w-]*[._/:@-][\w]|[\u4e00-\u9fff]\s?[a-z]{2,}"
    r"|[零一二三四五六七八九十百千万两]{2,}"
    r"|[零一二三四五六七八九十百两]{1,6}[个点号月岁年楼亩米元块钱码度]"
)
_CODE_VALUE = re.compile(r"[a-z\d][\w-]*[._/:@-][\w./:-]*\w|\b\d{3,}\b|\b[a-z]+\d+\b|/\w+")


@dataclass
class Reading:
    """A clause, the languages it is read in, the cues asked so far, and what it was found to do.

    A clause that is not the speaker's `own` (a heading line) only tells what stands around it.
    `goal` is the importance of a goal told inside a request, 0 where there is none. `turn`: it
    tells that a plan was moved or called off, that what was stopped may go on, who the speaker
    is, or what he does without.
    """

    clause: Clause
    zh: bool = True
    en: bool = True
    act: Act = "depend"
    own: bool = True
    known: dict[str, bool] = field(default_factory=dict)
    front: str | None = None
    goal: int = 0
    turn: Turned | None = None

    @property
    def folded(self) -> str:
        """The form cues are matched on."""
        return self.clause.folded

    def has(self, name: str) -> bool:
        """Whether the cue `name` of the clause's language(s) matches."""
        found = self.known.get(name)
        if found is None:
            found = (self.zh and self._zh(name)) or (self.en and self._en(name))
            self.known[name] = found
        return found

    def _zh(self, name: str) -> bool:
        pattern = cue("zh", name)
        return pattern is not None and pattern.search(self.clause.folded) is not None

    def _en(self, name: str) -> bool:
        pattern = cue("en", name)
        if pattern is None:
            return False
        words = self._front() if name in _FRONT else self.folded
        return pattern.search(without_may(words) if name in _MODAL else words) is not None

    def _front(self) -> str:
        if self.front is None:
            lead = cue("en", "lead")
            self.front = lead.sub("", self.folded, count=1) if lead else self.folded
        return self.front

    def any(self, *names: str) -> bool:
        """Whether any of these cues matches."""
        return any(self.has(name) for name in names)

    def count(self, *names: str) -> int:
        """How many of these cues match."""
        return sum(self.has(name) for name in names)

    def has_value(self) -> bool:
        """Whether there is a number, a code or a name in Latin letters."""
        return _VALUE.search(self.clause.folded) is not None

    def has_code(self) -> bool:
        """Whether there is a host, a path, an identifier or a long number."""
        return _CODE_VALUE.search(self.clause.folded) is not None

    def is_quote(self) -> bool:
        """Whether the clause is mostly somebody's quoted words."""
        return self.clause.folded.count(BLANK) > 0.6 * len(self.clause.folded)

    def has_name(self) -> bool:
        """Whether somebody is named as the one of whom the clause tells what people do."""
        patterns = [cue("en", name) for name in _NAMING] if self.en else []
        return any(p is not None and p.search(self.clause.text) is not None for p in patterns)

    def person_named(self) -> bool:
        """Whether the person of the clause is given by name rather than by role."""
        person = self.person()
        return bool(person) and not (person or "").startswith(("my ", "our ", "My ", "Our ", "我"))

    def person(self) -> str | None:
        """Who is named in the clause (see `clauses.people`)."""
        return person_in(self.clause.text, self.clause.folded)


@dataclass
class Scene:
    """What the message as a whole is; surveyed once, then read clause by clause.

    `material_from` and `real_from` are offsets (-1 = nowhere): where pasted material begins, and
    where, inside a story, the speaker turns to himself. `material_until` is where it ends when it
    stands in front of the request (0 = it does not).
    """

    speaker_is_other: bool = False
    person: bool = False
    fiction: bool = False
    venting: bool = False
    ironic: bool = False
    winks: bool = False
    disbelieved: bool = False
    masked: bool = False
    tainted: bool = False
    material_from: int = -1
    material_until: int = 0
    real_from: int = -1


def readings(clauses: Sequence[Clause]) -> list[Reading]:
    """Clauses ready for cues, each with the languages it is read in."""
    found = []
    for clause in clauses:
        zh = has_han(clause.folded)
        latin = len(_LATIN_WORD.findall(clause.folded))
        found.append(Reading(clause, zh=zh, en=not zh or latin >= 2))
    return found


def sentence_of(clauses: Sequence[Reading], index: int) -> list[Reading]:
    """All clauses of the sentence the clause at `index` stands in."""
    number = clauses[index].clause.sentence
    return [r for r in clauses if r.clause.sentence == number]


def same_sentence(clauses: Sequence[Reading], index: int) -> bool:
    """Whether the clause at `index` stands in one sentence with the one before it."""
    if index == 0:
        return False
    return clauses[index - 1].clause.sentence == clauses[index].clause.sentence
