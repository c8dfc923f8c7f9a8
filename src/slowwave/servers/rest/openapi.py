"""The OpenAPI schema, from the routes: every body, answer, error and example."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from slowwave import __version__
from slowwave.servers.problems import MEDIA_TYPE, Problem
from slowwave.servers.rest.examples import example_of
from slowwave.servers.rest.idempotency import HEADER
from slowwave.servers.rest.route import Route
from slowwave.servers.room import SPACE_HEADER

__all__ = ["schema_of"]

REF = "#/components/schemas/{name}"
ALWAYS = (400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 500, 502, 503, 507)
"""Statuses that every route may answer with."""

TAGS = {
    "journal": "What happened: the append-only journal.",
    "recall": "What is known: search, and the block for a system prompt.",
    "memories": "What is believed, why, and changed by hand.",
    "working memory": "What must be remembered to go on working.",
    "dreams": "Consolidation, as a change that is reviewed.",
    "injections": "Which memory entered which prompt, and what was wrong.",
    "trial": "Attached, and yet only telling what it would have said.",
    "forgetting": "Deletion that is complete, with a receipt.",
    "upkeep": "Numbers, checks, files, the clock.",
    "model": "The language model: what it was asked, what it would see.",
    "inspect": "A look inside single steps; stores nothing.",
    "transfer": "To another home, and from foreign logs.",
    "server": "The server itself.",
}
SCOPES = {
    "read": "asks and looks",
    "log": "writes to the journal, and reads nothing",
    "review": "reads, dreams, decides and changes by hand",
    "admin": "does everything, forgetting for good included",
}
MEANS = {
    400: "It does not fit the schema.",
    401: "No token, or one that opens nothing.",
    403: "The token has not this scope, or does not see this space.",
    404: "There is nothing of that name.",
    409: "It was decided before, is outdated, or is being done.",
    413: "More was sent than `body_mb` allows.",
    415: "A body of this media type is not read here.",
    421: "The server is not called that.",
    422: "It fits the schema, and cannot be done.",
    429: "Too many requests.",
    500: "Something broke; nothing was half done.",
    502: "The language model failed.",
    503: "Something else keeps the database, or the embedder is not there.",
    507: "The disk is full; what was acknowledged is safe.",
}


def schema_of(routes: Sequence[Route]) -> dict[str, Any]:
    """The whole schema of these routes (OpenAPI 3.1)."""
    named, schemas = _components(routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Slowwave",
            "version": __version__,
            "description": _about(),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{"bearer": []}, {"token": []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {_error_name(status): _error(status) for status in ALWAYS},
            "parameters": _shared_parameters(),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "token": {"type": "apiKey", "in": "header", "name": "X-Slowwave-Token"},
            },
        },
    }


def _about() -> str:
    scopes = "; ".join(f"`{name}` {text}" for name, text in SCOPES.items())
    return (
        "A memory for AI agents that sleeps. Answers are those of the command line with `--json`. "
        f"Errors are problem+json (RFC 9457). Scopes of tokens: {scopes}."
    )


# --- types ----------------------------------------------------------------------------------------


def _parts(kind: Any) -> tuple[Any, ...]:
    """The types of a union of several objects; what is none stands for itself."""
    if kind in (None, bytes, str):
        return ()
    if get_origin(kind) in (Union, UnionType):
        return get_args(kind)
    return (kind,)


def _components(routes: Iterable[Route]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of each type that is named, and what they refer to."""
    kinds: list[Any] = [Problem]
    for route in routes:
        for kind in (*_parts(route.body), *_parts(route.answer)):
            if kind not in kinds:
                kinds.append(kind)
    shapes, schemas = msgspec.json.schema_components(kinds, ref_template=REF)
    # A list cannot be the key of a dict, but the type of one can.
    return dict(zip(map(str, kinds), _mended(shapes), strict=True)), {
        _short(name): _mended(schema) for name, schema in schemas.items()
    }


def _short(name: str) -> str:
    """The name of a schema; of two types of one name, one is told by where it comes from."""
    *_, module, last = ("", *name.split("."))
    return last if module in ("", "problems") else f"{module.title()}{last}"


def _mended(schema: Any) -> Any:
    """As JSON Schema has it: instants told apart, and no default that is a Python tuple."""
    if isinstance(schema, dict):
        made = {key: _mended(value) for key, value in schema.items()}
        if made.get("default", 0) is None and "anyOf" not in made:
            del made["default"]
        if "$ref" in made:
            made["$ref"] = REF.format(name=_short(made["$ref"].rpartition("/")[2]))
        return made
    if isinstance(schema, list | tuple):
        return [_mended(one) for one in schema]
    return schema


def _shape(kind: Any, named: dict[Any, Any]) -> dict[str, Any]:
    if kind is bytes:
        return {"type": "string", "format": "binary"}
    if kind is str:
        return {"type": "string"}
    shapes = [named[str(one)] for one in _parts(kind)]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


# --- one operation --------------------------------------------------------------------------------


def _operation(route: Route, named: dict[Any, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": route.id,
        "tags": [route.tag],
        "summary": route.summary,
        "description": "\n\n".join(filter(None, (route.text, _needs(route)))),
        "parameters": _parameters(route),
        "responses": {
            str(route.status): _success(route, named),
            **{str(status): {"$ref": f"#/components/responses/{_error_name(status)}"}
               for status in sorted({*ALWAYS, *route.problems})},
        },
    }  # fmt: skip
    if route.path == "/v1/dreams" and route.method == "POST":
        made["responses"]["202"] = _success(route, named, "Begun: a job to be polled.")
    if route.body is not None:
        made["requestBody"] = _body(route, named)
    if route.open:
        made["security"] = []
    return made


def _needs(route: Route) -> str:
    return "" if route.open else f"Scope: `{route.scope}`."


def _body(route: Route, named: dict[Any, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for kind in route.takes:
        if kind == "application/x-ndjson":
            content[kind] = {"schema": {"type": "string"}, "example": '{"text": "a line each"}\n'}
        elif route.body is bytes:
            content["application/octet-stream"] = {"schema": _shape(bytes, named)}
        else:
            first = _parts(route.body)[0]
            example = route.examples.get("body") or _plain_example(first)
            content[kind] = {"schema": _shape(route.body, named), "example": example}
    return {"required": _needs_body(route.body), "content": content}


def _plain_example(kind: Any) -> Any:
    """An example of a body: what must be there, and what is mostly given."""
    told = inspect.type_info(kind)
    whole = example_of(kind)
    if not isinstance(told, inspect.StructType):
        return whole
    needed = [field.encode_name for field in told.fields if field.required]
    return {name: whole[name] for name in needed or list(whole)[:1]}


def _needs_body(kind: Any) -> bool:
    if kind is bytes:
        return True
    told = [inspect.type_info(one) for one in _parts(kind)]
    return any(
        not isinstance(one, inspect.StructType) or any(field.required for field in one.fields)
        for one in told
    )


def _success(route: Route, named: dict[Any, Any], words: str = "Done.") -> dict[str, Any]:
    content = {}
    for kind in route.gives:
        if kind == "text/event-stream":
            content[kind] = {"schema": {"type": "string"}, "example": STREAM}
        elif route.answer in (bytes, str) or kind != "application/json":
            content[kind] = {"schema": {"type": "string"}, "example": _TEXTS.get(kind, "…")}
        else:
            example = route.examples.get("answer") or example_of(_parts(route.answer)[0])
            content[kind] = {"schema": _shape(route.answer, named), "example": example}
    made: dict[str, Any] = {"description": words, "content": content}
    if route.many:
        made["headers"] = {"Link": {
            "description": "Where the next page is (`rel=\"next\"`); missing on the last.",
            "schema": {"type": "string"},
        }}  # fmt: skip
    return made


STREAM = 'event: progress\ndata: {"stage":"distill","done":3,"total":9}\n\n'
_TEXTS = {
    "text/plain": "dream d5r6t7uvwxab · 2026-11-30 · planned",
    "application/x-ndjson": '{"format": "slowwave", "version": 1}',
    "text/markdown": "# Memory",
    "application/yaml": "- ts: 2026-11-30T12:00:00+08:00",
}


# --- parameters -----------------------------------------------------------------------------------


def _parameters(route: Route) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [_named(name) for name in route.names]
    if route.query is not None:
        made += _query(route.query)
    if route.path.startswith("/v1/") and route.path != "/v1/spaces":
        made += [{"$ref": "#/components/parameters/space"}]
    if route.writes:
        made += [{"$ref": "#/components/parameters/idempotency_key"}]
    return made


def _named(name: str) -> dict[str, Any]:
    return {
        "name": name, "in": "path", "required": True, "example": "m3k2qxv7ydaa",
        "schema": {"type": "string", "minLength": 1, "maxLength": 300},
    }  # fmt: skip


def _query(kind: type) -> list[dict[str, Any]]:
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    _, schemas = msgspec.json.schema_components([kind], ref_template=REF)
    properties = schemas[kind.__name__]["properties"]
    whole = example_of(kind)
    made = []
    for field in told.fields:
        name = field.encode_name
        shape = _mended(_given(properties[name]))
        one = {"name": name, "in": "query", "required": field.required, "schema": shape}
        if "description" in shape:
            one["description"] = shape.pop("description")
        if field.required:
            one["example"] = whole[name]
        made.append(one)
    return made


def _given(shape: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter that is given: nobody gives null in a query."""
    options = [one for one in shape.get("anyOf", ()) if one.get("type") != "null"]
    if len(options) == 1 and "anyOf" in shape and len(shape["anyOf"]) > 1:
        rest = {key: value for key, value in shape.items() if key not in ("anyOf", "default")}
        return {**rest, **options[0]}
    return dict(shape)


def _shared_parameters() -> dict[str, Any]:
    return {
        "space": {
            "name": "space", "in": "query", "required": False,
            "description": "Whose memory; else that of the token, or the default one. The header "
                           f"`{SPACE_HEADER.title()}` says the same.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 100},
        },
        "idempotency_key": {
            "name": HEADER.title(), "in": "header", "required": False,
            "description": "The same key with the same request is done once, and answered the "
                           "same, for a day; with another request it is refused (422).",
            "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
        },
    }  # fmt: skip


# --- errors ---------------------------------------------------------------------------------------


def _error_name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "").replace("-", "")


def _error(status: int) -> dict[str, Any]:
    example = Problem(
        type="urn:slowwave:error:NotFound" if status == 404 else f"urn:slowwave:error:{status}",
        title=HTTPStatus(status).phrase, status=status, detail=MEANS[status],
        hint="what to do next",
    )  # fmt: skip
    return {
        "description": MEANS[status],
        "content": {MEDIA_TYPE: {
            "schema": {"$ref": REF.format(name="Problem")},
            "example": msgspec.to_builtins(example),
        }},
    }  # fmt: skip
