"""The page of the agent's figures, and the same as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from futura.attachments import attachment
from futura.llm.staff.periods import PeriodForm, Span
from futura.staff import allowed
from projects.modes.state import AUDIT, CREATE, FORECAST, UPDATE
from projects.staff.queries import Metrics, metrics

COLUMNS: Final = (
    "started", "people", "returning", "completed", "completion", "questions", "messages",
    "operations", "undone", "undo", "failed", "success", "tasks", "projects", "runs", "broken",
    "errors", "good", "bad", "dimensions", "to_completion", "to_operation", "lasted",
)  # fmt: skip

TIMES: Final = ("to_completion", "to_operation", "lasted")


def table(lines: Sequence[Metrics]) -> str:
    """CSV: a row per mode, then all; shares from 0 to 1, times in seconds, empty for none."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["mode", *(_name(column) for column in COLUMNS)])
    for line in lines:
        mode = line.kind.removeprefix("project_") or "all"
        writer.writerow([mode, *(_cell(getattr(line, column)) for column in COLUMNS)])
    return text.getvalue()


def _name(column: str) -> str:
    return f"{column}_s" if column in TIMES else column


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, timedelta):
        return round(value.total_seconds())
    return round(value, 4) if isinstance(value, float) else value


SPANS = [Span.TODAY, Span.WEEK, Span.MONTH_OF_DAYS, Span.ALL]


class AgentForm(PeriodForm):
    name = "agent"
    usual = Span.MONTH_OF_DAYS


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
    """How the four conversations do."""
    form = AgentForm(request.GET)
    lines = [
        {
            "name": NAMES[metric.kind],
            "metrics": metric,
            **{name: length_words(getattr(metric, name)) for name in TIMES},
        }
        for metric in metrics(form.period)
    ]
    context = {"form": form, "spans": SPANS, "lines": lines, "total": lines[-1]}
    return render(request, "staff/agent.html", context)


@require_GET
@allowed("figures")
def download(request: HttpRequest) -> HttpResponse:
    """The same figures as CSV."""
    form = AgentForm(request.GET)
    name = f"agent-{timezone.localdate().isoformat()}.csv"
    return attachment(table(metrics(form.period)), "text/csv; charset=utf-8", name)


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
