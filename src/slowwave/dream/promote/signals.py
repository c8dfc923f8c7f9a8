"""Route signals: what people look for becomes lasting (O8; openclaw.md 2e).

Every gate is named for what it measures and tells its number: a memory that is declined says by
which gates, and by how much.
"""

from collections.abc import Iterable, Mapping
from datetime import date

import msgspec

from slowwave.dream.weigh.score import Score
from slowwave.dream.weigh.tally import Tally, score_of
from slowwave.model import Memory
from slowwave.settings import SignalSettings
from slowwave.text.counting import plural

__all__ = ["Signalled", "choose", "refusals"]


class Signalled(msgspec.Struct, frozen=True):
    """What the route says of one memory, and the components of its score."""

    accepted: bool
    reason: str
    scores: Mapping[str, float] = {}


def choose(
    memories: Iterable[Memory],
    tallies: Mapping[str, Tally],
    settings: SignalSettings,
    today: date,
) -> dict[str, Signalled]:
    """The route's answer for each memory that has a tally, by id.

    Of those that pass all gates the best are taken, by score, then recalls, then id; the others
    are told their rank and can be taken another night.
    """
    verdicts: dict[str, Signalled] = {}
    passed: list[tuple[float, int, str]] = []
    for memory in memories:
        tally = tallies.get(memory.id)
        if tally is None:
            continue
        score = score_of(tally, today)
        missed = refusals(tally, score, settings, today)
        reason = "; ".join(missed) or _praise(tally, score, settings)
        verdicts[memory.id] = Signalled(not missed, reason, score.as_dict())
        if not missed:
            passed.append((-score.total, -tally.recalls, memory.id))
    for rank, (_, _, memory_id) in enumerate(sorted(passed), 1):
        if rank > settings.limit:
            reason = f"ranked {rank}, and {settings.limit} are taken a night"
            found = verdicts[memory_id]
            verdicts[memory_id] = msgspec.structs.replace(found, accepted=False, reason=reason)
    return verdicts


def refusals(tally: Tally, score: Score, settings: SignalSettings, today: date) -> list[str]:
    """Every gate that is not passed, with its number; empty when all are."""
    missed = []
    if not tally.grounded:
        missed.append("its words are not to be found in the journal")
    if tally.signals < settings.signals_min:
        missed.append(f"{_sum(tally)}, {settings.signals_min} needed")
    if _spread(tally, settings) < settings.spread_min:
        missed.append(f"{_spread_text(tally, settings)}, {settings.spread_min} needed")
    age = (today - tally.last).days if tally.last else 0
    if settings.max_age_days and age > settings.max_age_days:
        missed.append(f"last came up {plural(age, 'day')} ago, more than {settings.max_age_days}")
    if score.total < settings.score:
        missed.append(f"score {score.total:.3f} is under {settings.score:g}")
    return missed


def _spread(tally: Tally, settings: SignalSettings) -> int:
    """Different questions; by the older rule the larger of them and the days of recall."""
    days = len(tally.recall_days) if settings.spread == "queries_or_days" else 0
    return max(len(tally.queries), days)


def _spread_text(tally: Tally, settings: SignalSettings) -> str:
    text = f"found by {plural(len(tally.queries), 'different question')}"
    if settings.spread == "queries_or_days":
        text += f" on {plural(len(tally.recall_days), 'day')}"
    return text


def _sum(tally: Tally) -> str:
    parts = (
        plural(tally.recalls, "recall"),
        f"{plural(tally.sightings, 'day')} seen",
        f"{tally.grounded} found again",
    )
    return f"{plural(tally.signals, 'signal')} ({', '.join(parts)})"


def _praise(tally: Tally, score: Score, settings: SignalSettings) -> str:
    return f"score {min(1.0, score.total):.3f}, {_sum(tally)}, {_spread_text(tally, settings)}"
