"""Taking the last gesture back, from the notice that tells of it."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.identity import identity_of
from chat.operations.changes import Actor, Kind
from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict
from futura.errors import BadInput
from projects import actions, queries
from projects.editing import clashes_of
from projects.views import answers

# what has a page of its own, and the page that is there without it
LISTS: Final = {"project": "projects:list", "portfolio": "portfolio:home"}


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Undoes a whole batch, or shows what was changed since; undone twice is a conflict."""
    identity = identity_of(request)
    batch = queries.batch_for(identity, batch_id)
    decide: Any = request.POST.get("decide", "")
    if decide not in ("", "keep", "restore"):
        raise BadInput(_("Keep it, or restore it."), field="decide")
    back = answers.next_url(request, reverse("projects:list"))
    actor = Actor(batch.owner_id, Kind.PERSON, identity.user_id)
    try:
        done = actions.take_back(actor=actor, batch=batch, decide=decide)
    except UndoConflict as error:
        context = {"batch": batch, "clashes": clashes_of(error.plan), "next": back}
        return render(request, "projects/undo.html", context, status=409)
    return answers.went(_still_there(batch, back), done)


def _still_there(batch: OperationBatch, back: str) -> str:
    """A page that exists after a batch was undone: not that of what it had made."""
    made = Operation.Type.CREATE
    if batch.operations.filter(entity="draft").exists():
        if batch.operations.filter(entity="project", type=made).exists():
            draft = batch.operations.get(entity="draft")
            return reverse("projects:draft", args=[draft.entity_id])
        if batch.operations.filter(entity="draft", type=made).exists():
            return reverse("projects:drafts")
    for entity, page in LISTS.items():
        if batch.operations.filter(entity=entity, type=made).exists():
            return reverse(page)
    return back
