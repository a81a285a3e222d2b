"""Says which catalogue a statement comes from: O*NET, or the starter catalogue in our own words.

Occupation codes and element ids are O*NET's in both; ids of statements are O*NET's in one only.
"""

from __future__ import annotations

from typing import Final, Literal

CatalogueKind = Literal["onet", "starter"]
STARTER_PREFIX: Final = "S-"
"""How the ids of the starter catalogue's statements begin; those of O*NET are digits."""


def catalogue_of(statement_id: str) -> CatalogueKind:
    """The catalogue of a statement, by its id: right also after another one was loaded."""
    return "starter" if is_starter(statement_id) else "onet"


def is_starter(statement_id: str) -> bool:
    return statement_id.startswith(STARTER_PREFIX)
