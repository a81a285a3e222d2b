"""What the JSON of projects and drafts has in common."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from ninja import Schema

from projects.models import Project, ProjectDraft


class DimensionsOut(Schema):
    """The fields of projects and drafts. Texts are Markdown."""

    id: uuid.UUID
    version: int
    name: str
    description: str
    context: str
    executive_summary: str
    core_integrity_ideals: str
    core_people_bonds: str
    core_goals_momentum: str
    core_meaning_identity: str
    core_reality_understanding: str
    core_trust_safeguards: str
    core_opportunity_freedom: str
    core_power_resources: str
    core_harmony_integration: str
    tags: list[str]
    start_date: dt.date | None
    end_date: dt.date | None
    created_at: dt.datetime
    updated_at: dt.datetime


def values_of(row: Project | ProjectDraft, shape: type[Schema], **more: Any) -> dict[str, Any]:
    """A row in a shape whose names are the row's own; `more` gives those that are not."""
    names = [name for name in shape.model_fields if name not in more]
    return {**{name: getattr(row, name) for name in names}, **more}
