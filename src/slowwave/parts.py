"""What `wiring` hands to the front door, and what the front door answers with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from slowwave import inject
from slowwave.errors import SettingsError
from slowwave.model import Counts, Dream, Injection, Unit
from slowwave.ports import Clock, DreamLog, Embedder, Importers, LanguageModel, Store, Vault
from slowwave.settings import Settings
from slowwave.trial import Sample, running

if TYPE_CHECKING:
    from slowwave.erasure.files import HomeFiles

ALL = 1_000_000_000
"""A limit that limits nothing."""


def no_model() -> LanguageModel | None:
    """The language model of a home that has none."""
    return None


def untold(_words: str) -> None:
    """What is told to one who does not look."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What `wiring` hands over: adapters, settings and the clock of one home and space.

    `under` gives the settings as they are under another preset. `tell` hears, in words for people,
    of what takes long while it is waited for. `owns_store`: closing the memory closes the store.
    """

    home: Path
    store: Store
    embedder: Callable[[], Embedder | None]
    importers: Importers
    dream_log: DreamLog
    files: "Callable[[], HomeFiles]"
    vault: Callable[[], Vault]
    settings: Settings
    under: Callable[[str], Settings]
    clock: Clock
    model: Callable[[], LanguageModel | None] = no_model
    tell: Callable[[str], None] = untold
    owns_store: bool = True


class Injected(msgspec.Struct, frozen=True):
    """The block for a system prompt, what is in it, and its entry in the injection ledger.

    `would`: while a trial runs, what the empty block would have held (X8).
    """

    text: str
    tokens: int
    items: tuple[inject.Item, ...]
    ledger_id: str
    would: Injection | None = None


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One item that a person is asked about: its words, what they are, their day and sources.

    `what` is the kind of a memory, or of an event who said it.
    """

    sample: Sample
    text: str
    what: str
    ts: datetime
    refs: tuple[str, ...]


class StatusReport(msgspec.Struct, frozen=True):
    """What `status` tells.

    `waiting` are the ids of the plans that wait, oldest night first, and `waiting_events` how many
    of the events that were not dreamed yet are in them. `trial_until`: a trial runs until then, and
    prompts get nothing. `parts_waiting`: parts of nights that the model has not done. `set_aside`:
    how many of the events that were not dreamed yet no night will read, because they are of a turn
    that was undone, or of a change by hand that waits.
    """

    home: str
    space: str
    preset: str
    tz: str
    embedder: str
    counts: Counts
    unembedded: int
    last_dream: Dream | None
    waiting: tuple[str, ...] = ()
    waiting_events: int = 0
    trial_until: datetime | None = None
    model: str = ""
    parts_waiting: int = 0
    set_aside: int = 0


def status_of(parts: Parts, dreams: Sequence[Dream], waiting: Sequence[Dream]) -> StatusReport:
    """Numbers about the space of these settings; `dreams` newest first."""
    settings, store = parts.settings, parts.store
    # `log` and `recall` need nothing of the model.
    from slowwave.modelling import unfinished  # noqa: PLC0415

    embedder = parts.embedder()
    now = parts.clock()
    on_trial = running(store, settings.space, now)
    unembedded = 0
    if embedder is not None:
        units: tuple[Unit, ...] = ("memory", "event")
        unembedded = sum(
            len(store.unembedded(settings.space, unit, embedder.name, ALL)) for unit in units
        )
    return StatusReport(
        home=str(parts.home),
        space=settings.space,
        preset=settings.preset,
        tz=settings.tz,
        embedder=embedder.name if embedder else "none (words only)",
        counts=store.counts(settings.space),
        unembedded=unembedded,
        last_dream=dreams[0] if dreams else None,
        waiting=tuple(plan.dream_id for plan in waiting),
        waiting_events=sum(plan.input_events for plan in waiting),
        model=_model_line(parts),
        parts_waiting=len(unfinished.stuck(store, settings.space)),
        set_aside=_set_aside(store, settings.space, dreams),
        trial_until=on_trial.until.astimezone(now.tzinfo) if on_trial else None,
    )


def _set_aside(store: Store, space: str, dreams: Sequence[Dream]) -> int:
    """How many unread events are spoken for, so that nights leave them alone."""
    # Only a home with such dreams needs these.
    from slowwave.dream.plans.waiting import UNSETTLED, unclaimed  # noqa: PLC0415

    if not any(head.by in ("turn", "person") and head.status in UNSETTLED for head in dreams):
        return 0
    unread = store.undreamed(space, None, None)
    return len(unread) - len(unclaimed(store, unread, dreams))


def _model_line(parts: Parts) -> str:
    """The model's name, and whether what it is asked stays on this machine; "" without one."""
    try:
        model = parts.model()
    except SettingsError as error:
        return f"not usable: {error.message}"
    if model is None:
        return ""
    privacy = parts.settings.model.privacy
    if model.local:
        return f"{model.name} (on this machine)"
    return f"{model.name} (elsewhere, {privacy}{': not asked' if privacy == 'local-only' else ''})"
