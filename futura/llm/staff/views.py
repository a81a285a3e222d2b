"""Staff pages: `/staff/models`, its calls, one run, and the sums as a file."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from futura.llm.staff import checks, export, notices, outlook, queries
from futura.llm.staff.addresses import calls_of_line, changed
from futura.llm.staff.forms import LedgerForm
from futura.llm.staff.periods import Span
from futura.llm.staff.queries import Grouping, Sums
from futura.llm.staff.timeline import timeline
from futura.staff import allowed, permitted

PAGES_MAX: Final = 10_000
NARROWING: Final = ("stage", "model", "outcome", "session")
OWN: Final = ("session", "month", "since", "until")
# column, its title, and what its figures are (for the phone, where there is no head)
COLUMNS: Final[tuple[tuple[str, str | Promise], ...]] = (
    ("calls", _("Attempts")),
    ("share", _("Answered")),
    ("input", _("Input")),
    ("cached", _("of it cached")),
    ("output", _("Output")),
    ("reasoning", _("of it reasoning")),
    ("cost", _("Cost")),
    ("latency", _("Time, p50 and p95")),
    ("ttft", _("First text, p50 and p95")),
)


@dataclass(frozen=True)
class Line:
    """One line of the sums with the calls behind it; widths in per cent of the longest line."""

    sums: Sums
    href: str
    answered_width: float
    other_width: float


@dataclass(frozen=True)
class Head:
    """A column's title, the address that sorts by it, and how it is sorted now."""

    title: str | Promise
    href: str
    sorted: str


@require_GET
@allowed("figures")
def totals(request: HttpRequest) -> HttpResponse:
    """What calls cost, how long they took and how they ended, summed by one thing."""
    form = LedgerForm(request.GET)
    page = _number(request)
    found = queries.summary(form.filters, form.grouping, sort=form.sorting, page=page)
    context = {
        **_shared(request, form),
        "found": found,
        "lines": [_line(request, form, sums, found.most_calls) for sums in found.lines],
        "heads": [_head(request, form, *column) for column in _columns(form)],
        "groupings": [(one, changed(request.GET, _by(one))) for one in Grouping],
        "export_query": changed(request.GET, {}),
        "has_more": page * queries.GROUPS_A_PAGE < found.groups,
        "checks": checks.by_stage(form.filters),
    }
    return render(request, "staff/models.html", context)


@require_GET
@allowed("figures")
def calls(request: HttpRequest) -> HttpResponse:
    """The attempts themselves, newest first."""
    form = LedgerForm(request.GET)
    found, has_more = queries.calls_page(form.filters, page=_number(request))
    context = {**_shared(request, form), "calls": found, "has_more": has_more}
    return render(request, "staff/models_calls.html", context)


@require_GET
@allowed("figures")
def run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """The calls of one run on a line of time."""
    found = timeline(queries.calls_of_run(run_id))
    return render(request, "staff/models_run.html", {"timeline": found, "run_id": run_id})


@require_GET
@allowed("figures")
def download(request: HttpRequest) -> StreamingHttpResponse:
    """The sums with the same filters as CSV."""
    form = LedgerForm(request.GET)
    found = queries.summary(form.filters, form.grouping, sort=form.sorting, limit=export.ROWS_MAX)
    name = f"models-by-{form.grouping.value}-{timezone.localdate().isoformat()}.csv"
    return StreamingHttpResponse(
        export.table(form.grouping.value, found.lines),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_GET
@permitted("llm.view_budgetmonth")
def budgets(request: HttpRequest) -> HttpResponse:
    """How this month's budgets stand and where they are heading; for superusers and their like."""
    context = {
        "outlooks": outlook.outlooks(),
        "past": outlook.past_months(),
        "recipients": notices.admins(),
    }
    return render(request, "staff/models_budget.html", context)


def _shared(request: HttpRequest, form: LedgerForm) -> dict[str, object]:
    spans = [one for one in Span if one not in {Span.OWN, Span.MONTH} or one == form.chosen_span]
    page = _number(request)
    return {
        "form": form,
        "page": page,
        "newer": changed(request.GET, {"page": str(page - 1) if page > 2 else None}),
        "older": changed(request.GET, {"page": str(page + 1)}),
        "spans": [(one, changed(request.GET, _span(one))) for one in spans],
        "is_narrowed": any(form.good.get(name) for name in NARROWING),
        "has_details": any(form.data.get(name) for name in OWN),
    }


def _span(one: Span) -> dict[str, str | None]:
    if one in {Span.OWN, Span.MONTH}:
        return {}
    return {"span": one.value, "month": None, "since": None, "until": None}


def _by(one: Grouping) -> dict[str, str | None]:
    return {"by": one.value, "sort": None}


def _columns(form: LedgerForm) -> list[tuple[str, str | Promise]]:
    return [("key", form.grouping.label), *COLUMNS]


def _line(request: HttpRequest, form: LedgerForm, sums: Sums, most: int) -> Line:
    one = 100 / most if most else 0
    return Line(
        sums=sums,
        href=calls_of_line(request.GET, form.grouping, sums.key),
        answered_width=round(sums.answered * one, 2),
        other_width=round((sums.calls - sums.answered) * one, 2),
    )


def _head(request: HttpRequest, form: LedgerForm, name: str, title: str | Promise) -> Head:
    """Sorting anew turns the order around; figures begin with the largest, names with the first."""
    key, is_descending = form.sorting.removeprefix("-"), form.sorting.startswith("-")
    wanted = name if (key == name and is_descending) or (key != name == "key") else f"-{name}"
    how = "" if key != name else "descending" if is_descending else "ascending"
    return Head(title, changed(request.GET, {"sort": wanted}), how)


def _number(request: HttpRequest) -> int:
    """The page asked for, from 1; nonsense is the first."""
    text = request.GET.get("page", "")
    return min(max(int(text), 1), PAGES_MAX) if text.isdecimal() and len(text) < 9 else 1
