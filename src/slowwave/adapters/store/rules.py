"""Rules that every store keeps the same way: storable text, index terms, ids, decided plans."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

import msgspec

from slowwave.errors import (
    AlreadyDecided,
    DreamError,
    InputError,
    NotFound,
    StalePlan,
    StoreError,
)
from slowwave.model import Change, Dream, DreamStatus, Erased, Event, Injection, Snapshot, short_id
from slowwave.ports import Phrase

_SURROGATES = re.compile("[\ud800-\udfff]")
_SEPARATORS = re.compile("[\x00-\x20\x7f]+")
_FOLD = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def storable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which UTF-8 cannot hold. Same length."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def storable_event(event: Event) -> Event:
    """The event with all its strings storable."""
    changed = {
        name: storable(value)
        for name in event.__struct_fields__
        if isinstance(value := getattr(event, name), str)
    }
    meta = {storable(key): storable(value) for key, value in event.meta.items()}
    return msgspec.structs.replace(event, meta=meta, **changed)


def tokens(text: str) -> list[str]:
    """Index terms as they are compared: split at ASCII blanks and controls, A-Z folded."""
    return [part.translate(_FOLD) for part in _SEPARATORS.split(storable(text)) if part]


def phrase_tokens(phrases: Iterable[Phrase]) -> list[list[str]]:
    """The tokens of each phrase, without the phrases that hold none and without repetitions."""
    split = (tuple(tokens(" ".join(phrase))) for phrase in phrases)
    return [list(phrase) for phrase in dict.fromkeys(split) if phrase]


def pick(what: str, prefix: str, found: list[str]) -> str:
    """The id a prefix stands for: an exact one, else the only one. Raises NotFound."""
    if prefix and prefix in found:
        return prefix
    if prefix and len(found) == 1:
        return found[0]
    if not prefix or not found:
        raise NotFound(
            f"no {what} {prefix!r}", f"list the ids first; any unique start of a {what} id will do"
        )
    shown = ", ".join(found[:3])
    raise NotFound(f"{prefix!r} may be more than one {what}: {shown}", "write more of the id")


def refuse_stale(change: Change, version: int | None) -> None:
    """StalePlan unless the change's `before` is the version that stands (None = no memory)."""
    if version != (None if change.before is None else change.before.version):
        raise StalePlan(
            f"memory {change.memory_id} changed after the plan was made", "plan the dream again"
        )
    if version is not None and change.after.version <= version:
        raise StoreError(f"change {change.id} does not raise the version of its memory")


def refuse_decided(dream_id: str, stands: str | None, wanted: DreamStatus) -> None:
    """AlreadyDecided when a dream that was applied would become a plan again.

    Two processes may dream the same night at once: the slower one must not take back what the
    quicker one did (`stands` is the status of the stored dream, None if there is none).
    """
    if stands is None or wanted in _AFTER.get(stands, (wanted,)):
        return
    raise AlreadyDecided(
        f"dream {dream_id} is {stands.replace('_', ' ')} already",
        f"nothing was changed; `slowwave dreams show {dream_id}` tells what it did",
    )


def refuse_recommit(dream_id: str, stands: str | None) -> None:
    """AlreadyDecided when the dream to be committed does not wait any more."""
    if stands == "rejected":
        raise AlreadyDecided(
            f"dream {dream_id} was rejected", "plan it again with `slowwave dream`"
        )
    refuse_decided(dream_id, stands, "planned")


def refuse_reread(dream_id: str, other: str | None) -> None:
    """StalePlan when another applied dream has read events of this one meanwhile."""
    if other is not None:
        raise StalePlan(
            f"dream {other} has read events of dream {dream_id} meanwhile",
            "nothing was changed; plan the dream again",
        )


def refuse_undone(dream_id: str, stands: str | None) -> None:
    """AlreadyDecided when the dream that is to be taken back is not applied."""
    if stands != "applied":
        how = stands.replace("_", " ") if stands else "not there"
        raise AlreadyDecided(f"dream {dream_id} is {how}", "only an applied dream can be undone")


def refuse_overtaken(plan: Dream, marks: Sequence[tuple[str, bool | None]], status: str) -> None:
    """StalePlan when somebody decided on a plan since it was read.

    `plan` is what was read, `marks` (id and decision of each change, in order) and `status` are
    what is stored now. What two people decide at once must not be lost.
    """
    if status != plan.status or list(marks) != marks_of(plan):
        raise StalePlan(
            f"dream {plan.dream_id} was decided on meanwhile",
            f"nothing was changed; read it with `slowwave dreams diff {plan.dream_id}` and try "
            "again",
        )


def marks_of(dream: Dream) -> list[tuple[str, bool | None]]:
    """The id of each change of a plan, and what a person decided of it."""
    return [(change.id, change.approved) for change in dream.changes]


def after_undoing(chain: Sequence[str]) -> list[tuple[str, DreamStatus]]:
    """How each dream of a chain stands after an undoing: the undone one, what that had undone, …

    Whatever was an undoing itself gives back what it took, and so on down the chain.
    """
    return [(dream_id, "applied" if place % 2 else "rolled_back")
            for place, dream_id in enumerate(chain)]  # fmt: skip


def refuse_retaken(dream_id: str, other: str | None) -> None:
    """DreamError when a dream is to be applied again whose events another has read since."""
    if other is not None:
        raise DreamError(
            f"dream {other} has read the events of dream {dream_id} since that was taken back",
            f"nothing was changed; undo it first: slowwave dreams rollback {other}",
        )


_AFTER: dict[str, tuple[DreamStatus, ...]] = {
    "applied": ("applied", "rolled_back"),
    "rolled_back": ("rolled_back",),
}

UNDECIDED = frozenset({"planned", "approved", "refused"})
"""Dreams that are only plans: those that touch what is forgotten are dropped, and planned anew."""


def shown_as(ref: str, short: str) -> bool:
    """Whether a reference may be shown as `short`, which has `…` for what was left out."""
    first, *parts = short.split("…")
    if not parts or not ref.startswith(first):
        return False
    place = len(first)
    for part in parts[:-1]:
        place = ref.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return ref.endswith(parts[-1]) and len(ref) - len(parts[-1]) > place


def free_id(wanted: str, taken: Callable[[str], bool]) -> str:
    """The wanted id of an entry, or the first free one of those that follow from it."""
    return next(one for one in _following(wanted) if not taken(one))


def _following(wanted: str) -> Iterator[str]:
    yield wanted
    for number in count(2):
        yield short_id(wanted[:1], wanted, str(number))


COMMITTED: frozenset[DreamStatus] = frozenset({"applied", "rolled_back"})
"""Dreams that have read their events, whatever became of them later."""


def refuse_lived_in(space: str, *, lived_in: bool) -> None:
    """InputError where a space has a ledger of its own: two do not make one."""
    if lived_in:
        raise InputError(
            f"the space {space} has memories of its own",
            "import the export into an empty home (--home), or another --space",
        )


def in_space(kept: Snapshot, space: str) -> Snapshot:
    """What another space held, as it is in this one."""

    def moved(erased: Erased) -> Erased:
        stone = msgspec.structs.replace(erased.receipt.tombstone, space=space)
        receipt = msgspec.structs.replace(erased.receipt, space=space, tombstone=stone)
        return msgspec.structs.replace(erased, receipt=receipt)

    return msgspec.structs.replace(
        kept,
        dreams=tuple(msgspec.structs.replace(dream, space=space) for dream in kept.dreams),
        erased=tuple(moved(erased) for erased in kept.erased),
    )


def with_verdicts(entry: Injection, known: Injection) -> Injection:
    """The entry that replaces `known`, with what a person said of the same items."""
    said = {item.id: item.verdict for item in (*known.items, *known.passed) if item.verdict}
    if not said:
        return entry
    items, passed = (
        tuple(
            msgspec.structs.replace(item, verdict=item.verdict or said.get(item.id, ""))
            for item in some
        )
        for some in (entry.items, entry.passed)
    )
    return msgspec.structs.replace(entry, items=items, passed=passed)
