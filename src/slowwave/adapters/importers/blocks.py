"""Content blocks of agent transcripts: what is said, what a tool was asked, what is not a person.

OpenClaw and Claude Code store a message as a string or as a list of typed blocks. Pictures and
reasoning are left out: the one is no text, the other nobody said.
"""

import json
import re
from collections.abc import Iterator

TOOL_TEXT_LIMIT = 4_000
"""Longest text of a tool call or result that is kept (code points). The rest seldom matters."""

_MEMORY_TAG = re.compile(r"<([a-z][\w.-]*(?:memor|recall)[\w.-]*|memor\w*)\b[^<>]*>", re.IGNORECASE)


def said(content: object) -> str:
    """The text of a message's content: a string, or a list of strings and text blocks."""
    return "\n\n".join(text for text in _texts(content) if text.strip())


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, str):
                yield block
            elif isinstance(block, dict) and block.get("type", "text") == "text":
                text = block.get("text")
                if isinstance(text, str):
                    yield text


def blocks(content: object, *kinds: str) -> list[dict[str, object]]:
    """The blocks of these types in a message's content."""
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") in kinds]


def cut(text: str, limit: int = TOOL_TEXT_LIMIT) -> str:
    """At most `limit` code points, with an ellipsis where something was cut off."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def call_text(name: object, arguments: object) -> str:
    """`name {"json": "arguments"}` of a tool call, cut to the limit."""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False, default=str)
    return cut(f"{name if isinstance(name, str) else 'tool'} {arguments}".strip())


def split_recalled(text: str) -> tuple[str, list[str]]:
    """A message without the memory that a plugin put into it, and the blocks of that memory.

    Plugins mark what they insert with a tag that names it (`<active_memory_plugin>`,
    `<relevant-memories>` …); any tag named after memory or recall counts.
    """
    return split_tagged(text, _MEMORY_TAG)


def split_tagged(text: str, tag: re.Pattern[str]) -> tuple[str, list[str]]:
    """`text` without the elements whose opening tag matches (group 1: the name), and these."""
    own: list[str] = []
    found: list[str] = []
    done = at = 0
    unclosed: set[str] = set()
    while match := tag.search(text, at):
        closing = f"</{match[1]}>"
        end = -1 if closing in unclosed else text.find(closing, match.end())
        if end < 0:
            unclosed.add(closing)  # looked for once: many open tags must not cost many scans
            at = match.end()
            continue
        at = end + len(closing)
        own.append(text[done : match.start()])
        found.append(text[match.start() : at])
        done = at
    return ("".join([*own, text[done:]]).strip(), found) if found else (text, [])


def string(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""
