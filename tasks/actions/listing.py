"""Writes which tasks a list holds and in which order: add, delete, merge, split, move."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Max
from django.utils.translation import gettext as _

from chat.models import Message
from chat.operations.changes import Actor
from futura.errors import BadInput
from futura.given import whole
from futura.limits import TASK_STATEMENT_CHARS, required_text
from tasks import activities, positions
from tasks.actions.editing import Desk, editing, living_task, task_in
from tasks.actions.wording import reword
from tasks.apportionment import largest_remainder
from tasks.models import SurveyResponse, WorkTask

MAX_TASKS = 100
MAX_PARTS = 10


def add_task(
    *,
    response: SurveyResponse,
    statement: object,
    said_in: Message | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """A task that the conversation missed, at the end of the list; its match is looked up.

    `said_in` is the message whose words it is, letter by letter.
    """
    text = required_text(statement, limit=TASK_STATEMENT_CHARS, field="statement")
    with editing(response, _("Added a task"), actor) as desk:
        last = desk.response.tasks.aggregate(last=Max("position"))["last"] or 0
        task = WorkTask(
            response=desk.response,
            position=positions.after(last, 1)[0],
            statement=text,
            raw=text,
            quote=text if said_in else "",
            message=said_in,
            source=WorkTask.Source.CHAT if said_in else WorkTask.Source.ADDED,
        )
        _make(desk, [task])
        return task


def delete_task(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Takes a task off the list; `restore_task` puts it back. Twice changes nothing."""
    with editing(response, _("Deleted a task"), actor) as desk:
        task = task_in(desk.response, task_id)
        if task.deleted_at is None:
            task = task_in(desk.response, task_id, version=version)
            desk.take_off(task)
        return task


def merge_tasks(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    others: Sequence[uuid.UUID],
    statement: object = None,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Makes one task of several: `task_id` stays and takes time, tools and quotes of the others.

    Each other one is kept, deleted, and can be put back with `restore_task`.
    """
    with editing(response, _("Put tasks together"), actor) as desk:
        task = living_task(desk.response, task_id, version=version)
        absorbed = [living_task(desk.response, other) for other in dict.fromkeys(others)]
        if not absorbed or task in absorbed:
            raise BadInput(_("Choose at least one other task to put together."), field="others")
        if isinstance(statement, str) and statement.strip():
            reword(desk, task, statement)
        for other in absorbed:
            absorb(task, other)
            desk.take_off(other)
        desk.put(task, *MERGED_FIELDS)
        return task


MERGED_FIELDS = ("merged_from", "time_share", "ai_level", "ai_tools")


def absorb(task: WorkTask, other: WorkTask) -> None:
    """Moves what `other` says into `task` (unsaved)."""
    task.merged_from = [
        *task.merged_from,
        {
            "task_id": str(other.pk),
            "statement": other.statement,
            "quote": other.quote,
            "message_id": str(other.message_id) if other.message_id else None,
            "reason": _("put together by hand"),
        },
    ]
    if other.time_share is not None:
        task.time_share = min(Decimal(100), (task.time_share or Decimal(0)) + other.time_share)
    levels = ["", *WorkTask.AiLevel.values]
    task.ai_level = max(task.ai_level, other.ai_level, key=levels.index)
    task.ai_tools = list(dict.fromkeys([*task.ai_tools, *other.ai_tools]))


def split_task(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    statements: Sequence[object],
    version: int | None = None,
    actor: Actor | None = None,
) -> list[WorkTask]:
    """Makes several tasks of one: the first statement stays in the row, the rest follow it.

    Quote, message, AI use and tools go with each; the time is divided in whole percents.
    """
    wanted = [one for one in statements if not (isinstance(one, str) and not one.strip())]
    texts = [required_text(one, limit=TASK_STATEMENT_CHARS, field="statement") for one in wanted]
    if not 2 <= len(texts) <= MAX_PARTS:
        message = _("Write at least two tasks and at most %(most)d, one in each line.")
        raise BadInput(message % {"most": MAX_PARTS}, field="statement")
    with editing(response, _("Split a task"), actor) as desk:
        task = living_task(desk.response, task_id, version=version)
        shares = _divide(task.time_share, len(texts))
        parts = [
            _part_of(task, text, share) for text, share in zip(texts[1:], shares[1:], strict=True)
        ]
        following = desk.response.tasks.filter(position__gt=task.position)
        right = following.order_by("position").values_list("position", flat=True).first()
        found = positions.between(task.position, right, len(parts))
        if found is None:
            ordered = list(desk.response.tasks.all())
            place = ordered.index(task) + 1
            _spread(desk, [*ordered[:place], *parts, *ordered[place:]], skip=parts)
        else:
            for part, position in zip(parts, found, strict=True):
                part.position = position
        task.time_share = shares[0]
        reword(desk, task, texts[0])
        desk.put(task, "time_share")
        _make(desk, parts)
        return [task, *parts]


def _divide(share: Decimal | None, count: int) -> list[Decimal | None]:
    """Equal parts of a share that add up to it exactly, in hundredths."""
    if share is None:
        return [None] * count
    hundredths = largest_remainder([Decimal(1)] * count, whole=int(share * 100))
    return [Decimal(part) / 100 for part in hundredths]


def _part_of(task: WorkTask, text: str, share: Decimal | None) -> WorkTask:
    """A new task (unsaved) with the words and ratings of the one it was split from."""
    return WorkTask(
        response=task.response,
        statement=text,
        raw=task.raw,
        quote=task.quote,
        message=task.message,
        source=task.source,
        time_share=share,
        ai_level=task.ai_level,
        ai_tools=task.ai_tools,
    )


def move_task(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    to: object,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Moves a task `up` or `down` by one, or to a place counted from 0 among living tasks."""
    with editing(response, _("Moved a task"), actor) as desk:
        task = living_task(desk.response, task_id, version=version)
        others = list(desk.response.tasks.exclude(pk=task.pk))
        living = [one for one in others if one.deleted_at is None]
        now = sum(one.position <= task.position for one in living)
        place = _place(to, now, len(living) + 1)
        if place != now:
            _stand_at(desk, task, others, living[place] if place < len(living) else None)
        return task


def _stand_at(
    desk: Desk, task: WorkTask, others: Sequence[WorkTask], before: WorkTask | None
) -> None:
    """Puts a task right before another living one, or last; deleted ones keep their neighbour."""
    index = others.index(before) if before else len(others)
    left = others[index - 1].position if index else 0
    found = positions.between(left, before.position if before else None)
    if found is None:
        _spread(desk, [*others[:index], task, *others[index:]])
    elif task.position != found[0]:
        task.position = found[0]
        desk.put(task, "position")


def _spread(desk: Desk, ordered: Sequence[WorkTask], skip: Sequence[WorkTask] = ()) -> None:
    """Gives every task a place anew; those to skip are not stored yet."""
    for task, position in zip(ordered, positions.spread(len(ordered)), strict=True):
        if task.position != position:
            task.position = position
            if task not in skip:
                desk.put(task, "position")


def _place(to: object, now: int, count: int) -> int:
    """Where the task is to stand, from 0."""
    if to in ("up", "down"):
        wanted = now + (1 if to == "down" else -1)
    else:
        place = whole(to, digits=6)
        if place is None:
            raise BadInput(_("A task moves up, down or to a place."), field="to")
        wanted = place
    return max(0, min(count - 1, wanted))


def _make(desk: Desk, tasks: Sequence[WorkTask]) -> None:
    """New tasks with their groups; their matches are looked up."""
    living = desk.response.tasks.filter(deleted_at=None).count()
    if living + len(tasks) > MAX_TASKS:
        raise BadInput(_("A list holds at most %(most)d tasks.") % {"most": MAX_TASKS})
    activities.code(tasks, desk.response.occupation_code)
    for task in tasks:
        desk.make(task)
