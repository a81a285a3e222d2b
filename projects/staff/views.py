"""Staff pages: `/staff/agent`, and its figures as a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from futura.staff import allowed
from projects.modes.state import AUDIT, CREATE, FORECAST, UPDATE
from projects.staff import export, queries
from projects.staff.forms import SPANS, AgentForm
from projects.staff.queries import Metrics

NAMES: dict[str, str | Promise] = {
    CREATE: gettext_lazy("Create"),
    UPDATE: gettext_lazy("Update"),
    AUDIT: gettext_lazy("Audit"),
    FORECAST: gettext_lazy("Forecast"),
    "": gettext_lazy("All four"),
}


@dataclass(frozen=True)
class Line:
    """One mode with its name and its times in words."""

    name: str | Promise
    metrics: Metrics
    to_completion: str
    to_operation: str
    lasted: str


@require_GET
@allowed("figures")
def agent(request: HttpRequest) -> HttpResponse:
    """How the four conversations do."""
    form = AgentForm(request.GET)
    lines = [_line(one) for one in queries.metrics(form.period)]
    context = {
        "form": form,
        "spans": SPANS,
        "lines": lines,
        "total": lines[-1],
    }
    return render(request, "staff/agent.html", context)


@require_GET
@allowed("figures")
def download(request: HttpRequest) -> HttpResponse:
    """The same figures as CSV."""
    form = AgentForm(request.GET)
    name = f"agent-{timezone.localdate().isoformat()}.csv"
    return HttpResponse(
        export.table(queries.metrics(form.period)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _line(one: Metrics) -> Line:
    times = (length_words(one.to_completion), length_words(one.to_operation))
    return Line(NAMES[one.kind], one, *times, length_words(one.lasted))


def length_words(length: timedelta | None) -> str:
    """“40 s”, “12 min”, “3 h”, “2.5 days”; a dash for none."""
    if length is None:
        return "–"
    seconds = max(0.0, length.total_seconds())
    if seconds < 60:
        return _("%(n)s s") % {"n": number_format(seconds, 0)}
    if seconds < 3600:
        return _("%(n)s min") % {"n": number_format(seconds / 60, 0)}
    if seconds < 86_400:
        return _("%(n)s h") % {"n": number_format(seconds / 3600, 1)}
    return _("%(n)s days") % {"n": number_format(seconds / 86_400, 1)}
