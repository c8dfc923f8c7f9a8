"""Whom a statement is about: the user, the agent, the world, or somebody by the name that was said.

A name is used only when it was said; a kin or role term stands as it was said ("我妈", "my
daughter"). A pronoun is traced to the last person named before it, and when there is none it stays
the pronoun: never guessed (L4).
"""

import re
from collections.abc import Sequence
from typing import Final

from slowwave.dream.distill_acts import Reading
from slowwave.dream.distill_cues_en import KIN as KIN_EN
from slowwave.dream.distill_cues_zh import KIN as KIN_ZH
from slowwave.dream.distill_people import called_in, kin_in, person_in
from slowwave.model import USER

__all__ = ["AGENT", "WORLD", "subject_of"]

AGENT: Final = "agent"
WORLD: Final = "world"

_I_FIRST = re.compile(r"^[^我他她它你]{0,8}我(?!(?:们|家|的)?(?:家)?(?:那|这|的)?(?:只|隻|个|位)?(?:" + KIN_ZH + "| ?" + KIN_EN + r"))|^(?:so |and |but |ok |anyway |well |oh |yes |no |also |now |since |because |though )*(?:i|i'm|im|i've|we|we're|we've|me and)\b")
_PRONOUN = re.compile(r"(?:^|[，,\s])([他她它](?:们)?|人家|对方)|[给跟对约找让帮发]([他她它])|\b(he|she|they|him|her|them|it)\b")


def subject_of(group: Sequence[Reading], earlier: Sequence[Reading], known: Sequence[str]) -> str:
    """The subject of a group of statement clauses.

    `earlier` are the clauses before it in the message, `known` people named shortly before (most
    recent last). The first clause that names anybody decides.
    """
    for index, reading in enumerate(group):
        folded = reading.clause.folded
        first = _I_FIRST.search(folded)
        if first and (reading.any("is", "does", "did", "i")):
            return USER
        person = person_in(reading.clause.text, folded)
        if person:
            return _better_name(person, group)
        if reading.has("i") or reading.has("mine"):
            return USER
        pronoun = _PRONOUN.search(folded)
        if pronoun and reading.has("he"):
            return _trace(pronoun, earlier, known)
    return _impersonal(group)


def _better_name(person: str, group: Sequence[Reading]) -> str:
    """A kin term gives way to the name said of the same person a clause later."""
    for reading in group:
        name = called_in(reading.clause.text, reading.clause.folded)
        if name:
            return name
    return person


def _trace(pronoun: re.Match[str], earlier: Sequence[Reading], known: Sequence[str]) -> str:
    for reading in reversed(earlier):
        person = person_in(reading.clause.text, reading.clause.folded) or kin_in(
            reading.clause.text, reading.clause.folded
        )
        if person:
            return person
    if known:
        return known[-1]
    word = next(g for g in pronoun.groups() if g)
    return WORLD if word in ("它", "it", "they") else word


def _impersonal(group: Sequence[Reading]) -> str:
    """No person at all: facilities and norms belong to the world, states and plans to the user."""
    if any(r.has("env") for r in group) and not any(r.any("day", "body", "pref") for r in group):
        return WORLD
    return USER
