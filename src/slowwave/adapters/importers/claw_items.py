"""The events of a YAML day log, each with its line, however damaged the file around it is.

The file is composed into nodes and never constructed: no tag is ever called, and every scalar is
the text that stands there. Where the whole does not parse, the list is cut at its dashes and each
event is read alone; what is only badly quoted is then still read line by line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from slowwave.model import Skipped

__all__ = ["FIELDS", "Item", "items"]

FIELDS = ("ts", "topic", "actor", "action", "detail")


class Item(NamedTuple):
    """One event: its line (from 1), its fields as text, and the day its document names."""

    line: int
    fields: Mapping[str, str]
    day: str | None = None


class _Refused(ValueError):
    """A value that must not be read, or cannot be."""


_LIMIT = 500
"""Most values in one event; aliases of aliases multiply."""
_CORE = frozenset(
    {"str", "int", "float", "bool", "null", "timestamp", "map", "seq", "merge", "value", "binary"}
)
_DASH = re.compile(r"^([ \t]*)-(?:[ \t]+|$)")
_PAIR = re.compile(r"^[ \t]*(?:-[ \t]+)?[\"']?(\w[\w .-]{0,40}?)[\"']?[ \t]*:(?:[ \t]+(.*))?$")
_DIRECTIVE = re.compile(r"^(?:---|\.\.\.)(?:\s|$)")
_SCALAR_MARK = re.compile(r"^[|>][+-]?\d?\s*$")
_TAG = re.compile(r"^!\S")


def items(text: str) -> Iterator[Item | Skipped]:
    """Events of all documents of a file, in order; a Skipped for each that is none."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    documents = _compose(text)
    if not isinstance(documents, str):
        for document in documents:
            yield from _document(document)
        return
    if not any(_DASH.match(line) for line in text.split("\n")):
        yield Skipped(0, f"not a list of events: {documents}")
        return
    for start, lines in _chunks(text):
        yield from _chunk(start, lines)


# --- parsed -------------------------------------------------------------------------------------


def _compose(text: str) -> list[Any] | str:
    """The nodes of all documents, or what is wrong with them."""
    # A slow import that only this format needs.
    from ruamel.yaml import YAML  # noqa: PLC0415
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    # A parser of its own each time: a version that one document claims would hold for the next.
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False
    try:
        return list(yaml.compose_all(text))
    except YAMLError as error:
        return str(getattr(error, "problem", None) or error).split("\n", 1)[0]
    except RecursionError:
        return "nested too deeply"
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return "not YAML"  # the parser's own slips on damaged directives and escapes


def _document(node: Any) -> Iterator[Item | Skipped]:
    """The events of one document: a list, a mapping around a list, or one event alone."""
    if node is None or _is_null(node):
        return
    if node.id == "sequence":
        for child in node.value:
            yield _item(child, None)
        return
    if node.id == "mapping":
        pairs = {key.value: value for key, value in node.value if key.id == "scalar"}
        if not pairs.keys().isdisjoint(("ts", "detail")):
            yield _item(node, None)
            return
        day = next((pairs[key].value for key in ("date", "day", "日期") if key in pairs), None)
        lists = [value for value in pairs.values() if value.id == "sequence"]
        for inner in lists:
            for child in inner.value:
                yield _item(child, day if isinstance(day, str) else None)
        if lists:
            return
    yield Skipped(node.start_mark.line + 1, "not a list of events")


def _item(node: Any, day: str | None, shift: int = 0) -> Item | Skipped:
    line = node.start_mark.line + 1 + shift
    if node.id != "mapping":
        return Skipped(line, "not an event: no fields")
    fields: dict[str, str] = {}
    budget = [_LIMIT]
    try:
        for key, value in node.value:
            fields.setdefault(_text(key, budget, 0), _text(value, budget, 0))
    except _Refused as refusal:
        return Skipped(line, str(refusal))
    if not any(fields.get(name, "").strip() for name in ("detail", "topic", "action")):
        return Skipped(line, "an event without detail")
    return Item(line, fields, day)


def _text(node: Any, budget: list[int], depth: int) -> str:
    budget[0] -= 1
    if budget[0] < 0 or depth > 20:
        raise _Refused("too many nested values")
    tag = str(node.tag or "")
    if tag.rsplit(":", 1)[-1] not in _CORE:
        raise _Refused(f"unsafe tag {tag[:60]}")
    if node.id == "scalar":
        return "" if _is_null(node) else str(node.value)
    if node.id == "sequence":
        return ", ".join(_text(child, budget, depth + 1) for child in node.value)
    return ", ".join(
        f"{_text(key, budget, depth + 1)}: {_text(value, budget, depth + 1)}"
        for key, value in node.value
    )


def _is_null(node: Any) -> bool:
    return node.id == "scalar" and str(node.tag).endswith(":null")


# --- cut ----------------------------------------------------------------------------------------


def _chunks(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line from 0, lines) of each event, cut where a dash stands at the list's own depth."""
    lines = text.split("\n")
    dashes = [len(match[1]) for line in lines if (match := _DASH.match(line))]
    depth = min(dashes)
    chunk: list[str] = []
    start = 0
    for number, line in enumerate(lines):
        match = _DASH.match(line)
        opens = match is not None and len(match[1]) == depth
        if opens or _DIRECTIVE.match(line):
            if chunk:
                yield start, chunk
            chunk, start = [], number
        if opens or chunk:
            chunk.append(line)
    if chunk:
        yield start, chunk


def _chunk(start: int, lines: list[str]) -> Iterator[Item | Skipped]:
    documents = _compose("\n".join(lines))
    if not isinstance(documents, str):
        for document in documents:
            if document is not None and document.id == "sequence":
                for child in document.value:
                    yield _item(child, None, start)
            elif document is not None:
                yield Skipped(start + 1, "not an event")
        return
    try:
        yield Item(start + 1, _by_line(lines))
    except _Refused as refusal:
        yield Skipped(start + 1, f"{refusal or documents}")


def _by_line(lines: list[str]) -> dict[str, str]:
    """`key: value` lines as they stand; an event that is not of that shape is refused."""
    fields: dict[str, str] = {}
    last = ""
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        pair = _PAIR.match(line)
        if pair and (pair[1] in FIELDS or not last):
            last = pair[1]
            value = (pair[2] or "").strip()
            if _TAG.match(value):
                raise _Refused(f"unsafe tag {value.split()[0][:60]}")
            fields.setdefault(last, "" if _SCALAR_MARK.match(value) else _bare(value))
        elif last:
            fields[last] = f"{fields[last]}\n{_bare(line.strip())}".strip()
        else:
            raise _Refused("")
    if len(fields.keys() & set(FIELDS)) < 2 or not fields.get("detail", fields.get("action")):
        raise _Refused("")
    return fields


def _bare(value: str) -> str:
    """Without the quotes around it, also where one of the two is missing."""
    for quote in ('"', "'"):
        if value.startswith(quote):
            return value[1:].removesuffix(quote)
    return value
