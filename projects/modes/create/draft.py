"""What a message does to the draft: one round for each, and finally the project itself."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _

from chat.assistant.working import Written, running
from chat.commands.base import Command, Scope
from chat.models import Session
from chat.operations.changes import Cause, Change, Create
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation
from chat.operations.undo import undo
from futura.errors import BadInput
from futura.limits import DIMENSION_CHARS
from projects.commands.draft_tasks import draft_task_created, next_position
from projects.commands.drafts import FinaliseDraft, ResumeDraft, draft_changed, draft_created
from projects.commands.texts import merged_text
from projects.commands.todo_changes import needed_first
from projects.models import ProjectDraft
from projects.modes.create.reading import Extract, TaskExtract
from projects.modes.duplicates import normalised
from projects.modes.rows import ProjectRows, Snapshot, carry_out, error_of
from projects.modes.state import from_words
from projects.queries import draft_tasks_of


class TakeIn(Command):
    """Takes what one message says into a draft: fields, texts that join what is there, to-dos."""

    name: ClassVar[str] = "take_in"
    area: ClassVar[str] = "projects"

    draft: uuid.UUID
    text: str
    extract: Extract
    question_count: int = 0
    replaced: str = ""

    def plan(self, scope: Scope) -> list[Change]:
        """From the draft as it stands. Raises NotInScope, Rejected, BadInput, TooLong."""
        draft = scope.get(ProjectDraft, self.draft)
        values = _values(self.extract, draft, self.replaced)
        planned: list[Change] = []
        if values:
            counted = {**values, "question_count": self.question_count}
            planned.append(draft_changed(draft, counted, version=draft.version))
        return [*planned, *_tasks_created(draft, self.extract.tasks)]

    @property
    def ledger_title(self) -> str:
        """The first words of the message, quoted."""
        return from_words(self.text)

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002
        """The same."""
        return from_words(self.text)


def _values(extract: Extract, draft: ProjectDraft, replaced: str) -> dict[str, Any]:
    """Fields that change. Texts join what is there, but for the dimension `replaced`; days that
    would turn start and end around stay as they are.
    """
    values: dict[str, Any] = dict(extract.values)
    start = values.get("start_date", draft.start_date)
    end = values.get("end_date", draft.end_date)
    if start and end and start > end:
        values = {key: value for key, value in values.items() if not key.endswith("_date")}
    for field, text in extract.dimensions.items():
        old = "" if field == replaced else getattr(draft, field)
        values[field] = merged_text(old, text, "append")[:DIMENSION_CHARS]
    for correction in extract.corrections:
        values[correction.field] = correction.text[:DIMENSION_CHARS]
    if extract.context:
        merged = merged_text(draft.context, extract.context, "append")
        values["context"] = merged[:DIMENSION_CHARS]
    return {name: value for name, value in values.items() if value != getattr(draft, name)}


def _tasks_created(draft: ProjectDraft, tasks: Sequence[TaskExtract]) -> list[Create]:
    """The to-dos that are not on the list, in an order in which each can wait for others.

    What one waits for and nobody has named as a to-do stands in its details.
    """
    keys = {normalised(task.title): task.pk for task in draft_tasks_of(draft)}
    new = {title: task for task in tasks if (title := normalised(task.title)) not in keys}
    keys |= {title: uuid.uuid4() for title in new}
    needs = {
        title: [name for name in map(normalised, task.depends_on) if name in keys and name != title]
        for title, task in new.items()
    }
    try:
        order = needed_first(needs)
    except BadInput:  # a circle: none of them waits
        order, needs = list(new), {title: [] for title in new}
    places = {title: next_position(draft) + n for n, title in enumerate(new)}
    created = {}
    for title, task in new.items():
        values = _task_values(
            task, [name for name in task.depends_on if normalised(name) not in keys]
        )
        one = draft_task_created(draft, values, position=places[title])
        waits = {"depends_on": [str(keys[name]) for name in needs[title]]}
        created[title] = Create(one.entity, {**one.values, **waits}, keys[title])
    return [created[title] for title in order if title in created]


def _task_values(task: TaskExtract, after: Sequence[str]) -> dict[str, Any]:
    named = ", ".join(f"“{title}”" for title in after)
    details = [
        task.values.get("details", ""),
        _("After %(tasks)s") % {"tasks": named} if named else "",
    ]
    return {**task.values, "title": task.title, "details": "\n".join(filter(None, details))}


def ensured(rows: ProjectRows) -> Snapshot:
    """The draft of the conversation, begun when there is none; an empty one is no change to review.

    One that was given up in the meantime is taken up again by talking on.
    """
    draft = rows.draft()
    if draft is None:
        _begin(rows)
    elif draft.status == ProjectDraft.Status.ABANDONED:
        confirmed(rows, [ResumeDraft(id=draft.pk)])
    return rows.draft_snapshot()


def _begin(rows: ProjectRows) -> None:
    """A new draft; one of this conversation that an undo took away comes back instead."""
    title = _("Started a draft")
    with transaction.atomic():
        run = running(rows.turn)
        cause = Cause(run.session, run, run.message, "draft")
        lost = ProjectDraft.objects.filter(session_id=run.session_id).first()
        deleted = lost and _deletion_of(lost)
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


def _deletion_of(draft: ProjectDraft) -> Operation | None:
    deleted = Operation.objects.filter(
        entity="draft", entity_id=draft.pk, type=Operation.Type.DELETE,
        status=Operation.Status.COMPLETED,
    )  # fmt: skip
    return deleted.order_by("executed_at").last()


def confirmed(rows: ProjectRows, commands: Sequence[Command]) -> Sequence[Written]:
    """Carries out what the person has just looked over, or what needs no look."""
    working = rows.working()
    working.is_confirmed = True
    return carry_out(working, commands)


def mark_of(snapshot: Snapshot) -> str:
    """What a confirmation is bound to: the draft and its tasks as they were shown."""
    versions = [f"{row.pk} {row.version}" for row in (snapshot.row, *snapshot.tasks)]
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]


def finalised(rows: ProjectRows) -> str:
    """Makes the project of the draft that was shown; gives why that failed, or nothing."""
    draft = rows.draft_snapshot().row
    name = {} if draft.name else {"name": _("New project")}
    written = confirmed(rows, [FinaliseDraft.model_validate({"id": draft.pk, **name})])
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
