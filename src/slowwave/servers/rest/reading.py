"""What a request says, read strictly: a body, a query, a cursor, a header.

What does not fit the schema is Malformed (400) and names the place; what fits and cannot be done is
the front door's own error (422, 404, 409).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import inspect

from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.servers.problems import Refused
from slowwave.text.moment import moment

T = TypeVar("T")

LONGEST_QUERY = 20_000
"""Characters of a question: what stands in a prompt is cut by whoever asks."""
FIRST_YEAR, LAST_YEAR = 1900, 2300
MOST_EXACT = 2**53

Query = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_QUERY)]
Name = Annotated[str, msgspec.Meta(max_length=300)]
Id = Annotated[
    str, msgspec.Meta(min_length=1, max_length=300, description="An id, or the beginning of one.")
]
Moment = Annotated[
    str,
    msgspec.Meta(
        max_length=64,
        description="A day (2026-11-30), or a moment (ISO 8601); without an offset in the user's "
        "zone.",
        extra_json_schema={"anyOf": [{"format": "date"}, {"format": "date-time"}]},
    ),
]
Cursor = Annotated[
    str, msgspec.Meta(max_length=1000, description="From the Link header of the page before.")
]
Limit = Annotated[int, msgspec.Meta(ge=1, le=1000, description="At most so many.")]


class Malformed(Refused):
    """It is not what the schema says."""

    def __init__(self, message: str, hint: str = "/openapi.json has the schema") -> None:
        super().__init__(400, message, hint)


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a request says: a body, or a query."""


class Paged(Asked, frozen=True, kw_only=True):
    """A part of a list."""

    limit: Limit = 100
    cursor: Cursor = ""


# --- bodies ---------------------------------------------------------------------------------------


def body_of(raw: bytes, kind: type[T]) -> T:
    """A JSON body. Raises Malformed; a name that is given twice is refused, not guessed at."""
    raw = raw or b"{}"
    try:
        made: T = _decoder(cast("Any", kind)).decode(raw)
    except msgspec.ValidationError as error:
        return _with_whole_numbers(raw, kind, error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"the body is not JSON: {error}", "send one JSON object") from error
    except RecursionError as error:
        raise Malformed("the body is nested too deeply", "send one JSON object") from error
    _read_again(raw)
    return made


def _with_whole_numbers(raw: bytes, kind: type[T], error: Exception) -> T:
    """A body in which 9.0 stands for 9: for JSON they are the same. Raises Malformed."""
    try:
        return msgspec.convert(_read_again(raw), kind)
    except msgspec.ValidationError:
        raise Malformed(f"the body does not fit: {error}") from error


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _read_again(raw: bytes) -> Any:
    """What a body holds. Raises Malformed for a name that is given twice."""
    try:
        return json.loads(raw, object_pairs_hook=_once, parse_float=_number)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits
        raise Malformed("the body cannot be read", "send one JSON object") from error


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < MOST_EXACT else number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise Malformed("a name is given twice in the body", "give each name once")
    return made


# --- queries --------------------------------------------------------------------------------------

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?")
_BOOLS: Mapping[str, bool] = {"true": True, "false": False}


def query_of(pairs: Sequence[tuple[str, str]], kind: type[T]) -> T:
    """A query string. Raises Malformed; what is no list is given once."""
    readers = _readers(cast("Any", kind))
    given: dict[str, Any] = {}
    for name, text in pairs:
        if name not in readers:
            raise Malformed(f"there is no parameter {name[:40]!r}")
        many, read = readers[name]
        if many:
            given.setdefault(name, []).append(read(text))
        elif name in given:
            raise Malformed(f"{name} is given twice", "give it once")
        else:
            given[name] = read(text)
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise Malformed(f"the query does not fit: {error}") from error


@cache
def _readers(kind: Any) -> dict[str, tuple[bool, Callable[[str], Any]]]:
    """Of each parameter: whether it may be given several times, and how its text is read."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    found: dict[str, tuple[bool, Callable[[str], Any]]] = {}
    for field in told.fields:
        of = _plain(field.type)
        if isinstance(of, inspect.VarTupleType | inspect.ListType):
            found[field.encode_name] = (True, _reader(_plain(of.item_type)))
        else:
            found[field.encode_name] = (False, _reader(of))
    return found


def _plain(of: inspect.Type) -> inspect.Type:
    """A type without its notes, and without None: what is not given is not in the query."""
    while isinstance(of, inspect.Metadata):
        of = of.type
    if isinstance(of, inspect.UnionType):
        [of] = [one for one in of.types if not isinstance(one, inspect.NoneType)]
        return _plain(of)
    return of


def _reader(of: inspect.Type) -> Callable[[str], Any]:
    if isinstance(of, inspect.IntType):
        return lambda text: int(text) if _WHOLE.fullmatch(text) else text
    if isinstance(of, inspect.FloatType):
        return lambda text: float(text) if _NUMBER.fullmatch(text) else text
    if isinstance(of, inspect.BoolType):
        return lambda text: _BOOLS.get(text, text)
    return lambda text: text


# --- moments --------------------------------------------------------------------------------------


def moment_of(memory: SlowMemory, given: str | None, *, ends: bool = False) -> datetime | None:
    """A day or a moment as the user's clock has it; None for none. Raises UsageError."""
    if given is None:
        return None
    found = moment(given, memory.now().tzinfo, end_of_day=ends)
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        hint = f"give a year from {FIRST_YEAR} to {LAST_YEAR}"
        raise UsageError(f"{given[:40]!r} is out of reach", hint)
    return found
