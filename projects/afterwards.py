"""What other parts of the product offer for a finished project; they register here, by function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from projects.models import Project


@dataclass(frozen=True)
class Offer:
    """A block of the project's page: a template and what it needs."""

    template: str
    context: Mapping[str, Any]


Offering = Callable[[Project], Offer | None]
_offerings: list[Offering] = []


def register(offering: Offering) -> None:
    """Adds a function that offers something for a finished project, or nothing (None)."""
    if offering not in _offerings:
        _offerings.append(offering)


def offers(project: Project) -> list[Offer]:
    """What is offered now that a project is finished; nothing before."""
    if project.status != Project.Status.COMPLETED:
        return []
    made = [offering(project) for offering in _offerings]
    return [one for one in made if one is not None]
