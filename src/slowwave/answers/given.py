"""Answers about what went into prompts, and what was wrong with it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from slowwave.injections import Trail
from slowwave.memory.correcting import Corrected
from slowwave.model import Dream, Injection, WorkItem

__all__ = ["GivenBack", "Shown", "given_back", "shown"]


class Shown(Injection, frozen=True, kw_only=True):
    """An entry of the injection ledger, with the words of its items by their ids."""

    texts: dict[str, str] = {}


class GivenBack(Trail, frozen=True, kw_only=True):
    """Where something came from, and the correction that was opened or taken back.

    `item`: the open item that was set aside, or taken up again; it needs no dream.
    """

    correction: Dream | None = None
    item: WorkItem | None = None


def shown(entry: Injection, texts: Mapping[str, str]) -> Shown:
    """One entry with its words."""
    return Shown(**_fields(entry), texts=dict(texts))


def given_back(done: Corrected) -> GivenBack:
    """The origin with the correction beside it, as one object."""
    return GivenBack(**_fields(done.origin), correction=done.correction, item=done.item)


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}
