"""What an answer says, read from its bytes while they pass by: nothing of them is changed or held.

A stream of server-sent events, or one JSON value; of several choices the first is read.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from slowwave.servers.proxy.asked import Protocol as Kind
from slowwave.servers.proxy.pieces import Piece, of_items, of_messages

__all__ = ["READABLE", "Heard", "reader"]

READABLE = frozenset({"gzip", "deflate", "identity"})
"""Content codings that an answer can be read in."""
MOST = 16_000_000
"""Bytes of an answer that are read; what is longer passes by unread."""


class Heard:
    """One answer. `done` once its end was seen; `cut` why it is not whole, as far as it says so."""

    def __init__(self) -> None:
        self.done = False
        self.cut = ""
        self.answer_id = ""
        self.unread = False

    def pieces(self) -> list[Piece]:
        """What was said so far."""
        return []

    def feed(self, text: bytes) -> None:
        """Takes in some decoded bytes."""

    def close(self) -> None:
        """No more comes."""

    @property
    def between(self) -> bool:
        """Whether something may be said here: no event is under way."""
        return False


class _Decoder(Protocol):
    def decompress(self, data: bytes, /) -> bytes: ...


def reader(
    kind: Kind, content_type: str, encoding: str, length: int | None
) -> tuple[Heard, Callable[[bytes], None]]:
    """What hears an answer of this protocol, and what it is fed its raw bytes with."""
    what = content_type.partition(";")[0].strip().lower()
    heard: Heard
    if what == "text/event-stream":
        heard = _ChatStream() if kind == "chat" else _ResponseStream()
    elif what.endswith("json"):
        heard = _Whole(kind)
    else:
        heard = Heard()
    decode = _decoder(encoding)
    if decode is None:
        heard = Heard()
        heard.unread = True
        return heard, lambda _: None
    return heard, _Feeding(heard, decode, length).feed


class _Feeding:
    def __init__(self, heard: Heard, decode: Callable[[bytes], bytes], length: int | None) -> None:
        self._heard, self._decode, self._length = heard, decode, length
        self._seen = 0

    def feed(self, raw: bytes) -> None:
        """Takes in some of the bytes as they came."""
        self._seen += len(raw)
        if self._seen > MOST or self._heard.unread:
            self._heard.unread = True
            return
        try:
            self._heard.feed(self._decode(raw))
        except (zlib.error, ValueError):
            self._heard.unread = True
            return
        if self._length is not None and self._seen >= self._length:
            self._heard.close()


def _decoder(encoding: str) -> Callable[[bytes], bytes] | None:
    """What takes one coding off, piece by piece; None for codings that are not known here."""
    match encoding.strip().lower():
        case "" | "identity":
            return bytes
        case "gzip" | "x-gzip":
            return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress
        case "deflate":
            return _Deflated().decompress
    return None


class _Deflated:
    """Servers mean either of two formats by the same name."""

    def __init__(self) -> None:
        self._object: _Decoder | None = None

    def decompress(self, data: bytes) -> bytes:
        if self._object is not None:
            return self._object.decompress(data)
        self._object = zlib.decompressobj()
        try:
            return self._object.decompress(data)
        except zlib.error:
            self._object = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._object.decompress(data)


# --- one value ------------------------------------------------------------------------------------


class _Whole(Heard):
    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self._kind, self._raw = kind, bytearray()
        self._value: Mapping[str, Any] = {}

    def feed(self, text: bytes) -> None:
        self._raw += text

    def close(self) -> None:
        self._value = _object(bytes(self._raw))
        self.answer_id = _string(self._value.get("id"))
        self.done = bool(self._value)
        self.cut = _cut_chat(self._value) if self._kind == "chat" else _cut_response(self._value)

    def pieces(self) -> list[Piece]:
        if self._kind == "responses":
            return of_items(self._value.get("output"))
        first = _first(self._value)
        message = first.get("message")
        return _by_model(message if isinstance(message, dict) else {})


def _cut_chat(value: Mapping[str, Any]) -> str:
    finish = _first(value).get("finish_reason")
    return finish if finish in ("length", "content_filter") else ""


def _cut_response(value: Mapping[str, Any]) -> str:
    status = value.get("status")
    if status not in ("incomplete", "failed", "cancelled"):
        return ""
    why = value.get("incomplete_details")
    return (_string(why.get("reason")) if isinstance(why, dict) else "") or str(status)


# --- a stream -------------------------------------------------------------------------------------


class _Events(Heard):
    """Server-sent events: `data:` lines up to an empty one."""

    def __init__(self) -> None:
        super().__init__()
        self._line, self._data = bytearray(), list[bytes]()
        self._carriage = False

    @property
    def between(self) -> bool:
        return not self._line and not self._data

    def feed(self, text: bytes) -> None:
        if self._carriage and text[:1] == b"\n":
            text = text[1:]
        self._carriage = text[-1:] == b"\r" if text else self._carriage
        lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for number, piece in enumerate(lines):
            self._line += piece
            if number < len(lines) - 1:
                self._end_line(bytes(self._line))
                self._line.clear()

    def _end_line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            data = b"\n".join(self._data)
            self._data.clear()
            self._event(data)

    def _event(self, data: bytes) -> None:
        raise NotImplementedError


class _ChatStream(_Events):
    def __init__(self) -> None:
        super().__init__()
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._finish: object = None

    def _event(self, data: bytes) -> None:
        if data.strip() == b"[DONE]":
            self.done = True
            return
        chunk = _object(data)
        self.answer_id = self.answer_id or _string(chunk.get("id"))
        first = _first(chunk)
        delta = first.get("delta")
        if isinstance(delta, dict):
            self._delta(delta)
        self._finish = first.get("finish_reason") or self._finish
        if chunk.get("error"):
            self.cut = "error"
        elif self._finish in ("length", "content_filter"):
            self.cut = str(self._finish)

    def _delta(self, delta: Mapping[str, Any]) -> None:
        self._text.append(_string(delta.get("content")))
        self._refusal.append(_string(delta.get("refusal")))
        calls = delta.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict):
                index = call.get("index")
                self._call(index if isinstance(index, int) else place, call.get("function"))
        if isinstance(delta.get("function_call"), dict):
            self._call(0, delta["function_call"])

    def _call(self, index: int, told: object) -> None:
        held = self._calls.setdefault(index, {"name": "", "arguments": ""})
        if isinstance(told, dict):
            for key in held:
                held[key] += _string(told.get(key))

    def close(self) -> None:
        # Some servers send no [DONE]; the reason why it finished says as much.
        self.done = self.done or self._finish is not None

    def pieces(self) -> list[Piece]:
        calls = [{"function": self._calls[index]} for index in sorted(self._calls)]
        message = {"content": "".join(self._text), "refusal": "".join(self._refusal),
                   "tool_calls": calls}  # fmt: skip
        return _by_model(message)


class _ResponseStream(_Events):
    def __init__(self) -> None:
        super().__init__()
        self._items: dict[int, Mapping[str, Any]] = {}
        self._texts: dict[int, str] = {}
        self._value: Mapping[str, Any] = {}

    def _event(self, data: bytes) -> None:
        event = _object(data)
        kind = _string(event.get("type"))
        place = event.get("output_index")
        place = place if isinstance(place, int) else 0
        response = event.get("response")
        if isinstance(response, dict):
            self.answer_id = self.answer_id or _string(response.get("id"))
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            self._value = response if isinstance(response, dict) else {}
            self.done, self.cut = True, _cut_response(self._value)
        elif kind in ("response.output_text.delta", "response.refusal.delta"):
            self._texts[place] = self._texts.get(place, "") + _string(event.get("delta"))
        elif kind == "response.output_item.done" and isinstance(event.get("item"), dict):
            self._items[place] = event["item"]
        elif kind == "error":
            self.cut = "error"

    def pieces(self) -> list[Piece]:
        if self._value.get("output"):
            return of_items(self._value["output"])
        so_far = {
            place: {"type": "message", "role": "assistant", "content": text}
            for place, text in self._texts.items()
        }
        items = {**so_far, **self._items}
        return of_items([items[place] for place in sorted(items)])


def _by_model(message: Mapping[str, Any]) -> list[Piece]:
    return of_messages([{**message, "role": "assistant"}])


def _first(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The choice with index 0."""
    choices = value.get("choices")
    for one in choices if isinstance(choices, list) else ():
        if isinstance(one, dict) and one.get("index", 0) == 0:
            return one
    return {}


def _object(raw: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
