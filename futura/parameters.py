"""Reads numbers, ids, names, addresses and languages out of forms, addresses and headers."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation.trans_real import parse_accept_lang_header
from pydantic_core import CoreSchema, core_schema

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PLACE: Final = re.compile(r"^([0-9]{1,17})-([0-9a-f]{32})$")


@dataclass(frozen=True)
class OneOf:
    """`Annotated[str, OneOf(names)]` in a Pydantic model: a `Literal` of names from a table."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        return core_schema.literal_schema(list(self.names))


def whole(text: object, *, digits: int = 9) -> int | None:
    """A whole number from 0, of at most so many digits: no sign, no blank, no other script."""
    label = str(text)
    is_number = label.isascii() and label.isdecimal() and len(label) <= digits
    return int(label) if is_number else None


def key(text: object) -> uuid.UUID | None:
    """The id of a thing."""
    try:
        return uuid.UUID(str(text))
    except ValueError:
        return None


def language(accepted: str) -> str:
    """The language that a browser likes best, of an Accept-Language header: a tag such as `de-at`.

    Empty where it names none.
    """
    tags = [tag for tag, _weight in parse_accept_lang_header(accepted) if tag != "*"]
    return tags[0] if tags else ""


def own_address(request: HttpRequest, text: str, default: str = "/") -> str:
    """Where to go on, when it is one of our pages."""
    is_ours = text.isprintable() and url_has_allowed_host_and_scheme(
        text, allowed_hosts={request.get_host()}
    )
    return text if text and is_ours else default


def place_of(at: datetime, pk: uuid.UUID) -> str:
    """Where a row stands in an order by moment and id, to the microsecond, for an address."""
    return f"{(at - _EPOCH) // timedelta(microseconds=1)}-{pk.hex}"


def place_in(text: str) -> tuple[datetime, uuid.UUID] | None:
    """From `place_of`; None for anything else."""
    matched = _PLACE.match(text)
    if matched is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=int(matched[1])), uuid.UUID(matched[2])
    except OverflowError:
        return None
