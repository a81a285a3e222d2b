"""Staff's doors to a list: correct a match, words, a group or a merge, and take that back."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.models import Session
from chat.staff.queries import session_for_staff
from chat.staff.views.desk import address
from futura.errors import BadInput, NotFound
from futura.staff import allowed
from tasks.models import SurveyResponse, WorkTask
from tasks.queries import task_of
from tasks.staff import actions
from tasks.staff.panel import next_doubt


def _found(session_id: uuid.UUID, task_id: uuid.UUID) -> tuple[Session, WorkTask]:
    """A conversation and a task of its list. Raises NotFound."""
    session = session_for_staff(session_id)
    response = SurveyResponse.objects.filter(pk=session.pk).first()
    if response is None:
        raise NotFound
    return session, task_of(response, task_id)


def _back(request: HttpRequest, session: Session, task_id: uuid.UUID) -> HttpResponse:
    """To the list, with a task in view."""
    to = address(session, request, show="tasks", task=str(task_id))
    return HttpResponseRedirect(to, status=303)


def _version(text: str) -> int | None:
    """A version as a form sent it; none where it was left out. Raises BadInput."""
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadInput(_("Load the page again: this form is no longer whole."), field="version")
    return int(text)


@require_POST
@allowed("review")
def match(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Takes another statement, or none; then the next doubtful task is in view."""
    session, task = _found(session_id, task_id)
    sent = request.POST
    done = actions.choose(
        user=request.user,
        session=session,
        task_id=task.pk,
        candidate=sent.get("candidate"),
        words=sent.get("words", ""),
        version=_version(sent.get("match_version", "")),
        reason=sent.get("reason", ""),
    )
    return _back(request, session, next_doubt(done.response, done))


@require_POST
@allowed("review")
def edit(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Other words or another group."""
    session, task = _found(session_id, task_id)
    sent = request.POST
    actions.reword(
        user=request.user,
        session=session,
        task_id=task.pk,
        statement=sent.get("statement"),
        group=sent.get("group", ""),
        version=_version(sent.get("version", "")),
        reason=sent.get("reason", ""),
    )
    return _back(request, session, task.pk)


@require_POST
@allowed("review")
def merge(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Puts other tasks into this one."""
    session, task = _found(session_id, task_id)
    sent = request.POST
    actions.merge(
        user=request.user,
        session=session,
        task_id=task.pk,
        others=[_uuid(one) for one in sent.getlist("others")],
        version=_version(sent.get("version", "")),
        reason=sent.get("reason", ""),
    )
    return _back(request, session, task.pk)


@require_POST
@allowed("review")
def take_out(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Makes a task of its own of what was put into this one."""
    session, task = _found(session_id, task_id)
    sent = request.POST
    made = actions.take_out(
        user=request.user,
        session=session,
        task_id=task.pk,
        place=sent.get("place", ""),
        version=_version(sent.get("version", "")),
        reason=sent.get("reason", ""),
    )
    return _back(request, session, made.pk)


@require_POST
@allowed("review")
def take_back(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Undoes a correction."""
    session = session_for_staff(session_id)
    actions.take_back(
        user=request.user, session=session, batch_id=_uuid(request.POST.get("batch", ""))
    )
    messages.success(request, _("Taken back."))
    to = address(session, request, show="tasks", task=request.GET.get("task", ""))
    return HttpResponseRedirect(to, status=303)


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise BadInput(_("Choose one of those listed."), field="batch") from None
