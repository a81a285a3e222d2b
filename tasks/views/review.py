"""The page where the list is checked, and everything that can be done to its tasks."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from chat.commands.base import build
from chat.commands.forms import run_for
from chat.commands.run import run
from chat.commands.scope import OwnScope
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from chat.operations.undo import UndoConflict
from chat.render import follow_context
from futura import errors
from futura.given import key, whole
from tasks import queries
from tasks.campaigns.closing import fixed_words
from tasks.commands.base import TaskCommand
from tasks.commands.edit import AddTask, DeleteTasks, EditTask, MergeTasks, SplitTask
from tasks.commands.matches import ChooseMatch, RetryMatch
from tasks.commands.order import MoveTask
from tasks.commands.rating import BalanceTime, RateTask
from tasks.commands.undo import restore_task, undo_batch
from tasks.history import history_of, last_of
from tasks.models import SurveyResponse, WorkTask
from tasks.review import Conflict, Review, Row, percent, review_of
from tasks.views import fragments

FORMS = ("edit", "split", "merge")


def own(request: HttpRequest, session_id: uuid.UUID) -> SurveyResponse:
    """The door: the caller's response, or NotFound."""
    return queries.response_for(identity_of(request), session_id)


@require_safe
def tasks(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The page. `?task=` with a task's id unfolds it, `?edit=`, `?split=`, `?merge=` its form."""
    response = own(request, session_id)
    follow = follow_context(response.session, view="tasks")
    review = review_of(response)
    for name in FORMS:
        _open(review, name, request.GET.get(name, ""))
    for row in review.rows:
        row.unfolded = str(row.task.pk) == request.GET.get("task", "")
    return fragments.page(request, review, **follow)


def _open(review: Review, name: str, task_id: str) -> None:
    """Opens a form in the row it is for; unknown ids open nothing."""
    for row in review.rows:
        if str(row.task.pk) == task_id and not review.is_fixed and not row.task.deleted_at:
            _fill(row, name, review.living)


def _fill(row: Row, name: str, living: Sequence[WorkTask]) -> None:
    row.open, row.text = name, row.text or row.task.statement
    row.others = [task for task in living if task != row.task]


@require_safe
def live(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Where the writing of the list stands, for a page whose socket is down."""
    return fragments.live(request, own(request, session_id))


@require_safe
def row(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """One row as it stands (after Cancel)."""
    response = own(request, session_id)
    _there(response, task_id)
    return fragments.row_changed(request, response, task_id)


def _there(response: SurveyResponse, task_id: uuid.UUID) -> None:
    if not response.tasks.filter(pk=task_id).exists():
        raise errors.NotFound


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """New words for a task."""
    text = request.POST.get("statement", "")
    form = _Form("edit", text, answer=fragments.row_changed)
    return _form_view(request, session_id, task_id, form, lambda: (EditTask, {"statement": text}))


@require_http_methods(["GET", "HEAD", "POST"])
def split(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Several tasks of one."""
    text = request.POST.get("statements", "")
    values = {"statements": text.splitlines()}
    return _form_view(
        request, session_id, task_id, _Form("split", text), lambda: (SplitTask, values)
    )


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """One task of several."""
    text, picked = request.POST.get("statement", ""), request.POST.getlist("others")

    def wanted() -> tuple[type[TaskCommand], dict[str, Any]]:
        return MergeTasks, {"statement": text, "others": [_uuid(other) for other in picked]}

    return _form_view(request, session_id, task_id, _Form("merge", text, picked), wanted)


@dataclass(frozen=True)
class _Form:
    """A form of a row as it was sent, and how the page answers when it was taken."""

    name: str
    text: str = ""
    picked: Sequence[str] = ()
    answer: Callable[[HttpRequest, SurveyResponse, uuid.UUID], HttpResponse] = (
        fragments.list_changed
    )


def _form_view(
    request: HttpRequest,
    session_id: uuid.UUID,
    task_id: uuid.UUID,
    form: _Form,
    wanted: Callable[[], tuple[type[TaskCommand], dict[str, Any]]],
) -> HttpResponse:
    """The form for GET; for POST the command it stands for, or the form with what was typed."""
    response = own(request, session_id)
    if request.method != "POST":
        return _open_form(request, response, task_id, _Form(form.name))
    try:
        kind, values = wanted()
        ids = {"survey": response.pk, "task": task_id, "version": _version(request)}
        run_for(request, build(kind, values, **ids))
    except (errors.BadInput, errors.Conflict) as error:
        return _open_form(request, response, task_id, form, error)
    return form.answer(request, response, task_id)


def _open_form(
    request: HttpRequest,
    response: SurveyResponse,
    task_id: uuid.UUID,
    form: _Form,
    error: errors.FuturaError | None = None,
) -> HttpResponse:
    """A row with its form open: empty, or with what was typed and why it was not taken."""
    _there(response, task_id)
    if words := fixed_words(response):
        raise error or errors.Conflict(words)

    def prepare(row: Row) -> None:
        row.text, row.picked = form.text, form.picked
        _fill(row, form.name, queries.tasks_of(response))
        if isinstance(error, errors.Conflict):
            row.conflict = Conflict([], [(_("Statement"), row.task.statement)])
        elif error is not None:
            row.error = str(error)

    return fragments.row_with_form(request, response, task_id, prepare, status=_status_of(error))


def _status_of(error: errors.FuturaError | None) -> int:
    """Of the form shown again: 409 for a newer version, 422 for a text that was refused."""
    if error is None:
        return 200
    return 409 if isinstance(error, errors.Conflict) else 422


@require_POST
def add(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """A task the talk missed."""
    response = own(request, session_id)
    text = request.POST.get("statement", "")
    try:
        outcome = run(AddTask(survey=response.pk, statement=text), OwnScope(identity_of(request)))
    except errors.BadInput as error:
        return fragments.add_refused(request, response, text=text, error=str(error))
    return fragments.list_changed(request, response, outcome.created[0], add=True)


@require_POST
def delete(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Off the list, to be put back."""
    response = own(request, session_id)
    run_for(request, DeleteTasks(survey=response.pk, tasks=(task_id,)))
    return fragments.row_changed(request, response, task_id)


@require_POST
def restore(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Back on the list."""
    response = own(request, session_id)
    restore_task(OwnScope(identity_of(request)), response.pk, task_id)
    return fragments.list_changed(request, response, task_id)


@require_POST
def move(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Up, down, or to a place."""
    response = own(request, session_id)
    _there(response, task_id)
    sent = {"to": request.POST.get("to", "")}
    run_for(request, build(MoveTask, sent, survey=response.pk, task=task_id))
    return fragments.list_changed(request, response, task_id)


@require_POST
def rate(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Time share, AI use and tools of one task, whichever were sent."""
    response = own(request, session_id)
    _there(response, task_id)
    try:
        _rate(request, response, task_id)
    except errors.BadInput as error:
        _there(response, task_id)
        told = partial(_set_error, error=str(error))
        return fragments.not_saved(request, response, task_id, told, status=422)
    except errors.Conflict:
        if fixed_words(response):
            raise
        told = partial(_set_conflict, sent=request.POST)
        return fragments.not_saved(request, response, task_id, told, status=409)
    return fragments.saved(request, response, task_id)


def _rate(request: HttpRequest, response: SurveyResponse, task_id: uuid.UUID) -> None:
    """Whatever was sent; `keep` saves over a newer version knowingly."""
    sent = request.POST
    values: dict[str, Any] = {"survey": response.pk, "task": task_id}
    if "time_share" in sent:
        values["time_share"] = sent["time_share"]
    if "ai_level" in sent or "ai_tools" in sent:
        values |= {"ai_level": sent.get("ai_level", ""), "ai_tools": sent.get("ai_tools")}
    values["version"] = None if sent.get("keep") else _version(request)
    run_for(request, build(RateTask, values))


def _set_error(row: Row, *, error: str) -> None:
    row.error = error


def _set_conflict(row: Row, *, sent: dict[str, str]) -> None:
    """Both values, so that neither is lost."""
    names = {
        "time_share": (_("time"), percent(row.task.time_share)),
        "ai_level": (_("AI use"), row.task.get_ai_level_display()),
        "ai_tools": (_("tools"), row.tools),
    }
    row.conflict = Conflict(
        mine=[(name, label, sent[name]) for name, (label, _now) in names.items() if name in sent],
        theirs=[(label, now) for label, now in names.values()],
    )


@require_POST
def match(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Another statement of the catalogue, or none; `again` looks a failed match up anew."""
    response = own(request, session_id)
    sent = request.POST
    if sent.get("again"):
        run_for(request, RetryMatch(survey=response.pk, task=task_id))
    else:
        version = _whole(sent.get("match_version"))
        values = {"candidate": sent.get("candidate", ""), "version": version}
        run_for(request, build(ChooseMatch, values, survey=response.pk, task=task_id))
    return fragments.match_changed(request, response, task_id)


@require_POST
def balance(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Whole percents that add up to 100."""
    response = own(request, session_id)
    run_for(request, BalanceTime(survey=response.pk))
    return fragments.list_changed(request, response)


@require_POST
def undo(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Takes a gesture back, or does it again (`batch`); conflicts are decided on its own page."""
    response = own(request, session_id)
    batch = _batch(response, request.POST.get("batch", ""))
    try:
        undo_batch(OwnScope(identity_of(request)), response.pk, batch)
    except UndoConflict:
        url = reverse("operations:undo_all", args=[batch.pk])
        return HttpResponseClientRedirect(url) if fragments.is_htmx(request) else redirect(url)
    return fragments.list_changed(request, response)


def _batch(response: SurveyResponse, batch_id: str) -> OperationBatch:
    """A batch of this list's; without an id, what was done to it last."""
    if not batch_id:
        last = last_of(response).done
        if last is None:
            raise errors.Conflict(_("Nothing of this stands any more."))
        return last
    try:
        return queries.batch_of(response, uuid.UUID(batch_id))
    except ValueError:
        raise errors.NotFound from None


@require_safe
def history(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """How a task came to be."""
    response = own(request, session_id)
    task = queries.task_of(response, task_id)
    numbers = queries.answer_numbers(response.pk)
    context = {
        "response": response,
        "task": task,
        "moments": history_of(task),
        "answer_number": numbers.get(task.message_id) if task.message_id else None,
    }
    return render(request, "tasks/history.html", context)


def _version(request: HttpRequest) -> int | None:
    return _whole(request.POST.get("version"))


def _whole(text: str | None) -> int | None:
    """A version number; None when absent, BadInput when it is no number."""
    if not text:
        return None
    version = whole(text)
    if version is None:
        raise errors.BadInput(_("A version is a whole number."), field="version")
    return version


def _uuid(text: str) -> uuid.UUID:
    found = key(text)
    if found is None:
        raise errors.BadInput(_("Choose tasks of this list."), field="others")
    return found
