"""The draft of a creating conversation: begun, shown to the person and to prompts, finalised."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from chat.assistant.working import Written, running
from chat.commands.base import Command
from chat.models import Session
from chat.operations.changes import Cause
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation
from chat.operations.undo import undo
from projects.commands.drafts import FinaliseDraft, ResumeDraft, draft_created
from projects.dimensions import BY_FIELD
from projects.models import Project, ProjectDraft
from projects.modes.rows import NOBODY, ProjectRows, Snapshot, carry_out, error_of
from projects.queries import draft_tasks_of


def ensured(rows: ProjectRows) -> Snapshot:
    """The draft of the conversation, begun when there is none; an empty one is no change to review.

    One that was given up in the meantime is taken up again by talking on.
    """
    draft = rows.draft()
    if draft is None:
        _begin(rows)
    elif draft.status == ProjectDraft.Status.ABANDONED:
        _confirmed(rows, ResumeDraft(id=draft.pk))
    return rows.draft_snapshot()


def _begin(rows: ProjectRows) -> None:
    """A new draft; one of this conversation that an undo took away comes back instead."""
    title = _("Created draft")
    with transaction.atomic():
        run = running(rows.turn)
        cause = Cause(run.session, run, run.message, "draft")
        lost = ProjectDraft.objects.filter(session_id=run.session_id).first()
        deletions = Operation.objects.filter(
            entity="draft", entity_id=lost.pk if lost else NOBODY, type=Operation.Type.DELETE,
            status=Operation.Status.COMPLETED,
        )  # fmt: skip
        deleted = deletions.order_by("executed_at").last()
        if lost and deleted:
            undo(actor=rows.actor, operations=[deleted], cause=cause, title=title)
            rows.state.draft_id = lost.pk
            return
        created = draft_created({}, session=None if lost else run.session)
        batch = execute(
            actor=rows.actor, changes=[created], cause=cause, title=title, is_atomic=True
        )
        raise_if_failed(batch)
    rows.state.draft_id = created.id


def _confirmed(rows: ProjectRows, command: Command) -> Sequence[Written]:
    """Carries out what the person has just looked over, or what needs no look."""
    working = rows.working()
    working.is_confirmed = True
    return carry_out(working, [command])


def mark_of(snapshot: Snapshot) -> str:
    """What a confirmation is bound to: the draft and its tasks as they were shown."""
    versions = [f"{row.pk} {row.version}" for row in (snapshot.row, *snapshot.tasks)]
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]


def finalised(rows: ProjectRows) -> str:
    """Makes the project of the draft that was shown; gives why that failed, or nothing."""
    draft = rows.draft_snapshot().row
    name = {} if draft.name else {"name": _("New project")}
    written = _confirmed(rows, FinaliseDraft.model_validate({"id": draft.pk, **name}))
    remember_project(rows, written)
    return error_of(written)


def remember_project(rows: ProjectRows, written: Sequence[Written]) -> None:
    """Keeps which project came of the draft; the conversation goes by its name."""
    done = [one for part in written if not part.is_waiting for one in part.operations]
    for one in done:
        if one.entity == "project" and one.type == Operation.Type.CREATE:
            rows.state.project_id = one.entity_id
            name = (one.payload.after or {}).get("name", "")
            Session.objects.filter(pk=rows.turn.session_id).update(title=name)


def preview_of(session: Session) -> Mapping[str, Any]:
    """What a page shows of the session's draft, or of the project that came of it. Queries."""
    own = {"owner_id": session.participant_id, "deleted_at": None}
    draft = ProjectDraft.objects.filter(pk=session.state.get("draft_id"), **own).first()
    project = Project.objects.filter(pk=session.state.get("project_id"), **own).first()
    if draft is None:
        return {"project": project, "is_empty": True}
    part = preview_part(Snapshot(draft, draft_tasks_of(draft)))
    return {**part, "draft": draft, "project": project, "is_empty": False}


def preview_part(snapshot: Snapshot) -> dict[str, Any]:
    """A draft as a record that is kept with a message."""
    row = snapshot.row
    return {
        "type": "preview",
        "version": row.version,
        "name": row.name,
        "description": row.description,
        "summary": row.executive_summary,
        "start": _iso(row.start_date),
        "end": _iso(row.end_date),
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
                "due": _iso(task.due_date),
                "days": str(task.estimate_high_days or task.estimate_low_days or ""),
                "details": task.details,
                "after": [one.title for one in task.depends_on.all()],
            }
            for task in snapshot.tasks
        ],
        "quiet": True,
    }


def _iso(day: dt.date | None) -> str:
    return day.isoformat() if day else ""


def timeline(part: Mapping[str, Any]) -> list[tuple[dt.date, str]]:
    """The days of a kept preview with what falls on them, in order."""
    days = [(part.get("start", ""), pgettext("date", "Start")), (part.get("end", ""), _("End"))]
    days += [(task.get("due", ""), task["title"]) for task in part.get("tasks", ())]
    return sorted((dt.date.fromisoformat(day), str(label)) for day, label in days if day)


def draft_text(snapshot: Snapshot) -> str:
    """A draft as a prompt shows it, whole, with its id, its version and those of its tasks."""
    row = snapshot.row
    facts = {
        "Id": row.pk,
        "Version": row.version,
        "Name": row.name,
        "Description": row.description,
        "Context": row.context,
        "Summary": row.executive_summary,
        "Start date": row.start_date,
        "End date": row.end_date,
        "Tags": ", ".join(row.tags),
        **{name: snapshot.dimension(name) for name in snapshot.covered},
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    return "\n".join([*lines, *(f"- {_task_line(task)} id={task.pk}" for task in snapshot.tasks)])


def _task_line(task: Any) -> str:
    """A task with its days, estimate and owner, in one line."""
    facts = {
        "starts": task.start_date,
        "due": task.due_date,
        "at least days": task.estimate_low_days,
        "at most days": task.estimate_high_days,
        "waits for": "; ".join(str(one.pk) for one in task.depends_on.all()),
        "details": " ".join(task.details.split())[:200],
    }
    parts = [f"{name} {value}" for name, value in facts.items() if value]
    return f"{task.title} ({', '.join(parts)})" if parts else task.title
