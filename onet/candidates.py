"""What a search in the catalogue hands out as plain values: groups of work, titles, statements.

Occupation codes and element ids are O*NET's in both catalogues; ids of statements in one only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from django.db import models
from django.utils.translation import gettext_lazy as _


class ActivityGroup(models.TextChoices):
    """Values are the names the JSON API uses (spec 1, GWA categories)."""

    INFORMATION_INPUT = "informationInput", _("Information input")
    MENTAL_PROCESSES = "mentalProcesses", _("Mental processes")
    WORK_OUTPUT = "workOutput", _("Work output")
    INTERACTING = "interactingWithOthers", _("Interacting with others")


GROUP_OF_ELEMENT: Final = {
    "4.A.1": ActivityGroup.INFORMATION_INPUT,
    "4.A.2": ActivityGroup.MENTAL_PROCESSES,
    "4.A.3": ActivityGroup.WORK_OUTPUT,
    "4.A.4": ActivityGroup.INTERACTING,
}
"""Content Model element prefix → group (O*NET 30.x Content Model Reference)."""


def group_of(element_id: str) -> ActivityGroup:
    """Group of a work activity such as `4.A.2.b.1`; raises KeyError outside 4.A.1 to 4.A.4."""
    return GROUP_OF_ELEMENT[element_id[:5]]


def groups_of(element_ids: Iterable[str]) -> tuple[ActivityGroup, ...]:
    """Groups of work activities in the order of the activities, each once."""
    return tuple(dict.fromkeys(group_of(element_id) for element_id in element_ids))


@dataclass(frozen=True, slots=True)
class OccupationRef:
    code: str
    title: str


@dataclass(frozen=True, slots=True)
class TitleHit:
    """A job title offered while typing, with the occupations that go by it (best first)."""

    title: str
    occupations: tuple[OccupationRef, ...] = ()


@dataclass(frozen=True, slots=True)
class OccupationHit:
    """An occupation as a picker shows it. `score` is 0.0 to 1.0; 1.0 where nothing was searched."""

    code: str
    title: str
    description: str
    also_called: tuple[str, ...] = ()
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement of the catalogue that may say what a person does.

    `score` is calibrated, 0.0 to 1.0, and 0.0 where nothing was searched. `groups` and
    `activity_ids` come best first where something was searched, else in the order of the element
    ids; a statement may have none of them.
    """

    task_id: str
    text: str
    occupation_code: str
    occupation_title: str
    kind: str
    score: float = 0.0
    groups: tuple[ActivityGroup, ...] = ()
    activity_ids: tuple[str, ...] = ()
    importance: float | None = None
    detailed_ids: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values for a JSON column."""
        return {
            name: [str(entry) for entry in value] if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


CatalogueKind = Literal["onet", "starter"]
STARTER_PREFIX: Final = "S-"
"""How the ids of the starter catalogue's statements begin; those of O*NET are digits."""


def catalogue_of(statement_id: str) -> CatalogueKind:
    """The catalogue of a statement, by its id: right also after another one was loaded."""
    return "starter" if is_starter(statement_id) else "onet"


def is_starter(statement_id: str) -> bool:
    return statement_id.startswith(STARTER_PREFIX)
