"""What went into prompts, what was wrong with it, and the trial that only tells."""

from typing import Annotated

import msgspec

from slowwave import model
from slowwave.answers import tried
from slowwave.answers.given import GivenBack, Shown, given_back, shown
from slowwave.memory import SlowMemory
from slowwave.model import Injection
from slowwave.servers.rest.paging import Page, page
from slowwave.servers.rest.reading import Asked, Id, Moment, Name, Paged, moment_of
from slowwave.servers.rest.route import route

Days = Annotated[float, msgspec.Meta(gt=0, le=3660)]
Share = Annotated[float, msgspec.Meta(gt=0, lt=1)]


class Given(Paged, frozen=True, kw_only=True):
    """Which prompts: since a day or a moment, of a conversation, that were given this item."""

    since: Moment | None = None
    session: Name = ""
    memory: Name = ""


class Wrong(Asked, frozen=True, kw_only=True):
    """What was wrong: an entry of the ledger (`item`: which of its items, by number or id), a
    memory, an event, an open item; `right`: how it is, in the owner's words."""  # fmt: skip

    id: Id
    right: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    item: Name = ""
    apply: bool = False


class Right(Asked, frozen=True, kw_only=True):
    """What was right after all."""

    id: Id
    item: Name = ""


class Start(Asked, frozen=True, kw_only=True):
    """How long a trial runs."""

    days: Days = 7


class Replay(Asked, frozen=True, kw_only=True):
    """How far back, at most how many questions, evenly spread, and tokens for each."""

    days: Days = 7
    limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 200
    budget: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 600


class Reported(Asked, frozen=True, kw_only=True):
    """Since when, and the share of wrong items that one would bear."""

    since: Moment | None = None
    false_recall: Share = 0.1


class Some(Asked, frozen=True, kw_only=True):
    """How many."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10


class Verdict(Asked, frozen=True, kw_only=True):
    """An item, and whether it was right."""

    id: Id
    right: bool


def injections(memory: SlowMemory, query: Given) -> Page[Injection]:
    """What prompts were given, newest first; empty answers too."""
    found = memory.injections(
        moment_of(memory, query.since), session=query.session, memory=query.memory
    )
    of = f"injections\x1f{memory.space}\x1f{query.since}\x1f{query.session}\x1f{query.memory}"
    return page(found, lambda one: (one.ts.isoformat(), one.id), of, query.limit, query.cursor,
                newest_first=True)  # fmt: skip


def injection(memory: SlowMemory, id: str) -> Shown:
    """One prompt (`last`: the newest): what it was given, and what fell below the threshold."""
    entry = memory.injection(id)
    items = [item.id for item in (*entry.items, *entry.passed)]
    return shown(entry, memory.item_texts(items))


def wrong(memory: SlowMemory, body: Wrong) -> GivenBack:
    """Say that something a prompt was given is wrong, and see where it came from.

    The correction waits like any plan, or is applied at once with `apply`; until it is decided, no
    prompt gets what is wrong.
    """
    return given_back(memory.wrong(body.id, body.right, body.item, apply=body.apply))


def right(memory: SlowMemory, body: Right) -> GivenBack:
    """Take a "this was wrong" back: the correction that waits is rejected."""
    return given_back(memory.right(body.id, body.item))


def trial(memory: SlowMemory) -> tried.Standing:
    """Whether a trial runs, until when, and what it has found so far."""
    return tried.standing(memory, memory.trial_standing())


def start(memory: SlowMemory, body: Start) -> tried.Begun:
    """From now on prompts get an empty block; what they would have got is kept."""
    return tried.begun(memory, body.days)


def stop(memory: SlowMemory) -> tried.Ended:
    """End the trial now: prompts get their memories. What it found stays."""
    return tried.ended(memory)


def replay(memory: SlowMemory, body: Replay) -> tried.Replayed:
    """Ask what the user said in the last days, each message with what was known before it."""
    return tried.replayed(memory.trial_replay(body.days, body.limit, body.budget))


def report(memory: SlowMemory, query: Reported) -> tried.Report:
    """How much would have been injected, how much of it was right, and a threshold that fits."""
    return memory.trial_report(moment_of(memory, query.since), query.false_recall)


def waiting(memory: SlowMemory, query: Some) -> list[tried.Waiting]:
    """Items that nobody has judged yet, in the order to judge them."""
    return [tried.waiting(one) for one in memory.trial_waiting(query.limit)]


def judge(memory: SlowMemory, body: Verdict) -> tried.Judgement:
    """Say of an item that it was right, or wrong."""
    verdict: model.Verdict = "right" if body.right else "wrong"
    told = memory.trial_judge(body.id, verdict)
    return tried.Judgement(id=told.id, verdict=verdict)


ROUTES = (
    route("GET", "/v1/injections", injections, scope="read", tag="injections"),
    route("GET", "/v1/injections/{id}", injection, scope="read", tag="injections"),
    route("POST", "/v1/wrong", wrong, scope="review", tag="injections"),
    route("POST", "/v1/right", right, scope="review", tag="injections"),
    route("GET", "/v1/trial", trial, scope="read", tag="trial"),
    route("POST", "/v1/trial/start", start, scope="review", tag="trial"),
    route("POST", "/v1/trial/stop", stop, scope="review", tag="trial"),
    route("POST", "/v1/trial/replay", replay, scope="review", tag="trial"),
    route("GET", "/v1/trial/report", report, scope="read", tag="trial"),
    route("GET", "/v1/trial/waiting", waiting, scope="read", tag="trial"),
    route("POST", "/v1/trial/judge", judge, scope="review", tag="trial"),
)
