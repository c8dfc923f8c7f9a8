"""Where a model has a say in reconcile: pairs the rules are unsure of, its rulings, the guard.

A ruling takes the place of what the rules would do, and only there; what the guard forbids, the
rules decide as if nobody had been asked. Each change that a ruling made says so in its reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from slowwave.dream.compare.relation import Comparison
from slowwave.dream.reconcile.bench import Bench, Entry
from slowwave.dream.reconcile.judge.rulings import (
    SURE,
    Doubt,
    Meeting,
    Ruling,
    doubt_of,
    end_forbidden,
    joint_text,
    merge_forbidden,
)
from slowwave.dream.reconcile.keys import apart
from slowwave.dream.reconcile.verdict import (
    GROUNDED,
    Ground,
    Match,
    comparable,
    said_at,
    verdict_of,
)
from slowwave.model import Claim, Rejected

__all__ = ["Bar", "Near", "judged_by"]

STAGE = "judge"
JUDGED = "judged"
"""The score that marks a change which a model's ruling made."""
BEYOND = 3
"""Memories without a word in common that a claim is laid beside."""

Cosine = Callable[[str, str], float | None]
Near = Callable[[str], Sequence[str]]
"""The ids of the memories whose vectors are nearest to a text, best first."""

_SAYS: Mapping[str, str] = {
    "same": "they say the same",
    "richer": "the new one says the same and more",
    "contradicts": "both cannot hold",
    "new": "both can hold",
}


class Bar:
    """Rulings for one run of reconcile, and what came of it.

    `doubts` are pairs without a ruling, `ruled` the keys of those with one, `vetoed` the rulings
    that the guard did not let through.
    """

    def __init__(
        self, rulings: Mapping[str, Ruling], cosine: Cosine, near: Near | None = None
    ) -> None:
        self.doubts: list[Doubt] = []
        self.ruled: list[str] = []
        self.vetoed: list[Rejected] = []
        self._rulings = rulings
        self._cosine = cosine
        self._near: Near = near or (lambda _text: ())

    def over(
        self, bench: Bench, claim: Claim, entry: Entry, found: Match | None, overlap: float
    ) -> Match | None:
        """What is done about a memory: as the rules have `found`, or as a model has ruled."""
        if found is not None and (found.verdict == "conflict" or _is_sure(found)):
            return found
        said = said_at(claim, bench.now)
        memory = entry.memory
        cosine = self._cosine(memory.text, claim.text)
        meeting = Meeting.of(claim, memory, said, cosine)
        days = (bench.day(said).isoformat(), bench.day(memory.last_seen).isoformat())
        doubt = doubt_of(meeting, days)
        if doubt is None:
            return found
        ruling = self._rulings.get(doubt.key)
        if ruling is None:
            self.doubts.append(doubt)
            return found
        self.ruled.append(doubt.key)
        scores = {"overlap": round(overlap, 4), JUDGED: 1.0}
        if cosine is not None:
            scores["cosine"] = round(cosine, 4)
        return self._done(meeting, entry, found, ruling, scores)

    def beyond(self, bench: Bench, claim: Claim, met: Sequence[Entry]) -> Iterator[Match]:
        """Memories that are near by their vectors and share no word: only a model can tell."""
        left = BEYOND
        for memory_id in self._near(claim.text):
            entry = bench.entry(memory_id)
            if entry is None or entry in met or not left:
                continue
            if apart(claim, entry.memory) or not comparable(claim, entry.memory):
                continue
            left -= 1
            match = self.over(bench, claim, entry, None, 0.0)
            if match is not None:
                yield match

    def _done(
        self, meeting: Meeting, entry: Entry, found: Match | None, ruling: Ruling,
        scores: dict[str, float],
    ) -> Match | None:  # fmt: skip
        reason = f"{judged_by(ruling)}: {_SAYS[ruling.relation]}"
        if ruling.relation == "new":
            return None
        scores["confidence"] = GROUNDED
        if ruling.relation == "contradicts":
            why = end_forbidden(meeting)
            if why:
                return self._refused(meeting, found, f"no end by the model: {why}")
            verdict = verdict_of(
                meeting.claim, entry.memory, Comparison("contradicts", "b", reason, GROUNDED),
                False, Ground(merge=False, end=reason, beside=True),
            )  # fmt: skip
            return verdict and Match(verdict, entry, reason, GROUNDED, False, scores)
        why = merge_forbidden(meeting)
        how = None if why else joint_text(meeting.claim, entry.memory, ruling.relation)
        if how is None:
            why = why or "each has details of its own"
            return self._refused(meeting, found, f"no merge by the model: {why}")
        return Match(how, entry, reason, GROUNDED, how == "update", scores)

    def _refused(self, meeting: Meeting, found: Match | None, reason: str) -> Match | None:
        claim = meeting.claim
        event_id = claim.evidence[0].event_id if claim.evidence else ""
        self.vetoed.append(Rejected(STAGE, reason, claim.text[:300], event_id))
        return found


def _is_sure(found: Match) -> bool:
    return found.confidence >= SURE and not found.loose


def judged_by(ruling: Ruling) -> str:
    """Who decided, and the question he was asked, as `model calls` lists it."""
    return f"judged by {ruling.model} (question {ruling.question[:12]})"
