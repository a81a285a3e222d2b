"""What each verb means to the ledger: checked changes that can be executed or proposed.

`projects.actions` executes them for a person; an agent hands them to its policy first.
"""

from __future__ import annotations

from projects.changes.dimensions import MERGES, Merge, dimension_edited, merged_text
from projects.changes.drafts import (
    draft_abandoned,
    draft_created,
    draft_edited,
    draft_finalised,
    draft_resumed,
    draft_task_created,
    draft_task_deleted,
    draft_task_edited,
)
from projects.changes.projects import (
    project_created,
    project_deleted,
    project_edited,
    project_status,
)

__all__ = [
    "MERGES",
    "Merge",
    "dimension_edited",
    "draft_abandoned",
    "draft_created",
    "draft_edited",
    "draft_finalised",
    "draft_resumed",
    "draft_task_created",
    "draft_task_deleted",
    "draft_task_edited",
    "merged_text",
    "project_created",
    "project_deleted",
    "project_edited",
    "project_status",
]
