"""What a forgetting does to everything derived from what is forgotten: pure, for every store.

Each row that came out of an event names it, so it can be followed: memories, versions, changes,
what was left out of dreams, what went into prompts, what waits. A row whose words or whose last
quote goes, goes too; the others are moved to the events that remain.
"""

import re
from collections.abc import Iterable

import msgspec
from msgspec import UNSET, UnsetType

from slowwave.adapters.store.rules import UNDECIDED
from slowwave.errors import StalePlan
from slowwave.model import (
    Change,
    Diary,
    Dream,
    Erased,
    Injection,
    Memory,
    Purge,
    Refined,
    Rejected,
    Removed,
    Theme,
    WorkItem,
    text_hash,
)
from slowwave.text.redaction import FORGOTTEN, evidence_without, holds, without, words_of
from slowwave.text.segment import fold
from slowwave.text.signature import same_words, seal_of

_IDS = re.compile(rb"\b[a-z]{1,2}-?[a-z0-9]{12}\b")
"""Ids as `short_id` makes them."""


class Lineage:
    """A purge over the memories of a space as they stand; `gone` are the ids of those that go."""

    def __init__(self, purge: Purge, memories: Iterable[Memory]) -> None:
        self.purge = purge
        self._seal = seal_of(purge.erased.receipt.tombstone)
        self.redactions = {item.event_id: item for item in purge.redactions}
        self.gone: set[str] = {
            item.id for item in memories if without(item, purge, self.redactions) is None
        }

    def memory(self, memory: Memory) -> Memory | None:
        """One memory or version as it stays, or None."""
        if memory.id in self.gone:
            return None
        kept = without(memory, self.purge, self.redactions)
        if kept is None:
            return None
        heir = None if kept.superseded_by in self.gone else kept.superseded_by
        others = tuple(one for one in kept.conflicts_with if one not in self.gone)
        if (heir, others) == (kept.superseded_by, kept.conflicts_with):
            return kept
        return msgspec.structs.replace(kept, superseded_by=heir, conflicts_with=others)

    def change(self, change: Change) -> Change | None:
        """One change of a dream as it stays, or None."""
        after = self.memory(change.after)
        before = change.before and self.memory(change.before)
        if after is None or (change.before is not None and before is None):
            return None
        evidence = evidence_without(change.evidence, self.redactions, after.text)
        reason = self.words(change.reason)
        standing = (change.after, change.before, change.evidence, change.reason)
        if (after, before, evidence, reason) == standing:
            return change
        return msgspec.structs.replace(
            change, after=after, before=before, evidence=evidence, reason=reason
        )

    def dream(self, dream: Dream) -> Dream | None:
        """A dream with its plan as it stays; None for a mere plan that touches what goes."""
        changes: tuple[Change, ...] = tuple(filter(None, map(self.change, dream.changes)))
        left = tuple(item for item in dream.rejections if self._stays(item))
        event_ids = tuple(self._events(dream.event_ids))
        themes = tuple(
            msgspec.structs.replace(theme, memory_ids=ids)
            for theme in dream.themes
            if (ids := tuple(one for one in theme.memory_ids if one not in self.gone))
            and not holds([theme.name], self.purge)
            # A model may have named it after what goes, in words of its own.
            and (ids == theme.memory_ids or not theme.by)
        )
        kept = msgspec.structs.replace(
            dream,
            changes=changes,
            rejections=left,
            event_ids=event_ids,
            themes=themes,
            diary=self._diary(dream, changes, themes),
            refined=self._refined(dream),
            phases=tuple(hit for hit in dream.phases if hit.memory_id not in self.gone),
            warnings=tuple(self.words(text) for text in dream.warnings),
            gates=tuple(
                msgspec.structs.replace(gate, detail=self.words(gate.detail))
                for gate in dream.gates
            ),
            built_on=tuple(one for one in dream.built_on if one.memory_id not in self.gone),
        )
        return None if kept != dream and dream.status in UNDECIDED else kept

    def _diary(
        self, dream: Dream, changes: tuple[Change, ...], themes: tuple[Theme, ...]
    ) -> Diary | UnsetType:
        """The story of a dream as long as all of it stays: it tells things in its own words."""
        whole = (changes, themes) == (dream.changes, dream.themes)
        return dream.diary if dream.diary and whole and not self._says(dream.diary.text) else UNSET

    def _refined(self, dream: Dream) -> Refined | UnsetType:
        if not dream.refined:
            return UNSET
        fields = ("added", "changed", "ended", "same", "kept")
        left = {
            field: tuple(one for one in getattr(dream.refined, field) if one not in self.gone)
            for field in fields
        }
        return msgspec.structs.replace(dream.refined, **left)

    def item(self, item: WorkItem) -> WorkItem | None:
        """Something that waits, as it stays, or None."""
        redaction = self.redactions.get(item.event_id)
        if self._says(item.text):
            return None
        if redaction is None:
            return item
        if redaction.remains is None:
            return None
        return msgspec.structs.replace(item, event_id=redaction.remains.id)

    def injected(self, entry: Injection) -> str | None:
        """Of an entry of the injection ledger that goes: the hash of its question; else None."""
        query = entry.query
        ids = {item.id for item in (*entry.items, *entry.passed)}
        if ids & (self.gone | self.redactions.keys()) or self._says(query):
            return text_hash(" ".join(fold(query).split()))
        return None

    def says(self, text: str) -> bool:
        """Whether a text that nothing rests on holds the words somewhere, or says the same."""
        return self._says(text) or bool(same_words(self._seal, text))

    def words(self, text: str) -> str:
        """A text, or `[forgotten]` when it holds what is."""
        return FORGOTTEN if holds([text], self.purge) else text

    def _stays(self, item: Rejected) -> bool:
        return item.event_id not in self.redactions and not self._says(item.text)

    def _says(self, text: str) -> bool:
        """Whether a text that nothing rests on holds the words, or says the same in others."""
        return holds([text], self.purge) or self._seal.means(text)

    def _events(self, ids: Iterable[str]) -> Iterable[str]:
        for event_id in ids:
            redaction = self.redactions.get(event_id)
            if redaction is None:
                yield event_id
            elif redaction.remains is not None:
                yield redaction.remains.id


def counted(lineage: Lineage, versions: int, vectors: int) -> Erased:
    """What is kept of a forgetting; one that takes more of the same adds to what it took."""
    receipt = lineage.purge.erased.receipt
    event_ids = {*receipt.event_ids, *lineage.redactions}
    memory_ids = {*receipt.memory_ids, *lineage.gone}
    removed = Removed(
        events=len(event_ids),
        memories=len(memory_ids),
        versions=receipt.removed.versions + versions,
        vectors=receipt.removed.vectors + vectors,
        files=receipt.removed.files,
    )
    receipt = msgspec.structs.replace(
        receipt,
        removed=removed,
        event_ids=tuple(sorted(event_ids)),
        memory_ids=tuple(sorted(memory_ids)),
    )
    return msgspec.structs.replace(lineage.purge.erased, receipt=receipt, finished=False)


def cited(dream: Dream) -> set[str]:
    """Ids of the events that a dream read or quotes."""
    quoted = {span.event_id for change in dream.changes for span in change.after.evidence}
    return quoted | set(dream.event_ids)


def refuse_forgotten(dream_id: str, missing: Iterable[str]) -> None:
    """StalePlan when a plan rests on events that were forgotten while it was made."""
    if any(missing):
        raise StalePlan(
            f"events of dream {dream_id} were forgotten meanwhile",
            "nothing was changed; plan the dream again",
        )


def ids_in(payload: bytes) -> set[str]:
    """Everything in a payload that looks like an id."""
    return {found.decode() for found in _IDS.findall(payload)}


def memory_texts(memory: Memory) -> tuple[str, ...]:
    """What a memory says and quotes."""
    return (*words_of(memory), *(span.quote for span in memory.evidence))
