"""The schema is whole: every operation has words, answers, errors, and examples that fit."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from slowwave.servers.rest import ROUTES
from slowwave.servers.rest.openapi import ALWAYS, SCOPES, schema_of

Served = Any
SCHEMA = schema_of(ROUTES)
OPERATIONS = [
    (path, method, told) for path, methods in SCHEMA["paths"].items()
    for method, told in methods.items()
]  # fmt: skip
NAMES = [f"{method} {path}" for path, method, _ in OPERATIONS]


def fits(shape: Any, value: Any) -> None:
    """Raises where a value is not what a schema of the document says."""
    registry: Registry[Any] = Registry().with_resource(
        "urn:it", Resource(contents=SCHEMA, specification=DRAFT202012)
    )
    Draft202012Validator(_absolute(shape), registry=registry).validate(value)


def _absolute(shape: Any) -> Any:
    if isinstance(shape, dict):
        return {
            key: f"urn:it{value}" if key == "$ref" else _absolute(value)
            for key, value in shape.items()
        }
    return [_absolute(one) for one in shape] if isinstance(shape, list) else shape


@pytest.mark.parametrize(("path", "method", "told"), OPERATIONS, ids=NAMES)
def test_every_operation_is_told_whole(path: str, method: str, told: dict[str, Any]) -> None:
    assert told["summary"]
    assert path == "/healthz" or any(f"`{scope}`" in told["description"] for scope in SCOPES)
    assert {str(status) for status in ALWAYS} < set(told["responses"])
    for part in (told.get("requestBody"), told["responses"].get("200")):
        for kind, content in (part or {"content": {}})["content"].items():
            if "json" in kind and "ndjson" not in kind:
                fits(content["schema"], content["example"])
            elif kind != "application/octet-stream":
                assert content["example"]
    for one in told["parameters"]:
        if one.get("required"):
            fits(one["schema"], one["example"])
    assert method in ("get", "post", "patch")


def test_every_error_is_a_problem_with_an_example() -> None:
    for response in SCHEMA["components"]["responses"].values():
        [content] = response["content"].values()
        fits(content["schema"], content["example"])


def test_operations_have_names_of_their_own_and_known_tags() -> None:
    ids = [told["operationId"] for _, _, told in OPERATIONS]
    assert len(ids) == len(set(ids))
    assert {tag for *_, told in OPERATIONS for tag in told["tags"]} == {
        tag["name"] for tag in SCHEMA["tags"]
    }


def test_the_schema_is_served_with_what_other_doors_add(served: Served) -> None:
    answer = served.client.get("/openapi.json", headers=served.headers("read"))
    assert set(answer.json()["paths"]) >= set(SCHEMA["paths"])
    assert answer.json()["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"


def test_everything_that_reads_only_is_a_get_or_says_so() -> None:
    for route in ROUTES:
        if route.method == "GET":
            assert not route.writes
            assert route.scope in ("read", "admin")
