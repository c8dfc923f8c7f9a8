"""The store: journal, index and ledger."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, Protocol

from slowwave.model import (
    Appended,
    Counts,
    Dream,
    DreamStatus,
    Embeddable,
    Erased,
    Event,
    IndexRow,
    Injection,
    Memory,
    ModelCall,
    PhaseHit,
    Purge,
    RawAnswer,
    Scored,
    Signal,
    Snapshot,
    Space,
    Status,
    StoredText,
    Unit,
    Vector,
    Version,
    WorkItem,
)

Phrase = tuple[str, ...]
"""Terms that must follow each other; a single word is a phrase of one."""

Field = Literal["own", "around"]
Match = Literal["all", "any"]
Named = Literal["event", "memory", "dream", "injection"]
"""What is named by the beginning of its id."""

MOST_NAMED = 9
"""As many of what is named are looked up: nobody reads more than that in an error."""

Admit = Callable[[Sequence[Signal], Sequence[Signal]], Sequence[Signal]]
"""Of the signals that are kept, and those that come: which of these come in. Pure."""

Amend = Callable[[Injection], Injection]
"""What becomes of an entry of the injection ledger. Pure."""


class Store(Protocol):
    """Journal, index and ledger in one place, so that one transaction can span them."""

    # journal
    def append(self, events: Sequence[Event]) -> Appended:
        """Adds events that are not there yet (by space and identity); durable on return."""

    def events_after(self, space: Space, seq: int, limit: int) -> list[Event]:
        """Up to `limit` events with a larger `seq`, in journal order."""

    def events_between(self, space: Space, start: datetime, end: datetime) -> list[Event]:
        """Events with start <= ts < end, ordered by (ts, seq)."""

    def undreamed(self, space: Space, start: datetime | None, end: datetime | None) -> list[Event]:
        """As `events_between` (None = open), without those an applied dream has read."""

    def events_by_id(self, space: Space, ids: Sequence[str]) -> dict[str, Event]:
        """The events among `ids` that exist."""

    def events_by_ref(self, space: Space, ref: str) -> list[Event]:
        """The events with this source reference, by (ts, seq), at most `MOST_NAMED`.

        Where none has it, `…` in it stands for whatever was left out to show it short.
        """

    def session_before(self, space: Space, session: str, seq: int, limit: int) -> list[Event]:
        """The last `limit` events of a session with a smaller `seq`, in journal order."""

    # index
    def unindexed(self, space: Space, limit: int) -> list[Event]:
        """Events whose words are not indexed yet, in journal order."""

    def index_events(self, space: Space, rows: Sequence[IndexRow]) -> None:
        """Sets the indexed words of events (replacing earlier ones)."""

    def reindex(self, space: Space, memory_rows: Sequence[IndexRow]) -> None:
        """Empties the space's index of words and sets those of its memories.

        All its events are unindexed then.
        """

    def unembedded(self, space: Space, unit: Unit, embedder: str, limit: int) -> list[Embeddable]:
        """Embeddable units without a vector of this embedder (newest first)."""

    def put_vectors(
        self, space: Space, unit: Unit, embedder: str, vectors: Sequence[tuple[str, Vector]]
    ) -> None:
        """Stores vectors by unit id, each of one direction or several (`model.Vector`).

        A vector for an unknown id is ignored.
        """

    def cached_vectors(self, embedder: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Vectors already computed for texts with these `model.text_hash` values."""

    def match(
        self,
        space: Space,
        unit: Unit,
        field: Field,
        phrases: Sequence[Phrase],
        *,
        mode: Match,
        limit: int,
    ) -> list[Scored]:
        """BM25 over indexed terms, best first, score > 0 and higher is better."""

    def nearest(
        self, space: Space, unit: Unit, embedder: str, vector: Vector, limit: int
    ) -> list[Scored]:
        """Exact cosine search, best first; each unit once, with its nearest direction's score.

        Units whose vector is no whole number of directions of `vector`'s length are passed over.
        """

    # ledger
    def memories(self, space: Space, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), ordered by (first_seen, id)."""

    def memories_by_id(self, space: Space, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories among `ids` that exist."""

    def retired(self, space: Space, since: str, event_ids: Sequence[str]) -> list[Memory]:
        """The retired memories that may matter to claims of these events.

        Those that ended after the day `since`, and those that dreams which read one of the events
        made or changed.
        """

    def changed_since(self, space: Space, mark: str) -> tuple[str, list[str] | None]:
        """The mark of now, and the ids of memories that got a version since `mark`.

        None where that cannot be told: the mark is none, or something was forgotten for good.
        """

    def versions(self, space: Space, memory_id: str, latest: int | None = None) -> list[Version]:
        """The versions of one memory (None: all, else so many of the latest), oldest first."""

    def save_dream(self, dream: Dream, was: Dream | None = None) -> None:
        """Inserts or replaces a dream and its plan.

        Raises AlreadyDecided when a dream that was applied would become a plan again. `was` is the
        plan as it was read: StalePlan when somebody decided on it since.
        """

    def dream(self, space: Space, dream_id: str) -> Dream | None:
        """One dream, or None."""

    def dreams(
        self, space: Space, statuses: Sequence[DreamStatus] = (), latest: int | None = None
    ) -> list[Dream]:
        """Dreams of these statuses (none = all), newest first, so many of the latest (None = all).

        They come without their changes, rejections and event ids. Of those that ran at one moment,
        what was saved last comes first. What is left out costs next to nothing: after years of
        turns there are many.
        """

    def commit(
        self,
        dream: Dream,
        rows: Sequence[IndexRow],
        recorded_at: datetime,
        was: Dream | None = None,
    ) -> None:
        """Applies the approved changes of a plan, all or none.

        In one transaction: writes `after` of each change as the memory's new version, replaces
        the indexed words of these memories (`rows`), marks `dream.event_ids` as dreamed, saves
        `dream` as given, drops its checkpoints, keeps its phase hits, and sets the dream that it
        `undoes` to rolled back (was that an undoing, what it had taken back is applied again, and
        so on; DreamError when another applied dream has read those events since). `was` is as in
        `save_dream`. A change whose `before` is not the memory as it stands raises StalePlan, and
        so does an event that another applied dream has read; a dream that was applied, rejected or
        rolled back before raises AlreadyDecided.
        """

    def put_stage(self, space: Space, dream_id: str, stage: str, payload: bytes) -> None:
        """Checkpoints one finished stage of a dream.

        Under the empty id: what the space itself is in the middle of (a trial). It holds no words,
        and stays until it is dropped, also when something is forgotten for good.
        """

    def stages(self, space: Space, dream_id: str) -> dict[str, bytes]:
        """Checkpointed stages of a dream, by name."""

    def drop_stages(self, space: Space, dream_id: str) -> None:
        """Forgets the checkpoints of a finished dream."""

    def undreamed_times(self, space: Space) -> list[datetime]:
        """When each event that no applied dream has read was said, oldest first."""

    # signals
    def signals(self, space: Space, memory_ids: Sequence[str] | None = None) -> list[Signal]:
        """Recall signals (of these memories; None = all), oldest first."""

    def phase_hits(self, space: Space, memory_ids: Sequence[str] | None = None) -> list[PhaseHit]:
        """What light and REM sleep considered in applied dreams, oldest first (O5, O6)."""

    def record_signals(
        self, space: Space, signals: Sequence[Signal], admit: Admit | None = None
    ) -> int:
        """Adds recall signals, and raises the memories' access counters; returns how many.

        `admit` is asked in the same transaction, with the signals of these memories that are kept:
        of several processes none comes between.
        """

    def record_injection(self, space: Space, injection: Injection, days: int = 0) -> None:
        """Keeps an answer of `context`; replaces by id, drops what is `days` older (0: nothing).

        The verdicts on an entry that is replaced stay, item by item.
        """

    def add_injection(self, space: Space, injection: Injection, days: int = 0) -> str:
        """As `record_injection`, but replaces nothing; returns the id it has now.

        Where its id is taken, it gets one that follows from that and from how many there are: of
        answers given at one moment each is kept, and a replay gives them the same ids.
        """

    def amend_injections(self, space: Space, ids: Sequence[str], amend: Amend) -> None:
        """Puts what `amend` makes of each of these entries in its place, in one transaction.

        It changes items only: an entry keeps its id and its moment.
        """

    def injections(
        self, space: Space, since: datetime | None = None, *, as_recorded: bool = False
    ) -> list[Injection]:
        """What was handed to prompts at or after a moment (None = ever), newest first.

        Of one moment, what was recorded last comes first; with `as_recorded` it does whatever the
        moment is (a clock may have been set back).
        """

    # working memory
    def working(self, space: Space) -> list[WorkItem]:
        """Open, done and stalled items, by (opened, id)."""

    def put_working(self, space: Space, items: Sequence[WorkItem]) -> None:
        """Inserts or replaces items by id."""

    # the language model
    def record_calls(
        self,
        space: Space,
        calls: Sequence[ModelCall],
        answers: Sequence[RawAnswer] = (),
        days: int = 0,
    ) -> None:
        """Keeps what was asked of a model, and answers that could not be used, as they came.

        Of the answers drops those more than so many days before the newest (0: none). One that
        holds what was forgotten meanwhile is not kept.
        """

    def model_calls(self, space: Space, since: datetime | None = None) -> list[ModelCall]:
        """What was asked of models at or after a moment (None = ever), oldest first."""

    def raw_answers(self, space: Space, since: datetime | None = None) -> list[RawAnswer]:
        """The answers in quarantine from a moment on (None = all), oldest first."""

    # forgetting for good
    def erase(self, purge: Purge) -> Erased:
        """Takes out what is named and all that came of it, at once; what comes late is refused."""

    def erasures(self, space: Space) -> list[Erased]:
        """What was forgotten for good, oldest first."""

    def compact(self) -> int:
        """Leaves no deleted byte; returns how many old copies went. Raises StoreBusy."""

    def settle(self, space: Space, receipt_id: str, files: int) -> None:
        """Marks a forgetting as finished; `files` were cleaned or removed for it."""

    def texts(self, space: Space) -> Iterator[StoredText]:
        """Every text that is kept of a space."""

    def traces(self, space: Space, ids: Sequence[str]) -> list[str]:
        """Where ids that should be gone are still named, also in old copies."""

    # to another home
    def restore(self, space: Space, kept: Snapshot, rows: Sequence[IndexRow]) -> None:
        """Puts back what another store held of a space, as it was, all or none.

        `rows` are the indexed words of its memories. The events it tells of must be there. Raises
        InputError where the space has dreams, memories or forgettings of its own.
        """

    # upkeep
    def resolve(self, space: Space, what: Named, prefix: str) -> str:
        """The one id that starts with `prefix`; NotFound if there is none or more than one."""

    def ids_from(self, space: Space, what: Named, prefix: str) -> list[str]:
        """The ids that start with `prefix`, in order, at most `MOST_NAMED`."""

    def spaces(self) -> list[Space]:
        """The spaces that have events, in order."""

    def counts(self, space: Space) -> Counts:
        """How much the space holds."""

    def check(self) -> list[str]:
        """Problems found by an integrity check of the whole store; empty when sound."""

    @property
    def trouble(self) -> str:
        """Why nothing can be written just now, as far as reading met it; else empty."""

    def within(self, seconds: float) -> AbstractContextManager[None]:
        """What this thread writes inside waits no longer than that, in all, for other writers.

        StoreBusy afterwards, with nothing written; each write is tried once at least. Only waiting
        counts, not work. Inside another one the shorter holds.
        """

    def close(self) -> None:
        """Waits for writes under way and lets go of the store."""
