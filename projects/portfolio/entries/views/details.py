"""The fields of an entry on one page."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from chat.operations.models import OperationBatch
from projects.portfolio.entries import actions, checks
from projects.portfolio.entries.editing import rebased
from projects.portfolio.entries.forms import DetailsForm, details_groups
from projects.portfolio.entries.talk import cause_of
from projects.portfolio.entries.views.pages import Opened, opened, page
from projects.views import answers


@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """What is changed here and elsewhere meanwhile is shown side by side, and kept."""
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _page(request, at, DetailsForm.of(at.entry))
    form = DetailsForm(request.POST)

    def write() -> OperationBatch:
        entry = at.entry
        told = checks.checked(form.values(), row=entry)
        values = rebased("portfolio_entry", entry, told, form.seen())
        return actions.update(
            at.actor, entry, values, base_version=entry.version, cause=cause_of(entry)
        ).batch

    sent = answers.save(form, write)
    if sent.batch is None:
        if sent.clashes:
            answers.fresh(form, at.entry.version)
        return _page(request, at, form, sent)
    return answers.went(at.url("details"), sent.batch)


def _page(
    request: HttpRequest, at: Opened, form: DetailsForm, sent: answers.Sent | None = None
) -> HttpResponse:
    sent = sent or answers.Sent()
    context = {"form": form, "groups": details_groups(form), "clashes": sent.clashes}
    return page(request, at, "details", status=sent.status, **context)
