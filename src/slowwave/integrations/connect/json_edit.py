"""Steps in a JSON or JSON5 file, taken and taken back in its text.

Only what a step needs is touched: comments, order, blanks, line ends and odd ways of writing stay.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from slowwave.integrations.connect.json5 import Member, Node, parse, skip
from slowwave.integrations.connect.steps import Append, Conflict, Done, Step

__all__ = ["apply", "read", "undo"]

UNIT = "  "
"""The indent where a file shows none of its own."""

_SAME_LINE = re.compile(r"(?:[ \t]|/\*[^\n\r]*?\*/)*(?://[^\n\r]*)?")
"""What may stand behind a value on its line and belongs to it."""

_LEAD = re.compile(r"(?:(?:\r\n|\n|\r)?[ \t]*)\Z")
_INDENT = re.compile(r"[ \t]*")


@lru_cache(maxsize=8)
def _parsed(text: str) -> Node:
    """One text is looked at several times for one step."""
    return parse(text)


def read(text: str) -> Any:
    """What the file says; an empty one says nothing. Raises Unreadable."""
    return parse(text).value if text.strip("\ufeff \t\r\n") else {}


def apply(text: str, steps: Iterable[Step]) -> tuple[str, tuple[Done, ...]]:
    """The text in which the steps are taken, and what was done. Raises Unreadable, Conflict."""
    done: list[Done] = []
    for step in steps:
        text, one = _take(text, step)
        done += [one] if one is not None else []
    return text, tuple(done)


def undo(text: str, done: Iterable[Done]) -> str:
    """The text without what was done, as far as it is still there. Raises Unreadable."""
    for one in reversed(tuple(done)):
        text = _take_back(text, one)
    return text


# ── to take a step ──────────────────────────────────────────────────────────────────────────────


def _take(text: str, step: Step) -> tuple[str, Done | None]:
    root = _parsed(text)
    node, missing = _walk(root, step.path)
    if isinstance(step, Append):
        return _append(text, step, node, missing)
    if not missing:
        if node.value == step.value:
            return text, None
        return _replaced(text, node, step.value), Done(step=step, prior=text[node.start : node.end])
    return _added(text, step, node, missing, step.value)


def _append(
    text: str, step: Append, node: Node, missing: tuple[str, ...]
) -> tuple[str, Done | None]:
    if missing:
        if step.only_if_there:
            return text, None
        return _added(text, step, node, missing, [step.value])
    if not isinstance(node.value, list):
        raise Conflict(f"{'.'.join(step.path)} is no list")
    if any(_holds(item.node.value, step) for item in node.members):
        return text, None
    text, tail = _inserted(text, node, "", step.value)
    return text, Done(step=step, tail=tail)


def _added(
    text: str, step: Step, node: Node, missing: tuple[str, ...], value: Any
) -> tuple[str, Done]:
    """Adds the first missing key, with all below it."""
    for key in reversed(missing[1:]):
        value = {key: value}
    made = len(missing) - (0 if isinstance(step, Append) else 1)
    if node.value is None:
        void = text[node.start : node.end]
        text = _replaced(text, node, {missing[0]: value})
        return text, Done(step=step, made=made + 1, void=void)
    if not isinstance(node.value, dict):
        name = ".".join(step.path[: len(step.path) - len(missing)]) or "the whole file"
        raise Conflict(f"{name} is no object")
    text, tail = _inserted(text, node, missing[0], value)
    return text, Done(step=step, made=made, tail=tail)


def _walk(root: Node, path: tuple[str, ...]) -> tuple[Node, tuple[str, ...]]:
    """The deepest value on the path that is there, and the keys that are missing below it."""
    node = root
    for number, key in enumerate(path):
        member = node.last(key) if isinstance(node.value, dict) else None
        if member is None:
            return node, path[number:]
        node = member.node
    return node, ()


def _holds(value: Any, step: Append) -> bool:
    """Whether an item of the list is what the step puts there."""
    if not step.inner:
        return bool(value == step.value)
    return any(_is_ours(part, step) for part in _inner(value, step))


def _inner(value: Any, step: Append) -> list[Any]:
    inner = value.get(step.inner) if isinstance(value, dict) else None
    return inner if isinstance(inner, list) else []


def _is_ours(part: Any, step: Append) -> bool:
    names = [one.get(step.by) for one in step.value[step.inner]]
    return isinstance(part, dict) and part.get(step.by) in names


# ── to write a value ────────────────────────────────────────────────────────────────────────────


def _replaced(text: str, node: Node, value: Any) -> str:
    return text[: node.start] + _dump(text, value, _indent_of(text, node.start)) + text[node.end :]


def _inserted(text: str, node: Node, key: str, value: Any) -> tuple[str, str]:
    """The container with one more member at its end, and the tail that it needed."""
    name = f"{json.dumps(key, ensure_ascii=False)}:{_gap(text)}" if key else ""
    if not node.members:
        return _first(text, node, name, value)
    last = node.members[-1]
    before = node.members[-2].end if len(node.members) > 1 else node.start
    own_line = _newline_in(text[before : last.start])
    if own_line is None:
        line = f"{name}{_dump(text, value, None)}"
        gap = " " if _gap(text) else ""
        if last.comma < 0:
            return f"{text[: last.end]},{gap}{line}{text[last.end :]}", ""
        return f"{text[: last.comma + 1]}{gap}{line},{text[last.comma + 1 :]}", ""
    indent = _indent_of(text, last.start)
    line = f"{own_line}{indent}{name}{_dump(text, value, indent)}"
    trailing = last.comma >= 0
    at = _line_rest(text, last.comma + 1 if trailing else last.end)
    head = text[:at] if trailing else f"{text[: last.end]},{text[last.end : at]}"
    return f"{head}{line}{',' if trailing else ''}{text[at:]}", ""


def _first(text: str, node: Node, name: str, value: Any) -> tuple[str, str]:
    inside = text[node.start + 1 : node.end - 1]
    if _is_one_line(text):
        at = node.end - 1
        return f"{text[:at]}{name}{_dump(text, value, None)}{text[at:]}", ""
    newline, outer = _newline_of(text), _indent_of(text, node.start)
    indent = outer + _unit_of(text)
    line = f"{newline}{indent}{name}{_dump(text, value, indent)}"
    if not inside.strip() and "\n" in inside:
        at = node.start + 1
        return f"{text[:at]}{line}{text[at:]}", ""
    at, tail = node.end - 1, f"{newline}{outer}"
    return f"{text[:at]}{line}{tail}{text[at:]}", tail


def _line_rest(text: str, at: int) -> int:
    """Where the rest of the line ends that belongs to a value: blanks and a comment."""
    found = _SAME_LINE.match(text, at)
    end = found.end() if found else at
    rest = text[at:end]
    return at + len(rest.rstrip(" \t")) if "/" in rest else at


def _dump(text: str, value: Any, indent: str | None) -> str:
    """The value as JSON, in the manner of the file; `indent` None: on one line."""
    if indent is None or _is_one_line(text):
        comma, colon = (", ", ": ") if _gap(text) else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=(comma, colon))
    lines = json.dumps(value, ensure_ascii=False, indent=_unit_of(text)).split("\n")
    return f"{_newline_of(text)}{indent}".join(lines)


def _is_one_line(text: str) -> bool:
    root = _parsed(text)
    return bool(root.members) and "\n" not in text[root.start : root.end]


def _gap(text: str) -> str:
    """What stands behind a colon in this file."""
    root = _parsed(text)
    if not root.members or "\n" in text[root.start : root.end]:
        return " "
    first = root.members[0]
    return " " if text[first.node.start - 1 : first.node.start].isspace() else ""


def _newline_in(text: str) -> str | None:
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text else None


def _newline_of(text: str) -> str:
    return _newline_in(text) or "\n"


def _unit_of(text: str) -> str:
    """The indent of the first level, where the file has one."""
    root = _parsed(text)
    for member in root.members:
        if "\n" in text[root.start : member.start]:
            return _indent_of(text, member.start) or UNIT
    return UNIT


def _indent_of(text: str, at: int) -> str:
    """The blanks at the beginning of the line in which a place is."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    found = _INDENT.match(text, begin, at)
    return found[0] if found else ""


# ── to take it back ─────────────────────────────────────────────────────────────────────────────


def _take_back(text: str, done: Done) -> str:
    step = done.step
    node, missing = _walk(_parsed(text), step.path)
    if missing:
        return text
    if isinstance(step, Append):
        rest = _without_items(text, step, node, done.tail)
        return rest if rest == text else _without_made(rest, done)
    if not step.own and node.value != step.value:
        return text
    if done.prior is not None:
        return text[: node.start] + done.prior + text[node.end :]
    return _without_made(_without(text, step.path, done.tail), done)


def _without_items(text: str, step: Append, node: Node, tail: str) -> str:
    """The list without the item that is ours; of a shared item, without our part of it."""
    for number in reversed(range(len(node.members))):
        item = node.members[number].node
        if not _holds(item.value, step):
            continue
        theirs = [one for one in _inner(item.value, step) if not _is_ours(one, step)]
        inner = item.last(step.inner)
        if not step.inner or not theirs or inner is None:
            return _cut(text, node, number, tail)
        for place in reversed(range(len(inner.node.members))):
            if _is_ours(inner.node.members[place].node.value, step):
                text = _cut(text, inner.node, place, "")
        return text
    return text


def _without_made(text: str, done: Done) -> str:
    """Takes out the containers that were made for a step, from the inside, where they are empty."""
    path = done.step.path if isinstance(done.step, Append) else done.step.path[:-1]
    for number in range(done.made):
        here = path[: len(path) - number]
        node, missing = _walk(_parsed(text), here)
        if missing or node.value or text[node.start + 1 : node.end - 1].strip():
            break
        if done.void and number == done.made - 1:
            return text[: node.start] + done.void + text[node.end :]
        text = _without(text, here, done.tail)
    return text


def _without(text: str, path: tuple[str, ...], tail: str) -> str:
    holder, _ = _walk(_parsed(text), path[:-1])
    number = max(n for n, one in enumerate(holder.members) if one.key == path[-1])
    return _cut(text, holder, number, tail)


def _cut(text: str, holder: Node, number: int, tail: str) -> str:
    """The container without one member, its comma, its indent, and the line that it stood on."""
    member = holder.members[number]
    lead = _LEAD.search(text, holder.start + 1, member.start)
    start = lead.start() if lead else member.start
    if member.comma >= 0:
        return text[:start] + _behind_comma(text, member, start, first=number == 0)
    rest = text[member.end :]
    if number == 0:
        inside = text[skip(text, member.end) : holder.end - 1]
        if tail and not inside and rest.startswith(tail):
            rest = rest[len(tail) :]
        return text[:start] + rest
    comma = holder.members[number - 1].comma
    return text[:comma] + text[comma + 1 : max(start, comma + 1)] + rest


def _behind_comma(text: str, member: Member, start: int, *, first: bool) -> str:
    """What follows a member that has a comma; the blanks before the next one may be its own."""
    rest = text[member.comma + 1 :]
    between = text[member.end : member.comma]
    own_line = "\n" in text[start : member.start] or "\r" in text[start : member.start]
    kept = between if between.strip() else ""
    return kept + (rest.lstrip(" \t") if first and not own_line else rest)
