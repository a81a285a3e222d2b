"""Staff pages below `/staff/`: `models`, its calls, one run, and the budgets."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from futura.llm.staff import queries
from futura.llm.staff.budgets import admins, this_month
from futura.llm.staff.forms import LedgerForm
from futura.llm.staff.periods import Span
from futura.llm.staff.queries import Grouping, calls_of_run
from futura.staff import allowed, permitted


@require_GET
@allowed("figures")
def totals(request: HttpRequest) -> HttpResponse:
    """What calls cost, how long they took and how they ended, summed by one thing."""
    form = LedgerForm(request.GET)
    context = {
        **_shared(form),
        **queries.summary(form.calls, form.grouping, page=form.page_number),
        "groupings": list(Grouping),
        "checks": queries.checks_by_stage(form.period, form.good.get("stage") or ""),
    }
    return render(request, "staff/models.html", context)


@require_GET
@allowed("figures")
def calls(request: HttpRequest) -> HttpResponse:
    """The attempts themselves, newest first."""
    form = LedgerForm(request.GET)
    rows, has_more = queries.calls_page(form.calls, page=form.page_number)
    context = {**_shared(form), "calls": rows, "has_more": has_more}
    return render(request, "staff/models_calls.html", context)


@require_GET
@allowed("figures")
def run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """The calls of one run on a line of time."""
    context = {"run": calls_of_run(run_id), "run_id": run_id}
    return render(request, "staff/models_run.html", context)


@require_GET
@permitted("llm.view_budgetmonth")
def budgets(request: HttpRequest) -> HttpResponse:
    """How this month's budgets stand; for superusers and their like."""
    context = {"budgets": this_month(), "recipients": admins()}
    return render(request, "staff/models_budget.html", context)


def _shared(form: LedgerForm) -> dict[str, object]:
    page = form.page_number
    return {"form": form, "spans": list(Span), "page": page, "older": page + 1, "newer": page - 1}


app_name = "ledger"
urlpatterns = [
    path("models", totals, name="totals"),
    path("models/calls", calls, name="calls"),
    path("models/runs/<uuid:run_id>", run, name="run"),
    path("models/budget", budgets, name="budget"),
]
