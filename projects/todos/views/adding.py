"""Quick add on pages: a line shown as it is understood, then stored."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat import rates
from chat.commands.base import build
from chat.commands.run import run
from chat.commands.scope import OwnScope
from chat.identity import Identity, identity_of
from chat.operations.models import OperationBatch
from futura import limits
from futura.errors import BadInput, TooMany
from projects.commands.todos import CreateTodo
from projects.todos import quick_add
from projects.todos.views.answers import changed, wanted_in
from projects.todos.views.lists import page


@require_safe
def preview(request: HttpRequest) -> HttpResponse:
    """The line as it is understood so far (a fragment)."""
    text = request.GET.get("text", "")
    context: dict[str, Any] = {}
    try:
        if text.strip():
            identity = identity_of(request)
            command = quick_add.command_of(identity, text)
            context = (
                {"command": command} if command else quick_add.shown(quick_add.read(identity, text))
            )
    except BadInput as error:
        context = {"add_error": str(error)}
    return render(request, "projects/todos/_preview.html", context)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Stores a line; without scripts what was understood of it is shown first.

    A command on rows is passed on, as it was sent, to the conversation that carries commands out.
    """
    text = request.POST.get("text", "")
    identity = identity_of(request)
    is_plain = bool(request.POST.get("plain"))
    is_new = not request.htmx and "seen" not in request.POST and not is_plain  # type: ignore[attr-defined]
    command = None if is_plain else quick_add.command_of(identity, text)
    if command is not None and is_new:
        return page(request, wanted_in(request), add_text=text, preview={"command": command})
    if command is not None:
        return HttpResponse(status=307, headers={"Location": reverse("concierge:say") + "?talk=1"})
    try:
        line = quick_add.read(identity, text)
        if is_new and line.todo.spans and line.todo.title:
            shown: dict[str, Any] = {"add_text": text, "preview": quick_add.shown(line)}
            return page(request, wanted_in(request), **shown)
        batch = _stored(identity, line, text if is_plain else "")
    except (BadInput, TooMany) as error:
        return _refused(request, text, error)
    return changed(request, batch, is_added=True)


def _stored(identity: Identity, line: quick_add.Line, plain: str) -> OperationBatch:
    values = {"title": plain} if plain else quick_add.values_of(line.todo)
    is_new = not identity.is_known
    with transaction.atomic():  # what is refused leaves no participant behind
        batch = run(build(CreateTodo, values), OwnScope(identity)).batch
        if is_new:
            rates.check(limits.START, identity)
    return batch


def _refused(request: HttpRequest, text: str, error: BadInput | TooMany) -> HttpResponse:
    status = 429 if isinstance(error, TooMany) else 422
    more = {"add_text": text, "add_error": str(error) or _("This cannot be saved.")}
    if request.htmx:  # type: ignore[attr-defined]
        answer = render(request, "projects/todos/_preview.html", more, status=422)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#quick-preview", "outerHTML"
    else:
        answer = page(request, wanted_in(request), status=status, **more)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after_s)
    return answer
