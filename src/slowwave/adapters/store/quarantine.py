"""Answers of a model in quarantine and forgetting: pure, for every store.

They are kept as they came, so words may stand in them in the escapes of JSON.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from slowwave.adapters.store.lineage import Lineage, ids_in
from slowwave.model import Erased, RawAnswer, StoredText
from slowwave.text.escapes import readings
from slowwave.text.signature import same_words, seal_of


def goes(answer: RawAnswer, lineage: Lineage) -> bool:
    """Whether an answer names or says what is forgotten."""
    named = ids_in(_payload(answer)) & (lineage.gone | lineage.redactions.keys())
    return bool(named) or any(map(lineage.says, _words(answer)))


def admitted(answers: Sequence[RawAnswer], known: Sequence[Erased]) -> list[RawAnswer]:
    """The answers without those that hold what was forgotten while they were on their way."""
    if not known:
        return list(answers)
    gone = {one for item in known for one in (*item.receipt.event_ids, *item.receipt.memory_ids)}
    seals = [seal_of(item.receipt.tombstone) for item in known]
    return [
        answer
        for answer in answers
        if not ids_in(_payload(answer)) & gone
        and not any(same_words(seal, text) for seal in seals for text in _words(answer))
    ]


def oldest_kept(answers: Sequence[RawAnswer], days: int) -> datetime | None:
    """The moment before which answers are dropped when these are added; None for never."""
    if not days or not answers:
        return None
    return max(answer.ts for answer in answers) - timedelta(days=days)


def texts_of(answer: RawAnswer) -> list[StoredText]:
    """What an answer says. Never new evidence, whenever it came: so without a moment."""
    return [StoredText("answers of a model", answer.id, text) for text in _words(answer)]


def _words(answer: RawAnswer) -> tuple[str, ...]:
    return (*readings(answer.text), *readings(answer.reason))


def _payload(answer: RawAnswer) -> bytes:
    return msgspec.json.encode(_words(answer))
