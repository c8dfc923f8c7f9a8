"""The operations of LangGraph's store."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from typing import Any, Literal

import msgspec
from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from slowwave.errors import EmbedderError, InputError, StoreError
from slowwave.integrations.langgraph import kept, values
from slowwave.integrations.langgraph.kept import SOURCE, Items, Live, Place
from slowwave.library import Memory
from slowwave.model import Record
from slowwave.text.segment import fold

__all__ = ["SlowwaveStore"]

LEAST_ASKED = 200
MOST_ASKED = 1_000
"""Hits that are asked for, for a search: those of other namespaces are left out of them."""

REFRESHES = 10
"""A time to live is written anew at most so many times in its course, however often it is read."""


class SlowwaveStore(BaseStore):
    """A `BaseStore` over one space of a Slowwave memory; the memory's owner closes it.

    `index`: as in other stores; of it `fields` are the paths whose text is searched when a put
    names none (["$"]: all of the value). Its `embed` and `dims` are not used: Slowwave searches
    with its own words and vectors. `index=False` searches nothing. `ttl`: as in other stores.
    `role`: whose words the values are: the agent's notes, or what the user said, which the night
    may then take for facts about the user. `secrets`: what is done with a value that holds a key or
    a password, which Slowwave never keeps: "refuse" it, or "mask" what is secret in it.

    Safe from several threads and processes. The `a…` methods run in a thread.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        index: IndexConfig | Mapping[str, Any] | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
        role: Literal["assistant", "user"] = "assistant",
        secrets: Literal["refuse", "mask"] = "refuse",
    ) -> None:
        super().__init__()
        self.memory = memory
        self.ttl_config = ttl
        self._fields = [] if index is False else list((index or {}).get("fields") or [values.WHOLE])
        self._role = role
        self._secrets = secrets
        self._items = Items(memory)
        self._writing = Lock()
        self._swept = memory.now()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Does operations: all reads first, then of each key the last put.

        Raises InputError for a value that JSON cannot hold or that holds a secret (nothing of the
        batch is written then), StoreError.
        """
        results: list[Result] = []
        puts: dict[Place, PutOp] = {}
        self._items.follow()
        for op in ops:
            results.append(self._read(op))
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
        if puts:
            self._write(puts)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Deletes for good what has expired; how many items. Expired ones are never found.

        With `sweep_interval_minutes` in `ttl`, writing does it now and then.
        """
        with self._writing:
            return self._sweep()

    def finish(self) -> None:
        """Leaves nothing of what was deleted in unused bytes of the file either.

        Closing the memory does it, and so does opening it the next time.
        """
        self.memory.front.finish_forgetting()

    # reading

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _get(self, op: GetOp) -> Item | None:
        found = self._items.live([(op.namespace, op.key)])
        if not found:
            return None
        if op.refresh_ttl:
            self._touch(found)
        last = found[0].last
        return Item(
            value=last.value(), key=op.key, namespace=op.namespace,
            created_at=last.created, updated_at=last.ts,
        )  # fmt: skip

    def _search(self, op: SearchOp) -> list[SearchItem]:
        live = self._items.live(self._items.below(op.namespace_prefix))
        live.sort(key=lambda one: -one.last.seq)
        if op.filter:
            live = [one for one in live if values.fits(one.last.value(), op.filter)]
        scores: dict[str, float] = {}
        if op.query and op.query.strip() and live:
            scores = self._scores(op.query, live, op.offset + op.limit)
            live.sort(key=lambda one: -scores.get(one.last.id, -1.0))
        shown = live[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._touch(shown)
        return [
            SearchItem(
                namespace=one.namespace, key=one.key, value=one.last.value(),
                created_at=one.last.created, updated_at=one.last.ts,
                score=scores.get(one.last.id),
            )
            for one in shown
        ]  # fmt: skip

    def _scores(self, query: str, items: Sequence[Live], wanted: int) -> dict[str, float]:
        """How well items answer a question (0 to 1), by the id of their event."""
        k = min(max(LEAST_ASKED, 4 * wanted), MOST_ASKED)
        hits = self.memory.recall(query, k=k, scope="events", caller="job", signal=False)
        # Of events that say the same, recall shows one: it stands for all of them.
        said = {_folded(hit.text): hit.score for hit in reversed(hits)}
        found = {one.last.id: said.get(_folded(one.last.text)) for one in items if one.last.indexed}
        return {event_id: score for event_id, score in found.items() if score is not None}

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        there = {one.namespace for one in self._items.live(self._items.below(()))}
        wanted = op.match_conditions or ()
        found = {space for space in there if all(values.matches(one, space) for one in wanted)}
        if op.max_depth is not None:
            found = {space[: op.max_depth] for space in found}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _touch(self, shown: Sequence[Live]) -> None:
        """Begins the time to live of what was read anew, if it is not young still."""
        now = self.memory.now()
        stale = [
            kept.as_read((one.namespace, one.key))
            for one in shown
            if one.spent(now) >= 1 / REFRESHES
        ]
        if stale:
            with suppress(StoreError):  # reading does not fail because it cannot be written down
                self.memory.log(stale)

    # writing

    def _write(self, puts: Mapping[Place, PutOp]) -> None:
        with self._writing:
            records = [self._record(op) for op in puts.values() if op.value is not None]
            self._append(records)
            self._take_out([place for place, op in puts.items() if op.value is None])
            interval = (self.ttl_config or {}).get("sweep_interval_minutes")
            if interval and self.memory.now() - self._swept >= timedelta(minutes=interval):
                self._sweep()
        if any(op.value is not None and self._paths(op) for op in puts.values()):
            with suppress(EmbedderError, StoreError):  # it is durable, and found by its words
                self.memory.embed(len(records))

    def _paths(self, op: PutOp) -> list[str]:
        """What of a value is searched."""
        if op.index is False:
            return []
        return self._fields if op.index is None else list(op.index)

    def _record(self, op: PutOp) -> Record:
        """The event of a put. Raises InputError."""
        place = (op.namespace, op.key)
        value = dict(op.value or {})
        if self._secrets == "mask":
            value = values.masked(value, self.memory.as_kept)
        paths = self._paths(op)
        before = self._items.live([place])
        created = before[0].last.created if before else self.memory.now()
        body = values.to_json(
            {
                "namespace": list(op.namespace), "key": op.key, "created": created.isoformat(),
                "ttl": op.ttl, "indexed": bool(paths), "value": value,
            }
        )  # fmt: skip
        hidden = values.secrets_in(f"{SOURCE}={body}", self.memory.as_kept)
        if hidden:
            raise InputError(
                f"what is put under {op.key!r} holds a secret ({hidden}), and Slowwave keeps none",
                'keep it elsewhere, or open the store with secrets="mask"',
            )
        return kept.as_put(place, values.text_of(value, paths), body, self._role)

    def _append(self, records: Sequence[Record]) -> None:
        """Into the journal. Where a text is nothing but wrapping, the item's name is its text."""
        numbered = [
            msgspec.structs.replace(one, line=line) for line, one in enumerate(records, start=1)
        ]
        taken = self.memory.log(numbered)
        for left in taken.skipped:
            named = numbered[left.line - 1]
            again = self.memory.log(msgspec.structs.replace(named, text=f"[{named.ref}]"))
            if again.skipped:
                raise InputError(f"{named.ref!r} cannot be kept: {again.skipped[0].reason}")
        self._items.follow()

    def _sweep(self) -> int:
        self._items.follow()
        now = self._swept = self.memory.now()
        there = self._items.there(self._items.below(()))
        gone = [(one.namespace, one.key) for one in there if one.expired(now)]
        self._take_out(gone)
        return len(gone)

    def _take_out(self, places: Sequence[Place]) -> None:
        """Deletes for good: every version, what was learned from them alone, and their words."""
        ids = self._items.ids(places)
        if ids:
            self.memory.take_out(ids, finish=False)
            self._items.drop(places)


def _folded(text: str) -> str:
    return " ".join(fold(text).split())
