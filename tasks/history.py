"""How tasks came to be, told from the ledger: said, written, put together, edited, matched."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.operations import words
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import full
from chat.operations.registry import operable
from tasks import changes
from tasks.campaigns.journey import fixed_words
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none

Type, Status = Operation.Type, Operation.Status
LOOKED_AT: Final = 10
"""So many batches back; further ones are among all changes."""
SAID_OF = ("statement", "time_share", "ai_level", "ai_tools")


@dataclass(frozen=True)
class Line:
    """One thing that became different; `before` is empty where there was nothing."""

    label: str
    after: str
    before: str = ""


@dataclass
class Moment:
    """What one batch did to one task."""

    batch: OperationBatch
    at: datetime
    what: str
    who: str
    lines: list[Line] = field(default_factory=list)
    quote: str = ""
    is_undone: bool = False
    is_beginning: bool = False
    is_erased: bool = False

    @property
    def can_undo(self) -> bool:
        """Something a person did to a task there was; a list is not undone from one task."""
        return not (self.is_undone or self.is_beginning or self.is_erased) and self.batch.actor in {
            OperationBatch.Actor.PERSON,
            OperationBatch.Actor.STAFF,
            OperationBatch.Actor.PROGRAM,
        }


def histories(tasks: Sequence[WorkTask]) -> dict[uuid.UUID, list[Moment]]:
    """The moments of tasks (with their matches loaded), oldest first: three queries at most."""
    task_of = {task.pk: task.pk for task in tasks}
    task_of |= {match.pk: task.pk for task in tasks if (match := match_or_none(task))}
    done = full(Operation.objects.filter(entity_id__in=task_of, executed_at__isnull=False))
    operations = list(done.order_by("executed_at", "sequence"))
    names = words.Names.of(operations)
    moments: dict[tuple[uuid.UUID, uuid.UUID], Moment] = {}
    for one in operations:
        if one.result_version is None:
            continue
        key = (task_of[one.entity_id], one.batch_id)
        moment = moments.get(key)
        if moment is None:
            moment = moments[key] = _moment(one)
        _add(moment, one, names)
    told: dict[uuid.UUID, list[Moment]] = {task.pk: [] for task in tasks}
    for (task_id, _batch), moment in moments.items():
        if moment.lines or moment.quote or moment.what:
            told[task_id].append(moment)
    return told


def history_of(task: WorkTask) -> list[Moment]:
    """The moments of one task, oldest first."""
    return histories([task])[task.pk]


def _moment(operation: Operation) -> Moment:
    batch = operation.batch
    return Moment(
        batch=batch,
        at=operation.executed_at or operation.created_at,
        what=batch.title or _took_back(operation) or words.headline(operation),
        who=words.who(batch),
    )


def _took_back(operation: Operation) -> str:
    """For an undo among the changes, which has no title."""
    if operation.undoes is None:
        return ""
    return _("Did it again") if operation.undoes.undoes_id else _("Took it back")


def _add(moment: Moment, operation: Operation, names: words.Names) -> None:
    """What one operation adds to what its batch did."""
    if operation.status == Status.ROLLED_BACK:
        moment.is_undone = True
    if operation.payload.erased_at is not None:
        moment.is_erased = True
        return
    of, payload = operable(operation.entity), operation.payload
    before = of.upgraded(payload.before, payload.schema_version) or {}
    after = of.upgraded(payload.after, payload.schema_version) or {}
    if operation.entity == changes.MATCH:
        moment.lines += _match_lines(operation, after)
    elif operation.type == Type.CREATE:
        moment.is_beginning = True
        moment.quote = str(after.get("quote") or "")
        moment.lines += _first_lines(after)
    elif operation.type == Type.UPDATE:
        moment.lines += _changed_lines(before, after, names)


def _first_lines(after: dict[str, Any]) -> Iterator[Line]:
    yield Line(_("Written as"), str(after.get("statement") or ""))
    for one in after.get("merged_from") or ():
        yield Line(_("Put together with"), _with_reason(one))


def _changed_lines(
    before: dict[str, Any], after: dict[str, Any], names: words.Names
) -> Iterator[Line]:
    of = operable(changes.TASK)
    for name in SAID_OF:
        if name in after:
            old, new = (names.say(of, name, side.get(name)) for side in (before, after))
            yield Line(words.label(of, name), new or _("none"), old)
    if "merged_from" in after:
        had, has = before.get("merged_from") or [], after["merged_from"] or []
        yield from _entries(_("Put together with"), (one for one in has if one not in had))
        yield from _entries(
            _("No longer put together with"), (one for one in had if one not in has)
        )


def _entries(label: str, entries: Iterable[dict[str, Any]]) -> Iterator[Line]:
    return (Line(label, _with_reason(one)) for one in entries)


def _with_reason(entry: dict[str, Any]) -> str:
    statement, reason = str(entry.get("statement", "")), str(entry.get("reason") or "")
    return f"{statement} ({reason.rstrip('.')})" if reason else statement


def _match_lines(operation: Operation, after: dict[str, Any]) -> Iterator[Line]:
    """What the catalogue was found to say, where the operation tells."""
    status = after.get("status")
    if operation.type != Type.UPDATE or status == TaskMatch.Status.PENDING:
        return
    if after.get("text"):
        yield Line(_("Matched to"), str(after["text"]))
    elif status in {TaskMatch.Status.NONE, TaskMatch.Status.FAILED}:
        yield Line(_("Matched to"), str(TaskMatch.Status(status).label))


# What can be taken back ------------------------------------------------------------------------
@dataclass(frozen=True)
class Last:
    """The last gesture that stands, a program's too; the last undo, if nothing followed."""

    done: OperationBatch | None = None
    undone: OperationBatch | None = None


def last_of(response: SurveyResponse) -> Last:
    """One query; nothing once the list can only be read."""
    if fixed_words(response):
        return Last()
    own = OperationBatch.objects.filter(
        session=response.pk,
        actor__in=(OperationBatch.Actor.PERSON, OperationBatch.Actor.PROGRAM),
        status=OperationBatch.Status.COMPLETED,
    )
    newest = list(own.order_by("-created_at", "-pk")[:LOOKED_AT])
    done = next((one for one in newest if one.undoes_id is None), None)
    undone = newest[0] if newest and newest[0].undoes_id else None
    return Last(done, undone)
