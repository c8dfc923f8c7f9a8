"""What the stages of one dream work on: what is asked, and the desk that times and keeps them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from typing import Literal, TypeVar

import msgspec

from slowwave.dream.collect import Collected
from slowwave.dream.cycle import checkpoints
from slowwave.dream.cycle.late import Let
from slowwave.dream.distill.rules import Distilled
from slowwave.dream.promote.stage import Promoted
from slowwave.dream.reconcile.stage import Reconciled
from slowwave.dream.verify.stage import Verified
from slowwave.model import DreamMode, Event, ModelCall, Stage
from slowwave.modelling import Asker
from slowwave.ports import Progress, Store
from slowwave.settings import DreamSettings

__all__ = ["Cosine", "Desk", "Distiller", "Mind", "Night", "size_of"]

Cosine = Callable[[str, str], float | None]
Distiller = Literal["rules", "llm"]

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Mind:
    """The model that distils a night: its name, and who does what it cannot do.

    `asker` makes the one who asks, from the id of the dream, the calls it has made before it was
    killed, and the events of the night; without it only what was answered before is used. `owner`
    is the user's name in the log. `tells`: it names themes and tells the diary as well.
    `at_once`: what fails once goes to the rules, where they may take over (a turn waits for it).
    """

    name: str
    fallback: Literal["rules", "fail"]
    asker: Callable[[str, Sequence[ModelCall], Sequence[Event]], Asker] | None = None
    owner: str = ""
    tells: bool = True
    at_once: bool = False


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """What one dream is asked to do. `now` carries the user's zone; `date` is the contract's.

    `embedder` names what `cosine` compares with ("" none): it decides what is merged. `again`: what
    was rejected before is proposed anew. `mind`: the model that distils, None for the rules.
    `refines`: a day that was read before is read again. `sessions`: only these are read (None:
    all).
    """

    space: str
    date: str
    now: datetime
    settings: DreamSettings
    preset: str
    cosine: Cosine
    progress: Progress
    mode: DreamMode = "plan"
    embedder: str = ""
    again: bool = False
    mind: Mind | None = None
    refines: bool = False
    sessions: frozenset[str] | None = None


class Desk:
    """Runs stages for one dream: times them, and keeps or reuses their checkpoints.

    Without `keep` there are none: a turn is short, and is read anew.
    """

    def __init__(
        self, store: Store, night: Night, dream_id: str, label: str, *, keep: bool = True
    ) -> None:
        self.store = store
        self.night = night
        self.dream_id = dream_id
        self.label = label
        self.done: list[Stage] = []
        self.dry = night.mode == "dry_run"
        self.keep = keep and not self.dry
        self.asker: Asker | None = None  # once a model is asked in this dream
        self.kept = store.stages(night.space, dream_id) if self.keep else {}

    def load(self, name: str, kind: type[T]) -> T | None:
        """A stage's checkpoint, if there is one this version can still read."""
        payload = self.kept.get(name)
        if payload is None:
            return None
        try:
            return msgspec.json.decode(payload, type=kind)
        except msgspec.MsgspecError:
            # A checkpoint of another version of Slowwave: doing the stage again is always right.
            return None

    def save(self, name: str, result: msgspec.Struct) -> None:
        """Checkpoints a finished stage (never in a dry run)."""
        if not self.keep:
            return
        if not self.kept:
            checkpoints.note(self.store, self.night.space, self.label, self.dream_id)
        payload = msgspec.json.encode(result)
        self.store.put_stage(self.night.space, self.dream_id, name, payload)
        self.kept[name] = payload

    def stage(
        self,
        name: str,
        kind: type[T],
        came_in: int,
        work: Callable[[], T],
        *,
        keep: bool = True,
        after: str = "",
    ) -> T:
        """One stage: from its checkpoint, or done now.

        `after` stands for what the stages before it left open: with other input it is done again.
        """
        began = perf_counter()
        result = self.load(name + after, kind) if keep else None
        if result is None:
            result = work()
            if keep:
                self.save(name + after, result)
        self.note(name, came_in, size_of(result), began)
        return result

    def note(self, name: str, came_in: int, went_out: int, began: float) -> None:
        """Records a finished stage for the dream's log."""
        seconds = round(perf_counter() - began, 3)
        self.done.append(Stage(name=name, came_in=came_in, went_out=went_out, duration_sec=seconds))
        self.night.progress(name, 1, 1)


def size_of(result: msgspec.Struct) -> int:
    """How many items a stage handed on."""
    match result:
        case Collected():
            return sum(len(segment.events) for segment in result.segments)
        case Distilled() | Verified():
            return len(result.claims)
        case Reconciled() | Promoted() | Let():
            return len(result.changes)
        case _:
            raise TypeError(f"not the result of a stage: {type(result).__name__}")
