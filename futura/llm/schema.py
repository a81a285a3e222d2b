"""Turns a Pydantic model into the strict JSON schema that structured output asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

# Words of JSON schema that strict mode refuses; the Pydantic model still checks them.
LEFT_OUT = frozenset(
    {
        "default",
        "title",
        "examples",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "format",
        "pattern",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "discriminator",
    }
)
BY_NAME = frozenset({"properties", "$defs"})
FORMS = {"date": "YYYY-MM-DD", "time": "HH:MM", "date-time": "YYYY-MM-DDTHH:MM"}


@dataclass(frozen=True)
class Format:
    name: str
    schema: Mapping[str, Any]

    @property
    def strict(self) -> dict[str, Any]:
        return {"name": self.name, "schema": self.schema, "strict": True}

    @property
    def in_words(self) -> str:
        """The instruction for servers without structured output."""
        return (
            "Answer with one JSON object and nothing else. It must follow this JSON schema:\n"
            + json.dumps(self.schema, ensure_ascii=False)
        )


@cache
def format_of(model: type[BaseModel]) -> Format:
    """The strict format of a model: every property required, nothing else allowed."""
    name = re.sub(r"\W", "_", model.__name__)[:60]
    return Format(name, _strict(model.model_json_schema(mode="validation")))


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(item) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return {"$ref": part["$ref"]}
    stored = {key: value for key, value in part.items() if key not in LEFT_OUT}
    strict = {
        key: {name: _strict(inner) for name, inner in value.items()}
        if key in BY_NAME
        else _strict(value)
        for key, value in stored.items()
    }
    if description := _in_words(part):
        strict["description"] = description
    if "oneOf" in strict:
        strict["anyOf"] = strict.pop("oneOf")
    if strict.get("type") == "object":
        if "properties" not in strict:
            raise TypeError("Strict output has no free-form mappings; name the fields.")
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def _in_words(part: Mapping[str, Any]) -> str:
    """The description of a part, with what strict mode leaves out of it."""
    sentences = [part.get("description", ""), FORMS.get(part.get("format", ""), "")]
    if "maxLength" in part:
        sentences.append(f"At most {part['maxLength']} characters.")
    if "maxItems" in part:
        sentences.append(f"At most {part['maxItems']} items.")
    if "minimum" in part and "maximum" in part:
        sentences.append(f"From {part['minimum']} to {part['maximum']}.")
    return " ".join(filter(None, sentences))
