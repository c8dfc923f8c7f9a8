"""What is asked: recall, and the block for a system prompt."""

from time import perf_counter
from typing import Annotated, Any, Literal

import msgspec

from slowwave.answers.asked import Context, Found, context_of
from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.model import USER, Caller, Kind
from slowwave.servers.rest.reading import LONGEST_QUERY, Asked, Moment, Name, Query, moment_of
from slowwave.servers.rest.route import route

BUDGET = 600
"""Tokens of a block unless told."""


class Question(Asked, frozen=True, kw_only=True):
    """A question, and what its answer is limited to.

    `kind` and `subject` leave only memories. `explain` shows what each score is made of. With
    `signal` false, or asked with `explain` or by a job or an evaluation, it does not count as a use
    of what is found.
    """

    query: Query
    k: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    scope: Literal["all", "memories", "events"] = "all"
    kind: Kind | None = None
    subject: Name | None = None
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    include_cold: bool = False
    min_score: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    explain: bool = False
    signal: bool = True
    session: Name = ""
    caller: Caller = "agent"


class Prompt(Asked, frozen=True, kw_only=True):
    """What a prompt is about; an empty query is the opening of a session."""

    query: Annotated[str, msgspec.Meta(max_length=LONGEST_QUERY)] = ""
    budget: Annotated[int, msgspec.Meta(ge=1, le=100_000, description="Tokens.")] = BUDGET
    session: Name = ""
    caller: Caller = "agent"


def recall(memory: SlowMemory, body: Question) -> Found:
    """Search memories and the journal; each hit is dated and points to its source."""
    if body.kind and body.scope == "events":
        raise UsageError("an event has no kind of memory", "leave out kind, or scope=events")
    options: dict[str, Any] = {
        "k": body.k, "kind": body.kind, "min_score": body.min_score,
        "subject": _subject(body.subject),
        "since": moment_of(memory, body.since),
        "until": moment_of(memory, body.until, ends=True),
        "as_of": moment_of(memory, body.as_of, ends=True),
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    began = perf_counter()
    query = memory.query(
        body.query, scope=body.scope, include_cold=body.include_cold, explain=body.explain,
        session=body.session, caller=body.caller, **given,
    )  # fmt: skip
    hits = memory.recall(query, signal=body.signal)
    took = round((perf_counter() - began) * 1000, 2)
    return Found(query=body.query, results=hits, took_ms=took)


def recall_by_query(memory: SlowMemory, query: Question) -> Found:
    """Search memories and the journal; each hit is dated and points to its source.

    Changes nothing but what counts as a use of what was found; that, too, not with `signal=false`.
    """
    return recall(memory, query)


def context(memory: SlowMemory, body: Prompt) -> Context:
    """The block to put into a system prompt: relevant memories, dated, marked as history.

    Nothing relevant, no block. What is handed out stands in the injection ledger under `ledger_id`.
    """
    return context_of(memory.context(body.query, body.budget, body.session, body.caller))


def context_by_query(memory: SlowMemory, query: Prompt) -> Context:
    """The block to put into a system prompt: relevant memories, dated, marked as history.

    Nothing relevant, no block. Changes nothing but the injection ledger, which tells what prompts
    were given, and what counts as a use.
    """
    return context(memory, query)


def _subject(given: str | None) -> str | None:
    return USER if given and given.casefold() == "you" else given or None


ROUTES = (
    route("POST", "/v1/recall", recall, scope="read", tag="recall", writes=False),
    route("GET", "/v1/recall", recall_by_query, scope="read", tag="recall"),
    route("POST", "/v1/context", context, scope="read", tag="recall"),
    route("GET", "/v1/context", context_by_query, scope="read", tag="recall"),
)
