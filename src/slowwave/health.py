"""`doctor`: small named checks, each telling what is wrong, where, and what to do next."""

from collections.abc import Callable

import msgspec

from slowwave.ledger import is_quoted
from slowwave.model import Memory, Version
from slowwave.ports import Store
from slowwave.text.counting import plural

__all__ = ["CHECKS", "Problem", "diagnose"]

BATCH = 500
"""Memories whose events are fetched at once."""


class Problem(msgspec.Struct, frozen=True):
    """One finding: the check that found it, what is wrong, and what to do."""

    check: str
    detail: str
    hint: str


def diagnose(store: Store, space: str) -> tuple[Problem, ...]:
    """All problems of a space, in the order of CHECKS; empty when it is sound."""
    return tuple(problem for check in CHECKS for problem in check(store, space))


def store_is_sound(store: Store, _space: str) -> list[Problem]:
    """The store's own integrity check finds nothing."""
    return [
        Problem("store", detail, "restore the database from a backup, or export what can be read")
        for detail in store.check()
    ]


def memories_have_evidence(store: Store, space: str) -> list[Problem]:
    """No memory without the words it rests on (promise 2)."""
    return [
        Problem("evidence", f"memory {memory.id} has no evidence", _SHOW.format(memory.id))
        for memory in store.memories(space)
        if not memory.evidence
    ]


def quotes_are_exact(store: Store, space: str) -> list[Problem]:
    """Every quote is byte-equal to its span of the journal, code points counted."""
    memories = store.memories(space)
    problems = []
    for at in range(0, len(memories), BATCH):
        part = memories[at : at + BATCH]
        wanted = sorted({span.event_id for memory in part for span in memory.evidence})
        events = store.events_by_id(space, wanted)
        for memory in part:
            for span in memory.evidence:
                event = events.get(span.event_id)
                if event is None:
                    detail = f"memory {memory.id} quotes event {span.event_id}, which is not there"
                elif not is_quoted((span,), events):
                    detail = (
                        f"memory {memory.id} quotes words that event {span.event_id} "
                        f"does not hold at {span.start}-{span.end}"
                    )
                else:
                    continue
                problems.append(Problem("quotes", detail, _SHOW.format(memory.id)))
    return problems


def versions_are_whole(store: Store, space: str) -> list[Problem]:
    """Versions count 1, 2, 3 … and the memory as it stands is the last of them."""
    problems = []
    for memory in store.memories(space):
        versions = store.versions(space, memory.id)
        numbers = [version.memory.version for version in versions]
        if not versions:
            detail = f"memory {memory.id} has no versions"
        elif numbers != list(range(1, len(numbers) + 1)):
            detail = f"memory {memory.id} has versions {', '.join(map(str, numbers))}"
        elif _settled(versions[-1].memory) != _settled(memory):
            detail = f"memory {memory.id} is not what its version {numbers[-1]} says"
        else:
            continue
        problems.append(Problem("versions", detail, f"`slowwave history {memory.id}` shows them"))
    return problems


def dreams_are_applied_whole(store: Store, space: str) -> list[Problem]:
    """An applied dream's approved changes are all there, and no other dream left any."""
    present = _versions_by_dream(store, space)
    problems = []
    for head in store.dreams(space):
        made = present.pop(head.dream_id, {})
        dream = store.dream(space, head.dream_id)
        if dream is None:
            detail = f"dream {head.dream_id} is listed but cannot be read"
        elif dream.status == "applied":
            approved = [change.id for change in dream.changes if change.approved is not False]
            missing = [change_id for change_id in approved if change_id not in made]
            if not missing:
                continue
            detail = (
                f"dream {dream.dream_id} is applied, but {len(missing)} of its {len(approved)} "
                f"changes are not there, first {missing[0]}"
            )
        elif made and dream.status != "rolled_back":
            detail = f"dream {dream.dream_id} is {dream.status}, but {len(made)} changes are there"
        else:
            continue
        problems.append(Problem("dreams", detail, f"`slowwave dreams show {head.dream_id}`"))
    return problems + [
        Problem("dreams", f"{len(made)} changes name dream {dream_id}, which is not there", _BACKUP)
        for dream_id, made in present.items()
    ]


def successors_exist(store: Store, space: str) -> list[Problem]:
    """`superseded_by` points to a memory of the same space, and in the end to one that stands."""
    following = {memory.id: memory.superseded_by for memory in store.memories(space)}
    problems = []
    for memory_id, successor in following.items():
        path = {memory_id}
        while successor is not None and successor in following and successor not in path:
            path.add(successor)
            successor = following[successor]
        if successor is None:
            continue
        what = "itself in a circle" if successor in path else f"{successor}, which is not there"
        detail = f"memory {memory_id} is superseded by {what}"
        problems.append(Problem("successors", detail, _SHOW.format(memory_id)))
    return problems


def nothing_was_given_up(store: Store, space: str) -> list[Problem]:
    """No part of a night waits for a model that could not do it (N16)."""
    # Everybody who opens a memory imports this file.
    from slowwave.modelling import unfinished  # noqa: PLC0415

    return [
        Problem(
            "model",
            f"{plural(len(part.events), 'event')} from {part.events[0]} on are not dreamed: "
            f"{part.model} could not do them in {plural(part.attempts, 'attempt')}: {part.reason}",
            "dream them with another model, or with `--distiller rules`",
        )
        for part in unfinished.stuck(store, space)
        if part.state == "given_up"
    ]


CHECKS: tuple[Callable[[Store, str], list[Problem]], ...] = (
    store_is_sound,
    memories_have_evidence,
    quotes_are_exact,
    versions_are_whole,
    dreams_are_applied_whole,
    successors_exist,
    nothing_was_given_up,
)

_SHOW = "`slowwave why {}` shows its words; roll back the dream that made it"
_BACKUP = "restore the database from a backup"


def _settled(memory: Memory) -> Memory:
    """Without the counters that recall raises outside of dreams."""
    return msgspec.structs.replace(memory, access_count=0, last_access=None)


def _versions_by_dream(store: Store, space: str) -> dict[str, dict[str, Version]]:
    found: dict[str, dict[str, Version]] = {}
    for memory in store.memories(space):
        for version in store.versions(space, memory.id):
            found.setdefault(version.dream_id, {})[version.change_id] = version
    return found
