"""Lessons from the agent's own messages, as a model reads them (R4): its quotes must stand there.

Beside the patterns of `lessons.marked`, never in their place: what both find is one lesson, and
all that refuses a marked lesson refuses a proposed one.
"""

from collections.abc import Sequence

import msgspec

from slowwave.dream.distill.lessons.marked import AT_MOST, Category, is_own
from slowwave.dream.distill.model.chunks import Piece, shown_of
from slowwave.dream.distill.statements.claims import evidence_of
from slowwave.dream.distill.subject import AGENT
from slowwave.dream.prompts.instructions import instructions
from slowwave.dream.prompts.quotes import find_quote, inside
from slowwave.errors import ModelError
from slowwave.model import Ask, Claim, Event, Rejected, text_hash
from slowwave.modelling import Asker, list_schema
from slowwave.text.entities import find_entities
from slowwave.text.noise import knowledge_spans
from slowwave.text.polarity import is_negated

__all__ = ["LEAST_CHARS", "Lesson", "Proposed", "ask_about", "propose"]

STAGE = "lessons"
LEAST_CHARS = 60
"""Characters of a message from which on it may tell a lesson: "Done." is not worth a question."""
LEAST_IMPORTANCE = 40
MAX_TOKENS = 1_500
CONFIDENCE = 0.7
_MARK = 6


class Lesson(msgspec.Struct, frozen=True):
    """What a model proposes."""

    quote: str
    category: Category
    text: str
    importance: int = 60


class Proposed(msgspec.Struct, frozen=True):
    """The lessons that a model found, and what of its answers was refused."""

    claims: tuple[Claim, ...] = ()
    rejected: tuple[Rejected, ...] = ()


def propose(events: Sequence[Event], asker: Asker) -> Proposed:
    """The lessons of the agent's messages. What fails is counted: the patterns read as well."""
    claims: list[Claim] = []
    rejected: list[Rejected] = []
    for event in events:
        ask = ask_about(event)
        if ask is None or asker.gave_up:
            continue
        try:
            answer = asker.items(ask, Lesson, once=True)
        except ModelError as error:
            reason = f"the model was not asked or did not answer ({type(error).__name__})"
            rejected.append(Rejected(STAGE, reason, "", event.id))
            continue
        for item in answer.items[: 2 * AT_MOST]:
            made = _claim(item, event)
            (claims if isinstance(made, Claim) else rejected).append(made)  # type: ignore[arg-type]
    return Proposed(tuple(claims), tuple(rejected))


def ask_about(event: Event) -> Ask | None:
    """The question about one message; None for one that can tell no lesson."""
    if not is_own(event):
        return None
    words = shown_of(Piece(event, 0, len(event.text)))
    if len(words) < LEAST_CHARS:
        return None
    mark = text_hash(event.id)[:_MARK]
    while mark in words:
        mark = text_hash(mark)[:_MARK]
    return Ask(
        purpose="lessons",
        system=instructions("lessons"),
        user="\n".join(("MESSAGE", f"<<{mark}", words, f"{mark}>>")),
        schema=list_schema(Lesson),
        max_tokens=MAX_TOKENS,
    )


def _claim(item: Lesson, event: Event) -> Claim | Rejected:
    """The lesson as a claim on the very words; or why it is none."""
    span = find_quote(event.text, item.quote)
    reason = ""
    if span is None:
        reason = "unsupported: quote not found"
    elif not inside(span, knowledge_spans(event.text), event.text):
        reason = "quoted material"
    elif not 0 <= item.importance <= 100 or item.importance < LEAST_IMPORTANCE:
        reason = "of no importance"
    if reason or span is None:
        return Rejected(STAGE, reason, item.text[:300], event.id)
    text = item.text.strip()
    return Claim(
        kind="lesson", subject=AGENT, text=text, evidence=(evidence_of(event, *span),),
        entities=tuple(dict.fromkeys(entity.text for entity in find_entities(text))),
        importance=item.importance, confidence=CONFIDENCE, negated=is_negated(text),
        rule=f"lesson:{item.category}",
    )  # fmt: skip
