"""Steps in a YAML file, taken and taken back in its text; comments, order and line ends stay.

Only keys with a plain word are put there: that is all a host asks of its YAML. After each step the
file is read again and compared with what it must say: where it says anything else, nothing is done.
"""

import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from slowwave.integrations.connect.json5 import DEEPEST, Unreadable
from slowwave.integrations.connect.steps import Conflict, Done, Put, Step

__all__ = ["apply", "undo", "value_at"]

UNIT = "  "
_EMPTY = ("", "~", "null", "Null", "NULL")

Said = tuple[str, Any]
"""A value without its place: the sort of node, and what is in it."""


class _Entry(NamedTuple):
    """A key of a mapping, and where it leads."""

    key: Node
    value: Node


def apply(text: str, steps: Iterable[Step]) -> tuple[str, tuple[Done, ...]]:
    """The text in which the steps are taken, and what was done. Raises Unreadable, Conflict."""
    done: list[Done] = []
    for step in steps:
        if not isinstance(step, Put) or not isinstance(step.value, str):
            raise Conflict("only a word can be put into a YAML file")
        before = _said(_read(text))
        if value_at(text, step.path) == step.value:
            continue
        text, one = _taken(text, step, before)
        done.append(one)
    return text, tuple(done)


def undo(text: str, done: Iterable[Done]) -> str:
    """The text without what was done, as far as it is still there. Raises Unreadable."""
    for one in reversed(tuple(done)):
        if value_at(text, one.step.path) == one.step.value:
            text = _taken_back(text, one)
    return text


def value_at(text: str, path: tuple[str, ...]) -> str | None:
    """The word at a path; None where there is none, or something else. Raises Unreadable."""
    node, missing, _ = _walk(_read(text), path)
    return str(node.value) if isinstance(node, ScalarNode) and not missing else None


@lru_cache(maxsize=8)
def _read(text: str) -> Node | None:
    """The nodes of the one document. Raises Unreadable."""
    try:
        with warnings.catch_warnings():
            # One name for two anchors is no error: the later one counts.
            warnings.simplefilter("ignore", ReusedAnchorWarning)
            reader = YAML(typ="safe", pure=True)
            reader.max_depth = DEEPEST
            found: Node | None = reader.compose(text.removeprefix("\ufeff"))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark is not None else ""
        raise _unreadable(f"{line}{error.problem or error.context or 'no YAML'}") from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise _unreadable(" ".join(str(error).split())[:200] or "no YAML") from error
    return found


def _unreadable(reason: str) -> Unreadable:
    error = Unreadable(reason, "", 0)
    error.args = (reason,)
    return error


def _said(node: Node | None, seen: tuple[int, ...] = ()) -> Said:
    """What a node says, without its place."""
    if node is None:
        return ("map", ())
    if id(node) in seen:
        return ("again", seen.index(id(node)))
    inner = (*seen, id(node))
    if isinstance(node, MappingNode):
        return ("map", tuple((_said(k, inner), _said(v, inner)) for k, v in node.value))
    if isinstance(node, SequenceNode):
        return ("list", tuple(_said(one, inner) for one in node.value))
    return (str(node.tag), node.value)


def _walk(
    root: Node | None, path: tuple[str, ...]
) -> tuple[Node | None, tuple[str, ...], _Entry | None]:
    """The deepest node on the path, the keys missing below it, and the entry that holds it."""
    node, entry = root, None
    for number, key in enumerate(path):
        found = _entry(node, key)
        if found is None:
            return node, path[number:], entry
        if found.value.start_mark.index < found.key.end_mark.index:
            raise Conflict(f"{'.'.join(path[: number + 1])} is an alias")
        node, entry = found.value, found
    return node, (), entry


def _entry(node: Node | None, key: str) -> _Entry | None:
    if not isinstance(node, MappingNode):
        return None
    found = [_Entry(k, v) for k, v in node.value if isinstance(k, ScalarNode) and k.value == key]
    return found[-1] if found else None


# ── to take a step ──────────────────────────────────────────────────────────────────────────────


def _taken(text: str, step: Put, before: Said) -> tuple[str, Done]:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    for new, done in _ways(body, step):
        try:
            after = _said(_read(new))
        except Unreadable:
            continue
        if after == _with(before, step.path, step.value):
            return mark + new, done
    raise Conflict(f"{'.'.join(step.path)} cannot be put there without rewriting the file")


def _ways(text: str, step: Put) -> Iterable[tuple[str, Done]]:
    """Ways to write the step, the tidiest first; the caller looks whether one says what it must."""
    root = _read(text)
    node, missing, entry = _walk(root, step.path)
    if not missing:
        if isinstance(node, ScalarNode) and entry is not None:
            yield _other_word(text, step, node, entry)
        return
    made = len(missing) - 1
    if isinstance(node, MappingNode) and node.flow_style:
        at = node.start_mark.index + text[node.start_mark.index :].index("{") + 1
        word = f"{': {'.join(missing)}: {step.value}{'}' * made}"
        comma = ", " if node.value else ""
        yield f"{text[:at]}{word}{comma}{text[at:]}", Done(step=step, made=made)
    elif entry is None:
        yield from _at_root(text, step, root)
    elif isinstance(node, MappingNode):
        at = _line_start(text, node.value[0][0].start_mark.index)
        lines = _lines(text, missing, step.value, " " * node.value[0][0].start_mark.column)
        yield f"{text[:at]}{lines}{_newline(text)}{text[at:]}", Done(step=step, made=made)
    elif isinstance(node, ScalarNode) and node.value in _EMPTY:
        yield from _in_void(text, step, missing, entry)


def _other_word(text: str, step: Put, node: Node, entry: _Entry) -> tuple[str, Done]:
    start, end = node.start_mark.index, node.end_mark.index
    prior = text[start:end]
    if not prior:
        at = text.index(":", entry.key.end_mark.index) + 1
        return f"{text[:at]} {step.value}{text[at:]}", Done(step=step, prior="")
    return text[:start] + step.value + text[end:], Done(step=step, prior=prior)


def _at_root(text: str, step: Put, root: Node | None) -> Iterable[tuple[str, Done]]:
    made = len(step.path) - 1
    column = root.value[0][0].start_mark.column if isinstance(root, MappingNode) else 0
    lines = _lines(text, step.path, step.value, " " * column)
    newline = _newline(text)
    done = Done(step=step, made=made)
    if text.endswith(("\n", "\r")) or not text:
        yield f"{text}{lines}{newline}", done
    else:
        yield f"{text}{newline}{lines}", done
    if isinstance(root, MappingNode):
        at = _line_start(text, root.value[0][0].start_mark.index)
        yield f"{text[:at]}{lines}{newline}{text[at:]}", done


def _in_void(
    text: str, step: Put, missing: tuple[str, ...], entry: _Entry
) -> Iterable[tuple[str, Done]]:
    """Below a key that has no value yet."""
    start, end = entry.value.start_mark.index, entry.value.end_mark.index
    if start < end:
        word = f"{{{': {'.join(missing)}: {step.value}{'}' * len(missing)}"
        done = Done(step=step, made=len(missing), void=text[start:end])
        yield text[:start] + word + text[end:], done
        return
    at = text.index(":", entry.key.end_mark.index) + 1
    while at < len(text) and text[at] not in "\r\n":
        at += 1
    lines = _lines(text, missing, step.value, " " * entry.key.start_mark.column + UNIT)
    done = Done(step=step, made=len(missing) - 1)
    yield f"{text[:at]}{_newline(text)}{lines}{text[at:]}", done


def _lines(text: str, keys: tuple[str, ...], value: str, indent: str) -> str:
    lines = [f"{indent}{UNIT * depth}{key}:" for depth, key in enumerate(keys)]
    return f"{_newline(text).join(lines)} {value}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _with(said: Said, path: tuple[str, ...], value: str) -> Said:
    """What the file must say when the step is taken; new keys may stand first or last."""
    key = ("tag:yaml.org,2002:str", path[0])
    entries = list(said[1]) if said[0] == "map" else []
    places = [number for number, (name, _) in enumerate(entries) if name == key]
    old = entries[places[-1]][1] if places else ("map", ())
    new = ("tag:yaml.org,2002:str", value) if len(path) == 1 else _with(old, path[1:], value)
    if places:
        entries[places[-1]] = (key, new)
    else:
        entries.append((key, new))
    return _Unordered(("map", tuple(entries)))


class _Unordered(tuple[str, Any]):
    """What a mapping says, whatever the order of its keys."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple) or len(other) != 2 or other[0] != self[0]:
            return False
        mine, theirs = list(self[1]), list(other[1])
        return len(mine) == len(theirs) and all(one in mine for one in theirs)

    __hash__ = tuple.__hash__


# ── to take it back ─────────────────────────────────────────────────────────────────────────────


def _taken_back(text: str, done: Done) -> str:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body, path = text.removeprefix(mark), done.step.path
    node, _, entry = _walk(_read(body), path)
    if node is None or entry is None:
        return text
    if done.prior is not None:
        start = node.start_mark.index
        if not done.prior and body[start - 1 : start] == " ":
            start -= 1
        return mark + body[:start] + done.prior + body[node.end_mark.index :]
    body = _without(body, path)
    for number in range(1, done.made + 1):
        here = path[: len(path) - number]
        held, missing, entry = _walk(_read(body), here)
        if missing or held is None or entry is None or not _is_void(held):
            break
        if done.void and number == done.made:
            span = held.start_mark.index, held.end_mark.index
            return mark + body[: span[0]] + done.void + body[span[1] :]
        body = _without(body, here)
    return mark + body


def _is_void(node: Node) -> bool:
    return not node.value if isinstance(node, MappingNode) else node.value in _EMPTY


def _without(text: str, path: tuple[str, ...]) -> str:
    """The text without a key and its value: its lines, or its part of a flow mapping."""
    holder, _, _ = _walk(_read(text), path[:-1])
    entry = _entry(holder, path[-1])
    if entry is None:
        return text
    start, end = entry.key.start_mark.index, entry.value.end_mark.index
    if isinstance(holder, MappingNode) and holder.flow_style:
        return _without_part(text, start, end)
    start = _line_start(text, start)
    if entry.value.start_mark.index == end:
        # The place of a value that is not there is that of what comes next.
        end = text.index(":", entry.key.end_mark.index) + 1
    while end < len(text) and text[end] not in "\r\n":
        end += 1
    if text.startswith("\r\n", end):
        end += 2
    elif end < len(text):
        end += 1
    elif start and text[start - 1] == "\n":
        start -= 2 if text[start - 2 : start] == "\r\n" else 1
    return text[:start] + text[end:]


def _without_part(text: str, start: int, end: int) -> str:
    rest = text[end:]
    if rest.lstrip().startswith(","):
        behind = rest.lstrip()[1:]
        return text[:start] + behind.removeprefix(" ")
    head = text[:start].rstrip()
    return (head[:-1] if head.endswith(",") else text[:start]) + rest
