"""What a dream may do to a memory: the operations of the contract, as a tagged union."""

import msgspec

from slowwave.model.event import Evidence
from slowwave.model.memory import Memory


class _Change(msgspec.Struct, frozen=True, kw_only=True, tag_field="op"):
    """What all changes share. `after` is the memory as it will stand; `before` as it stood."""

    id: str
    memory_id: str
    after: Memory
    reason: str
    route: str = ""
    scores: dict[str, float] = {}
    evidence: tuple[Evidence, ...] = ()
    approved: bool | None = None

    @property
    def op(self) -> str:
        """The contract's name of the operation."""
        return str(self.__struct_config__.tag)

    @property
    def quotes(self) -> tuple[Evidence, ...]:
        """The exact words it rests on: its own, else all those of the memory."""
        return self.evidence or self.after.evidence


class Add(_Change, frozen=True, kw_only=True, tag="add"):
    """A memory that was not there."""

    before: None = None


class Update(_Change, frozen=True, kw_only=True, tag="update"):
    """A richer wording or changed metadata of a memory."""

    before: Memory


class Merge(_Change, frozen=True, kw_only=True, tag="merge"):
    """Another memory or claim that says the same was taken in."""

    before: Memory


class Confirm(_Change, frozen=True, kw_only=True, tag="confirm"):
    """The same was said again: one more piece of evidence, the text stays."""

    before: Memory


class Supersede(_Change, frozen=True, kw_only=True, tag="supersede"):
    """A newer memory took its place: dated, kept, no longer current (N12)."""

    before: Memory


class Demote(_Change, frozen=True, kw_only=True, tag="demote"):
    """To cold storage: out of ordinary recall, can be restored (N8)."""

    before: Memory


class Restore(_Change, frozen=True, kw_only=True, tag="restore"):
    """Back from cold or retired."""

    before: Memory


class Retire(_Change, frozen=True, kw_only=True, tag="retire"):
    """Its time is over: expired, or taken back."""

    before: Memory


class Collapse(_Change, frozen=True, kw_only=True, tag="collapse"):
    """Many versions of an unchanged core became one (N8)."""

    before: Memory


Change = Add | Update | Merge | Confirm | Supersede | Demote | Restore | Retire | Collapse
