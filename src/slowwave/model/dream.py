"""The night: one run, its stages, gates and plan, and the versions it leaves."""

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from slowwave.model.basics import DreamBy, DreamMode, DreamStatus, Phase, Space
from slowwave.model.change import Change
from slowwave.model.memory import Memory, Rejected


class Stage(msgspec.Struct, frozen=True, kw_only=True, rename={"came_in": "in", "went_out": "out"}):
    """One finished stage of a dream: how much came in, how much went out, seconds it took."""

    name: str
    came_in: int
    went_out: int
    duration_sec: float


class Gate(msgspec.Struct, frozen=True):
    """One gate's verdict on a plan."""

    name: str
    ok: bool
    detail: str


class ReasonCount(msgspec.Struct, frozen=True):
    """How many texts were refused for one reason."""

    reason: str
    count: int


class PhaseHit(msgspec.Struct, frozen=True):
    """A memory that the light or the REM phase of a dream considered (O5, O6)."""

    memory_id: str
    phase: Phase
    ts: datetime


class Theme(msgspec.Struct, frozen=True):
    """What several memories are about, and how strongly: min(1, 2·count/total) (O6).

    `by` is the model that named it; it is not there where the name is one of their own words.
    """

    name: str
    strength: float
    memory_ids: tuple[str, ...]
    by: str | UnsetType = UNSET


class Diary(msgspec.Struct, frozen=True):
    """The story of a dream in a model's words (O7): for people only, never evidence.

    It tells of these `changes`; when one of them was not applied after all, it is not told.
    """

    text: str
    by: str
    changes: tuple[str, ...]


class Refined(msgspec.Struct, frozen=True, kw_only=True):
    """A day read again, beside what `dreams` had made of it, read by `before` (N21).

    All but these two are ids of memories. `added`, `changed` and `ended` are what the plan does to
    them; `same` were found again as they stand; `kept` were not, or otherwise, and stay because a
    person pinned or changed them, or because other words support them as well.
    """

    dreams: tuple[str, ...]
    before: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the night that a model has not done: its events are read again next time.

    `attempts` are those that failed; with `given_up` it is not asked about these events any more.
    """

    chunk: str
    events: int
    attempts: int
    reason: str
    given_up: bool = False


class Dependent(msgspec.Struct, frozen=True):
    """A memory that later dreams built on what is being undone, and what becomes of it."""

    memory_id: str
    dream_id: str
    kept: bool
    detail: str


class Dream(msgspec.Struct, frozen=True, kw_only=True):
    """One run that turned events into a plan of changes (N13's fields, and the plan itself).

    `by` tells who made it; `undoes` is the dream that it takes back, `built_on` what later dreams
    had built on that one. Of the `new_entries`, `new_active` hold at once and `new_candidates` wait
    to be seen again. `phases` and `themes` are what its light and REM phases saw, `warnings` the
    health warnings of N13. `basis` stands for what the ledger held when it was planned. A plan that
    another one took the place of is rejected, for the `reason`, and `replaced_by` that one.
    `pending` are the parts that a model has not done; their events are not in `event_ids`. `diary`
    is there when a model told the story, `refined` when a day was read again: that reads nothing
    new, so it has no `event_ids`.
    """

    dream_id: str
    space: Space
    mode: DreamMode
    date: str
    run_at: datetime
    status: DreamStatus
    input_events: int = 0
    extracted_items: int = 0
    new_entries: int = 0
    updated_entries: int = 0
    merged_entries: int = 0
    archived_entries: int = 0
    confirmed_entries: int = 0
    rejected: tuple[ReasonCount, ...] = ()
    rejections: tuple[Rejected, ...] = ()
    duration_sec: float = 0.0
    model_used: str = "rules"
    preset: str = "balanced"
    stages: tuple[Stage, ...] = ()
    changes: tuple[Change, ...] = ()
    gates: tuple[Gate, ...] = ()
    event_ids: tuple[str, ...] = ()
    by: DreamBy = "night"
    undoes: str = ""
    built_on: tuple[Dependent, ...] = ()
    phases: tuple[PhaseHit, ...] = ()
    themes: tuple[Theme, ...] = ()
    warnings: tuple[str, ...] = ()
    basis: str = ""
    new_active: int = 0
    new_candidates: int = 0
    reason: str = ""
    replaced_by: str = ""
    pending: tuple[Pending, ...] = ()
    diary: Diary | UnsetType = UNSET
    refined: Refined | UnsetType = UNSET


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a memory and the change that made it."""

    memory: Memory
    change_id: str
    op: str
    dream_id: str
    recorded_at: datetime
    reason: str
