"""The fields of an entry on one page."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.commands.base import build
from chat.commands.forms import run_for
from chat.operations.models import OperationBatch
from projects.editing import rebased
from projects.portfolio.commands.entries import ChangeEntry
from projects.portfolio.entries.views.pages import Opened, opened, page
from projects.portfolio.schema.entry import FIELDS, GROUPS, EntryFields
from projects.portfolio.schema.forms import SchemaForm, labelled
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is changed here and elsewhere meanwhile is shown side by side, and kept."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _page(request, at, SchemaForm(FIELDS, row=at.entry))
    form = SchemaForm(FIELDS, request.POST)

    def write() -> OperationBatch:
        entry = at.entry
        typed = form.tidied(EntryFields)
        values = rebased("portfolio_entry", entry, typed, form.seen())
        return run_for(request, build(ChangeEntry, values, id=entry.pk, version=entry.version))

    sent = answers.save(form, write)
    if sent.batch is None:
        if sent.clashes:
            answers.fresh(form, at.entry.version)
            sent.clashes = labelled(FIELDS, sent.clashes)
        return _page(request, at, form, sent)
    return answers.went(at.url("details"), sent.batch)


def _page(
    request: HttpRequest, at: Opened, form: SchemaForm, sent: answers.Sent | None = None
) -> HttpResponse:
    sent = sent or answers.Sent()
    groups = [
        (name, lines, is_open or any(field.errors for field in lines))
        for name, fields, is_open in GROUPS
        for lines in [[form[field.name] for field in fields]]
    ]
    context = {"form": form, "groups": groups, "clashes": sent.clashes}
    return page(request, at, "details", status=sent.status, **context)
