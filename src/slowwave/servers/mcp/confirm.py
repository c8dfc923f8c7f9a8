"""Forgetting asks the person, never only the model.

Where the client can put a question to its user (elicitation), it is put there, always: the model
sees the outcome alone, and nothing that it says stands for an answer. Where the client cannot,
nothing happens at first: the model is given what would go and a code for exactly that, to be sent
again once the user said yes. A code is a word by chance: none can be worked out, or used twice.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from slowwave.servers.mcp.work import Ask

KEY = "confirm"
LASTS = 15 * 60.0
"""Seconds that a code holds."""
MOST = 1_000
"""Codes that are kept; beyond them the oldest holds no longer."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "yes": {"type": "boolean", "title": "Erase it for good? 永久删除吗？", "default": False}
    },
    "required": ["yes"],
}

Context = ServerRequestContext[Any, Any]


class Codes:
    """What was asked about and not answered yet: each code stands for one question to one caller.

    Kept in this process only. Safe from several threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._known: OrderedDict[str, tuple[str, str, float]] = OrderedDict()
        self._clock, self._lock = clock, Lock()

    def give(self, whose: str, mark: str) -> str:
        """A new code for what the mark stands for."""
        code = secrets.token_hex(6)
        with self._lock:
            self._known[code] = (whose, mark, self._clock() + LASTS)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
        return code

    def take(self, whose: str, code: str | None) -> str:
        """The mark a code stands for, this once; empty for a wrong one, and one of another's."""
        with self._lock:
            owner, mark, until = self._known.get(code or "", ("", "", 0.0))
            if owner != whose or not mark:
                return ""
            del self._known[code or ""]
        return mark if until > self._clock() else ""


def can_ask(ctx: Context) -> bool:
    """Whether the client can put a question to its user."""
    told = ctx.session.client_capabilities
    return told is not None and told.elicitation is not None


def said_yes(params: types.CallToolRequestParams, ask: Ask, mark: str) -> bool | None:
    """What the person answered to this very question; None where it was not asked yet.

    `mark` is that of the question that was asked.
    """
    given = (params.input_responses or {}).get(KEY)
    if not isinstance(given, types.ElicitResult) or mark != ask.mark:
        return None  # what would go has changed since: it is asked again
    return _agrees(given)


async def asked_person(
    ctx: Context, ask: Ask, code: Callable[[], str]
) -> bool | types.InputRequiredResult | None:
    """The person's answer, or the question as the newer protocol carries it; None: in vain."""
    question = types.ElicitRequestFormParams(message=ask.what, requested_schema=SCHEMA)
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        requests: types.InputRequests = {KEY: types.ElicitRequest(params=question)}
        return types.InputRequiredResult(input_requests=requests, request_state=code())
    try:
        given = await ctx.session.elicit_form(ask.what, SCHEMA, related_request_id=ctx.request_id)
    except MCPError:
        return None
    return _agrees(given)


def code_alone(ask: Ask, code: str) -> str:
    """What an agent is told whose client cannot ask."""
    return (
        f"{ask.what}\n\nNothing was erased yet. Show this to the user and ask; only on a clear yes "
        f'call memory_forget again with confirm: "{code}".'
    )


def _agrees(given: types.ElicitResult) -> bool:
    return given.action == "accept" and (given.content or {}).get("yes") is True
