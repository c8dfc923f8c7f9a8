"""What distilling remembers from turn to turn: the open proposal, who was named, what was asked."""

import re
from datetime import tzinfo

from slowwave.dream.distill.acts.agree import Proposal, proposal_of
from slowwave.dream.distill.clauses.cues import cue
from slowwave.dream.distill.clauses.cut import Clause, fold, split
from slowwave.dream.distill.clauses.people import person_in
from slowwave.dream.distill.statements.claims import evidence_of
from slowwave.dream.distill.statements.talk import question_of
from slowwave.model import Claim, Event, Evidence, Rejected

__all__ = ["STAGE", "Desk", "look"]

STAGE = "distill"
_LONG_TURN = 400
"""Characters of a turn that is looked through for people: a page names too many."""

_PRONOUN = re.compile(r"[他她它]|\b(?:he|she|her|his|him|they|them)\b")


class Desk:
    """What distilling remembers from turn to turn: the open proposal and who was named last."""

    def __init__(self, zone: tzinfo) -> None:
        self.zone = zone
        self.claims: list[Claim] = []
        self.rejected: list[Rejected] = []
        self.proposal: dict[str, Proposal] = {}
        self.known: dict[str, Evidence] = {}
        self.asked: dict[str, Evidence] = {}

    def refuse(self, reason: str, text: str, event: Event) -> None:
        """Leaves a text out, with the reason."""
        self.rejected.append(Rejected(STAGE, reason, text[:300], event.id))


def look(desk: Desk, event: Event) -> None:
    """Remembers what the next turns of the session may refer to."""
    if event.origin == "agent" and event.kind == "message":
        proposal = proposal_of(event)
        if proposal is not None:
            desk.proposal[event.session] = proposal
        else:
            desk.proposal.pop(event.session, None)
        _look_for_people(desk, event)
    elif event.origin in ("owner", "other"):
        desk.proposal.pop(event.session, None)
        desk.asked.pop(event.session, None)
        span = question_of(event) if event.origin == "other" and len(event.text) < 400 else None
        if span is not None:
            desk.asked[event.session] = evidence_of(event, *span)
        if event.origin == "owner":
            _look_for_people(desk, event)


def _look_for_people(desk: Desk, event: Event) -> None:
    """Who was named last by either side; a turn of the owner without a name ends it."""
    if len(event.text) > _LONG_TURN:
        return
    folded = fold(event.text)
    named = [_mention(event, c) for c in split(event.text, folded)]
    people = [mention for mention in named if mention]
    if event.origin == "agent":
        if people:
            desk.known.setdefault(event.session, people[-1])
        return
    if people:
        desk.known[event.session] = people[-1]
    elif not _PRONOUN.search(folded) and not any(
        _by_authority(c) for c in split(event.text, folded)
    ):
        desk.known.pop(event.session, None)


def _mention(event: Event, clause: Clause) -> Evidence | None:
    """Whoever a clause is about, as the evidence a later "she" is traced to."""
    name = None if _by_authority(clause) else person_in(clause.text, clause.folded)
    start = event.text.find(name, clause.start) if name else -1
    return evidence_of(event, start, start + len(name)) if name and start >= 0 else None


def _by_authority(clause: Clause) -> bool:
    """ "The doctor says …" is about whom he speaks of, not about the doctor."""
    patterns = (cue("zh", "authority"), cue("en", "authority"))
    return any(p is not None and p.search(clause.folded) is not None for p in patterns)
