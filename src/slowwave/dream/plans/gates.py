"""Gates that refuse: what stops a plan before it changes anything (promise 4).

Small named checks over a plan and what it would leave. One that is not passed makes the dream
refused: nothing is changed, and the gate says what was wrong and with which change.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from slowwave.model import Add, Change, Gate, Memory, Supersede
from slowwave.settings import DreamSettings
from slowwave.text.counting import plural
from slowwave.text.entities import find_entities, number_value
from slowwave.text.tokens import estimate

__all__ = ["GATES", "Proposal", "judge", "refused"]

COUNTED = frozenset({"number", "version", "amount"})


class Proposal(msgspec.Struct, frozen=True, dict=True):
    """A plan under judgement: its changes, what is known before it, and the days it spans."""

    changes: Sequence[Change]
    known: Sequence[Memory]
    settings: DreamSettings
    days: int = 1

    @cached_property
    def result(self) -> Mapping[str, Memory]:
        """All memories as the plan would leave them."""
        left = {memory.id: memory for memory in self.known}
        left.update((change.memory_id, change.after) for change in self.changes)
        return left


def judge(proposal: Proposal) -> tuple[Gate, ...]:
    """The verdict of every gate, in their order."""
    return tuple(gate(proposal) for gate in GATES)


def refused(gates: Sequence[Gate]) -> Gate | None:
    """The first gate that is not passed."""
    return next((gate for gate in gates if not gate.ok), None)


def shrink(proposal: Proposal) -> Gate:
    """No dream may close more than a set share of the active memories without successors.

    What ends by its own date does not count, nor what another memory takes the place of.
    """
    limit = proposal.settings.gates
    active = sum(memory.status == "active" for memory in proposal.known)
    lost = [change.id for change in proposal.changes if _closes(change, proposal.result)]
    share = len(lost) / active if active else 0.0
    detail = (
        f"closes {len(lost)} of {active} active memories ({share:.0%}, limit {limit.shrink:.0%})"
    )
    return Gate("shrink", active < limit.shrink_from or share <= limit.shrink, detail)


def _closes(change: Change, result: Mapping[str, Memory]) -> bool:
    before, after = change.before, change.after
    if before is None or before.status != "active" or after.status == "active":
        return False
    by_date = after.status == "retired" and change.route == "expiry"
    replaced = isinstance(change, Supersede) and _stands(after.superseded_by, result)
    return not by_date and not replaced


def _stands(memory_id: str | None, result: Mapping[str, Memory]) -> bool:
    """Whether a memory is there, or one that took its place, or what it says ended by its date."""
    seen: set[str] = set()
    while memory_id is not None and memory_id in result and memory_id not in seen:
        seen.add(memory_id)
        heir = result[memory_id]
        if heir.superseded_by is None:
            return heir.status in ("active", "candidate") or heir.valid_to is not None
        memory_id = heir.superseded_by
    return False


def last_evidence(proposal: Proposal) -> Gate:
    """No quote of an active memory is dropped, unless another memory keeps it."""
    kept = {
        (span.event_id, span.start, span.end)
        for change in proposal.changes
        for span in change.after.evidence
    }
    for change in proposal.changes:
        for span in change.before.evidence if change.before else ():
            if (span.event_id, span.start, span.end) not in kept:
                return Gate(
                    "last_evidence", False, f"change {change.id} drops the words “{span.quote}”"
                )
    return Gate("last_evidence", True, "no evidence is dropped")


def numbers(proposal: Proposal) -> Gate:
    """No number of a memory changes while it claims to say the same."""
    for change, before in _reworded(proposal.changes):
        lost = _numbers(before) - _numbers(change.after)
        if lost:
            detail = f"change {change.id} loses {', '.join(sorted(lost))}"
            return Gate("numbers", False, detail)
    return Gate("numbers", True, "no number changes inside a memory")


def negation(proposal: Proposal) -> Gate:
    """No memory turns into its opposite while it claims to say the same."""
    for change, before in _kept(proposal.changes):
        if change.after.negated != before.negated:
            return Gate("negation", False, f"change {change.id} flips a negation")
    return Gate("negation", True, "no negation is flipped inside a memory")


def loaded_size(proposal: Proposal) -> Gate:
    """What must be loaded into every context (pinned memories) does not outgrow its budget.

    Where a person pinned more than that, a dream that adds nothing to it still passes.
    """
    budget = proposal.settings.loaded_tokens
    size, before = _loaded(proposal.result.values()), _loaded(proposal.known)
    detail = f"pinned memories take {size} of {budget} tokens"
    if size > before:
        detail += f", {before} before"
    return Gate("loaded_size", size <= max(budget, before), detail)


def _loaded(memories: Iterable[Memory]) -> int:
    return sum(
        estimate(memory.text) for memory in memories if memory.pinned and memory.status == "active"
    )


def runaway(proposal: Proposal) -> Gate:
    """Not more changes than the setting allows for each day that is dreamed."""
    limit = proposal.settings.gates.changes_per_day * max(1, proposal.days)
    count = len(proposal.changes)
    return Gate("runaway", count <= limit, f"{plural(count, 'change')}, at most {limit}")


GATES: tuple[Callable[[Proposal], Gate], ...] = (
    shrink,
    last_evidence,
    numbers,
    negation,
    loaded_size,
    runaway,
)


def _kept(changes: Iterable[Change]) -> Iterator[tuple[Change, Memory]]:
    """Changes of memories that are there, with how each stood.

    No change makes a memory say something else: a new state is another memory, and a supersede.
    What a person wrote by hand may say anything.
    """
    for change in changes:
        if not isinstance(change, Add) and change.route != "person":
            yield change, change.before


def _reworded(changes: Iterable[Change]) -> Iterator[tuple[Change, Memory]]:
    """Those of them that have other words now."""
    for change, before in _kept(changes):
        if change.after.text != before.text:
            yield change, before


def _numbers(memory: Memory) -> set[str]:
    """Its numbers by value, so that `1,200` and `1200` are one. Dates are resolved elsewhere."""
    found = set()
    for entity in find_entities(memory.text):
        if entity.kind in COUNTED:
            value = number_value(entity.text)
            found.add(entity.text if value is None else f"{value:g}")
    return found
