"""What the proxy keeps while the server runs: its upstream, its threads, what is known, counters.

Memory is asked and written to on threads of its own, so that it can be slow, locked or broken
without anybody waiting: an answer to a chat never fails because of it.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import NamedTuple, TypeVar

from slowwave.errors import StoreBusy, UsageError
from slowwave.memory import SlowMemory
from slowwave.servers.access import Grant, Scope
from slowwave.servers.problems import Refused
from slowwave.servers.proxy.asked import Asked
from slowwave.servers.proxy.counting import Counters
from slowwave.servers.proxy.pieces import Piece
from slowwave.servers.proxy.talks import Into, Talks, Who
from slowwave.servers.proxy.upstream import Line, upstream_of
from slowwave.servers.room import enter
from slowwave.settings import ProxySettings, Settings
from slowwave.spaces import MOST_OPEN, Spaces

__all__ = ["Desk", "Given", "Log", "Logged", "Prepared", "Said", "Wish"]

PATIENCE = 1.5
"""Seconds that a request waits for its memories, at most."""
RECALLS = 8
"""Questions that are asked at once; others wait, as long as they may."""
MOST_WAITING = 1_000
"""Pieces of writing that wait; beyond them nothing more is taken on."""
TRIES = 3
"""Attempts to write where another process holds the store."""
CLOSING = 10.0
"""Seconds that the server waits for what is still to be written when it stops."""
KEPT_BLOCKS = 512
"""Blocks that are kept while an agent works on one question with its tools."""
TOLD_EVERY = 60.0
"""Seconds between two lines of the log about the same trouble."""
SEEN = 100
"""Events of a request that are left out of its memories, its last ones."""

log = logging.getLogger("slowwave.proxy")
T = TypeVar("T")


class Wish(NamedTuple):
    """What is to be done with one request, as its token, its headers and the settings allow it."""

    grant: Grant
    space: str
    who: Who
    inject: bool
    capture: bool
    read_only: bool = False
    learn: bool = False


class Given(NamedTuple):
    """What goes into a prompt: a block (empty for none) with its entry in the injection ledger.

    `state` says in a word what happened.
    """

    text: str = ""
    tokens: int = 0
    ledger_id: str = ""
    state: str = "off"


NOTHING = Given()


class Logged(NamedTuple):
    """What became of the request's side: its conversation, its last place, and its new events."""

    memory: SlowMemory
    session: str
    place: str
    events: int


class Said(NamedTuple):
    """An answer: what gives its pieces, why it is not whole, and the id by which others follow."""

    pieces: Callable[[], list[Piece]]
    cut: str = ""
    ref: str = ""


Log = Future[Logged]


@dataclass(slots=True)
class Prepared:
    """One request: what is to be done with it, and how far that came before it had to be sent."""

    wish: Wish
    given: Given = NOTHING
    memory: SlowMemory | None = None
    session: str = ""


class Desk:
    """One per server. Safe from several threads."""

    def __init__(self, spaces: Spaces) -> None:
        self.counters = Counters()
        self._spaces = spaces
        self._talks: OrderedDict[str, Talks] = OrderedDict()
        self._blocks: OrderedDict[tuple[str, str, str], tuple[int, Given]] = OrderedDict()
        self._lock = Lock()
        self._left: set[Log] = set()
        self._told: dict[str, float] = {}
        self._asking = ThreadPoolExecutor(RECALLS, "proxy-recall")
        self._writing = ThreadPoolExecutor(1, "proxy-write")

    @property
    def settings(self) -> Settings:
        """Those of the home."""
        return self._spaces.first.parts.settings

    @property
    def proxy(self) -> ProxySettings:
        """Those of the proxy."""
        return self.settings.server.proxy

    @cached_property
    def line(self) -> Line:
        """The connections to the upstream. Raises SettingsError where none is set."""
        return Line(upstream_of(self.settings))

    async def close(self) -> None:
        """Writes what waits, and ends the connections."""
        if "line" in self.__dict__:
            await self.line.close()
        self._asking.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            left = tuple(self._left)
        await asyncio.to_thread(wait, left, CLOSING)
        self._writing.shutdown(wait=False, cancel_futures=True)

    def warm(self) -> None:
        """Loads, behind, what the first question would wait for."""

        def work() -> None:
            memory = self._spaces.first
            query = memory.query("what do you know about me", caller="job")
            memory.block(query, memory.candidates(query)[0], self.proxy.budget)

        self._asking.submit(work)

    # --- before the request -----------------------------------------------------------------------

    async def prepare(self, asked: Asked, wish: Wish) -> Prepared:
        """Finds the memory, the conversation and the memories, as far as that goes in time.

        Raises what forbids the space.
        """
        made = Prepared(wish)
        if not asked.pieces or not (wish.inject or wish.capture):
            return made
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._asking, self._prepare, asked, made)
        done, _ = await asyncio.wait({work}, timeout=PATIENCE)
        if not done:
            work.cancel()
            return self._without(made, "slow", f"nothing within {PATIENCE:g} s")
        error = work.exception()
        if isinstance(error, UsageError | Refused):
            raise error
        if error is not None:
            return self._without(made, "failed", _named(error))
        made.given = work.result()
        return made

    def _without(self, made: Prepared, state: str, why: str) -> Prepared:
        self.counters.add(without_memory=1)
        self.told("a request went on without memories", why)
        # What is still under way must not change it any more.
        return Prepared(made.wish, Given(state=state), made.memory, made.session)

    def _prepare(self, asked: Asked, made: Prepared) -> Given:
        memory = made.memory = self._memory(made.wish)
        talk = self._talks_of(memory).find(made.wish.who, asked.pieces, memory.now())
        made.session = talk.session
        if not made.wish.inject:
            return Given(state="off")
        return self._given(asked, made.wish, memory, talk.session, talk.seen[-SEEN:])

    def _memory(self, wish: Wish) -> SlowMemory:
        scope: Scope = "read" if wish.grant.may("read") else "log"
        return enter(self._spaces, wish.grant, scope, wish.space).memory

    def _given(
        self, asked: Asked, wish: Wish, memory: SlowMemory, session: str, seen: tuple[str, ...]
    ) -> Given:
        question = asked.question.encode("utf-8", "replace").decode()
        if not question.strip():
            return Given(state="no-question")
        key = (memory.space, session, question)
        at_work = asked.pieces[-1].role != "user"
        with self._lock:
            erased, kept = self._blocks.get(key, (0, NOTHING)) if at_work else (0, NOTHING)
        forgotten = len(memory.parts.store.erasures(memory.space))
        if kept is not NOTHING and erased == forgotten:
            return kept  # the same turn: its prompt stays, and nothing is counted twice
        given = _recalled(memory, question, session, seen, self.proxy.budget, wish.read_only)
        with self._lock:
            self._blocks[key] = forgotten, given
            while len(self._blocks) > KEPT_BLOCKS:
                self._blocks.popitem(last=False)
        return given

    def _talks_of(self, memory: SlowMemory) -> Talks:
        with self._lock:
            known = self._talks.get(memory.space)
            if known is None:
                known = self._talks[memory.space] = Talks(memory)
            self._talks.move_to_end(memory.space)
            while len(self._talks) > MOST_OPEN:  # the journal knows them again
                self._talks.popitem(last=False)
            return known

    # --- writing ----------------------------------------------------------------------------------

    def log_request(self, made: Prepared, asked: Asked) -> Log | None:
        """Logs what is new of a request, behind.

        None where nothing is to be logged, or too much waits already.
        """
        wish = made.wish
        if not wish.capture or not asked.pieces:
            return None

        def work() -> Logged:
            memory = made.memory or self._memory(wish)
            talks, now = self._talks_of(memory), memory.now()
            session = made.session or wish.who.session
            session = session or talks.find(wish.who, asked.pieces, now).session
            into = Into(wish.who, session, wish.learn)
            place, events = talks.log(into, asked.pieces, now)
            return Logged(memory, session, place, events)

        return self._later(work)

    def log_answer(self, wish: Wish, asked: Log, said: Said) -> None:
        """Logs an answer behind the request that it follows, and has the turn learned from."""

        def work() -> Logged:
            # One thread does both, in their order: it is done. Where it failed, so does this.
            to = asked.result()
            talks = self._talks_of(to.memory)
            into = Into(wish.who, to.session, wish.learn, said.cut, said.ref)
            pieces = said.pieces()
            turn, events = talks.answer(into, to.place, pieces, to.memory.now())
            over = not said.cut and bool(pieces) and all(piece.said for piece in pieces)
            if wish.learn and turn and over:
                to.memory.turn_logged(turn)
            return to._replace(events=events)

        self._later(work)

    def _later(self, work: Callable[[], Logged]) -> Log | None:
        with self._lock:
            if len(self._left) >= MOST_WAITING:
                self.counters.add(unlogged=1)
                return None
            future = self._writing.submit(_tried, work)
            self._left.add(future)
        future.add_done_callback(self._written)
        return future

    def _written(self, future: Log) -> None:
        with self._lock:
            self._left.discard(future)
        if future.cancelled():
            self.counters.add(unlogged=1)
        elif (error := future.exception()) is not None:
            self.counters.add(unlogged=1)
            self.told("something was not logged", _named(error))
        else:
            self.counters.add(events=future.result().events)

    # --- telling ----------------------------------------------------------------------------------

    def told(self, what: str, why: str) -> None:
        """One line in the log about a trouble, now and then. Nothing of a request is in it."""
        now = time.monotonic()
        with self._lock:
            if now - self._told.get(what, -TOLD_EVERY) < TOLD_EVERY:
                return
            self._told[what] = now
        log.warning("%s: %s", what, why)


def _tried(work: Callable[[], T]) -> T:
    """Does what writes, again where another process holds the store."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except StoreBusy:
            continue
    return work()


def _recalled(
    memory: SlowMemory, question: str, session: str, seen: tuple[str, ...], budget: int,
    read_only: bool,
) -> Given:  # fmt: skip
    if not read_only:
        found = memory.context(question, budget, session, "agent", seen)
        if found.would is not None:
            return Given(ledger_id=found.ledger_id, state="trial")
        state = "injected" if found.text else "nothing"
        return Given(found.text, found.tokens, found.ledger_id, state)
    standing = memory.trial_standing()
    if standing is not None and standing.runs(memory.now()):
        return Given(state="trial")
    query = memory.query(question, session=session, caller="agent")
    hits, _ = memory.candidates(query, seen)
    block = memory.block(query, hits, budget)
    return Given(block.text, block.tokens, "", "injected" if block.text else "nothing")


def _named(error: BaseException) -> str:
    """What went wrong, by its kind alone: words of an error may repeat what somebody said."""
    return type(error).__name__
