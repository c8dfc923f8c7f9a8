"""An answer on its way back: its bytes as they come, its headers, and what is heard of it."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import httpx
from starlette.types import Send

from slowwave.servers.proxy.answer import Heard, reader
from slowwave.servers.proxy.asked import Protocol
from slowwave.servers.proxy.failing import broken
from slowwave.servers.proxy.upstream import Header, back

__all__ = ["End", "Relay", "ours"]

End = Literal["done", "broken", "gone"]
"""How an answer ended: whole, broken off by its server, or its client went away."""

Tell = Callable[[Heard, str], None]
"""Hears an answer, once, when it is over, and why it is not whole."""


class Relay:
    """Passes one answer on. `tell` is called before its end is passed on, whatever that end is."""

    def __init__(
        self, response: httpx.Response, protocol: Protocol | None, shown: str, tell: Tell
    ) -> None:
        self._response, self._shown, self._tell = response, shown, tell
        self._told = False
        headers = response.headers
        length = headers.get("content-length", "")
        self._heard: Heard = Heard()
        self._feed: Callable[[bytes], None] = _unheard
        if protocol is not None and response.status_code < 300:
            self._heard, self._feed = reader(
                protocol, headers.get("content-type", ""), headers.get("content-encoding", ""),
                int(length) if length.isascii() and length.isdigit() else None,
            )  # fmt: skip

    @property
    def stream(self) -> bool:
        """Whether the answer comes as server-sent events."""
        return str(self._response.headers.get("content-type", "")).startswith("text/event-stream")

    async def pass_on(self, send: Send, own: Sequence[Header]) -> End:
        """Sends the answer with our headers added. Raises OSError where sending fails."""
        response = self._response
        await send({
            "type": "http.response.start", "status": response.status_code,
            "headers": [*back(response.headers.raw), *own],
        })  # fmt: skip
        try:
            async for chunk in response.aiter_raw():
                self._feed(chunk)
                if self._heard.done:
                    self._over("")  # before the client can ask the next question
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        except httpx.HTTPError:
            return await self._broke(send)
        except asyncio.CancelledError:
            self._over("client gone")
            raise
        self._heard.close()
        self._over("")
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return "done"

    async def _broke(self, send: Send) -> End:
        if self._heard.done:  # all was said, and only the end of the connection was not clean
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return "done"
        self._over("stream broken")
        plain = not self._response.headers.get("content-encoding")
        sized = "content-length" in self._response.headers
        if self.stream and plain and not sized and self._heard.between:
            await send({"type": "http.response.body", "body": broken(self._shown)})
        # Else the answer is left without an end, and the client sees that it broke.
        return "broken"

    def _over(self, cut: str) -> None:
        if self._told:
            return
        self._told = True
        if not cut and not self._heard.done and not self._heard.unread:
            cut = "not finished"
        self._tell(self._heard, self._heard.cut or cut)


def _unheard(_chunk: bytes) -> None:
    """Of what nobody wants to know anything."""


def ours(told: Iterable[tuple[str, str]]) -> list[Header]:
    """Our headers as they are sent."""
    return [(f"x-slowwave-{name}".encode(), _safe(value)) for name, value in told if value]


def _safe(value: str) -> bytes:
    """Printable ASCII, and what is not as it stands in addresses."""
    return "".join(
        char if " " <= char <= "~" and char != "%" else
        "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in value
    ).encode("ascii")  # fmt: skip
