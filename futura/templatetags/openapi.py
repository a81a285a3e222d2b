"""What an OpenAPI document says of shapes, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def shape(schema: Mapping[str, Any]) -> str:
    """A readable type: model name, `string`, `string or null`, `list of …`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return " or ".join(shape(choice) for choice in choices)
    if schema.get("type") == "array":
        return f"list of {shape(schema.get('items', {}))}"
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " or ".join(f'"{item}"' for item in schema["enum"])
    return str(schema.get("format") or schema.get("type") or "anything")


@register.filter
def shapes(part: Mapping[str, Any] | str) -> list[str]:
    """Those that a body or an answer may have; "" is no body."""
    content = part.get("content", {}) if isinstance(part, Mapping) else {}
    schema = content.get("application/json", {}).get("schema", {})
    return [shape(item) for item in schema.get("anyOf") or schema.get("oneOf") or [schema] if item]
