"""The protocol side of `scripted_model`: reads requests, writes answers, breaks connections."""

import base64
import json
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from slowwave.testing.embedder import HashingEmbedder
from slowwave.testing.scripted_turns import Fault, Say

if TYPE_CHECKING:
    from slowwave.testing.scripted_model import ScriptedModel

DIMENSIONS = 64
PIECE = 12
"""Characters of an answer in each event of a stream."""
DRIBBLE = 0.05
"""Seconds between two blanks."""
CREATED = 1_700_000_000
"""A fixed moment: two runs of a test are the same bytes."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came. `body` is {} where there is none, or it is no JSON object."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """What the user said last."""
        said = [one for one in self.messages if one.get("role") == "user"]
        return str(said[-1].get("content", "")) if said else ""

    @property
    def system(self) -> str:
        """What the system message says."""
        said = [one for one in self.messages if one.get("role") == "system"]
        return str(said[0].get("content", "")) if said else ""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of a chat."""
        found = self.body.get("messages")
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


class Handler(BaseHTTPRequestHandler):
    """One connection. `scripted` is set by the server that makes it."""

    scripted: "ScriptedModel"
    protocol_version = "HTTP/1.1"
    timeout = 30.0

    def do_GET(self) -> None:
        """`/v1/models`."""
        request = self._request()
        if request.path.endswith("/models"):
            data = [{"id": name, "object": "model", "created": CREATED, "owned_by": "scripted"}
                    for name in self.scripted.models]  # fmt: skip
            self._json(200, {"object": "list", "data": data})
        else:
            self._fail(Fault("status", 404, f"no such path: {request.path}"))

    def do_POST(self) -> None:
        """`/v1/chat/completions` and `/v1/embeddings`."""
        request = self._request()
        if request.path.endswith("/embeddings"):
            self._json(200, _embeddings(request.body))
        elif not request.path.endswith("/chat/completions"):
            self._fail(Fault("status", 404, f"no such path: {request.path}"))
        elif objection := self.scripted.objection(request):
            self._fail(Fault("status", 400, objection, "unsupported_parameter"))
        else:
            turn = self.scripted.turn(request)
            if isinstance(turn, Fault):
                self._fail(turn)
            else:
                self._say(turn, request)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _request(self) -> Request:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        body = body if isinstance(body, dict) else {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path.partition("?")[0], headers, body)
        head = f"{self.requestline}\r\n{self.headers}".encode("utf-8", "surrogateescape")
        self.scripted.keep(head + raw, request)
        return request

    # answers

    def _say(self, turn: Say, request: Request) -> None:
        text = turn.said(f"{request.system}\n{request.prompt}")
        prompt = json.dumps(request.messages)
        tokens_in = len(prompt) // 4 if turn.tokens_in is None else turn.tokens_in
        tokens_out = len(text) // 4 if turn.tokens_out is None else turn.tokens_out
        usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out,
                 "total_tokens": tokens_in + tokens_out}  # fmt: skip
        head = {"id": f"chatcmpl-{len(self.scripted.asked)}", "created": CREATED,
                "model": request.body.get("model") or self.scripted.models[0]}  # fmt: skip
        if request.body.get("stream"):
            self._stream(_chunks(head, text, turn.finish, request.body, usage))
            return
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": turn.finish}
        self._json(200, {**head, "object": "chat.completion", "choices": [choice], "usage": usage})

    def _stream(self, chunks: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for chunk in chunks:
            line = json.dumps(chunk, ensure_ascii=False)
            self.wfile.write(f"data: {line}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def _json(
        self, status: int, value: Any, headers: Mapping[str, str] | None = None, *, cut: int = 0
    ) -> None:
        payload = json.dumps(value, ensure_ascii=False).encode()
        self._send(status, "application/json", payload, headers, cut)

    def _send(
        self,
        status: int,
        kind: str,
        payload: bytes,
        headers: Mapping[str, str] | None = None,
        cut: int = 0,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload[:-cut] if cut else payload)

    # faults

    def _fail(self, fault: Fault) -> None:
        match fault.kind:
            case "status":
                kind = "invalid_request_error" if fault.status < 500 else "server_error"
                body = {"message": fault.message, "type": kind, "code": fault.code or None}
                self._json(fault.status, {"error": body}, fault.headers)
            case "page":
                self._send(fault.status, "text/html", fault.message.encode())
            case "hold":
                self.scripted.stopping.wait(fault.seconds)
                self.close_connection = True
            case "dribble":
                self._dribble(fault.seconds)
            case "cut":
                self._json(200, {"choices": [{"message": {"content": "never read"}}]}, cut=20)
                self.close_connection = True
            case "reset":
                # Closing with nothing lingering sends a reset instead of an end.
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                self.close_connection = True

    def _dribble(self, seconds: float) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for _ in range(int(seconds / DRIBBLE)):
            if self.scripted.stopping.wait(DRIBBLE):
                return
            try:
                self.wfile.write(b" ")
            except OSError:
                return


def _chunks(
    head: Mapping[str, Any],
    text: str,
    finish: str,
    body: Mapping[str, Any],
    usage: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    head = {**head, "object": "chat.completion.chunk"}
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    for number, piece in enumerate(pieces):
        delta = {"content": piece} if number else {"role": "assistant", "content": piece}
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    options = body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        yield {**head, "choices": [], "usage": usage}


def _embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    """Vectors of hashed character n-grams: texts that share characters are near each other."""
    given = body.get("input")
    texts = [given] if isinstance(given, str) else list(given or ())
    embedder = HashingEmbedder(int(body.get("dimensions") or DIMENSIONS))
    data = []
    for number, text in enumerate(texts):
        vector = embedder.query(str(text)) or bytes(embedder.dimensions)
        numbers = [(one - 256 if one > 127 else one) / 127 for one in vector]
        shown = _packed(numbers) if body.get("encoding_format") == "base64" else numbers
        data.append({"object": "embedding", "index": number, "embedding": shown})
    usage = {"prompt_tokens": sum(len(str(text)) // 4 for text in texts), "total_tokens": 0}
    return {"object": "list", "data": data, "model": body.get("model", ""), "usage": usage}


def _packed(numbers: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode("ascii")
