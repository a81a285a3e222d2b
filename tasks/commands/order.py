"""The command that moves a task, and how places are given anew when there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from pydantic import Field

from tasks import positions
from tasks.commands.base import TaskCommand, TaskList
from tasks.models import WorkTask


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
        wanted = self.to if isinstance(self.to, int) else steps[self.to]
        place = max(0, min(len(living), wanted))
        if place != now:
            _stand_before(tasks, task, others, living[place] if place < len(living) else None)


def _stand_before(
    tasks: TaskList, task: WorkTask, others: Sequence[WorkTask], before: WorkTask | None
) -> None:
    """Puts a task right before another living one, or last; deleted ones keep their neighbour."""
    index = others.index(before) if before else len(others)
    left = others[index - 1].position if index else 0
    free = positions.between(left, before.position if before else None)
    if free is None:
        spread(tasks, [*others[:index], task, *others[index:]])
    elif task.position != free[0]:
        task.position = free[0]
        tasks.update(task, "position")


def spread(tasks: TaskList, ordered: Sequence[WorkTask], unsaved: Sequence[WorkTask] = ()) -> None:
    """Gives every task a place anew; the unsaved ones are written with theirs."""
    for task, position in zip(ordered, positions.after(0, len(ordered)), strict=True):
        if task.position != position:
            task.position = position
            if task not in unsaved:
                tasks.update(task, "position")


COMMANDS: Final = (MoveTask,)
