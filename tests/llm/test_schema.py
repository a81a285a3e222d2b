"""Strict JSON schemas from Pydantic models."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from futura.llm.schema import format_of


class Colour(StrEnum):
    """An enumeration."""

    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    """A nested model."""

    title: str = Field(min_length=1, max_length=10, description="its title")
    colour: Colour = Colour.RED


class Whole(BaseModel):
    """A model with everything."""

    parts: list[Part]
    main: Part | None = None
    size: Annotated[int, Field(ge=1, le=5)] = 1
    kind: Literal["a", "b"] = "a"
    day: dt.date | None = None
    clock: Annotated[dt.time, Field(description="By the person's clock.")]


class Loose(BaseModel):
    """A model that strict mode cannot express."""

    anything: dict[str, str]


def objects_in(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects_in(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from objects_in(item)


def test_every_object_is_closed_and_requires_all_its_properties():
    found = list(objects_in(format_of(Whole).schema))
    assert len(found) == 2
    for schema in found:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])


def test_a_property_named_like_a_keyword_stays():
    part = format_of(Whole).schema["$defs"]["Part"]
    assert part["properties"]["title"] == {
        "type": "string",
        "description": "its title At most 10 characters.",
    }


def test_optional_enum_and_bounds_are_told_in_strict_words():
    properties = format_of(Whole).schema["properties"]
    assert properties["main"] == {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}
    assert properties["size"] == {"type": "integer", "description": "From 1 to 5."}
    assert properties["kind"]["enum"] == ["a", "b"]
    assert format_of(Whole).schema["$defs"]["Colour"]["enum"] == ["red", "blue"]


def test_how_days_are_written_is_told_in_words():
    properties = format_of(Whole).schema["properties"]
    day = {"type": "string", "description": "YYYY-MM-DD"}
    assert properties["day"] == {"anyOf": [day, {"type": "null"}]}
    assert properties["clock"] == {"type": "string", "description": "By the person's clock. HH:MM"}


def test_a_free_form_mapping_is_a_programming_error():
    with pytest.raises(TypeError, match="name the fields"):
        format_of(Loose)
