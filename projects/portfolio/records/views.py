"""Pages of the records: lists by kind, one to edit, one to add."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from chat.identity import identity_of
from chat.operations.models import OperationBatch
from projects.editing import rebased
from projects.portfolio.models import Portfolio
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.queries import portfolio_for
from projects.portfolio.records import actions, queries
from projects.portfolio.records.forms import ExperienceForm, RecordForm, words_of
from projects.portfolio.records.kinds import KINDS, Kind
from projects.views import answers


def _page(portfolio: Portfolio, kind: Kind, **more: Any) -> dict[str, Any]:
    return {
        "portfolio": portfolio,
        "kind": kind,
        "kinds": KINDS.values(),
        "part": "records",
        **more,
    }


def _list_url(portfolio: Portfolio, kind: Kind) -> str:
    return reverse("portfolio:records", args=[portfolio.pk, kind.slug])


def _form(portfolio: Portfolio, kind: Kind, row: Belonging | None, data: Any = None) -> RecordForm:
    more: dict[str, Any] = {}
    if kind.form is ExperienceForm:
        more["entries"] = queries.entries_of(portfolio)
    return kind.form(data, **more) if data is not None else kind.form.of(row, **more)


@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str) -> HttpResponse:
    """The rows of one kind; of a kind with a single row, that row's form."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    kind = queries.kind_for(record_kind)
    if kind.is_single:
        row = queries.single_of(portfolio, kind)
        return _edit(request, portfolio, kind, row)
    if request.method == "POST":
        return _edit(request, portfolio, kind, None)
    context = _page(
        portfolio,
        kind,
        rows=queries.records_of(portfolio, kind),
        done=answers.just_done(request),
    )
    return render(request, "projects/portfolio/records/list.html", context)


@require_safe
def new(request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str) -> HttpResponse:
    """An empty form; it is sent to the list."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    kind = queries.kind_for(record_kind)
    if kind.is_single:
        return redirect(_list_url(portfolio, kind))
    return _form_page(request, portfolio, kind, None, _form(portfolio, kind, None))


@require_http_methods(["GET", "HEAD", "POST"])
def record(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """One row to edit."""
    portfolio, kind, row = _one(request, portfolio_id, record_kind, record_id)
    if kind.is_single and request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    queries.with_origin([row])
    return _edit(request, portfolio, kind, row)


def _one(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> tuple[Portfolio, Kind, Belonging]:
    identity = identity_of(request)
    portfolio = portfolio_for(identity, portfolio_id)
    kind = queries.kind_for(record_kind)
    return portfolio, kind, queries.record_for(identity, portfolio, kind, record_id)


def _edit(
    request: HttpRequest, portfolio: Portfolio, kind: Kind, row: Belonging | None
) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, portfolio, kind, row, _form(portfolio, kind, row))
    form = _form(portfolio, kind, row, request.POST)
    actor = answers.actor_of(request, portfolio)

    def write() -> OperationBatch:
        if row is None:
            return actions.add_record(
                actor=actor, portfolio=portfolio, kind=kind, values=form.values()
            ).batch
        values = rebased(kind.entity, row, form.values(), form.seen())
        return actions.edit_record(
            actor=actor, row=row, kind=kind, values=values, version=row.version
        ).batch

    sent = answers.save(form, write)
    if sent.batch is not None:
        return answers.went(_list_url(portfolio, kind), sent.batch)
    if sent.clashes and row is not None:
        answers.fresh(form, row.version)
        told = (replace(one, label=words_of(kind.form, one.field)) for one in sent.clashes)
        sent.clashes = tuple(told)
    return _form_page(request, portfolio, kind, row, form, sent)


def _form_page(
    request: HttpRequest,
    portfolio: Portfolio,
    kind: Kind,
    row: Belonging | None,
    form: RecordForm,
    sent: answers.Sent | None = None,
) -> HttpResponse:
    is_list = row is None and not kind.is_single
    action = (
        reverse("portfolio:record", args=[portfolio.pk, kind.slug, row.pk])
        if row is not None
        else _list_url(portfolio, kind)
    )
    kept = [words_of(kind.form, name) for name in row.kept_fields] if row is not None else []
    return answers.form_page(
        request,
        form,
        sent,
        template="projects/portfolio/records/form.html",
        **_page(
            portfolio,
            kind,
            row=row,
            action=action,
            is_new=is_list,
            kept=kept,
            done=answers.just_done(request) if sent is None else None,
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def release(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """Gives a row back to its source; who only looks here is shown the list."""
    portfolio, kind, row = _one(request, portfolio_id, record_kind, record_id)
    if request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    done = actions.release_record(actor=answers.actor_of(request, row), row=row, kind=kind)
    return answers.went(_list_url(portfolio, kind), done.batch)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(
    request: HttpRequest, portfolio_id: uuid.UUID, record_kind: str, record_id: uuid.UUID
) -> HttpResponse:
    """Takes a row away; undo stands at the top of the list."""
    portfolio, kind, row = _one(request, portfolio_id, record_kind, record_id)
    if request.method != "POST":
        return redirect(_list_url(portfolio, kind))
    done = actions.delete_record(actor=answers.actor_of(request, row), row=row, kind=kind)
    return answers.went(_list_url(portfolio, kind), done.batch)
