"""Taking the last gesture back, from the notice that tells of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.commands.run import run_for
from chat.commands.undo import Undo
from chat.identity import identity_of
from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict
from projects import queries
from projects.views import answers

# what has a page of its own, and the page that is there without it
LISTS: Final = {"project": "projects:list", "portfolio": "portfolio:home"}


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Undoes a whole batch; undone twice is a conflict."""
    back = answers.next_url(request, reverse("projects:list"))

    def then(batch: OperationBatch, done: OperationBatch) -> HttpResponse:
        return answers.went(_still_there(batch, back), done)

    return undone(request, batch_id, then)


def undone(
    request: HttpRequest,
    batch_id: uuid.UUID,
    then: Callable[[OperationBatch, OperationBatch], HttpResponse],
) -> HttpResponse:
    """Takes a batch back; `then` answers with it and the batch that did so.

    Where something was changed since, the page of the ledger asks what shall stand.
    """
    batch = queries.batch_for(identity_of(request), batch_id)
    try:
        done = run_for(request, Undo(batch=batch.pk))
    except UndoConflict:
        return answers.led(request, reverse("operations:undo_all", args=[batch.pk]))
    return then(batch, done)


def _still_there(batch: OperationBatch, back: str) -> str:
    """A page that exists after a batch was undone: not that of what it had made."""
    created = Operation.Type.CREATE
    if batch.operations.filter(entity="draft").exists():
        if batch.operations.filter(entity="project", type=created).exists():
            draft = batch.operations.get(entity="draft")
            return reverse("projects:draft", args=[draft.entity_id])
        if batch.operations.filter(entity="draft", type=created).exists():
            return reverse("projects:drafts")
    for entity, page in LISTS.items():
        if batch.operations.filter(entity=entity, type=created).exists():
            return reverse(page)
    return back
