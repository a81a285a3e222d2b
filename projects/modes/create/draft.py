"""The draft of a creating conversation: begun, changed by the model's tools, shown, finalised."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _, pgettext
from pydantic import BaseModel

from chat.assistant import undo as undo_tool
from chat.assistant.toolset import Acting, Toolset, first_paragraph, writing
from chat.assistant.working import Working, Written, running
from chat.commands.base import Command
from chat.models import Session
from chat.operations.changes import Cause
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation
from chat.operations.undo import undo
from projects.commands.drafts import (
    ChangeDraft,
    ChangeDraftTasks,
    CreateDraftTasks,
    DeleteDraftTasks,
    FinaliseDraft,
    ResumeDraft,
    draft_created,
)
from projects.dimensions import BY_FIELD, DimensionName
from projects.models import ProjectDraft
from projects.modes.rows import NOBODY, ProjectRows, Snapshot, carry_out, error_of
from projects.modes.starting import draft_of, project_of
from projects.modes.state import CreateState
from projects.queries import draft_tasks_of
from projects.toolset import guard, read_draft

WRITING: Final[tuple[type[Command], ...]] = (
    ChangeDraft, CreateDraftTasks, ChangeDraftTasks, DeleteDraftTasks,
)  # fmt: skip
UNSEEN: Final = (
    "Not created: the person has not seen the draft as it stands now. It is shown again below your "
    "answer; ask them."
)
OF_OTHERS: Final = "Not created: the person has to agree by themselves, or with the button."


def ensured(rows: ProjectRows) -> Snapshot:
    """The draft of the conversation, begun when there is none; an empty one is no change to review.

    One that was given up in the meantime is taken up again by talking on.
    """
    stored = rows.stored_draft()
    if stored is None:
        _begin(rows)
    elif stored.row.status == ProjectDraft.Status.ABANDONED:
        _confirmed(rows, ResumeDraft(id=stored.row.pk))
    else:
        return stored
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


# Changes and the project, by calls of the model or the button -------------------------------------
class AskAbout(BaseModel):
    """Has a question on one dimension put to the person, when they want to be asked about it."""

    dimension: DimensionName


def toolset(rows: ProjectRows, *, is_preview: bool) -> Toolset:
    """Tools that change the draft; only with `is_preview` they may create the project, and only
    from the draft that was shown.
    """
    state: CreateState = rows.turn.state
    has_changed = False

    def ask(arguments: AskAbout, _working: Working, _call_id: str) -> str:
        state.requested = [arguments.dimension]
        return "The question is put to the person below your answer; put none yourself."

    def allows(command: Command, working: Working) -> str:
        """Whatever was changed in the turn has to be shown before the project is made of it."""
        nonlocal has_changed
        if not isinstance(command, FinaliseDraft):
            has_changed = True
            return guard(command, working)
        snapshot = rows.draft_snapshot()
        is_shown = not has_changed and mark_of(snapshot) == state.previewed
        if command.id != snapshot.row.pk or not is_shown:
            return UNSEEN
        if working.is_tainted:
            return OF_OTHERS
        working.is_confirmed = True  # the preview was the review (DECISIONS 27)
        return ""

    tools: list[Any] = [
        *(writing(kind) for kind in WRITING),
        read_draft(),
        Acting("ask_about", first_paragraph(AskAbout), AskAbout, ask),
        undo_tool.tool(),
    ]
    if is_preview:
        about = "Makes the project of the draft, only right after the person agreed to it as it is."
        tools.append(writing(FinaliseDraft, description=about))
    return Toolset(tools, rows.scope, allows)


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
    """Stores which project came of the draft; the conversation goes by its name."""
    done = [operation for part in written if not part.is_waiting for operation in part.operations]
    for operation in done:
        if operation.entity == "project" and operation.type == Operation.Type.CREATE:
            rows.state.project_id = operation.entity_id
            name = (operation.payload.after or {}).get("name", "")
            Session.objects.filter(pk=rows.turn.session_id).update(title=name)


# The preview --------------------------------------------------------------------------------------
def preview_of(session: Session) -> Mapping[str, Any]:
    """What a page shows of the session's draft, or of the project that came of it. Queries."""
    draft, project = draft_of(session), project_of(session)
    if draft is None:
        return {"project": project, "is_empty": True}
    part = preview_part(Snapshot(draft, draft_tasks_of(draft)))
    return {**part, "draft": draft, "project": project, "is_empty": False}


def preview_part(snapshot: Snapshot) -> dict[str, Any]:
    """A draft as a record that is stored with a message."""
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
            {"field": name, "name": str(BY_FIELD[name].name), "text": getattr(row, name)}
            for name in snapshot.covered
        ],
        "covered": len(snapshot.covered),
        "tasks": [
            {
                "title": task.title,
                "is_suggested": task.is_suggested,
                "due": _iso(task.due_date),
                "days": _days(task.estimate_high_days or task.estimate_low_days),
                "assignee": task.assignee,
                "details": task.details,
                "after": [needed.title for needed in task.depends_on.all()],
            }
            for task in snapshot.tasks
        ],
        "quiet": True,
    }


def _days(days: Decimal | None) -> str:
    """“2” or “0.5”; empty for none."""
    return f"{days.normalize():f}" if days else ""


def _iso(day: dt.date | None) -> str:
    return day.isoformat() if day else ""


def timeline(part: Mapping[str, Any]) -> list[tuple[dt.date, str]]:
    """The days of a stored preview with what falls on them, in order."""
    days = [(part.get("start", ""), pgettext("date", "Start")), (part.get("end", ""), _("End"))]
    days += [(task.get("due", ""), task["title"]) for task in part.get("tasks", ())]
    return sorted((dt.date.fromisoformat(day), str(label)) for day, label in days if day)
