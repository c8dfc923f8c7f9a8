"""The weekly consolidation of a night: by the rules, and where they are unsure by its model (L10).

Helps `cycle`. The rules go through the week's pairs first; what they doubt is put to the model, a
few questions in all, and with what it decides they go through them once more. Whatever goes wrong,
the rules decide.
"""

from collections.abc import Collection, Mapping, Sequence

from slowwave.dream.consolidate import consolidate
from slowwave.dream.cycle.desk import Desk
from slowwave.dream.cycle.judge import Court
from slowwave.dream.cycle.late import Let
from slowwave.dream.reconcile.bench import Bench
from slowwave.dream.reconcile.judge.rulings import Doubt, Ruling
from slowwave.dream.reconcile.stage import reconcile, reconcile_ruled
from slowwave.model import Change, Claim, Memory

__all__ = ["consolidated"]


def consolidated(desk: Desk, known: Sequence[Memory], touched: Collection[str]) -> Let:
    """What the week's review changes among the memories that the night did not touch."""
    night = desk.night

    def reviewed(rulings: Mapping[str, Ruling] | None, doubts: list[Doubt]) -> tuple[Change, ...]:
        def compare(claim: Claim, memory: Memory) -> Sequence[Change]:
            if rulings is None:
                return reconcile(
                    [claim], [memory], dream_id=desk.dream_id, space=night.space, now=night.now,
                    cosine=night.cosine,
                ).changes  # fmt: skip
            bench = Bench([memory], desk.dream_id, night.space, night.now)
            found = reconcile_ruled(bench, [claim], night.cosine, rulings)
            doubts.extend(found.doubts)
            return found.changes

        return consolidate(known, touched, compare, night.now, dream_id=desk.dream_id)

    if night.mind is None:
        return Let(reviewed(None, []))
    court = Court(desk, night.mind.name)
    doubts: list[Doubt] = []
    changes = reviewed(court.rulings, doubts)
    if court.ask(doubts):
        changes = reviewed(court.rulings, [])
    return Let(changes, tuple(court.rejected), tuple(court.warnings))
