"""All of a space but its journal: what an export carries to another home."""

import msgspec

from slowwave.model.completion import ModelCall, RawAnswer
from slowwave.model.dream import Dream, Version
from slowwave.model.injection import Injection
from slowwave.model.keeping import Erased, WorkItem
from slowwave.model.memory import Memory
from slowwave.model.search import Signal


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What a space holds beside its events, each list in the order in which it came about.

    `erased` are the forgettings: what was forgotten here is not to come back there. `state` is what
    the space is in the middle of (a trial), by name. Indexes and vectors are made anew.
    """

    dreams: tuple[Dream, ...] = ()
    memories: tuple[Memory, ...] = ()
    versions: tuple[Version, ...] = ()
    signals: tuple[Signal, ...] = ()
    working: tuple[WorkItem, ...] = ()
    injections: tuple[Injection, ...] = ()
    erased: tuple[Erased, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    answers: tuple[RawAnswer, ...] = ()
    state: dict[str, str] = {}
