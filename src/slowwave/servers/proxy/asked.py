"""A request as far as a memory needs it, and the same request with a block in its system prompt.

Everything but that block goes on as it came: it is put into the text of the body (`spans`).
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from slowwave.servers.proxy import spans
from slowwave.servers.proxy.pieces import Piece, of_items, of_messages, words_of
from slowwave.servers.proxy.spans import Span
from slowwave.text.wrappers import strip_managed

__all__ = ["Asked", "Protocol", "read", "with_block"]

Protocol = Literal["chat", "responses"]
"""`/v1/chat/completions`, or `/v1/responses`."""

SYSTEM = ("system", "developer")
APART = "\n\n"
LONGEST_ID = 200
_NAMES = ("session_id", "conversation_id", "thread_id", "chat_id")
"""Fields in which clients name the conversation, in the body or in its `metadata`."""
_NARROWER = ("prompt_cache_key", "safety_identifier", "user")
"""Fields that tell conversations apart, and name none: a user has many."""


class Asked(NamedTuple):
    """What a request says. `question` are the user's last words; empty where he said none.

    `session` is what the body calls the conversation; `narrower` what else tells it apart from
    others; `follows` the response that this one goes on from.
    """

    protocol: Protocol
    text: str
    root: Span
    pieces: tuple[Piece, ...]
    question: str
    session: str = ""
    narrower: str = ""
    follows: str = ""


def read(raw: bytes, protocol: Protocol) -> Asked | None:
    """The request in a body; None where it holds none that can be read: that is no fault here."""
    try:
        text = raw.decode("utf-8")
        root = spans.whole(text)
    except (ValueError, RecursionError):
        return None
    body = root.value
    if not isinstance(body, dict):
        return None
    given = body.get("messages" if protocol == "chat" else "input")
    pieces = of_messages(given) if protocol == "chat" else of_items(given)
    return Asked(
        protocol, text, root, tuple(pieces), _question(given),
        session=_session(body), narrower=_narrower(body),
        follows=_id(body.get("previous_response_id")),
    )  # fmt: skip


def _question(given: object) -> str:
    """The user's last words, without pictures and what came out of a memory."""
    if isinstance(given, str):
        return strip_managed(given)
    for one in reversed(given if isinstance(given, list) else []):
        if isinstance(one, dict) and one.get("role") == "user":
            return strip_managed(words_of(one.get("content"), named=False))
    return ""


def _session(body: Mapping[str, Any]) -> str:
    told = body.get("conversation")
    found = _id(told.get("id") if isinstance(told, dict) else told)
    metadata = body.get("metadata")
    for place in (metadata if isinstance(metadata, dict) else {}, body):
        for name in _NAMES:
            found = found or _id(place.get(name))
    return found


def _narrower(body: Mapping[str, Any]) -> str:
    return "\x1f".join(_id(body.get(name)) for name in _NARROWER).strip("\x1f")


def _id(value: object) -> str:
    given = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return given.strip()[:LONGEST_ID] if isinstance(given, str) and given.isprintable() else ""


# --- the block ------------------------------------------------------------------------------------


def with_block(asked: Asked, block: str) -> bytes | None:
    """The body with a block in its system prompt; None where there is no place for one."""
    found = {one.key: one for one in spans.members(asked.text, asked.root.start)}
    edit = _in_chat if asked.protocol == "chat" else _in_response
    changed = edit(asked.text, asked.root, found, block)
    return None if changed is None else changed.encode("utf-8")


def _in_chat(text: str, _root: Span, found: Mapping[str, Span], block: str) -> str | None:
    messages = found.get("messages")
    if messages is None or not isinstance(messages.value, list):
        return None
    for one in spans.elements(text, messages.start):
        if isinstance(one.value, dict) and one.value.get("role") in SYSTEM:
            return _in_message(text, one, block)
    new = f'{{"role": "system", "content": "{spans.inside(block)}"}}'
    comma = ", " if messages.value else ""
    return _put(text, messages.start + 1, messages.start + 1, f"{new}{comma}")


def _in_message(text: str, message: Span, block: str) -> str | None:
    content = [one for one in spans.members(text, message.start) if one.key == "content"]
    if not content:
        comma = ", " if message.value else ""
        new = f'"content": "{spans.inside(block)}"{comma}'
        return _put(text, message.start + 1, message.start + 1, new)
    # Of two members of one name the last one counts, here and with most servers.
    return _appended(text, content[-1], block, part="text")


def _in_response(text: str, root: Span, found: Mapping[str, Span], block: str) -> str | None:
    told = found.get("instructions")
    if told is not None:
        return _appended(text, told, block, part="input_text") if not _kept(found) else None
    if _kept(found):
        return None
    new = f'"instructions": "{spans.inside(block)}"'
    comma = ", " if found else ""
    return _put(text, root.start + 1, root.start + 1, f"{new}{comma}")


def _kept(found: Mapping[str, Span]) -> bool:
    """Whether the instructions are a prompt that the server keeps: ours would replace it."""
    prompt = found.get("prompt")
    return prompt is not None and prompt.value is not None


def _appended(text: str, content: Span, block: str, part: str) -> str | None:
    """The text with a block behind a content, whichever form that has."""
    match content.value:
        case str() as words:
            more = f"{APART}{block}" if words else block
            return _put(text, content.end - 1, content.end - 1, spans.inside(more))
        case list() as parts:
            new = f'{{"type": "{part}", "text": "{spans.inside(block)}"}}'
            comma = ", " if parts else ""
            return _put(text, content.end - 1, content.end - 1, f"{comma}{new}")
        case None:
            return _put(text, content.start, content.end, f'"{spans.inside(block)}"')
    return None


def _put(text: str, start: int, end: int, new: str) -> str:
    return f"{text[:start]}{new}{text[end:]}"
