"""Writes which tasks a list holds and in which order: add, delete, restore, merge, split, move."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import BadInput
from futura.limits import TASK_STATEMENT_CHARS, required_text
from tasks.actions.editing import (
    editing,
    living_task,
    match_of,
    save_task,
    task_in,
    tell_list,
)
from tasks.actions.wording import classify, reword, start_match
from tasks.balance import largest_remainder
from tasks.models import SurveyResponse, TaskMatch, WorkTask

MAX_TASKS = 100
MAX_PARTS = 10


def add_task(*, response: SurveyResponse, statement: object) -> WorkTask:
    """A task that the conversation missed, at the end of the list; its match is looked up."""
    text = required_text(statement, limit=TASK_STATEMENT_CHARS, field="statement")
    with editing(response) as locked:
        last = locked.tasks.aggregate(last=Max("position"))["last"] or 0
        task = _new_task(
            WorkTask(
                response=locked,
                position=last + 1,
                statement=text,
                raw=text,
                source=WorkTask.Source.ADDED,
            )
        )
        tell_list(locked)
        return task


def delete_task(
    *, response: SurveyResponse, task_id: uuid.UUID, version: int | None = None
) -> WorkTask:
    """Takes a task off the list; `restore_task` puts it back. Twice changes nothing."""
    with editing(response) as locked:
        task = task_in(locked, task_id)
        if task.deleted_at is None:
            task = task_in(locked, task_id, version=version)
            task.deleted_at = timezone.now()
            save_task(task, "deleted_at")
            tell_list(locked)
        return task


def restore_task(*, response: SurveyResponse, task_id: uuid.UUID) -> WorkTask:
    """Puts a deleted task back in its place; one that was merged away leaves the other again."""
    with editing(response) as locked:
        task = task_in(locked, task_id)
        if task.deleted_at is not None:
            task.deleted_at = None
            save_task(task, "deleted_at")
            _take_out_of_merged(locked, task)
            if match_of(task).status == TaskMatch.Status.PENDING:
                start_match(task)  # nobody looked while the task was gone
            tell_list(locked)
        return task


def _take_out_of_merged(response: SurveyResponse, task: WorkTask) -> None:
    """Undoes a merge by hand: the survivor forgets the task and gives its time back."""
    for survivor in response.tasks.exclude(pk=task.pk):
        kept = [one for one in survivor.merged_from if one.get("task_id") != str(task.pk)]
        if len(kept) == len(survivor.merged_from):
            continue
        survivor.merged_from = kept
        if survivor.time_share is not None and task.time_share is not None:
            survivor.time_share = max(Decimal(0), survivor.time_share - task.time_share)
        save_task(survivor, "merged_from", "time_share")


def merge_tasks(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    others: Sequence[uuid.UUID],
    statement: object = None,
    version: int | None = None,
) -> WorkTask:
    """Makes one task of several: `task_id` stays and takes time, tools and quotes of the others.

    Each other one is kept, deleted, and can be put back with `restore_task`.
    """
    with editing(response) as locked:
        task = living_task(locked, task_id, version=version)
        absorbed = [living_task(locked, other) for other in dict.fromkeys(others)]
        if not absorbed or task in absorbed:
            raise BadInput(_("Choose at least one other task to put together."), field="others")
        if isinstance(statement, str) and statement.strip():
            reword(task, statement)
        for other in absorbed:
            _absorb(task, other)
        save_task(task, *_MERGED_FIELDS)
        tell_list(locked)
        return task


_MERGED_FIELDS = (
    "statement", "groups", "group", "activity_ids", "merged_from", "time_share", "ai_level",
    "ai_tools",
)  # fmt: skip


def _absorb(task: WorkTask, other: WorkTask) -> None:
    """Moves what `other` says into `task` (unsaved) and deletes `other` (saved)."""
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
    other.deleted_at = timezone.now()
    save_task(other, "deleted_at")


def split_task(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    statements: Sequence[object],
    version: int | None = None,
) -> list[WorkTask]:
    """Makes several tasks of one: the first statement stays in the row, the rest follow it.

    Quote, message, AI use and tools go with each; the time is divided in whole percents.
    """
    wanted = [one for one in statements if not (isinstance(one, str) and not one.strip())]
    texts = [required_text(one, limit=TASK_STATEMENT_CHARS, field="statement") for one in wanted]
    if not 2 <= len(texts) <= MAX_PARTS:
        message = _("Write at least two tasks and at most %(most)d, one in each line.")
        raise BadInput(message % {"most": MAX_PARTS}, field="statement")
    with editing(response) as locked:
        task = living_task(locked, task_id, version=version)
        shares = _divide(task.time_share, len(texts))
        parts = [
            _part_of(task, text, share) for text, share in zip(texts[1:], shares[1:], strict=True)
        ]
        task.time_share = shares[0]
        reword(task, texts[0])
        save_task(task, "statement", "groups", "group", "activity_ids", "time_share")
        ordered = list(locked.tasks.exclude(pk__in=[part.pk for part in parts]))
        place = ordered.index(task) + 1
        _renumber([*ordered[:place], *parts, *ordered[place:]])
        tell_list(locked)
        return [task, *parts]


def _divide(share: Decimal | None, count: int) -> list[Decimal | None]:
    """Equal parts of a share that add up to it exactly, in hundredths."""
    if share is None:
        return [None] * count
    hundredths = largest_remainder([Decimal(1)] * count, whole=int(share * 100))
    return [Decimal(part) / 100 for part in hundredths]


def _part_of(task: WorkTask, text: str, share: Decimal | None) -> WorkTask:
    """A new task with the words and ratings of the one it was split from."""
    return _new_task(
        WorkTask(
            response=task.response,
            position=task.position + 1,
            statement=text,
            raw=task.raw,
            quote=task.quote,
            message=task.message,
            source=task.source,
            time_share=share,
            ai_level=task.ai_level,
            ai_tools=task.ai_tools,
        )
    )


def move_task(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    to: object,
    version: int | None = None,
) -> WorkTask:
    """Moves a task `up` or `down` by one, or to a place counted from 0 among living tasks."""
    with editing(response) as locked:
        task = living_task(locked, task_id, version=version)
        ordered = list(locked.tasks.all())
        living = [one for one in ordered if one.deleted_at is None]
        place = _place(to, living.index(task), len(living))
        gone = [one for one in ordered if one.deleted_at is not None]
        living.remove(task)
        living.insert(place, task)
        _renumber(_with_gone(living, gone, ordered))
        task.refresh_from_db()
        save_task(task, "position")
        tell_list(locked)
        return task


def _place(to: object, now: int, count: int) -> int:
    """Where the task is to stand, from 0."""
    if to in ("up", "down"):
        wanted = now + (1 if to == "down" else -1)
    else:
        text = str(to)
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise BadInput(_("A task moves up, down or to a place."), field="to")
        wanted = int(text)
    return max(0, min(count - 1, wanted))


def _with_gone(
    living: Sequence[WorkTask], gone: Sequence[WorkTask], before: Sequence[WorkTask]
) -> list[WorkTask]:
    """The living tasks in their new order, with each deleted one after the neighbour it had."""
    result = list(living)
    for one in gone:
        index = before.index(one)
        neighbour = before[index - 1] if index else None
        result.insert(result.index(neighbour) + 1 if neighbour in result else 0, one)
    return result


def _renumber(tasks: Sequence[WorkTask]) -> None:
    """Positions 1, 2, 3 … in the order given."""
    for position, task in enumerate(tasks, start=1):
        task.position = position
    WorkTask.objects.bulk_update(tasks, ["position"])


def _new_task(task: WorkTask) -> WorkTask:
    """Saves a new task with its groups and starts looking for its match."""
    if task.response.tasks.filter(deleted_at=None).count() >= MAX_TASKS:
        raise BadInput(_("A list holds at most %(most)d tasks.") % {"most": MAX_TASKS})
    classify(task)
    task.save()
    start_match(task)
    return task
