"""A server that speaks the OpenAI protocol and says what a script tells it, with faults on demand.

It is a real HTTP server on 127.0.0.1, so a test with it covers the client, the time-outs and the
bytes on the wire. What it was sent is kept, for tests that nothing private leaves a machine.

    from slowwave.testing.scripted_model import ScriptedModel, busy, fenced

    with ScriptedModel(['{"items": []}', busy(retry_after=1), fenced('{"items": []}')]) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="none")
        client.chat.completions.create(model="scripted", messages=[…])
    assert "a secret" not in server.received_text

The script is a list of turns, one for each request that is answered, or a function from the
request to its turn. A turn is the text of an answer, anything that JSON can hold, or one of the
faults of `scripted_turns`. When a list is over, the server answers 500 `script_over`.
"""

import json
import threading
from collections.abc import Callable, Sequence
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from slowwave.testing.scripted_http import Handler, Request
from slowwave.testing.scripted_turns import (
    Fault,
    Say,
    Turn,
    as_turn,
    breaking,
    busy,
    calling,
    chatty,
    cut_off,
    dribbling,
    echo,
    failing,
    fenced,
    holding,
    invented,
    packed,
    page,
    redirected,
    refusing,
    reset,
    slowly,
    thinking,
    too_long,
    truncated,
    wrong_ids,
)

__all__ = [
    "Fault",
    "Request",
    "Say",
    "ScriptedModel",
    "breaking",
    "busy",
    "calling",
    "chatty",
    "cut_off",
    "dribbling",
    "echo",
    "failing",
    "fenced",
    "holding",
    "invented",
    "packed",
    "page",
    "redirected",
    "refusing",
    "reset",
    "slowly",
    "thinking",
    "too_long",
    "truncated",
    "wrong_ids",
]

Script = Sequence[Any] | Callable[[Request], Any]

FORMATS = ("json_schema", "json_object")


class ScriptedModel:
    """The server; use it as a context manager.

    `formats` are the kinds of `response_format` it takes: any other is refused with 400 and uses
    up no turn, as in servers of this kind. `limit` is what it calls the length of an answer, and
    `temperature` whether one may be set. `models` is what `/v1/models` lists.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        models: Sequence[str] = ("scripted",),
        formats: Sequence[str] = FORMATS,
        limit: str = "",
        temperature: bool = True,
    ) -> None:
        self.models = tuple(models)
        self.requests: list[Request] = []
        self.gone = 0
        """Streams whose client went away before their end."""
        self.stopping = threading.Event()
        self._script = script
        self._formats = formats
        self._limit = limit
        self._temperature = temperature
        self._turns = 0
        self._received: list[bytes] = []
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        handler = type("BoundHandler", (Handler,), {"scripted": self})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._server is not None, "use the server as a context manager"
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """What to set as the base URL of a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def asked(self) -> list[Request]:
        """The requests for a completion, in the order in which they came."""
        return [one for one in self.requests if one.path.endswith("/chat/completions")]

    @property
    def bytes_received(self) -> bytes:
        """Every byte that was sent here: request lines, headers and bodies."""
        with self._lock:
            return b"".join(self._received)

    @property
    def received_text(self) -> str:
        """The same as text, and all bodies once more without the escapes of JSON."""
        bodies = [json.dumps(one.body, ensure_ascii=False) for one in self.requests]
        return "\n".join([self.bytes_received.decode("utf-8", "replace"), *bodies])

    # what the handler asks

    def keep(self, raw: bytes, request: Request) -> None:
        """Notes a request with its bytes."""
        with self._lock:
            self._received.append(raw)
            self.requests.append(request)

    def objection(self, request: Request) -> str:
        """Why this server refuses the shape of a request; "" when it does not."""
        body = request.body
        form = body.get("response_format")
        kind = form.get("type") if isinstance(form, dict) else None
        if kind not in (None, "text") and kind not in self._formats:
            return f"response_format of type {kind} is not supported by this server"
        if self._limit == "max_completion_tokens" and "max_tokens" in body:
            return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        if not self._temperature and "temperature" in body:
            return "Unsupported value: 'temperature' may not be set with this model."
        return ""

    def turn(self, request: Request) -> Turn:
        """The next turn of the script."""
        if callable(self._script):
            return as_turn(self._script(request))
        with self._lock:
            number = self._turns
            self._turns += 1
        if number >= len(self._script):
            return failing(500, "the script is over", code="script_over")
        return as_turn(self._script[number])


class _Quiet(ThreadingHTTPServer):
    """Says nothing when a client goes away; stops without waiting for one that holds on."""

    daemon_threads = True
    block_on_close = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is none of the test's business."""
