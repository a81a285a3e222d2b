"""What other parts of the product offer once a list was sent; they register here, by function."""

from __future__ import annotations

from collections.abc import Callable

from chat.presenters import Rendered
from tasks.models import SurveyResponse

Offering = Callable[[SurveyResponse], Rendered | None]
_offerings: list[Offering] = []


def register(offering: Offering) -> None:
    """Adds a function that offers something for a submitted response, or nothing (None)."""
    if offering not in _offerings:
        _offerings.append(offering)


def offers(response: SurveyResponse) -> list[Rendered]:
    """What is offered after this response; nothing before it was sent."""
    if response.submitted_at is None:
        return []
    created = [offering(response) for offering in _offerings]
    return [item for item in created if item is not None]
