"""What other parts of the product offer once a list was sent; they register here, by function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.models import SurveyResponse


@dataclass(frozen=True)
class Offer:
    """A block of the last page: a template and what it needs, shown below the summary."""

    template: str
    context: Mapping[str, Any]


Offering = Callable[[SurveyResponse], Offer | None]
_offerings: list[Offering] = []


def register(offering: Offering) -> None:
    """Adds a function that offers something for a submitted response, or nothing (None)."""
    if offering not in _offerings:
        _offerings.append(offering)


def offers(response: SurveyResponse) -> list[Offer]:
    """What is offered after this response; nothing before it was sent."""
    if response.submitted_at is None:
        return []
    created = [offering(response) for offering in _offerings]
    return [item for item in created if item is not None]
