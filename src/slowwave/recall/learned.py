"""Lessons for a prompt: what the agent learned from its own work, where the task calls for it (R4).

Whether a question can be answered (`answerable`) is another matter: "push my branch" asks nothing,
and yet the agent should remember what went wrong the last time. So a lesson that fits goes in
beside what was found, a few of them, below clear hits.
"""

from collections.abc import Mapping, Sequence

from slowwave.model import Memory
from slowwave.recall import rank
from slowwave.recall.found import Found
from slowwave.recall.question import Asked

__all__ = ["MOST", "fitting", "with_lessons"]

MOST = 3
"""Lessons for one question."""

SCORE = 0.45
"""Score of a lesson that fits: it goes into a prompt, below clear hits."""

HELD = 0.2
"""Share of what the question asks for that a lesson's own words hold."""

NEAR = 0.1
"""Likeness from which such a lesson fits, 0-1 in the embedder's range: about nothing else."""

NEAREST = 0.45
"""Likeness from which a lesson fits without a word in common."""


def fitting(found: Sequence[Found], asked: Asked) -> list[Found]:
    """The lessons among what was found that fit the question, best first."""
    held = {each.unit.id: _held(each, asked) for each in found if _is_lesson(each)}
    lessons = [each for each in found if each.unit.id in held and _fits(each, held, asked)]
    lessons.sort(key=lambda each: (-held[each.unit.id], -each.part.cosine, each.unit.id))
    return lessons[:MOST]


def with_lessons(found: Sequence[Found], lessons: Sequence[Found]) -> list[Found]:
    """`found` and the lessons, which have at least `SCORE`; best first.

    A lesson stands for the message it was learned from.
    """
    told = {span.event_id for each in lessons if isinstance(each.unit, Memory)
            for span in each.unit.evidence}  # fmt: skip
    known = {each.unit.id: each for each in found if each.unit.id not in told}
    for lesson in lessons:
        each = known.setdefault(lesson.unit.id, lesson)
        each.given = max(SCORE, each.given or 0.0)
    return sorted(known.values(), key=lambda each: (-each.score, each.unit.id))


def _is_lesson(each: Found) -> bool:
    return isinstance(each.unit, Memory) and each.unit.kind == "lesson" and not each.over


def _held(each: Found, asked: Asked) -> float:
    """The share of what is asked that the lesson's own words hold. Days are none of it."""
    if not asked.matter:
        return 0.0
    held = rank.held(asked.matter, each.unit.text)
    return sum(held) / len(held)


def _fits(each: Found, held: Mapping[str, float], asked: Asked) -> bool:
    words = held[each.unit.id] >= HELD
    if each.part.vector is None:
        return words
    likeness = rank.likeness(each.part.cosine, rank.calibration(asked.embedder, asked.share))
    return likeness >= NEAREST or (words and likeness >= NEAR)
