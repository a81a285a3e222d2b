"""The page of the agent's figures."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_GET

from futura.llm.staff.periods import Span, period_of
from futura.staff import allowed
from projects.modes.state import AUDIT, CREATE, FORECAST, UPDATE
from projects.staff.queries import metrics

TIMES: Final = ("to_completion", "to_operation", "lasted")
SPANS: Final = (Span.TODAY, Span.WEEK, Span.MONTH_OF_DAYS, Span.ALL)
NAMES: dict[str, str | Promise] = {
    CREATE: gettext_lazy("Create"),
    UPDATE: gettext_lazy("Update"),
    AUDIT: gettext_lazy("Audit"),
    FORECAST: gettext_lazy("Forecast"),
    "": gettext_lazy("All four"),
}


@require_GET
@allowed("figures")
def agent(request: HttpRequest) -> HttpResponse:
    """How the four conversations do; of 30 days when nothing is asked."""
    spans = {span.value: span for span in SPANS}
    span = spans.get(request.GET.get("span", ""), Span.MONTH_OF_DAYS)
    lines = [
        {
            "name": NAMES[metric.kind],
            "metrics": metric,
            **{name: length_words(getattr(metric, name)) for name in TIMES},
        }
        for metric in metrics(period_of(span))
    ]
    context = {"spans": SPANS, "chosen": span, "lines": lines, "total": lines[-1]}
    return render(request, "staff/agent.html", context)


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
