"""From the text of an answer to typed items, with a reason for each that is refused.

Never an empty success: an answer in which no list or object can be read is a failure, and so is
one whose every item is refused. That there is nothing to say must be said, as an empty list.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from slowwave.modelling.fitting import Unfit, field_names, fitted, plain
from slowwave.modelling.loose_json import Found, scan

__all__ = ["Parsed", "Problem", "parse_items"]

T = TypeVar("T")

TRUNCATED = "truncated"

_BEFORE_EMPTY = re.compile(r"(?:\A|[\n:：]|```\w*|~~~\w*)[ \t]*\Z")
_AFTER_EMPTY = re.compile(r"[ \t]*(?:[.。]?[ \t]*(?:\Z|\n)|```|~~~)")
_NESTED = 3
_NEAR = 200
"""Characters in front of a list that tell whether it stands for itself."""


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with an answer: the number of its item (0: all of it) and why.

    `reason` holds no word of the answer; `raw` is the item itself, as JSON.
    """

    item: int
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """The items that could be read, and what was wrong.

    `usable`: there are items, or it was said plainly that there are none. `truncated`: the answer
    was cut; its items are the whole ones before that.
    """

    items: tuple[T, ...]
    problems: tuple[Problem, ...]
    usable: bool
    truncated: bool = False


def parse_items(text: str, kind: type[T], *, cut: bool = False) -> Parsed[T]:
    """The items of an answer: a list of `kind` (a struct, `str` or `dict`).

    Takes lists, a single item, items one by one, and a list inside an object; fences and chatter
    around them. `cut`: the server said that it stopped in the middle. Never raises.
    """
    text = _readable(text)
    seen = scan(text)
    truncated = cut or any(not one.whole for one in seen.found)
    raw = list(_unique(_raw_items(seen.found, kind, text)))
    items: list[T] = []
    problems: list[Problem] = []
    for number, value in enumerate(raw, start=1):
        try:
            items.append(fitted(value, kind))
        except Unfit as error:
            problems.append(Problem(number, str(error), _shown(value)))
    problems += [Problem(0, "damaged JSON")] * seen.damaged
    if truncated:
        problems.append(Problem(0, TRUNCATED))
    if items:
        return Parsed(tuple(items), tuple(problems), usable=True, truncated=truncated)
    if not problems and any(_says_none(one, text) for one in seen.found):
        return Parsed((), (), usable=True)
    if not raw and not problems:
        problems.append(Problem(0, "no JSON in the answer" if text.strip() else "empty answer"))
    return Parsed((), tuple(problems), usable=False, truncated=truncated)


def _readable(text: str) -> str:
    """The text, or what it says when all of it is one string of JSON: some encode twice."""
    text = text.removeprefix("\ufeff")
    if not text.lstrip().startswith('"'):
        return text
    try:
        return msgspec.json.decode(text, type=str)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text


def _raw_items(found: list[Found], kind: type[Any], text: str) -> Iterator[Any]:
    """All that may be an item, in order. `[3]` in prose is none where objects are expected."""
    lists = [(_elements(one.value, one.whole, kind), one) for one in found]
    if kind is str:
        # Strings stand in a list, or in objects; a bracket in prose holds neither.
        yield from (value for values, _ in lists for value in values if not _is_number(value))
        return
    objects = any(isinstance(value, dict) for values, _ in lists for value in values)
    for values, one in lists:
        if objects and not any(isinstance(value, dict) for value in values):
            continue
        if not objects and not _alone(one, text):
            continue
        yield from values


def _elements(value: Any, whole: bool, kind: type[Any]) -> list[Any]:
    """The items in a list or object; of one that was cut only those that are whole."""
    known = field_names(kind)
    for _ in range(_NESTED):
        if isinstance(value, list):
            return value
        inside = _inside(value, known, kind)
        if inside is None:
            break
        value = inside
    return [value] if whole or isinstance(value, list) else []


def _inside(value: dict[str, Any], known: frozenset[str], kind: type[Any]) -> Any:
    """What an object only wraps: a list, items by their ids, another object; None for an item."""
    if not value or known & {plain(key) for key in value}:
        return None
    inner = [_decoded(one) for one in value.values()]
    lists = [one for one in inner if isinstance(one, list)]
    named = _decoded(value.get("items"))
    if isinstance(named, list):
        return named
    if len(lists) == 1 and (known or len(value) == 1 or kind is str):
        return lists[0]
    if all(isinstance(one, dict) for one in inner) and (known or len(inner) == 1):
        return inner[0] if len(inner) == 1 else inner
    return None


def _decoded(value: Any) -> Any:
    """A list that was put into a string."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        found = scan(value).found
        if len(found) == 1 and found[0].whole:
            return found[0].value
    return value


def _alone(one: Found, text: str) -> bool:
    """Whether a list or object stands for itself, not in the middle of a sentence."""
    # Only what is near: an answer of a thousand lists would be copied a thousand times.
    first = max(0, one.start - _NEAR)
    before = ("…" if first else "") + text[first : one.start]
    after = _AFTER_EMPTY.match(text, one.end)
    return bool(_BEFORE_EMPTY.search(before) and (after or not one.whole))


def _says_none(one: Found, text: str) -> bool:
    """Whether this says that there is nothing: `[]`, or an object with an empty list in it."""
    value = one.value
    for _ in range(_NESTED):
        if isinstance(value, dict) and len(value) == 1:
            (value,) = value.values()
    return value == [] and isinstance(value, list) and _alone(one, text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _unique(values: Iterator[Any]) -> Iterator[Any]:
    """Each item once: models repeat a draft."""
    seen = set()
    for value in values:
        key = _shown(value)
        if key not in seen:
            seen.add(key)
            yield value


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()
