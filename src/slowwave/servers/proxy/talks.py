"""The conversations that go through, as the journal holds them: each piece is logged once.

What is known of a conversation is kept in this process, and read from the journal where it is not:
a piece tells its mark and its place in its key there. So nothing is logged twice after a restart
either, and what could not be written is found to be new when the conversation goes on.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from threading import RLock
from typing import NamedTuple

import msgspec

from slowwave.memory import SlowMemory
from slowwave.model import SAID_IN_TURN, TURN_ID, Event, Record, short_id
from slowwave.servers.proxy.align import Known, Placed, behind, is_long, place
from slowwave.servers.proxy.pieces import Piece

__all__ = ["SOURCE", "Into", "Talk", "Talks", "Who"]

SOURCE = "proxy"
"""What the journal calls the source of what goes through; turns that are learned from have that of
turns."""
CUT_OFF = "cut_off"
"""The key in an event's metadata under which stands why an answer is not whole."""
MOST_PIECES = 60_000
"""Pieces that are kept in this process, of all conversations; beyond them the oldest are read from
the journal again when they go on."""
MOST_SESSIONS = 5_000
"""Conversations that are kept in this process, also those of which nothing was logged."""
LAST = 2**62
READ_BACK = 2_000
"""Events of a conversation that are read back."""
DAYS_BACK = timedelta(days=14)
"""How old a conversation may be that is known again although its beginning was cut off."""
TELLING = 8
"""Pieces of a request, its last ones, by which its conversation is looked for."""
ALIKE = 40
"""Conversations that begin with the same words and are told apart."""


class Who(NamedTuple):
    """Whose conversation it is: what it is called, or what tells it apart from others.

    `channel` is where it takes place; `follows` the answer that it goes on from, by its own id.
    """

    session: str = ""
    narrower: str = ""
    channel: str = ""
    follows: str = ""


class Into(NamedTuple):
    """Where pieces go. `learn`: turns are learned from; `cut` tells why an answer is not whole.

    `ref` is the answer's own id, where others may go on from it.
    """

    who: Who
    session: str
    learn: bool = False
    cut: str = ""
    ref: str = ""


class Talk(NamedTuple):
    """One conversation at one request: its name, and what of the request is in the journal."""

    session: str
    placed: Placed
    seen: tuple[str, ...] = ()
    """The events that stand in the request already."""


class Talks:
    """The conversations of one space. Safe from several threads."""

    def __init__(self, memory: SlowMemory) -> None:
        self._memory = memory
        self._lock = RLock()
        self._known: OrderedDict[str, list[Known]] = OrderedDict()
        self._where: dict[str, dict[str, None]] = {}
        """By mark the conversations without a name of their own in which it stands."""
        self._pieces = 0
        self._looked = False

    def find(self, who: Who, pieces: Sequence[Piece], now: datetime) -> Talk:
        """The conversation that a request goes on with. Raises StoreError."""
        with self._lock:
            session = who.session or self._followed(who) or self._nameless(who, pieces, now)
            known = self._of(session)
            placed = self._placed(who, known, pieces, now)
            seen = tuple(known[at].event_id for at in placed.same if known[at].event_id)
            return Talk(session, placed, seen)

    def log(self, into: Into, pieces: Sequence[Piece], now: datetime) -> tuple[str, int]:
        """Takes in what is new of a request; durable on return. By one thread at a time.

        The place of its last piece, and how many events are new. Raises StoreError: then all of it
        is new again next time.
        """
        with self._lock:
            known = self._of(into.session)
            placed = self._placed(into.who, known, pieces, now)
            after = known[placed.after] if placed.after >= 0 else None
            new = _following(after, pieces[placed.new :], into, now)
        logged = self._logged(into, new)
        last = new[-1][0] if new else after
        return (last.place if last else ""), logged

    def answer(
        self, into: Into, at: str, pieces: Sequence[Piece], now: datetime
    ) -> tuple[tuple[str, ...], int]:
        """Takes in what was answered to the piece at this place. By one thread at a time.

        The messages of the whole turn, and how many events are new. Raises StoreError.
        """
        with self._lock:
            known = self._of(into.session)
            asked = next((n for n in range(len(known) - 1, -1, -1) if known[n].place == at), -1)
            there = 0
            for one, piece in zip(known[asked + 1 :], pieces, strict=False):
                if asked < 0 or one.mark != piece.mark:
                    break
                there += 1
            after = known[asked + there] if asked >= 0 else None
            new = _following(after, pieces[there:], into, now)
        logged = self._logged(into, new)
        with self._lock:
            known = self._of(into.session)
            turn = next((one.turn for one in reversed(known) if one.place == at), "")
            messages = tuple(
                one.event_id for one in known
                if turn and one.turn == turn and one.kind == "message" and one.event_id
            )  # fmt: skip
        return messages, logged

    # --- writing ----------------------------------------------------------------------------------

    def _logged(self, into: Into, new: Sequence[tuple[Known, Piece]]) -> int:
        """Writes pieces, and knows them from then on. Nobody waits for the disk but the writer."""
        if not new:
            return 0
        records = [_record(one, piece, into) for one, piece in new]
        if into.ref:
            records[0] = msgspec.structs.replace(records[0], ref=into.ref)
        taken = self._memory.log(records)
        added = [one for one, _ in new]
        if len(taken.ids) == len(records):
            ids = [logged.id for logged in taken.ids]
            added = [one._replace(event_id=ident) for one, ident in zip(added, ids, strict=True)]
        with self._lock:
            known = self._of(into.session)
            there = {one.place for one in known[-2 * READ_BACK :]}
            self._keep(into.session, known, [one for one in added if one.place not in there])
        return taken.events

    def _keep(self, session: str, known: list[Known], added: Iterable[Known]) -> None:
        for one in added:
            known.append(one)
            self._pieces += 1
            if _nameless(session):
                self._where.setdefault(one.mark, {})[session] = None
        self._known.move_to_end(session)
        while len(self._known) > 1 and (
            self._pieces > MOST_PIECES or len(self._known) > MOST_SESSIONS
        ):
            self._drop(next(iter(self._known)))

    def _drop(self, session: str) -> None:
        for one in self._known.pop(session, ()):
            self._pieces -= 1
            there = self._where.get(one.mark)
            if there is not None:
                there.pop(session, None)
                if not there:
                    del self._where[one.mark]

    # --- reading ----------------------------------------------------------------------------------

    def _of(self, session: str) -> list[Known]:
        """What is known of a conversation; the list itself, which grows."""
        known = self._known.get(session)
        if known is None:
            events = self._memory.said_in(session, READ_BACK)
            known = self._known[session] = []
            self._keep(session, known, _read_back(events))
        self._known.move_to_end(session)
        return known

    def _followed(self, who: Who) -> str:
        """The conversation of the answer that a request goes on from; empty where it is unknown."""
        event = self._memory.said_as(who.follows) if who.follows else None
        return event.session if event is not None else ""

    def _placed(
        self, who: Who, known: list[Known], pieces: Sequence[Piece], now: datetime
    ) -> Placed:  # fmt: skip
        answer = self._memory.said_as(who.follows) if who.follows else None
        if answer is not None:
            for at in range(len(known) - 1, -1, -1):
                if known[at].event_id == answer.id:
                    while at + 1 < len(known) and known[at + 1].role == "assistant":
                        at += 1  # the whole answer
                    return behind(known, at, pieces)
        return place(known, pieces, now)

    def _nameless(self, who: Who, pieces: Sequence[Piece], now: datetime) -> str:
        """The name of a conversation that has none: by how it begins, or what stands in it."""
        prefix = f"chat-{short_id('', who.narrower, who.channel)[:4]}"
        first = next((one for one in pieces if one.role == "user"), None)
        base = f"{prefix}-{(first or pieces[0]).mark[1:] if pieces else 'empty'}"
        begun = self._beginning_with(base)
        telling = [one for one in pieces if one.by_model or is_long(one)][-TELLING:]
        if not any(one.by_model for one in pieces):
            # A question once more: as it began, or without all that stood before it.
            for session in [*begun[-1:], *self._holding(prefix, telling)]:
                if place(self._of(session), pieces, now).same:
                    return session
            return _numbered(base, len(begun) + 1)
        found = self._best([*begun, *self._holding(prefix, telling)], pieces, now)
        if not found and not self._looked:
            self._look_back(now)
            found = self._best(self._holding(prefix, telling), pieces, now)
        return found or _numbered(base, len(begun) + 1)

    def _beginning_with(self, base: str) -> list[str]:
        """The conversations that begin with the same words, oldest first."""
        found = []
        for number in range(1, ALIKE + 1):
            session = _numbered(base, number)
            if not self._of(session):
                self._drop(session)
                break
            found.append(session)
        return found

    def _holding(self, prefix: str, pieces: Sequence[Piece]) -> list[str]:
        """The conversations in which some of these stand."""
        found: dict[str, None] = {}
        for piece in pieces:
            found.update(self._where.get(piece.mark, {}))
        return [session for session in found if session.startswith(prefix)]

    def _best(self, sessions: Iterable[str], pieces: Sequence[Piece], now: datetime) -> str:
        best, most = "", (0, datetime.min.replace(tzinfo=now.tzinfo))
        for session in dict.fromkeys(sessions):
            known = self._of(session)
            held = place(known, pieces, now).held
            if known and held and (held, known[-1].ts) > most:
                best, most = session, (held, known[-1].ts)
        return best

    def _look_back(self, now: datetime) -> None:
        """Reads the last days' conversations: one that has lost its beginning is among them."""
        self._looked = True
        sessions = {
            event.session: None
            for event in self._memory.said_since(now - DAYS_BACK)
            if _nameless(event.session)
        }
        for session in sessions:
            self._of(session)


def _nameless(session: str) -> bool:
    return session.startswith("chat-")


def _numbered(base: str, number: int) -> str:
    number = min(number, ALIKE)
    return base if number == 1 else f"{base}.{number}"


def _following(
    after: Known | None, pieces: Sequence[Piece], into: Into, now: datetime
) -> list[tuple[Known, Piece]]:
    """New pieces behind what is known, each with its place."""
    new = []
    for piece in pieces:
        after = _next(after, piece, into, now)
        new.append((after, piece))
    return new


def _next(after: Known | None, piece: Piece, into: Into, now: datetime) -> Known:
    """A new piece behind another one (None: a beginning), not logged yet."""
    begun = (after.place,) if after is not None else (into.session, now.isoformat())
    mark = piece.mark
    name = short_id("c", *begun, mark)
    turn = after.turn if after is not None else ""
    if piece.role == "user" and not (after is not None and after.role == "user"):
        turn = short_id("t", into.session, name)
    shortened = piece.text if into.cut and piece.said else ""
    return Known(mark, name, piece.role, piece.kind, now, turn=turn, cut=shortened)


def _record(one: Known, piece: Piece, into: Into) -> Record:
    meta = {}
    in_turn = into.learn and piece.said and bool(one.turn)
    if in_turn:
        meta[TURN_ID] = one.turn
    if into.cut and piece.by_model:
        meta[CUT_OFF] = into.cut
    if piece.kind == "tool_result" and piece.name:
        meta["tool"] = piece.name
    return Record(
        text=piece.text, source=SAID_IN_TURN if in_turn else SOURCE, key=f"{one.mark}.{one.place}",
        ts=one.ts, role=piece.role, kind=piece.kind, origin=piece.origin, session=into.session,
        speaker=(piece.name or None) if piece.said and piece.role == "user" else None,
        channel=into.who.channel or None, meta=meta,
    )  # fmt: skip


def _read_back(events: Iterable[Event]) -> Iterator[Known]:
    """What the journal tells of a conversation."""
    after: Known | None = None
    for event in events:
        source, _, key = event.identity.partition("\x1fkey\x1f")
        mark, _, name = key.partition(".")
        if source not in (SOURCE, SAID_IN_TURN) or not (mark and name):
            continue
        turn = event.meta.get(TURN_ID) or (after.turn if after is not None else "")
        if event.role == "user" and not (after is not None and after.role == "user"):
            turn = event.meta.get(TURN_ID) or short_id("t", event.session, name)
        cut = event.text if CUT_OFF in event.meta and event.kind == "message" else ""
        after = Known(mark, name, event.role, event.kind, event.ts, event.id, turn, cut)
        yield after
