"""Values of a store: as JSON and back, as text to search, against a filter. All of it is pure."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from langgraph.store.base import MatchCondition, get_text_at_path

from slowwave.errors import InputError

__all__ = ["WHOLE", "fits", "masked", "matches", "secrets_in", "text_of", "to_json"]

WHOLE = "$"
"""The path of a whole value."""

HIDDEN = "[secret:value]"

_MASKED = re.compile(r"\[secret:([\w-]+)\]")
_LONE = re.compile("[\ud800-\udfff]")


def to_json(value: Mapping[str, Any]) -> str:
    """JSON in the words themselves, so that they can be found and forgotten; and valid Unicode.

    Raises InputError for what JSON cannot hold.
    """
    try:
        told = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"a value that JSON cannot hold: {error}",
            "put strings, numbers, booleans, None, and lists and dicts of them",
        ) from error
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", told)


def text_of(value: Mapping[str, Any], paths: Sequence[str]) -> str:
    """What of a value is searched: a line for each leaf at these paths, named by its path."""
    lines: list[str] = []
    for path in paths:
        if path == WHOLE:
            leaves = list(_leaves("", value))
            bare = len(leaves) == 1 and isinstance(leaves[0][1], str)
            lines += [str(leaf) if bare else f"{name}: {leaf}" for name, leaf in leaves]
        else:
            lines += get_text_at_path(value, path)
    return "\n".join(lines).strip()


def _leaves(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{name} {key}".strip(), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(name, inner)
    elif value is not None and value != "":
        yield name, value


def masked(value: Any, clean: Callable[[str], str], name: str = "") -> Any:
    """A value without secrets; the name of a field may be what tells that it holds one."""
    if isinstance(value, Mapping):
        return {key: masked(inner, clean, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner, clean, name) for inner in value]
    if not isinstance(value, str):
        return value
    told = to_json({name: clean(value)})
    try:
        return json.loads(clean(told))[name]
    except (ValueError, KeyError):
        return HIDDEN


def secrets_in(text: str, clean: Callable[[str], str]) -> str:
    """What sorts of secrets a text holds, for people; "" where it holds none."""
    kept = clean(text)
    if kept == text:
        return ""
    new = Counter(_MASKED.findall(kept)) - Counter(_MASKED.findall(text))
    return ", ".join(sorted(new)) or "text that cannot be stored"


# --- filters --------------------------------------------------------------------------------------


def fits(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a value has these fields. Raises ValueError for an operator that is none."""
    return all(_equals(value.get(key), one) for key, one in wanted.items())


def _equals(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(key).startswith("$") for key in wanted):
            return all(_holds(value, operator, than) for operator, than in wanted.items())
        return isinstance(value, Mapping) and fits(value, wanted)
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(wanted)
            and all(_equals(one, other) for one, other in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "$gt": lambda a, b: a > b,
    "$gte": lambda a, b: a >= b,
    "$lt": lambda a, b: a < b,
    "$lte": lambda a, b: a <= b,
}


def _holds(value: Any, operator: str, than: Any) -> bool:
    if operator == "$eq":
        return bool(value == than)
    if operator == "$ne":
        return bool(value != than)
    if operator not in _ORDER:
        raise ValueError(f"Unsupported operator: {operator}")
    try:
        return _ORDER[operator](float(value), float(than))
    except (TypeError, ValueError, OverflowError):
        return False  # what is no number is neither more nor less


def matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Whether a namespace begins or ends as wanted; `*` is any one label."""
    kind, path = condition.match_type, tuple(condition.path)
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if kind == "prefix" else namespace[len(namespace) - len(path) :]
    return all(want in ("*", label) for want, label in zip(path, part, strict=True))
