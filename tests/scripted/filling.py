"""Fits computed values into whatever JSON schema a request carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def fill(schema: Mapping[str, Any], known: Any, *, root: Mapping[str, Any] | None = None) -> Any:
    """A value of the schema: from `known` where names agree, a neutral value elsewhere."""
    root = root or schema
    schema = _resolved(schema, known, root)
    kind = schema.get("type")
    if "enum" in schema:
        return known if known in schema["enum"] else schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    if kind == "object":
        return _object(schema, known if isinstance(known, Mapping) else {}, root)
    if kind == "array":
        items = known if isinstance(known, list) else []
        return [fill(schema.get("items", {}), item, root=root) for item in items]
    return _scalar(kind, schema, known)


def _resolved(schema: Mapping[str, Any], known: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follows references; of alternatives takes null for None, else the first that is not null."""
    while True:
        if "$ref" in schema:
            target: Any = root
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            schema = target
        elif "allOf" in schema:
            schema = schema["allOf"][0]
        elif "anyOf" in schema or "oneOf" in schema:
            options = schema.get("anyOf") or schema["oneOf"]
            nulls = [option for option in options if option.get("type") == "null"]
            others = [option for option in options if option.get("type") != "null"]
            schema = nulls[0] if known is None and nulls else others[0]
        else:
            return schema


def _object(
    schema: Mapping[str, Any], known: Mapping[str, Any], root: Mapping[str, Any]
) -> dict[str, Any]:
    named = {_plain(name): value for name, value in known.items()}
    return {
        name: fill(part, named.get(_plain(name)), root=root)
        for name, part in (schema.get("properties") or {}).items()
    }


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("normalis", "normaliz")


def _scalar(kind: Any, schema: Mapping[str, Any], known: Any) -> Any:
    if isinstance(kind, list):
        kind = "null" if known is None and "null" in kind else next(k for k in kind if k != "null")
    wanted: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    if kind in wanted and isinstance(known, wanted[kind]):
        return known
    neutral = {
        "string": "as described",
        "integer": schema.get("minimum", 0),
        "number": schema.get("minimum", 0),
        "boolean": False,
    }
    return neutral.get(str(kind))
