"""What a message does to the draft: one batch each, and finally the project itself."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from chat.models import Session
from chat.operations.changes import Change, Create
from futura.limits import DIMENSION_CHARS
from projects.agent import proposals
from projects.agent.apply import Applied, brought_back
from projects.agent.toolbox import ToolBox
from projects.commands.drafts import draft_created, draft_finalised, draft_resumed
from projects.commands.texts import merged_text
from projects.models import DraftTask, ProjectDraft
from projects.modes.create.reading import Extract, TaskExtract
from projects.modes.rows import Snapshot


def ensured(box: ToolBox) -> Snapshot:
    """The draft of the conversation, begun when there is none; an empty one is no change to review.

    One that was given up in the meantime is taken up again by talking on.
    """
    draft = box.draft()
    if draft is None:
        _begin(box)
    elif draft.status == ProjectDraft.Status.ABANDONED:
        back = draft_resumed(draft)
        box.apply([back], title=_("Took the draft up again"), tool_call_id="resume",
                  is_confirmed=True)  # fmt: skip
    return box.draft_snapshot()


def _begin(box: ToolBox) -> None:
    """A new draft; one of this conversation that an undo took away comes back instead."""
    session = Session.objects.get(pk=box.turn.session_id)
    lost = ProjectDraft.objects.filter(session_id=session.pk).first()
    title = _("Started a draft")
    if lost is not None:
        back = brought_back(box.turn, "draft", lost.pk, title)
        if back is not None:
            box.ledger.applied.append(back)
            box.state.draft_id = lost.pk
            return
    created = draft_created({}, session=session if lost is None else None)
    box.apply([created], title=title, tool_call_id="draft", is_confirmed=True)
    box.state.draft_id = created.id


def changes_for(
    extract: Extract, snapshot: Snapshot, questions: int, replaced: str = ""
) -> list[Change]:
    """What a message changes in the draft as it stands; empty for nothing.

    Texts join what is there, but for the dimension `replaced`. Days that would turn start and end
    around stay as they are.
    """
    row = snapshot.row
    values: dict[str, Any] = dict(extract.values)
    start = values.get("start_date", row.start_date)
    end = values.get("end_date", row.end_date)
    if start and end and start > end:
        values = {key: value for key, value in values.items() if not key.endswith("_date")}
    for field, text in extract.dimensions.items():
        merge = "replace" if field == replaced else "append"
        values[field] = merged_text(snapshot.dimension(field), text, merge)[:DIMENSION_CHARS]  # type: ignore[arg-type]
    for correction in extract.corrections:
        values[correction.field] = correction.text[:DIMENSION_CHARS]
    if extract.context:
        values["context"] = merged_text(row.context, extract.context, "append")[:DIMENSION_CHARS]
    new = {name: value for name, value in values.items() if value != getattr(row, name)}
    planned: list[Change] = []
    if new:
        planned.append(proposals.update(snapshot, {**new, "question_count": questions}))
    return [*planned, *_tasks(extract.tasks, snapshot)]


def _tasks(tasks: Sequence[TaskExtract], snapshot: Snapshot) -> list[Change]:
    titles = {task.title.casefold() for task in snapshot.tasks}
    new = [task for task in tasks if task.title.casefold() not in titles]
    return [
        proposals.new_task(snapshot, task.title, _values(task), ahead=place)
        for place, task in enumerate(new)
    ]


def _values(task: TaskExtract) -> dict[str, Any]:
    after = ", ".join(f"“{title}”" for title in task.depends_on)
    details = [
        task.values.get("details", ""),
        _("After %(tasks)s") % {"tasks": after} if after else "",
    ]
    return {**task.values, "details": "\n".join(filter(None, details))}


def suggested(titles: Sequence[str], snapshot: Snapshot) -> list[Change]:
    """First steps that nobody has said, marked as such."""
    return [
        proposals.new_task(snapshot, title, {"is_suggested": True}, ahead=place)
        for place, title in enumerate(titles)
    ]


def mark_of(snapshot: Snapshot) -> str:
    """What a confirmation is bound to: the draft and its tasks as they were shown."""
    versions = [f"{row.pk} {row.version}" for row in (snapshot.row, *snapshot.tasks)]
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]


def finalised(box: ToolBox, call_id: str, *, with_suggested: bool = True) -> Applied:
    """Makes the project of the draft, whole or not at all; its id is remembered.

    The person has just confirmed the preview of exactly this draft. Raises BadInput, Conflict.
    """
    snapshot = box.draft_snapshot()
    draft = snapshot.row
    if not isinstance(draft, ProjectDraft):
        raise TypeError("A draft was expected.")
    tasks = [
        task
        for task in snapshot.tasks
        if isinstance(task, DraftTask) and (with_suggested or not task.is_suggested)
    ]
    with transaction.atomic():
        planned = draft_finalised(draft, tasks, name=draft.name or _("New project"))
        applied = box.apply(
            planned, title=_("Made “%(name)s” a project") % {"name": draft.name},
            tool_call_id=call_id, is_atomic=True, is_confirmed=True,
        )  # fmt: skip
    if applied.is_done and isinstance(planned[0], Create):
        created = applied.batch.operations.get(entity="project")
        box.state.project_id = created.entity_id
    return applied
