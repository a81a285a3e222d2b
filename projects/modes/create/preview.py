"""The draft as it stands, for the page and for the confirmation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from chat.models import Session
from projects.dimensions import BY_FIELD
from projects.models import Project, ProjectDraft
from projects.modes.rows import Snapshot
from projects.queries import draft_tasks_of


def preview_of(session: Session) -> Mapping[str, Any]:
    """What a page shows of the session's draft, or of the project that came of it. Queries."""
    state = session.state
    mine = ProjectDraft.objects.filter(owner_id=session.participant_id, deleted_at=None)
    draft = mine.filter(pk=state.get("draft_id")).first()
    projects = Project.objects.filter(owner_id=session.participant_id, deleted_at=None)
    project = projects.filter(pk=state.get("project_id")).first()
    if draft is None:
        return {"project": project, "is_empty": True}
    snapshot = Snapshot(draft, draft_tasks_of(draft))
    return {**preview_part(snapshot), "draft": draft, "project": project, "is_empty": False}


def preview_part(snapshot: Snapshot) -> dict[str, Any]:
    """A draft as a record that is kept with a message."""
    row = snapshot.row
    return {
        "type": "preview",
        "version": row.version,
        "name": row.name,
        "description": row.description,
        "summary": row.executive_summary,
        "start": iso(row.start_date),
        "end": iso(row.end_date),
        "people": row.core_people_bonds,
        "context": row.context,
        "dimensions": [
            {"field": name, "name": str(BY_FIELD[name].name), "text": snapshot.dimension(name)}
            for name in snapshot.covered
        ],
        "covered": len(snapshot.covered),
        "tasks": [
            {
                "title": task.title,
                "is_suggested": task.is_suggested,
                "due": iso(task.due_date),
                "days": str(task.estimate_high_days or task.estimate_low_days or ""),
                "details": task.details,
                "after": [one.title for one in task.depends_on.all()],
            }
            for task in snapshot.tasks
        ],
        "quiet": True,
    }


def iso(day: dt.date | None) -> str:
    """A day as records keep it; empty for none."""
    return day.isoformat() if day else ""


def timeline(part: Mapping[str, Any]) -> list[tuple[dt.date, str]]:
    """The days of a kept preview with what falls on them, in order."""
    days = [(part.get("start", ""), _("Start")), (part.get("end", ""), _("End"))]
    days += [(task.get("due", ""), task["title"]) for task in part.get("tasks", ())]
    return sorted((dt.date.fromisoformat(day), str(label)) for day, label in days if day)
