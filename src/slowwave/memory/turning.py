"""In real time: a turn is logged when it ends, and learned from behind the reply's back (R1-R4)."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from slowwave import vault, working
from slowwave.capture import intake
from slowwave.errors import DiskFull, StoreError
from slowwave.memory.behind import Behind
from slowwave.memory.dreaming import Dreaming
from slowwave.memory.turn_mind import Reader, TurnMind
from slowwave.model import SAID_IN_TURN, TURN_ID, Change, Dream, Event, Record, Role, short_id
from slowwave.parts import Parts
from slowwave.ports import no_progress
from slowwave.recall import index
from slowwave.text.counting import plural

if TYPE_CHECKING:
    from slowwave.dream.turn import Job

VECTORS_A_TURN = 16
"""Vectors made after a turn: its own, and some that were left over."""


class TurnChange(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a turn changed: what was decided (R1), of which scope, and why."""

    id: str
    op: str
    decision: str
    scope: str
    memory_id: str
    kind: str
    text: str
    importance: int
    status: str
    reason: str


class TurnDream(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned from one turn: its dream, which can be rolled back, and its changes."""

    dream_id: str
    date: str
    events: tuple[str, ...]
    changes: tuple[TurnChange, ...]


class TurnLeft(msgspec.Struct, frozen=True):
    """A turn that is left to the night, and why."""

    events: tuple[str, ...]
    reason: str


class CaughtUp(msgspec.Struct, frozen=True):
    """What became of the turns that waited: those that changed something, and those left."""

    dreams: tuple[TurnDream, ...]
    left: tuple[TurnLeft, ...]


class Turning(Dreaming):
    """capture → journal → dream, turn by turn.

    The queue of what is still to be learned is the journal itself: messages of turns that no dream
    has read. So nothing is lost with the process: the next turn, `catch_up_turns` or the night
    finds it.
    """

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._turns = Behind(self._learn_behind)
        self._mind = TurnMind(parts, self._turns.away)
        self._learning = Lock()
        """Held while turns are learned from: those of one memory are read in their order."""

    def turn_end(
        self,
        user: str,
        assistant: str,
        *,
        session: str = "",
        ts: datetime | None = None,
        channel: str | None = None,
    ) -> intake.TakenIn:
        """Takes in a finished turn, durably, and returns; it is learned from a moment later.

        `ts` is the moment of the turn: with it, the same turn is known when it comes again. What
        is learned can be seen in `dreams()`; `turns_done` waits for it. Raises StoreError.
        """
        taken = self.log_turn(user, assistant, session=session, ts=ts, channel=channel)
        if taken.ids:
            self._turns.note([one.id for one in taken.ids])
        return taken

    def log_turn(
        self,
        user: str,
        assistant: str,
        *,
        session: str = "",
        ts: datetime | None = None,
        channel: str | None = None,
    ) -> intake.TakenIn:
        """As `turn_end`, but learns nothing yet."""
        turn = {TURN_ID: short_id("t", uuid4().hex)}
        said: tuple[tuple[Role, str], ...] = (("user", user), ("assistant", assistant))
        records = [
            Record(
                text=text, source=SAID_IN_TURN, role=role, ts=ts, session=session,
                channel=channel, meta=turn,
            )
            for role, text in said if text.strip()
        ]  # fmt: skip
        return self.log(records)

    def turn_logged(self, ids: Sequence[str]) -> None:
        """Learns a moment later from a finished turn whose messages are in the journal already."""
        self._turns.note(ids)

    def turns_done(self, seconds: float | None = None) -> bool:
        """Waits until nothing is learned behind any more; whether that came in so many seconds."""
        return self._turns.wait(seconds)

    @property
    def turns_failed(self) -> tuple[int, str]:
        """How often learning behind failed since the memory was opened, and why the last time.

        Nothing is lost: those turns are found again.
        """
        return self._turns.failed, self._turns.trouble

    @property
    def remarks(self) -> tuple[str, ...]:
        """As always, and that turns are learned from later than they could be."""
        failed, why = self.turns_failed
        late = f"turns are not learned from yet (tried {plural(failed, 'time')}): {why}"
        return (*super().remarks, *([late] if failed else ()))

    def catch_up_turns(self) -> CaughtUp:
        """Learns from all turns that wait, oldest first, before it returns. Safe to repeat.

        Raises StoreError, EmbedderError; what was learned until then stays.
        """
        return self._learn(None)

    def close(self) -> None:
        """Waits for the turn under way, then as always. What waits is found when reopened."""
        self._turns.close()
        super().close()

    def _learn_behind(self, ids: Sequence[str] | None) -> None:
        self._learn(ids, behind=True)

    def _learn(self, ids: Sequence[str] | None, *, behind: bool = False) -> CaughtUp:
        # The stages load grammars and tables: `turn_end` must not wait for them.
        from slowwave.dream import turn  # noqa: PLC0415

        dreams: list[TurnDream] = []
        left: list[TurnLeft] = []
        with self._learning:
            for said in turn.turns_of(self._unread(ids)):
                if behind and self._turns.closing:
                    break
                events = tuple(event.id for event in said)
                if dreams and len(self._unread(events)) < len(said):
                    continue  # a night has planned with them meanwhile
                if self.parts.settings.dream.mode == "review":
                    # Nothing is believed before a person has seen it: a plan for each turn would
                    # be too much to ask of him.
                    left.append(TurnLeft(events, "mode review: the night plans it for a person"))
                    continue
                reader = self._mind.reader()
                if reader.waits:
                    left.append(TurnLeft(events, f"it waits for the model: {reader.waits}"))
                    continue
                outcome = turn.take(self._store, said, self._job(reader))
                if outcome.dream is not None:
                    self._followed(outcome.dream)
                    dreams.append(_of_dream(outcome.dream))
                elif outcome.left:
                    left.append(TurnLeft(events, outcome.left))
            if dreams:
                self._shown()
        return CaughtUp(tuple(dreams), tuple(left))

    def _unread(self, ids: Sequence[str] | None) -> list[Event]:
        """Messages of turns that nobody has read, or is about to read or to decide on."""
        from slowwave.dream.plans import waiting  # noqa: PLC0415 - as in `_learn`

        if ids is None:
            events = self._store.undreamed(self.space, None, None)
        else:
            found = self._store.events_by_id(self.space, ids).values()
            events = sorted(found, key=lambda event: (event.ts, event.seq))
        if not events:
            return []
        heads = self._store.dreams(self.space, waiting.UNSETTLED)
        taken = waiting.planned(self._store, heads)
        free = waiting.unclaimed(self._store, events, heads)
        return [event for event in free if event.id not in taken]

    def _job(self, reader: Reader) -> "Job":
        from slowwave.dream.turn import Job  # noqa: PLC0415 - as in `_learn`

        settings = self.parts.settings
        return Job(
            space=self.space, now=self.now(), settings=settings.dream, preset=settings.preset,
            cosine=self.likeness(), owner=settings.owner, mind=reader.mind,
            notes=(reader.note,) if reader.note else (),
        )  # fmt: skip

    def _followed(self, applied: Dream) -> None:
        """What every applied turn is followed by: open items, and what it is found by."""
        working.follow(self._store, applied, self.now())
        with suppress(DiskFull), self._indexing:
            index.catch_up(self._store, self.space, no_progress)

    def _shown(self) -> None:
        """After some turns: vectors and files. Both are made up for later where it fails."""
        embedder = self.parts.embedder()
        with suppress(StoreError):
            if embedder is not None:
                index.embed_pending(self._store, embedder, self.space, VECTORS_A_TURN, no_progress)
            vault.sync(self._vault(), whole=False)


def _of_dream(dream: Dream) -> TurnDream:
    from slowwave.dream.turn import decision_of  # noqa: PLC0415 - as in `_learn`
    from slowwave.dream.weigh.scope import scope_of  # noqa: PLC0415 - as in `_learn`

    def change(one: Change) -> TurnChange:
        after = one.after
        return TurnChange(
            id=one.id, op=one.op, decision=decision_of(one), scope=scope_of(after),
            memory_id=one.memory_id, kind=after.kind, text=after.text,
            importance=after.importance, status=after.status, reason=one.reason,
        )  # fmt: skip

    changes = tuple(change(one) for one in dream.changes if one.approved is not False)
    return TurnDream(
        dream_id=dream.dream_id, date=dream.date, events=dream.event_ids, changes=changes
    )
