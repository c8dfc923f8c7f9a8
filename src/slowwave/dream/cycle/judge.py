"""Pairs that the rules are unsure of, put to the model of the night before its plan is made.

Helps `cycle` and `turn`. The claims are laid beside what is known by the rules first; the pairs
that they doubt go to the model, the likeliest first, some questions a dream. Each answer is kept by
its pairs and holds no words, so a night that was killed, or is planned again, decides the same
without asking. Whatever goes wrong, the rules decide.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from time import perf_counter

import msgspec

from slowwave.dream.cycle.desk import Desk
from slowwave.dream.likeness import Likeness
from slowwave.dream.reconcile.bench import Bench
from slowwave.dream.reconcile.judge import model as judge_model
from slowwave.dream.reconcile.judge.rulings import Doubt, Ruling
from slowwave.dream.reconcile.stage import Reconciled, reconcile_ruled
from slowwave.errors import ModelError
from slowwave.model import Claim, Memory, Rejected, text_hash
from slowwave.text.counting import plural

__all__ = ["Court", "Rulings", "reconciled", "rule"]

QUESTIONS = 3
"""Questions about pairs in one dream; pairs beyond them are the rules' to decide."""
ROUNDS = 2
"""How often it is looked for doubts: a ruling may bring two new statements together."""
LOOKED_AT = 24
"""Memories nearest to a claim among which it may meet one that shares no word with it."""
KEPT_DAYS = 90
"""Days that a ruling is kept, for plans that wait."""

LIST = "judged"
"""The id under which the rulings are kept, beside the checkpoints of dreams."""


class Rulings(msgspec.Struct, frozen=True):
    """What is decided of the pairs that were doubted, by their keys; what of the answers was
    refused; what failed.

    Without `by_pair` only the rules have a say. `mark` stands for the rulings: others give another
    plan.
    """

    by_pair: dict[str, Ruling] | None = None
    rejected: tuple[Rejected, ...] = ()
    warnings: tuple[str, ...] = ()
    mark: str = ""


class _Kept(msgspec.Struct, frozen=True):
    """The rulings of one question, as they are kept: by the keys of the pairs, without words."""

    day: str
    model: str
    instructions: str
    rulings: dict[str, Ruling]


def rule(desk: Desk, claims: Sequence[Claim], known: Sequence[Memory], after: str = "") -> Rulings:
    """What a model decides of these claims beside `known`.

    `after` stands for what the stages before left open (as in `Desk.stage`).
    """
    mind = desk.night.mind
    if mind is None:
        return Rulings()
    kept = desk.load(f"judge{after}", Rulings)
    if kept is not None:
        return kept
    began = perf_counter()
    court = Court(desk, mind.name)
    found = reconciled(desk, claims, known, court.rulings)
    doubted = {doubt.key for doubt in found.doubts}.union(found.ruled)
    for _ in range(ROUNDS):
        if not court.ask(found.doubts):
            break
        found = reconciled(desk, claims, known, court.rulings)
        doubted.update(found.ruled)
    by_pair = {key: court.rulings[key] for key in sorted(set(found.ruled))}
    parts = ",".join(f"{key} {ruling.relation}" for key, ruling in by_pair.items())
    mark = f"/{text_hash(parts)}" if parts else ""
    rulings = Rulings(by_pair, tuple(court.rejected), tuple(court.warnings), mark)
    if doubted:
        desk.note("judge", len(doubted), len(by_pair), began)
    if not rulings.warnings:  # what failed is tried again when the night is
        desk.save(f"judge{after}", rulings)
    return rulings


def reconciled(
    desk: Desk, claims: Sequence[Claim], known: Sequence[Memory], rulings: Mapping[str, Ruling]
) -> Reconciled:
    """The claims beside what is known, with these rulings."""
    night = desk.night
    bench = Bench(known, desk.dream_id, night.space, night.now)
    alike = night.cosine
    near = (
        partial(alike.near, night.space, limit=LOOKED_AT) if isinstance(alike, Likeness) else None
    )
    return reconcile_ruled(bench, claims, night.cosine, rulings, near)


class Court:
    """The rulings of one dream: those that are kept, and those that are asked for."""

    def __init__(self, desk: Desk, model: str) -> None:
        self.rulings: dict[str, Ruling] = {}
        self.rejected: list[Rejected] = []
        self.warnings: list[str] = []
        self._desk = desk
        self._model = model
        self._left = QUESTIONS
        self._asked: set[str] = set()
        self._read()

    def ask(self, doubts: Sequence[Doubt]) -> bool:
        """Puts doubts to the model; whether anything was decided by that."""
        asker = self._desk.asker
        fresh = {doubt.key: doubt for doubt in doubts if doubt.key not in self._asked}
        ordered = sorted(fresh.values(), key=lambda doubt: (-doubt.chance, doubt.key))
        before = len(self.rulings)
        while ordered and self._left and asker is not None and not asker.gave_up:
            some, ordered = ordered[: judge_model.PAIRS], ordered[judge_model.PAIRS :]
            self._left -= 1
            self._asked.update(doubt.key for doubt in some)
            try:
                judged = judge_model.judge(some, asker)
            except ModelError as error:
                self.warnings.append(
                    f"{self._model} did not compare {plural(len(some), 'pair')} of statements, "
                    f"the rules did: {error.message}"
                )
                break
            self.rejected += judged.rejected
            self.rulings.update(judged.rulings)
            self._keep(some, judged)
        return len(self.rulings) > before

    def _read(self) -> None:
        night = self._desk.night
        for payload in self._desk.store.stages(night.space, LIST).values():
            kept = _kept(payload)
            same = (self._model, judge_model.fingerprint())
            if kept is not None and (kept.model, kept.instructions) == same:
                self.rulings.update(kept.rulings)

    def _keep(self, asked: Sequence[Doubt], judged: judge_model.Judged) -> None:
        """Keeps what was decided, for other plans of the same events."""
        desk = self._desk
        if desk.dry or not judged.rulings:
            return
        _drop_old(desk)
        today = desk.night.now.date().isoformat()
        kept = _Kept(today, self._model, judge_model.fingerprint(), judged.rulings)
        name = text_hash(",".join(doubt.key for doubt in asked))
        desk.store.put_stage(desk.night.space, LIST, name, msgspec.json.encode(kept))


def _kept(payload: bytes) -> _Kept | None:
    try:
        return msgspec.json.decode(payload, type=_Kept)
    except msgspec.MsgspecError:  # of another version: asking again is always right
        return None


def _drop_old(desk: Desk) -> None:
    """Forgets the rulings of long ago: their plans were decided."""
    store, space = desk.store, desk.night.space
    first = (desk.night.now.date() - timedelta(days=KEPT_DAYS)).isoformat()
    payloads = store.stages(space, LIST)
    young = {
        name: payload
        for name, payload in payloads.items()
        if (kept := _kept(payload)) is not None and kept.day >= first
    }
    if len(young) < len(payloads):
        store.drop_stages(space, LIST)
        for name, payload in sorted(young.items()):
            store.put_stage(space, LIST, name, payload)
