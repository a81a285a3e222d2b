"""What a search in the catalogue hands out as plain values, and which catalogue it comes from.

Occupation codes and element ids are O*NET's in both catalogues; ids of statements in one only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from onet.groups import ActivityGroup


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

    def scored(self, score: float) -> Candidate:
        return replace(self, score=score)

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
