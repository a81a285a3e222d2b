"""Staff's doors to a list: correct a match, words, a group or a merge, and take that back."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.models import Session
from chat.staff.queries import session_for_staff
from chat.staff.views.desk import address, page
from futura.errors import BadInput, Conflict, NotFound
from futura.staff import allowed
from tasks.models import SurveyResponse, WorkTask
from tasks.queries import task_of
from tasks.staff import actions
from tasks.staff.panel import next_doubt


@dataclass(frozen=True)
class Refused:
    """A correction that was not taken: which form of which task, why, and what was typed in it."""

    form: str
    task_id: uuid.UUID
    says: str
    sent: Mapping[str, str]
    others: Sequence[str]


def _corrected(
    request: HttpRequest,
    session_id: uuid.UUID,
    task_id: uuid.UUID,
    form: str,
    correct: Callable[[Session, WorkTask], uuid.UUID],
) -> HttpResponse:
    """Corrects a task of a list, then shows the task that `correct` names.

    What is refused is told beside its form, with every word that was typed. Raises NotFound.
    """
    session = session_for_staff(session_id, request.user)
    response = SurveyResponse.objects.filter(pk=session.pk).first()
    if response is None:
        raise NotFound
    task = task_of(response, task_id)
    try:
        shown = correct(session, task)
    except (BadInput, Conflict) as error:
        sent = request.POST
        refused = Refused(form, task.pk, str(error), sent.dict(), sent.getlist("others"))
        asked = {"show": "tasks", "task": str(task.pk), "find": sent.get("words", "")}
        status = 422 if isinstance(error, BadInput) else error.status
        return page(request, session, asked=asked, status=status, refused=refused)
    to = address(session, request, show="tasks", task=str(shown))
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
    sent = request.POST

    def correct(session: Session, task: WorkTask) -> uuid.UUID:
        done = actions.choose(
            user=request.user,
            session=session,
            task_id=task.pk,
            candidate=sent.get("candidate"),
            words=sent.get("words", ""),
            version=_version(sent.get("match_version", "")),
            reason=sent.get("reason", ""),
        )
        return next_doubt(done.response, done)

    return _corrected(request, session_id, task_id, "match", correct)


@require_POST
@allowed("review")
def edit(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Other words or another group."""
    sent = request.POST

    def correct(session: Session, task: WorkTask) -> uuid.UUID:
        return actions.reword(
            user=request.user,
            session=session,
            task_id=task.pk,
            statement=sent.get("statement"),
            group=sent.get("group", ""),
            version=_version(sent.get("version", "")),
            reason=sent.get("reason", ""),
        ).pk

    return _corrected(request, session_id, task_id, "edit", correct)


@require_POST
@allowed("review")
def merge(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Puts other tasks into this one."""
    sent = request.POST

    def correct(session: Session, task: WorkTask) -> uuid.UUID:
        return actions.merge(
            user=request.user,
            session=session,
            task_id=task.pk,
            others=[_uuid(one) for one in sent.getlist("others")],
            version=_version(sent.get("version", "")),
            reason=sent.get("reason", ""),
        ).pk

    return _corrected(request, session_id, task_id, "merge", correct)


@require_POST
@allowed("review")
def take_out(request: HttpRequest, session_id: uuid.UUID, task_id: uuid.UUID) -> HttpResponse:
    """Makes a task of its own of what was put into this one."""
    sent = request.POST

    def correct(session: Session, task: WorkTask) -> uuid.UUID:
        return actions.take_out(
            user=request.user,
            session=session,
            task_id=task.pk,
            place=sent.get("place", ""),
            version=_version(sent.get("version", "")),
            reason=sent.get("reason", ""),
        ).pk

    return _corrected(request, session_id, task_id, "take_out", correct)


@require_POST
@allowed("review")
def take_back(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Undoes a correction."""
    session = session_for_staff(session_id, request.user)
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
