"""A candidate on its way, and the hit it becomes."""

from dataclasses import dataclass, field

from slowwave.model import USER, Event, Hit, Memory
from slowwave.recall import rank
from slowwave.recall.question import Asked
from slowwave.text.related import related

OWN_WORDS = 0.7
"""Factor on what a memory's own words say beside the judgement of its turns, which knows also what
was said around them. Chosen on three conversations of LoCoMo."""


@dataclass(slots=True)
class Found:
    """One candidate. `relevance` is its weighted sum, later its share of the best sum (0–1).

    `asked_of`: the one asked about said it. `lift` is what speaks for it besides (`evidence`).
    `lent` is the score of an event it stands for, `best` that event. `over`: it is the
    words of what does not count any more. `also` are events with the same words as this one,
    newest first, by id with their references. In a prompt (`prompt.fit`) `chance` is how likely
    the question can be answered at all, and `given` the score that follows from it; `meaning` is
    how near it comes in meaning alone, -1–1 (`centred`), None where that is not known.
    """

    unit: Memory | Event
    part: rank.Part
    relevance: float
    factor: float = 1.0
    bonus: float = 0.0
    asked_of: bool = False
    lift: float = 0.0
    coverage: float = 0.0
    strength: float = 0.0
    lent: float = 0.0
    best: str = ""
    over: bool = False
    also: dict[str, str] = field(default_factory=dict)
    chance: float | None = None
    meaning: float | None = None
    given: float | None = None

    @property
    def own(self) -> float:
        """How well its own words and vector match, 0–1."""
        return self.relevance * self.strength

    @property
    def match(self) -> float:
        """How well it answers, whatever became of it, 0–1."""
        own = self.relevance * self.strength
        if isinstance(self.unit, Memory):
            own *= OWN_WORDS
            return own if own > self.lent else self.lent
        return own

    @property
    def score(self) -> float:
        """The hit's score, 0–1."""
        return min(1.0, self.match * self.factor) if self.given is None else self.given


def memory_hit(each: Found, memory: Memory, asked: Asked) -> Hit:
    """The hit of a memory, its references best first."""
    # The turn that matched the question comes first, then the newest words.
    spans = sorted(
        memory.evidence,
        key=lambda span: (
            span.event_id != each.best,
            -(span.ts or memory.last_seen).timestamp(),
        ),
    )
    speakers = {span.speaker for span in spans}
    return Hit(
        id=memory.id,
        type="memory",
        kind=memory.kind,
        text=memory.text,
        score=round(each.score, 4),
        ts=memory.last_seen.astimezone(asked.zone),
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        status=memory.status,
        subject=memory.subject,
        speaker=spans[0].speaker if len(speakers) == 1 else None,
        refs=tuple(dict.fromkeys(span.ref or span.event_id for span in spans)),
        scores=explained(each) if asked.query.explain else {},
    )


def event_hit(each: Found, event: Event, asked: Asked) -> Hit:
    """The hit of a raw event."""
    return Hit(
        id=event.id,
        type="event",
        kind=event.kind,
        text=event.text,
        score=round(each.score, 4),
        ts=event.ts,
        subject=event_subject(event),
        speaker=event.speaker,
        session=event.session,
        refs=tuple(dict.fromkeys((event.ref or event.id, *each.also.values()))),
        scores=explained(each) if asked.query.explain else {},
    )


def event_subject(event: Event) -> str:
    """Who said it: the owner whatever name a channel gave, else the speaker, else the origin."""
    return USER if event.origin == "owner" else event.speaker or event.origin


def explained(each: Found) -> dict[str, float]:
    """What the score is made of, for --explain."""
    values = {
        "own": each.part.own,
        "around": each.part.around,
        "vector": each.part.vector or 0.0,
        "cosine": each.part.cosine,
        "bonus": each.bonus,
        "lift": each.lift,
        "share": each.relevance,
        "coverage": each.coverage,
        "strength": each.strength,
        "lent": each.lent,
        "factor": each.factor,
    }
    if each.chance is not None:
        values["chance"] = each.chance
    if each.meaning is not None:
        values["meaning"] = each.meaning
    return {name: round(value, 4) for name, value in values.items()}


def words_of(unit: Memory | Event) -> str:
    """The words that a question may be answered by."""
    if isinstance(unit, Memory):
        return " ".join((unit.text, *unit.entities, unit.subject, related(unit.text)))
    return f"{unit.speaker or ''} {unit.text[:2000]} {related(unit.text)}"


def share_quoted(event: Memory | Event, memory: Memory | Event) -> float:
    """How much of an event's text a memory quotes, 0–1."""
    if not isinstance(memory, Memory):
        return 0.0
    spans = [span for span in memory.evidence if span.event_id == event.id]
    return sum(span.end - span.start for span in spans) / max(1, len(event.text.strip()))
