"""Whose sessions over HTTP are: each is for the token that opened it, and nobody fills the room."""

from collections import OrderedDict

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slowwave.servers.access import Grant

MOST_OF_ONE = 200
"""Sessions of one token; beyond them the one that was not used longest ends, and its client has to
begin anew."""
MOST_TOKENS = 1_000


class Owned:
    """Tells the SDK who came in, and ends what one token opens too much of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on with its user."""
        grant = scope.get("state", {}).get("grant")
        if not isinstance(grant, Grant):
            await self._app(scope, receive, send)
            return
        whose = "" if grant.local else "\x1f".join(
            (grant.name, *sorted(grant.scopes), "", *grant.spaces)
        )  # fmt: skip
        if whose:
            known = AccessToken(token="", client_id=grant.name, scopes=[], subject=whose)
            scope = {**scope, "user": AuthenticatedUser(known)}
        used = Headers(scope=scope).get(MCP_SESSION_ID_HEADER, "")
        opened = ""

        async def sent(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and not used:
                opened = Headers(raw=message["headers"]).get(MCP_SESSION_ID_HEADER, "")
            await send(message)

        await self._app(scope, receive, sent)
        for old in self._noted(whose, used, opened):
            await self._app(_ending(scope, old), _nothing, _unheard)

    def _noted(self, whose: str, used: str, opened: str) -> list[str]:
        """Notes the session of a request; those of the same token that end now."""
        mine = self._open.setdefault(whose, OrderedDict())
        self._open.move_to_end(whose)
        while len(self._open) > MOST_TOKENS:
            self._open.popitem(last=False)
        if used in mine:
            mine.move_to_end(used)
        if opened:
            mine[opened] = None
        return [mine.popitem(last=False)[0] for _ in range(len(mine) - MOST_OF_ONE)]


def _ending(scope: Scope, session: str) -> Scope:
    """The request by which a client itself would end a session."""
    headers = [(b"host", b"localhost"), (MCP_SESSION_ID_HEADER.encode(), session.encode())]
    return {**scope, "method": "DELETE", "headers": headers}


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(_message: Message) -> None:
    """Nobody asked for it."""
