"""One space under the eyes of the resident: what came in, what is unread, and its brakes."""

from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import inf

import msgspec

from slowwave.memory import SlowMemory
from slowwave.model import Dream, Event, clock_zone, day_of
from slowwave.ports import Store
from slowwave.scheduler import Brakes, Kept, Outcome, Seen, Verdict, decide, next_run, time_of
from slowwave.servers.resident.state import Ended

__all__ = ["Watch"]

STAGE = "resident"
"""Under the empty id: what a space is in the middle of."""

HOUR = 3600.0
LOOK_AGAIN = 300.0
"""Seconds after which a space is looked at again though nothing came in: others decide plans, and
dream, too."""
LOOK_SOON = 10.0
"""While something comes in it is looked at as often, at most."""
PAGE, PAGES = 500, 8
"""Events that are read at once; of more pages only the end is looked at."""
AS_THEY_ARE = timedelta(minutes=2)
"""An event that is not older was said now; older ones are brought in from elsewhere."""
LATEST = 200
"""So many of the latest dreams are looked at."""


class Watch:
    """Watches one space. Raises what the store raises; for one thread."""

    def __init__(self, memory: SlowMemory, tick: float) -> None:
        self.memory = memory
        self.last: Ended | None = None
        self.trouble = ""
        self._settings = memory.parts.settings.resident
        self._store: Store = memory.parts.store
        self._up = tick
        self._spoke = -inf
        self._arrived: deque[tuple[float, int]] = deque()
        self._newest = 0
        self._looked = -inf
        self._look_at = -inf
        self._night: datetime | None = None
        self._seen: Seen | None = None
        self._began_at = 0
        now = memory.now()
        self.brakes = Brakes(_kept(self._store, memory.space), now, tick)
        self._begin(now, tick)

    # what comes in

    def hear(self, tick: float) -> bool:
        """Takes in what was journaled since the last time; whether the user spoke."""
        now = self.memory.now()
        spoke, number = False, 0
        for _ in range(PAGES):
            events = self._store.events_after(self.memory.space, self._newest, PAGE)
            spoke |= self._take(events, now, tick)
            number += len(events)
            if len(events) < PAGE:
                break
        else:
            self._newest = last_of(self._store, self.memory.space, self._newest)
        if number:
            self._arrived.append((tick, number))
            soon = self._looked + min(LOOK_SOON, self._settings.idle_minutes * 60)
            self._look_at = min(self._look_at, soon)
        return spoke

    def _take(self, events: Sequence[Event], now: datetime, tick: float) -> bool:
        """Whether one of these events is a word that the user says now."""
        spoke = False
        if events:
            self._newest = max(self._newest, events[-1].seq)
        for event in events:
            ago = now.astimezone(UTC) - event.ts.astimezone(UTC)
            if _said(event) and ago <= AS_THEY_ARE:
                self._spoke = max(self._spoke, tick - max(0.0, ago.total_seconds()))
                spoke = True
        return spoke

    def _begin(self, now: datetime, tick: float) -> None:
        """What came in during the last hour, before anybody watched."""
        space, hour = self.memory.space, timedelta(hours=1)
        late = self._store.events_between(space, now - hour, now + hour)
        if late:
            self._arrived.append((tick, len(late)))
        said = [event.ts for event in late if _said(event)]
        if said:
            self._spoke = tick - max(0.0, (now - max(said)).total_seconds())
        self._newest = last_of(self._store, space, max((event.seq for event in late), default=0))

    # what is to be done

    def verdict(self, tick: float, *, fresh: bool = False) -> Verdict:
        """Whether to dream now. With `fresh` nothing that was seen before is relied on."""
        now = self.memory.now()
        over = self._night is not None and now.astimezone(UTC) >= self._night
        if fresh or over or tick >= self._look_at or self._seen is None:
            self._seen = self._look(now, tick)
        seen = msgspec.structs.replace(
            self._seen, now=now, quiet=max(0.0, tick - self._spoke), up=tick - self._up,
            arrived=self._lately(tick),
        )  # fmt: skip
        found = decide(self._settings, seen, self.brakes, tick)
        self._look_at = min(self._look_at, tick + found.wait)
        return found

    def _look(self, now: datetime, tick: float) -> Seen:
        """Reads what is unread, due, waiting and done."""
        memory, at = self.memory, time_of(self._settings.at)
        self._looked, self._look_at = tick, tick + LOOK_AGAIN
        self._night = next_run(now, at).astimezone(UTC)
        dreams = self._store.dreams(memory.space, latest=LATEST)
        self._heed(dreams, now, tick)
        nights = memory.due(at)
        today = memory.unread_today()
        unread = len(today)
        if nights and "backlog" in self._settings.triggers:
            times = self._store.undreamed_times(memory.space)
            unread += sum(day_of(ts, clock_zone(now)) in nights for ts in times)
        return Seen(
            now=now, nights=nights, today=bool(today), unread=unread, waits=memory.held(),
            fresh=bool(nights) or any(event.seq > self.brakes.read for event in today),
            dreamed=sum(_read_lately(dream, now) for dream in dreams),
        )  # fmt: skip

    def _heed(self, dreams: Sequence[Dream], now: datetime, tick: float) -> None:
        """Dreams that others made count as rest that is not over yet."""
        for dream in dreams:
            ended = dream.run_at + timedelta(seconds=dream.duration_sec)
            ago = (now - ended).total_seconds()
            if dream.by == "night" and dream.mode != "dry_run" and ago >= 0:
                self.brakes.ended_elsewhere(ago, tick)
                return

    def _lately(self, tick: float) -> int:
        """Events that came in during the last hour."""
        while self._arrived and tick - self._arrived[0][0] > HOUR:
            self._arrived.popleft()
        return sum(number for _, number in self._arrived)

    # its dreams

    def begin(self, tick: float) -> None:
        """A dream of it begins. Durable on return: it counts also where all is cut off."""
        now = self.memory.now()
        self._began_at = self._newest
        self.brakes.begin(now, tick)
        self._keep(now, tick)

    def end(self, outcome: Outcome, tick: float, *, moved: bool = False) -> None:
        """The dream has ended; `moved`: some of its nights were dreamed."""
        self.brakes.end(outcome, tick, self._began_at, moved=moved)
        self._look_at = -inf
        self._keep(self.memory.now(), tick)

    def _keep(self, now: datetime, tick: float) -> None:
        payload = msgspec.json.encode(self.brakes.kept(now, tick))
        self._store.put_stage(self.memory.space, "", STAGE, payload)


def last_of(store: Store, space: str, known: int) -> int:
    """The place of the last event of a space in the journal, from a place that is not behind it."""
    low, step = known, 1
    while found := store.events_after(space, low + step - 1, 1):
        low, step = found[0].seq, step * 2
    high = low + step - 1  # none is behind this one
    while low < high:
        middle = (low + high) // 2
        found = store.events_after(space, middle, 1)
        if found:
            low = found[0].seq
        else:
            high = middle
    return low


def _said(event: Event) -> bool:
    """Whether these are words of the user; notes and edits come in with a night itself."""
    return event.origin == "owner" and event.kind == "message"


def _kept(store: Store, space: str) -> Kept:
    payload = store.stages(space, "").get(STAGE)
    try:
        return msgspec.json.decode(payload, type=Kept) if payload is not None else Kept()
    except msgspec.MsgspecError:  # of another version
        return Kept()


def _read_lately(dream: Dream, now: datetime) -> int:
    """How many events this dream has taken off what waits, if that was in the last hour."""
    late = timedelta(0) <= now - dream.run_at <= timedelta(hours=1)
    return dream.input_events if late and dream.status == "applied" else 0
