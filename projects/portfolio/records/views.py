"""The editor of records: a list of each kind, and one form made of the kind's table of fields."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from chat.commands.base import Command, build
from chat.commands.forms import run_for
from chat.identity import identity_of
from projects.portfolio.commands.records import (
    ChangeRecord,
    CreateRecord,
    DeleteRecord,
    PlaceRecord,
    ReleaseRecord,
)
from projects.portfolio.models import Portfolio
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.queries import portfolio_for
from projects.portfolio.records import queries
from projects.portfolio.schema.forms import label_of
from projects.portfolio.schema.records import KINDS, Kind
from projects.portfolio.views import edited
from projects.views import answers

Ids = tuple[uuid.UUID, str, uuid.UUID]


@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str) -> HttpResponse:
    """The rows of one kind; of a kind with a single row, that row's form. POST adds one."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    kind = queries.kind_for(record_kind)
    rows = queries.records_of(portfolio, kind)
    if kind.is_single:
        return _edit(request, portfolio, kind, rows[0] if rows else None)
    if request.method == "POST":
        return _edit(request, portfolio, kind, None)
    context = _context(portfolio, kind, rows=rows, done=answers.just_done(request))
    return render(request, "projects/portfolio/records/list.html", context)


@require_safe
def new(request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str) -> HttpResponse:
    """An empty form; it is sent to the list."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    kind = queries.kind_for(record_kind)
    if kind.is_single:
        return redirect(_list_url(portfolio, kind))
    return _edit(request, portfolio, kind, None)


@require_http_methods(["GET", "HEAD", "POST"])
def record(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """One row to edit."""
    portfolio, kind, row = _row(request, (portfolio_id, record_kind, record_id))
    if kind.is_single and request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    queries.with_origin([row])
    return _edit(request, portfolio, kind, row)


@require_http_methods(["GET", "HEAD", "POST"])
def place(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """A step up or down (`to`)."""
    ids = (portfolio_id, record_kind, record_id)
    return _run(request, ids, PlaceRecord, to=request.POST.get("to", ""))


@require_http_methods(["GET", "HEAD", "POST"])
def release(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """Gives a row back to its source."""
    return _run(request, (portfolio_id, record_kind, record_id), ReleaseRecord)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """Takes a row away; undo stands at the top of the list."""
    return _run(request, (portfolio_id, record_kind, record_id), DeleteRecord)


def _row(request: HttpRequest, ids: Ids) -> tuple[Portfolio, Kind, Belonging]:
    identity = identity_of(request)
    portfolio = portfolio_for(identity, ids[0])
    kind = queries.kind_for(ids[1])
    return portfolio, kind, queries.record_for(identity, portfolio, kind, ids[2])


def _run(request: HttpRequest, ids: Ids, command: type[Command], **values: Any) -> HttpResponse:
    """A gesture on a row; who only looks here is shown the list."""
    portfolio, kind, row = _row(request, ids)
    if request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    batch = run_for(request, build(command, {"kind": kind.slug, "id": row.pk, **values}))
    return answers.went(_list_url(portfolio, kind), batch)


def _edit(
    request: HttpRequest, portfolio: Portfolio, kind: Kind, row: Belonging | None
) -> HttpResponse:
    def command(values: dict[str, Any]) -> Command:
        given = {"kind": kind.slug, "values": values}
        if row is None:
            return build(CreateRecord, given, portfolio=portfolio.pk)
        return build(ChangeRecord, given, id=row.pk, version=row.version)

    has_rows = any(field.shape.is_rows for field in kind.fields)
    options = {"linked_entries": queries.entries_of(portfolio)} if has_rows else {}
    form, sent = edited(request, kind.fields, kind.values, command, row=row, options=options)
    if sent.batch is not None:
        return answers.went(_list_url(portfolio, kind), sent.batch)
    action, own = _list_url(portfolio, kind), []
    if row is not None:
        action = reverse("portfolio:record", args=[portfolio.pk, kind.slug, row.pk])
        own = [label_of(kind.fields, name) for name in row.kept_fields]
    context = _context(
        portfolio, kind, row=row, action=action, kept=own,
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
