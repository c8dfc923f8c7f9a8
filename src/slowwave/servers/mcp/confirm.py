"""Forgetting asks the person, never only the model.

Where the client can put a question to its user (elicitation), it is put there; the model sees the
answer's outcome alone. Where it cannot, nothing happens at first: the model is given what would go
and a code for exactly that, to be sent again once the user said yes.
"""

from typing import Any

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from slowwave.servers.mcp.work import Ask

KEY = "confirm"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "yes": {"type": "boolean", "title": "Erase it for good? 永久删除吗？", "default": False}
    },
    "required": ["yes"],
}


def said_yes(params: types.CallToolRequestParams, ask: Ask) -> bool | None:
    """What the person answered to this very question; None where it was not asked yet."""
    given = (params.input_responses or {}).get(KEY)
    if not isinstance(given, types.ElicitResult) or params.request_state != ask.code:
        return None  # what would go has changed since: it is asked again
    return _agrees(given)


async def asked_person(
    ctx: ServerRequestContext[Any, Any], ask: Ask
) -> bool | types.InputRequiredResult | None:
    """The person's answer, or the question as the newer protocol carries it; None: cannot ask."""
    told = ctx.session.client_capabilities
    if told is None or told.elicitation is None:
        return None
    question = types.ElicitRequestFormParams(message=ask.what, requested_schema=SCHEMA)
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        requests: types.InputRequests = {KEY: types.ElicitRequest(params=question)}
        return types.InputRequiredResult(input_requests=requests, request_state=ask.code)
    try:
        given = await ctx.session.elicit_form(ask.what, SCHEMA, related_request_id=ctx.request_id)
    except MCPError:
        return None
    return _agrees(given)


def code_alone(ask: Ask) -> str:
    """What an agent is told whose client cannot ask."""
    return (
        f"{ask.what}\n\nNothing was erased yet. Show this to the user and ask; only on a clear yes "
        f'call memory_forget again with confirm: "{ask.code}".'
    )


def _agrees(given: types.ElicitResult) -> bool:
    return given.action == "accept" and (given.content or {}).get("yes") is True
