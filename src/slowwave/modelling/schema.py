"""What an answer must look like, for servers that can hold a model to it."""

from functools import cache
from typing import Any

import msgspec

_KEPT = frozenset({
    "type", "properties", "items", "required", "additionalProperties", "enum", "const", "anyOf",
    "$ref", "$defs", "description", "minimum", "maximum",
})  # fmt: skip
"""What strict servers take; they refuse a schema for anything else."""


@cache
def list_schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON schema of `{"items": […]}` with items of `kind` (a struct, or `str`).

    Every field is required and no other allowed: so strict servers want it, and a model that must
    fill a field does not forget it.
    """
    (item,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": _strict(item)}},
        "required": ["items"],
        "additionalProperties": False,
    }
    if definitions:
        schema["$defs"] = {name: _strict(one) for name, one in definitions.items()}
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key in _KEPT}
    if "properties" in node:
        kept["properties"] = {key: _strict(value) for key, value in node["properties"].items()}
        kept["required"] = list(node["properties"])
        kept["additionalProperties"] = False
    return kept
