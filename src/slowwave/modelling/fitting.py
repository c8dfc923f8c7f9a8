"""One item of an answer to the type that was asked for, as far as its meaning is plain.

A number in quotes is that number, one string where a list is expected is a list of one, an object
where a string is expected is the string in it when there is one. A missing or senseless value is
not made up: the item is refused, with a reason that holds none of the answer's words.
"""

import re
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_SPEAKING = ("text", "value", "content", "name", "quote", "title", "id")
"""Keys under which an object has the string it stands for, the likeliest first."""

_LIST_TYPES = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)
_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_GIVEN = re.compile(r" '.*'", re.DOTALL)


class Unfit(Exception):
    """An item is not what was asked for; the message says why, without its words."""


def fitted(value: Any, kind: type[T]) -> T:
    """The value as one of `kind`. Raises Unfit."""
    shape = shape_of(kind)
    try:
        return msgspec.convert(_fit(value, shape), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Unfit(_reason(str(error))) from None
    except (ValueError, OverflowError, RecursionError):
        raise Unfit("a value that cannot be read") from None


def shape_of(kind: Any) -> inspect.Type:
    """What msgspec knows of a type."""
    return _shape(kind)


@cache
def _shape(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def field_names(kind: Any) -> frozenset[str]:
    """The plain names of the fields of a struct; none for other types."""
    shape = shape_of(kind)
    if isinstance(shape, inspect.StructType):
        return frozenset(plain(field.encode_name) for field in shape.fields)
    return frozenset()


@cache
def plain(key: str) -> str:
    """A key without case and signs: `eventId`, `Event ID` and `event_id` are one."""
    return "".join(filter(str.isalnum, key)).casefold()


def _fit(value: Any, shape: inspect.Type) -> Any:
    match shape:
        case inspect.StructType() if isinstance(value, dict):
            return _fit_fields(value, shape)
        case inspect.StrType():
            return _string(value)
        case inspect.LiteralType():
            return _choice(value, shape.values)
        case inspect.IntType() if isinstance(value, float) and abs(value) < 1e15:
            return round(value)
        case _:
            return _fit_many(value, shape)


def _fit_many(value: Any, shape: inspect.Type) -> Any:
    """What is optional, and lists; anything else is msgspec's to judge."""
    if isinstance(shape, inspect.UnionType) and value is not None:
        wanted = [one for one in shape.types if not isinstance(one, inspect.NoneType)]
        return _fit(value, wanted[0]) if len(wanted) == 1 else value
    if isinstance(shape, _LIST_TYPES):
        return [_fit(one, shape.item_type) for one in _listed(value)]
    return value


def _fit_fields(value: dict[str, Any], shape: inspect.StructType) -> dict[str, Any]:
    given = {plain(key): inner for key, inner in value.items()}
    fields = {}
    for field in shape.fields:
        inner = value.get(field.encode_name, given.get(plain(field.encode_name)))
        if inner is None and (not field.required or field.encode_name not in value):
            continue
        fields[field.encode_name] = _fit(inner, field.type)
    return fields


def _string(value: Any) -> Any:
    if isinstance(value, dict):
        inner = {plain(key): one for key, one in value.items() if isinstance(one, str)}
        named = [inner[key] for key in _SPEAKING if key in inner]
        return (named or list(inner.values()))[0] if named or len(inner) == 1 else value
    if isinstance(value, list) and len(value) == 1:
        return _string(value[0])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _choice(value: Any, known: tuple[Any, ...]) -> Any:
    said = _string(value)
    if isinstance(said, str):
        return next((one for one in known if plain(str(one)) == plain(said)), said)
    return value


def _listed(value: Any) -> list[Any]:
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _reason(message: str) -> str:
    """msgspec's message without what was given: that may be anybody's words."""
    place = _AT.search(message)
    path = place[1] if place else ""
    text = _AT.sub("", message)
    if text.startswith("Invalid enum value"):
        text = "not one of the values that were offered"
    text = _GIVEN.sub("", text).replace("`", "")
    return f"{path}: {text}" if path else text
