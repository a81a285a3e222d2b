"""The commands that change which tasks a list holds, their words and their order."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from pydantic import Field

from futura.errors import BadInput
from tasks import changes
from tasks.commands.base import ListCommand, TaskCommand, TaskList, statement_text
from tasks.commands.rating import largest_remainder
from tasks.models import WorkTask

MAX_PARTS: Final = 10


class AddTask(ListCommand):
    """Adds a task at the end of a list; its match is looked up."""

    name: ClassVar[str] = "add_task"
    title: ClassVar[str | Promise] = gettext_lazy("Added a task")

    statement: str = Field(description="At most 500 characters.")

    def fill(self, tasks: TaskList) -> None:
        text = statement_text(self.statement)
        task = WorkTask(
            response=tasks.response,
            position=tasks.last_places(1)[0],
            statement=text,
            raw=text,
            source=WorkTask.Source.ADDED,
        )
        tasks.create([task])


class EditTask(TaskCommand):
    """Changes the words of a task and looks for its match again; the same words change nothing."""

    name: ClassVar[str] = "edit_task"
    title: ClassVar[str | Promise] = gettext_lazy("Edited a task")

    statement: str = Field(description="At most 500 characters.")

    def fill(self, tasks: TaskList) -> None:
        tasks.reword(tasks.task(self.task, version=self.version), self.statement)


class MergeTasks(TaskCommand):
    """Makes one task of several: it takes time, AI use, tools and quotes of the others.

    The others are deleted and can be put back.
    """

    name: ClassVar[str] = "merge_tasks"
    title: ClassVar[str | Promise] = gettext_lazy("Merged tasks")

    others: tuple[uuid.UUID, ...] = Field(description="Ids of the tasks to put into it.")
    statement: str = Field("", description="Words for them all; empty keeps the task's.")

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task, version=self.version)
        others = [tasks.task(other) for other in dict.fromkeys(self.others)]
        if not others or task in others:
            message = _("Select at least one other task to merge.")
            raise BadInput(message, field="others")
        if self.statement.strip():
            tasks.reword(task, self.statement)
        for other in others:
            _absorb(task, other)
            tasks.delete(other)
        tasks.update(task, "merged_from", *WorkTask.RATINGS)


def _absorb(task: WorkTask, other: WorkTask) -> None:
    """Moves what `other` says into `task` (unsaved)."""
    task.merged_from = [
        *task.merged_from,
        {
            "task_id": str(other.pk),
            "statement": other.statement,
            "quote": other.quote,
            "message_id": str(other.message_id) if other.message_id else None,
            "reason": _("merged by hand"),
        },
    ]
    if other.time_share is not None:
        task.time_share = min(Decimal(100), (task.time_share or Decimal(0)) + other.time_share)
    levels = ["", *WorkTask.AiLevel.values]
    task.ai_level = max(task.ai_level, other.ai_level, key=levels.index)
    task.ai_tools = list(dict.fromkeys([*task.ai_tools, *other.ai_tools]))


class SplitTask(TaskCommand):
    """Makes several tasks of one: the first statement stays in its row, the others follow it.

    Quote, message, AI use and tools go with each; the time is divided.
    """

    name: ClassVar[str] = "split_task"
    title: ClassVar[str | Promise] = gettext_lazy("Split a task")

    statements: tuple[str, ...] = Field(description="From 2 to 10 statements.")

    def fill(self, tasks: TaskList) -> None:
        texts = [statement_text(text) for text in self.statements if text.strip()]
        if not 2 <= len(texts) <= MAX_PARTS:
            message = _("Enter 2 to %(most)d tasks, one per line.")
            raise BadInput(message % {"most": MAX_PARTS}, field="statement")
        task = tasks.task(self.task, version=self.version)
        shares = _divided(task.time_share, len(texts))
        parts = [
            _part_of(task, text, share) for text, share in zip(texts[1:], shares[1:], strict=True)
        ]
        _place_behind(tasks, task, parts)
        task.time_share = shares[0]
        tasks.reword(task, texts[0])
        tasks.update(task, "time_share")
        tasks.create(parts)


def _place_behind(tasks: TaskList, task: WorkTask, parts: list[WorkTask]) -> None:
    free = tasks.places_behind(task, len(parts))
    if free is None:
        ordered = list(tasks.response.tasks.all())
        place = ordered.index(task) + 1
        spread(tasks, [*ordered[:place], *parts, *ordered[place:]], unsaved=parts)
        return
    for part, position in zip(parts, free, strict=True):
        part.position = position


def _divided(share: Decimal | None, count: int) -> list[Decimal | None]:
    """Equal parts of a share that add up to it exactly, in hundredths."""
    if share is None:
        return [None] * count
    hundredths = largest_remainder([Decimal(1)] * count, whole=int(share * 100))
    return [Decimal(part) / 100 for part in hundredths]


def _part_of(task: WorkTask, text: str, share: Decimal | None) -> WorkTask:
    """A new task (unsaved) with the words and ratings of the one it was split from."""
    ratings = {name: getattr(task, name) for name in WorkTask.RATINGS} | {"time_share": share}
    return WorkTask(
        response=task.response,
        statement=text,
        raw=task.raw,
        quote=task.quote,
        message=task.message,
        source=task.source,
        **ratings,
    )


class DeleteTasks(ListCommand):
    """Takes tasks off a list; they can be put back. What is deleted already stays as it is."""

    name: ClassVar[str] = "delete_tasks"

    tasks: tuple[uuid.UUID, ...] = Field(description="Ids of tasks of the list.")

    def fill(self, tasks: TaskList) -> None:
        for task in [tasks.any_task(task_id) for task_id in dict.fromkeys(self.tasks)]:
            if task.deleted_at is None:
                tasks.delete(task)

    @property
    def ledger_title(self) -> str:
        n = len(self.tasks)
        return ngettext("Deleted a task", "Deleted %(n)d tasks", n) % {"n": n}


class MoveTask(TaskCommand):
    """Moves a task up or down by one, or to a place among the tasks that are not deleted."""

    name: ClassVar[str] = "move_task"
    title: ClassVar[str | Promise] = gettext_lazy("Moved a task")

    to: Literal["up", "down"] | Annotated[int, Field(ge=0)] = Field(
        description="up, down, or a place counted from 0.", union_mode="left_to_right"
    )

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task, version=self.version)
        others = list(tasks.response.tasks.exclude(pk=task.pk))
        living = [other for other in others if other.deleted_at is None]
        now = sum(other.position <= task.position for other in living)
        steps = {"up": now - 1, "down": now + 1}
        requested = self.to if isinstance(self.to, int) else steps[self.to]
        place = max(0, min(len(living), requested))
        if place != now:
            _stand_before(tasks, task, others, living[place] if place < len(living) else None)


def _stand_before(
    tasks: TaskList, task: WorkTask, others: Sequence[WorkTask], before: WorkTask | None
) -> None:
    """Puts a task right before another living one, or last; deleted ones keep their neighbour."""
    index = others.index(before) if before else len(others)
    left = others[index - 1].position if index else 0
    free = changes.places_between(left, before.position if before else None)
    if free is None:
        spread(tasks, [*others[:index], task, *others[index:]])
    elif task.position != free[0]:
        task.position = free[0]
        tasks.update(task, "position")


def spread(tasks: TaskList, ordered: Sequence[WorkTask], unsaved: Sequence[WorkTask] = ()) -> None:
    """Gives every task a place anew; the unsaved ones are written with theirs."""
    for task, position in zip(ordered, changes.places_after(0, len(ordered)), strict=True):
        if task.position != position:
            task.position = position
            if task not in unsaved:
                tasks.update(task, "position")
