"""The page where the list is checked, and everything that can be done to its tasks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from chat.commands.base import Scope, build
from chat.commands.run import Outcome, run_for
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from chat.operations.undo import UndoConflict
from chat.render import follow_context
from chat.views.turns import is_htmx
from futura import errors
from futura.parameters import key
from tasks import queries
from tasks.campaigns.journey import fixed_words
from tasks.commands.base import TaskCommand
from tasks.commands.edit import AddTask, DeleteTasks, EditTask, MergeTasks, MoveTask, SplitTask
from tasks.commands.matches import ChooseMatch, RetryMatch
from tasks.commands.rating import BalanceTime, RateTask
from tasks.commands.undo import undo_batch
from tasks.models import SurveyResponse, WorkTask
from tasks.review import Row, review_of
from tasks.views import fragments

FORMS = ("edit", "split", "merge")


@require_safe
def tasks(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """The page. `?task=` with a task's id unfolds it, `?edit=`, `?split=`, `?merge=` its form."""
    follow = follow_context(response.session, view="tasks")
    review = review_of(response)
    for row in review.rows:
        key = str(row.task.pk)
        row.unfolded = key == request.GET.get("task")
        for name in FORMS:
            if key == request.GET.get(name) and not review.is_fixed:
                _fill(row, name, review.living)
    return fragments.page(request, review, **follow)


def _fill(row: Row, name: str, living: Sequence[WorkTask]) -> None:
    row.open, row.text = name, row.text or row.task.statement
    row.others = [task for task in living if task != row.task]


@require_safe
def row(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    """One row as it stands (after Cancel)."""
    return fragments.row_changed(request, response, task_id)


@require_http_methods(["GET", "HEAD", "POST"])
def change(
    request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID, form: str
) -> HttpResponse:
    """A form of a row: shown for GET; for POST its command, or the form with what was typed."""
    if request.method != "POST":
        return _open_form(request, response, task_id, form)
    ids = {"survey": response.pk, "task": task_id}
    try:
        kind, values = _command_for(request.POST, form)
        run_for(request, build(kind, values, version=fragments.version_in(request.POST), **ids))
    except (errors.BadInput, errors.Conflict) as error:
        return _open_form(request, response, task_id, form, error)
    answer = fragments.row_changed if form == "edit" else fragments.list_changed
    return answer(request, response, task_id)


def _command_for(sent: QueryDict, form: str) -> tuple[type[TaskCommand], dict[str, Any]]:
    """The command that a form stands for, and its values. Raises BadInput."""
    if form == "split":
        return SplitTask, {"statements": sent.get("statements", "").splitlines()}
    statement = sent.get("statement", "")
    if form == "merge":
        others = [key(other) for other in sent.getlist("others")]
        if None in others:
            raise errors.BadInput(_("Select tasks of this list."), field="others")
        return MergeTasks, {"statement": statement, "others": others}
    return EditTask, {"statement": statement}


def _open_form(
    request: HttpRequest,
    response: SurveyResponse,
    task_id: uuid.UUID,
    form: str,
    error: errors.FuturaError | None = None,
) -> HttpResponse:
    """A row with its form open: empty, or with what was typed and why it was not taken.

    422 for a text that was refused, 409 for a newer version.
    """
    review = review_of(response)
    row, status = review.row(task_id), 200
    if words := fixed_words(response):
        raise error or errors.Conflict(words)
    row.text = request.POST.get("statements") or request.POST.get("statement", "")
    row.picked = request.POST.getlist("others")
    _fill(row, form, review.living)
    if isinstance(error, errors.Conflict):
        row.theirs, status = row.task.statement, 409
    elif error is not None:
        row.error, status = str(error), 422
    return fragments.refused(
        request, review, "tasks/_task.html", f"task-{task_id}", status=status, row=row
    )


@require_POST
def add(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    text = request.POST.get("statement", "")
    try:
        batch = run_for(request, AddTask(survey=response.pk, statement=text))
    except errors.BadInput as error:
        review, says = review_of(response), str(error)
        return fragments.refused(
            request, review, "tasks/_add.html", "add", add_text=text, add_error=says
        )
    return fragments.list_changed(request, response, Outcome(batch).created[0], add=True)


@require_POST
def delete(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    run_for(request, DeleteTasks(survey=response.pk, tasks=(task_id,)))
    return fragments.list_changed(request, response, is_deleted=True)


@require_POST
def move(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    queries.task_of(response, task_id)
    sent = {"to": request.POST.get("to", "")}
    run_for(request, build(MoveTask, sent, survey=response.pk, task=task_id))
    return fragments.list_changed(request, response, task_id)


@require_POST
def rate(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    """What is said of one task: its time share, AI use and tools."""
    queries.task_of(response, task_id)
    sent = request.POST
    values: dict[str, Any] = {"survey": response.pk, "task": task_id}
    values |= {name: sent[name] for name in WorkTask.RATINGS if name in sent}
    try:
        values["version"] = fragments.version_in(sent)
        refusal = _rate(request, values)
    except errors.Conflict as error:
        if fixed_words(response):
            raise
        return _newer(request, response, task_id, error)
    # nothing under the person's hands is swapped
    names = ("tasks/_saved.html", "tasks/_brief.html")
    return fragments.row_parts(
        request, response, task_id, *names, oob=True, saved=True, refusal=refusal
    )


def _rate(request: HttpRequest, values: dict[str, Any]) -> errors.BadInput | None:
    """Saves the ratings that can be used; why another one was refused. Raises Conflict."""
    try:
        run_for(request, build(RateTask, values))
    except errors.BadInput as error:
        if error.field not in WorkTask.RATINGS:
            raise
        usable = {name: value for name, value in values.items() if name != error.field}
        _rate(request, usable)
        return error
    return None


def _newer(
    request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID, error: errors.Conflict
) -> HttpResponse:
    """The row as it stands, which is newer than the form, and what was sent."""
    review = review_of(response)
    row = review.row(task_id)
    row.error = str(error)
    sent = {name: request.POST.get(name, "") for name in WorkTask.RATINGS}
    values = ", ".join(_in_words(name, value) for name, value in sent.items() if value)
    if values:
        row.error += " " + _("You entered: %(values)s.") % {"values": values}
    return fragments.refused(
        request, review, "tasks/_task.html", f"task-{task_id}", status=409, row=row
    )


def _in_words(rating: str, value: str) -> str:
    words = dict(getattr(WorkTask._meta.get_field(rating), "flatchoices", ()))
    return str(words.get(value, value))


@require_POST
def match(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> HttpResponse:
    """Another statement of the catalogue, or none; `again` looks a failed match up anew."""
    sent = request.POST
    if sent.get("again"):
        run_for(request, RetryMatch(survey=response.pk, task=task_id))
    else:
        version = fragments.version_in(sent, "match_version")
        values = {"candidate": sent.get("candidate", ""), "version": version}
        run_for(request, build(ChooseMatch, values, survey=response.pk, task=task_id))
    return fragments.row_parts(request, response, task_id, "tasks/_match.html")


@require_POST
def balance(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """Whole percents that add up to 100."""
    run_for(request, BalanceTime(survey=response.pk))
    return fragments.list_changed(request, response)


@require_POST
def undo(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """Takes a gesture back, or does it again (`batch`); conflicts are decided on its own page."""
    batch = _batch(response, request.POST.get("batch", ""))
    try:
        undo_batch(Scope(identity_of(request)), response.pk, batch)
    except UndoConflict:
        url = reverse("operations:undo_all", args=[batch.pk])
        return HttpResponseClientRedirect(url) if is_htmx(request) else redirect(url)
    return fragments.list_changed(request, response)


def _batch(response: SurveyResponse, batch_id: str) -> OperationBatch:
    """A batch of this list's; without an id, what was done to it last."""
    if not batch_id:
        last = queries.last_of(response).done
        if last is None:
            raise errors.Conflict(_("There is nothing left to undo."))
        return last
    listed_id = key(batch_id)
    if listed_id is None:
        raise errors.NotFound
    return queries.batch_of(response, listed_id)
