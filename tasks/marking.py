"""Writes which words of a message stand for tasks: a stretch is taken out, put back or added.

Before the list is written it is a note of the guide's state that the writing follows; after it the
row itself is deleted, put back or made, in the ledger.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from chat.commands.base import Scope
from chat.commands.run import run
from chat.events.kinds import Reference
from chat.models import Message
from futura.errors import BadInput, Conflict, NotFound
from futura.limits import TASK_STATEMENT_CHARS, required_text
from tasks.commands.base import MAX_TASKS, list_of
from tasks.commands.edit import AddTask, DeleteTasks
from tasks.commands.undo import restore_task
from tasks.interview.cards import changing_state
from tasks.marked_words import is_listed, quoted_in
from tasks.models import SurveyResponse
from tasks.stretches import Place, is_same, put_in, put_where, take_out


def selected_place(message: Message, words: object, near: int = 0) -> Place:
    """Where words selected in a message stand. Raises BadInput when they do not."""
    text = required_text(words, limit=TASK_STATEMENT_CHARS, field="words")
    place = put_where(message.text, text, near)
    if place is None:
        raise BadInput(_("This text is not in the answer."), field="words")
    return place


def mark(
    scope: Scope, *, response: SurveyResponse, message: Message, place: Place, is_task: bool
) -> None:
    """Sets whether a stretch of a message stands for a task; the same twice changes nothing.

    Raises NotFound for a message that is not the person's or of another talk, BadInput for a
    place outside it, Conflict when the list can only be read or is being written.
    """
    _check(response, message, place)
    with transaction.atomic():
        response = list_of(scope, response.pk).response
        if response.step in SurveyResponse.RUNNING:
            raise Conflict(_("Your task list is being created. Try again in a moment."))
        if is_listed(response, message):
            _mark_on_list(scope, response, message, place, is_task=is_task)
        else:
            _mark_in_talk(response, message, place, is_task=is_task)
        changed = Reference("message", str(message.pk))
        transaction.on_commit(lambda: events.append(response.pk, changed))


def _check(response: SurveyResponse, message: Message, place: Place) -> None:
    is_persons = message.role == Message.Role.PERSON and message.superseded_at is None
    if not is_persons or message.session_id != response.pk:
        raise NotFound
    start, end = place
    if not 0 <= start < end <= len(message.text):
        raise BadInput(_("This text is not in the answer."), field="start")
    if end - start > TASK_STATEMENT_CHARS:
        raise BadInput(
            _("A task has at most %(most)d characters.") % {"most": TASK_STATEMENT_CHARS},
            field="words",
        )


def _mark_in_talk(
    response: SurveyResponse, message: Message, place: Place, *, is_task: bool
) -> None:
    with changing_state(response.session) as state:
        if not is_task:
            take_out(state, str(message.pk), place)
        elif len(state.mentioned_activities) >= MAX_TASKS:
            raise BadInput(_("A task list can have at most %(most)d tasks.") % {"most": MAX_TASKS})
        else:
            put_in(state, str(message.pk), place, message.text[slice(*place)])
        state.raise_coverage()


def _mark_on_list(
    scope: Scope, response: SurveyResponse, message: Message, place: Place, *, is_task: bool
) -> None:
    here = [
        quoted.task
        for quoted in quoted_in(response, [message])[message.pk]
        if is_same(quoted.place, place)
    ]
    living = [task for task in here if task.deleted_at is None]
    if not is_task:
        ids = tuple(task.pk for task in living)
        if ids:
            run(TakeOffWords(survey=response.pk, tasks=ids), scope)
    elif here and not living:
        for task in here:
            restore_task(scope, response.pk, task.pk)
    elif not living:
        words = message.text[slice(*place)]
        run(AddTask(survey=response.pk, statement=words, message=message.pk), scope)


class TakeOffWords(DeleteTasks):
    """Deletes the tasks that stand on marked words."""

    @property
    def ledger_title(self) -> str:
        return _("Removed a marked task")
