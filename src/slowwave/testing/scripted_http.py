"""The protocol side of `scripted_model`: reads requests, writes answers, breaks connections."""

import base64
import gzip
import json
import socket
import struct
from collections.abc import Iterable, Iterator, Mapping
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
    disable_nagle_algorithm = True

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
        """`/v1/chat/completions`, `/v1/responses` and `/v1/embeddings`."""
        request = self._request()
        if request.path.endswith("/embeddings"):
            self._json(200, _embeddings(request.body))
        elif not request.path.endswith(("/chat/completions", "/responses")):
            self._fail(Fault("status", 404, f"no such path: {request.path}"))
        elif objection := self.scripted.objection(request):
            self._fail(Fault("status", 400, objection, "unsupported_parameter"))
        else:
            turn = self.scripted.turn(request)
            if isinstance(turn, Fault):
                self._fail(turn)
            elif request.path.endswith("/responses"):
                self._respond(turn, request)
            else:
                self._say(turn, request)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _request(self) -> Request:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
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
            chunks = _chunks(head, text, turn, request.body, usage)
            self._stream(turn, (*_events(chunks), b"data: [DONE]\n\n"))
            return
        content = text if text or not turn.calls else None
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if turn.calls:
            message["tool_calls"] = list(_calls(turn))
        choice = {"index": 0, "message": message, "finish_reason": turn.finish}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        self._json(200, whole, packed=turn.packed)

    def _respond(self, turn: Say, request: Request) -> None:
        text = turn.said(request.prompt)
        name = f"resp_{len(self.scripted.requests)}"
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"id": f"msg_{name}", "type": "message", "role": "assistant",
                   "status": "completed", "content": [part]}  # fmt: skip
        calls = [{"id": f"fc_{number}", "type": "function_call", "call_id": f"call_{number}",
                  "name": called, "arguments": told, "status": "completed"}
                 for number, (called, told) in enumerate(turn.calls)]  # fmt: skip
        whole: dict[str, Any] = {
            "id": name, "object": "response", "created_at": CREATED, "status": "completed",
            "model": request.body.get("model") or self.scripted.models[0],
            "output": [*([message] if text else []), *calls], "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": [], "metadata": {},
        }  # fmt: skip
        if not request.body.get("stream"):
            self._json(200, whole, packed=turn.packed)
            return
        told = {"item_id": message["id"], "output_index": 0, "content_index": 0}
        begun = {**whole, "status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        events += [{"type": "response.output_text.delta", **told, "delta": text[at : at + PIECE]}
                   for at in range(0, len(text), PIECE)]  # fmt: skip
        events.append({"type": "response.completed", "response": whole})
        numbered = [{**one, "sequence_number": at} for at, one in enumerate(events)]
        self._stream(turn, _events(numbered, named=True))

    def _stream(self, turn: Say, events: Iterable[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(events):
            if number == turn.breaks or (turn.pause and self.scripted.stopping.wait(turn.pause)):
                self.close_connection = True
                return
            try:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            except OSError:
                self.scripted.gone += 1
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")

    def _json(
        self, status: int, value: Any, headers: Mapping[str, str] | None = None, *, cut: int = 0,
        packed: bool = False,
    ) -> None:  # fmt: skip
        payload = json.dumps(value, ensure_ascii=False).encode()
        if packed and "gzip" in self.headers.get("Accept-Encoding", ""):
            payload = gzip.compress(payload, mtime=0)
            headers = {**(headers or {}), "Content-Encoding": "gzip"}
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
    turn: Say,
    body: Mapping[str, Any],
    usage: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    head = {**head, "object": "chat.completion.chunk"}
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    for number, piece in enumerate(pieces):
        delta = {"content": piece} if number else {"role": "assistant", "content": piece}
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    for number, call in enumerate(_calls(turn)):
        # A call begins with its name, and its arguments come in pieces.
        told = call["function"]["arguments"]
        for at in range(0, max(len(told), 1), PIECE):
            part: dict[str, Any] = {
                "index": number,
                "function": {"arguments": told[at : at + PIECE]},
            }
            if not at:
                function = {**call["function"], "arguments": told[:PIECE]}
                part = {**call, "index": number, "function": function}
            change = {"tool_calls": [part]}
            yield {**head, "choices": [{"index": 0, "delta": change, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": turn.finish}]}
    options = body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        yield {**head, "choices": [], "usage": usage}


def _calls(turn: Say) -> Iterator[dict[str, Any]]:
    for number, (name, told) in enumerate(turn.calls):
        function = {"name": name, "arguments": told}
        yield {"id": f"call_{number}", "type": "function", "function": function}


def _events(values: Iterable[Mapping[str, Any]], *, named: bool = False) -> Iterator[bytes]:
    """Server-sent events; `named` with the name of each."""
    for value in values:
        name = f"event: {value['type']}\n" if named else ""
        yield f"{name}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


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
