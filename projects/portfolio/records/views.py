"""The editor: one form made of a table of fields for every kind of row; and lists of records."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from chat.commands.base import Command, build
from chat.commands.run import run_for
from projects.portfolio import queries
from projects.portfolio.commands import records as commands
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.fields import Field, label_of
from projects.portfolio.schema.forms import SchemaForm
from projects.portfolio.schema.kinds import KINDS, Kind
from projects.views import answers


def edited(
    request: HttpRequest,
    fields: Sequence[Field],
    command: Callable[[dict[str, Any]], Command],
    *,
    row: Any = None,
    options: Mapping[str, Sequence[Any]] | None = None,
) -> tuple[SchemaForm, answers.Sent]:
    """The form of a row, or of a new one; what was sent is saved by the command of its values.

    Without a batch in the answer the form is to be shown.
    """
    if request.method != "POST":
        return SchemaForm(fields, row=row, options=options), answers.Sent()
    form = SchemaForm(fields, request.POST, options=options)
    return form, answers.put(request, form, command, row)


@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, portfolio: Portfolio, record_kind: str) -> HttpResponse:
    """The rows of one kind; of a kind with a single row, that row's form. POST adds one."""
    kind = queries.kind_for(record_kind)
    rows = queries.records_of(portfolio, kind)
    if kind.is_single:
        return _edit(request, portfolio, kind, rows[0] if rows else None)
    if request.method == "POST":
        return _edit(request, portfolio, kind, None)
    context = _context(portfolio, kind, rows=rows, done=answers.just_done(request))
    return render(request, "projects/portfolio/records/list.html", context)


@require_safe
def new(request: HttpRequest, portfolio: Portfolio, record_kind: str) -> HttpResponse:
    """An empty form; it is sent to the list."""
    kind = queries.kind_for(record_kind)
    if kind.is_single:
        return redirect(_list_url(portfolio, kind))
    return _edit(request, portfolio, kind, None)


@require_http_methods(["GET", "HEAD", "POST"])
def record(
    request: HttpRequest, portfolio: Portfolio, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    kind = queries.kind_for(record_kind)
    row = queries.record_for(portfolio, kind, record_id)
    if kind.is_single and request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    queries.with_origin([row])
    return _edit(request, portfolio, kind, row)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(
    request: HttpRequest, portfolio: Portfolio, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """Who only looks here is shown the list."""
    kind = queries.kind_for(record_kind)
    row = queries.record_for(portfolio, kind, record_id)
    if request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    batch = run_for(request, build(commands.DeleteRecord, {"kind": kind.slug, "id": row.pk}))
    return answers.went(_list_url(portfolio, kind), batch)


def _edit(
    request: HttpRequest, portfolio: Portfolio, kind: Kind, row: Belonging | None
) -> HttpResponse:
    def command(values: dict[str, Any]) -> Command:
        given = {"kind": kind.slug, "values": values}
        if row is None:
            return build(commands.CreateRecord, given, portfolio=portfolio.pk)
        return build(commands.ChangeRecord, given, id=row.pk, version=row.version)

    options: dict[str, Sequence[Entry]] = {}
    if any(field.shape.is_rows for field in kind.fields):
        options["linked_entries"] = queries.entries_of(portfolio)
    form, sent = edited(request, kind.fields, command, row=row, options=options)
    if sent.batch is not None:
        return answers.went(_list_url(portfolio, kind), sent.batch)
    action, own = _list_url(portfolio, kind), []
    if row is not None:
        action = reverse("portfolio:record", args=[portfolio.pk, kind.slug, row.pk])
        own = [label_of(kind.fields, name) for name in row.kept_fields]
    context = _context(
        portfolio, kind, row=row, action=action, corrected_fields=own,
        is_new=row is None and not kind.is_single,
        done=answers.just_done(request) if request.method != "POST" else None,
    )  # fmt: skip
    template = "projects/portfolio/records/form.html"
    return answers.form_page(request, form, sent, template=template, **context)


def _context(portfolio: Portfolio, kind: Kind, **more: Any) -> dict[str, Any]:
    common = {"portfolio": portfolio, "kind": kind, "kinds": KINDS.values(), "part": "records"}
    return {**common, **more}


def _list_url(portfolio: Portfolio, kind: Kind) -> str:
    return reverse("portfolio:records", args=[portfolio.pk, kind.slug])
