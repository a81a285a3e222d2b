"""Quick add: a line in natural words, shown as it is understood, then kept."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat import rates
from chat.identity import Identity, identity_of
from chat.operations.models import OperationBatch
from futura import limits
from futura.errors import BadInput, TooLong, TooMany
from futura.limits import storable
from projects import actions, words
from projects.language import quick
from projects.models import Project
from projects.shown import day
from projects.todos import queries
from projects.todos.rows import now
from projects.todos.views.answers import changed, wanted_in
from projects.todos.views.lists import page

LINE_CHARS: Final = 500


def read(identity: Identity, text: str) -> tuple[quick.QuickTask, Project | None]:
    """What a line says, and the project it names. Raises TooLong, BadInput."""
    line = " ".join(storable(text).split())
    if len(line) > LINE_CHARS:
        raise TooLong(limit=LINE_CHARS, length=len(line), field="text")
    own = queries.projects_to_choose(identity) if identity.is_known else []
    told = quick.parse(line, now=now(), projects=[(one.pk, one.name) for one in own])
    return told, next((one for one in own if one.pk == told.project), None)


def told_of(told: quick.QuickTask, project: Project | None) -> dict[str, Any]:
    """What the preview shows."""
    today = now().date()
    due = day(told.due, today)
    return {
        "told": told,
        "due_words": f"{due}, {told.due_time:%H:%M}" if due and told.due_time else due,
        "start_words": day(told.start, today),
        "priority_word": words.PRIORITY[told.priority] if told.priority else "",
        "project": project,
        "is_more": bool(told.spans),
    }


@require_safe
def preview(request: HttpRequest) -> HttpResponse:
    """The line as it is understood so far (a fragment)."""
    text = request.GET.get("text", "")
    context: dict[str, Any] = {}
    try:
        if text.strip():
            context = told_of(*read(identity_of(request), text))
    except BadInput as error:
        context = {"add_error": str(error)}
    return render(request, "projects/todos/_preview.html", context)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Keeps a line; without scripts what was understood of it is shown first."""
    text = request.POST.get("text", "")
    identity = identity_of(request)
    is_plain = bool(request.POST.get("plain"))
    try:
        told, project = read(identity, text)
        is_new = not request.htmx and "seen" not in request.POST and not is_plain  # type: ignore[attr-defined]
        if is_new and told.spans and told.title:
            shown: dict[str, Any] = {"add_text": text, "preview": told_of(told, project)}
            return page(request, wanted_in(request), **shown)
        batch = _kept(identity, told, project, text if is_plain else "")
    except (BadInput, TooMany) as error:
        return _refused(request, text, error)
    return changed(request, batch, is_added=True)


def _kept(
    identity: Identity, told: quick.QuickTask, project: Project | None, plain: str
) -> OperationBatch:
    values: dict[str, Any] = {"title": plain or told.title}
    if not plain:
        values |= {"due_date": told.due, "due_time": told.due_time, "start_date": told.start}
        values |= {"priority": told.priority} if told.priority else {}
    is_new = not identity.is_known
    with transaction.atomic():  # what is refused leaves no participant behind
        actor = actions.person(identity, project) if project else actions.newcomer(identity)
        into = None if plain else project
        done = actions.create_task(actor=actor, project=into, values=values)
        if is_new:
            rates.check(limits.START, identity)
    return done.batch


def _refused(request: HttpRequest, text: str, error: BadInput | TooMany) -> HttpResponse:
    status = 429 if isinstance(error, TooMany) else 422
    more = {"add_text": text, "add_error": str(error) or _("That cannot be kept.")}
    if request.htmx:  # type: ignore[attr-defined]
        answer = render(request, "projects/todos/_preview.html", more, status=422)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#quick-preview", "outerHTML"
    else:
        answer = page(request, wanted_in(request), status=status, **more)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after_s)
    return answer
