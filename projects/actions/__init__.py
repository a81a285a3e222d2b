"""Writes of projects and drafts: one verb each, all through the ledger.

Each takes the rows that a door in `projects.queries` let through, and an `Actor` of their owner.
Each returns `Done(row, batch)`: the row as it is now, and the batch, which can be undone whole.
"""

from __future__ import annotations

from projects.actions.drafts import (
    abandon_draft,
    abandon_untouched,
    add_draft_task,
    delete_draft_task,
    edit_draft,
    edit_draft_task,
    finalise_draft,
    purge_abandoned,
    resume_draft,
    start_draft,
)
from projects.actions.projects import (
    change_status,
    create_project,
    delete_project,
    edit_dimension,
    edit_project,
    finish_project,
)
from projects.actions.undoing import take_back
from projects.actions.writing import Done, newcomer, perform, person

__all__ = [
    "Done",
    "abandon_draft",
    "abandon_untouched",
    "add_draft_task",
    "change_status",
    "create_project",
    "delete_draft_task",
    "delete_project",
    "edit_dimension",
    "edit_draft",
    "edit_draft_task",
    "edit_project",
    "finalise_draft",
    "finish_project",
    "newcomer",
    "perform",
    "person",
    "purge_abandoned",
    "resume_draft",
    "start_draft",
    "take_back",
]
