"""Messages of the protocol as pieces of a conversation: one for each event they will be.

A message with words and two tool calls is three pieces. Pictures, sounds and files are named, never
kept. What came out of a memory is taken out, and what is nothing else is no piece.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from slowwave.model import EventKind, Origin, Role, short_id
from slowwave.text.tool_names import tool_origin
from slowwave.text.wrappers import strip_managed

__all__ = ["Piece", "of_items", "of_messages", "words_of"]

MOST_CHARS = 2_000_000
"""Characters of one piece that are kept."""
TOOL_CHARS = 4_000
"""Characters of what a tool was told or said: as much as is kept of an imported log."""
NAMED = 120
"""Characters of the name of a picture or a file that are kept."""
LONGEST_NAME = 300
"""Characters beyond which what should be a name is the thing itself."""

Part = Literal["message", "call", "result"]
_SIDES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "model": "assistant"}
_PROGRAMS = frozenset({"system", "developer"})


class Piece(NamedTuple):
    """One thing that was said or done. `name` is who spoke, or which tool; "" where untold."""

    role: Role
    kind: EventKind
    text: str
    name: str = ""

    @property
    def said(self) -> bool:
        """Whether it is somebody's words."""
        return self.kind == "message"

    @property
    def by_model(self) -> bool:
        """Whether it is the model's side of the conversation."""
        return self.role == "assistant"

    @property
    def origin(self) -> Origin | None:
        """What only the protocol tells; None: what follows from role and speaker."""
        if self.kind == "message":
            return None
        return tool_origin(self.name) if self.kind == "tool_result" else "tool"

    @property
    def mark(self) -> str:
        """The same for what is the same however a client spaces it or writes its JSON."""
        words = _spaced_json(self.text) if self.kind == "tool_call" else " ".join(self.text.split())
        return short_id("f", self.role, self.kind, words)


def of_messages(messages: object) -> list[Piece]:
    """The pieces of `messages` of a chat. What is no message is passed over."""
    tools: dict[str, str] = {}
    return [piece for one in _objects(messages) for piece in _of_message(one, tools)]


def _of_message(message: Mapping[str, Any], tools: dict[str, str]) -> Iterator[Piece]:
    """`tools` are the names of those that were called, by the id of the call."""
    role = _string(message.get("role"))
    if role in ("tool", "function"):
        name = message.get("name") or tools.get(_string(message.get("tool_call_id")))
        yield from _result(words_of(message.get("content")), name)
    elif role in _SIDES:
        side = _SIDES[role]
        spoken = words_of(message.get("content")) or _string(message.get("refusal"))
        yield from _message(side, spoken, message.get("name"))
        for ident, call in _calls(message):
            tools[ident] = _string(call.get("name"))
            yield from _call(call.get("name"), call.get("arguments", call.get("input")))


def _calls(message: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for call in _objects(message.get("tool_calls")):
        told = call.get("function", call.get("custom"))
        if isinstance(told, dict):
            yield _string(call.get("id")), told
    told = message.get("function_call")
    if isinstance(told, dict):
        yield "", told


def of_items(items: object) -> list[Piece]:
    """The pieces of the `input` or `output` of a response."""
    if isinstance(items, str):
        return list(_message("user", items, None))
    tools: dict[str, str] = {}
    return [piece for one in _objects(items) for piece in _of_item(one, tools)]


def _of_item(item: Mapping[str, Any], tools: dict[str, str]) -> Iterator[Piece]:
    kind = _string(item.get("type")) or "message"
    ident = _string(item.get("call_id"))
    if kind == "message":
        yield from _of_message(item, tools)
    elif kind.endswith("_call_output"):
        yield from _result(words_of(item.get("output")), item.get("name") or tools.get(ident))
    elif kind.endswith("_call"):
        told = item.get("arguments", item.get("input", item.get("action")))
        tools[ident] = _string(item.get("name")) or kind.removesuffix("_call")
        yield from _call(tools[ident], told)


def _message(role: Role, text: str, name: object) -> Iterator[Piece]:
    own = strip_managed(without_reasoning(text) if role == "assistant" else text)
    if own.strip():
        yield Piece(role, "message", own[:MOST_CHARS], _string(name)[:NAMED])


def _call(name: object, told: object) -> Iterator[Piece]:
    called = _string(name) or "tool"
    written = told if isinstance(told, str) else json.dumps(told or {}, ensure_ascii=False)
    text = _cut(strip_managed(f"{called} {written}".strip()))
    if text.strip():
        yield Piece("assistant", "tool_call", text, called[:NAMED])


def _result(text: str, name: object) -> Iterator[Piece]:
    own = _cut(strip_managed(text))
    if own.strip() and tool_origin(_string(name)) != "recalled":
        yield Piece("tool", "tool_result", own, _string(name)[:NAMED])


def _cut(text: str) -> str:
    return text if len(text) <= TOOL_CHARS else text[: TOOL_CHARS - 1] + "…"


# --- content --------------------------------------------------------------------------------------


def words_of(content: object, *, named: bool = True) -> str:
    """The words of a content, string or parts; other parts are `named`, or left out."""
    if isinstance(content, str):
        return content
    found = []
    for part in _objects(content):
        text = part.get("text", part.get("refusal"))
        if isinstance(text, str):
            found.append(text)
        elif named and (other := _other(part)):
            found.append(other)
    return "\n".join(found)


def _other(part: Mapping[str, Any]) -> str:
    """What a part without words is called: `[image: cat.png]`."""
    kind = _string(part.get("type"))
    what = next((one for one in ("image", "audio", "video", "file") if one in kind), "")
    if not what:
        return ""
    inner = part.get(kind)
    told = {**part, **inner} if isinstance(inner, dict) else part
    given = next(
        (told[key] for key in ("filename", "url", "image_url", "file_url", "file_id", "format")
         if isinstance(told.get(key), str) and told[key]), "",
    )  # fmt: skip
    return f"[{what}: {_shown(given)}]" if given else f"[{what}]"


def _shown(given: str) -> str:
    """A name without the data that an address may hold, nor what may be a key in its query."""
    if given[:5].lower() == "data:":
        kind = given[5:NAMED].partition(",")[0].partition(";")[0]
        return " ".join(kind.split()) or "data"
    plain = given
    if "://" not in given and len(given) > LONGEST_NAME:
        return "data"
    if "://" in given:
        try:
            told = urlsplit(given)
        except ValueError:
            return "address"
        plain = f"{told.scheme}://{told.netloc.rpartition('@')[2]}{told.path}"
    return re.sub(r"[\s\[\]]+", " ", plain).strip()[:NAMED]


_THINKING = re.compile(
    r"\A\s*<(think|thinking|thought|reasoning)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)


def without_reasoning(text: str) -> str:
    """An answer without the thinking aloud before it, which clients do not send back."""
    if not text.lstrip().startswith("<"):
        return text
    return _THINKING.sub("", text).lstrip()


# --- as it comes ----------------------------------------------------------------------------------


def _objects(value: object) -> Iterable[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _spaced_json(text: str) -> str:
    """A call without the ways in which its arguments can be written."""
    name, _, told = text.partition(" ")
    try:
        return f"{name} {json.dumps(json.loads(told), sort_keys=True)}"
    except (ValueError, RecursionError):
        return " ".join(text.split())
