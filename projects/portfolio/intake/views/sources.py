"""Pages of the sources: give something to be read, see how it stands, put it right."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import identity_of
from futura import limits
from futura.errors import BadInput, NotFound, TooMany
from projects.portfolio.intake import actions, queries
from projects.portfolio.intake.forms import FORMS, ChangedTextForm, empty_forms, sent_form
from projects.portfolio.intake.queries import Shown
from projects.portfolio.intake.repositories import is_address
from projects.portfolio.models import Portfolio, Source
from projects.portfolio.queries import portfolio_for
from projects.portfolio.schema.kinds import BY_ENTITY
from projects.views import answers


def _own(request: HttpRequest, portfolio_id: uuid.UUID) -> Portfolio:
    return portfolio_for(identity_of(request), portfolio_id)


def _url(portfolio: Portfolio, at: str = "given") -> str:
    return f"{reverse('portfolio:sources', args=[portfolio.pk])}#{at}"


@require_safe
def sources(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """What was given, and the forms to give more."""
    return _page(request, _own(request, portfolio_id))


def _page(
    request: HttpRequest, portfolio: Portfolio, sent: Any = None, name: str = "", status: int = 200
) -> HttpResponse:
    forms = empty_forms()
    if sent is not None:
        forms[name] = sent
    context = {
        "portfolio": portfolio,
        "part": "sources",
        "forms": forms,
        "opened": name,
        "done": answers.just_done(request),
        **_listed(portfolio),
    }
    return render(request, "projects/portfolio/sources/sources.html", context, status=status)


def _listed(portfolio: Portfolio) -> dict[str, Any]:
    given = queries.sources_of(portfolio)
    return {
        "given": given,
        "left": sum(shown.is_open for shown in given),
        "to_check": sum(shown.is_to_check for shown in given),
    }


@require_safe
def live(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """The list alone, which asks for itself while something is being read."""
    portfolio = _own(request, portfolio_id)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(_url(portfolio))
    context = {"portfolio": portfolio, "oob": True, **_listed(portfolio)}
    return render(request, "projects/portfolio/sources/_given.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def give(request: HttpRequest, portfolio_id: uuid.UUID, source_kind: str) -> HttpResponse:
    """Takes what is to be read; what cannot be taken comes back with what was typed."""
    portfolio = _own(request, portfolio_id)
    if source_kind not in FORMS:
        raise NotFound
    if request.method != "POST":
        return redirect(_url(portfolio, source_kind))
    form = sent_form(source_kind, request.POST, request.FILES)
    status = _refusal(request, form, lambda values: _take(portfolio, source_kind, values))
    if status:
        return _page(request, portfolio, form, source_kind, status=status)
    return redirect(_url(portfolio))


def _refusal(request: HttpRequest, form: Any, take: Callable[[dict[str, Any]], object]) -> int:
    """The status with which a form comes back; 0 where what was sent was taken."""
    if not form.is_valid():
        return 422
    try:
        rates.check(limits.READ, identity_of(request))
        take(form.cleaned_data)
    except (BadInput, TooMany) as error:
        answers.refuse(form, error)
        return 429 if isinstance(error, TooMany) else 422
    return 0


def _take(portfolio: Portfolio, name: str, values: dict[str, Any]) -> None:
    """Gives it to be read. Raises BadInput."""
    if name == "repository":
        text, address = values.pop("text"), values.pop("address")
        actions.give_projects(portfolio=portfolio, text=text, address=address, wish=values)
    else:
        files = values.pop("file")
        actions.give(portfolio=portfolio, kind=Source.Kind(name), files=files, **values)


@require_http_methods(["GET", "HEAD", "POST"])
def source(request: HttpRequest, portfolio_id: uuid.UUID, source_id: uuid.UUID) -> HttpResponse:
    """One source: its text to put right, and what was read from it."""
    portfolio = _own(request, portfolio_id)
    given = queries.source_for(portfolio, source_id)
    if request.method != "POST":
        return _source_page(request, given, ChangedTextForm(initial={"text": given.text}))
    form = ChangedTextForm(request.POST)
    if status := _refusal(request, form, lambda sent: actions.change_text(source=given, **sent)):
        return _source_page(request, given, form, status=status)
    return redirect(_url(portfolio))


def _source_page(request: HttpRequest, given: Source, form: Any, status: int = 200) -> HttpResponse:
    rows = [
        {"row": row, "kind": BY_ENTITY.get(entity), "entity": entity}
        for entity, row in queries.rows_from(given)
    ]
    is_own_text = given.kind != Source.Kind.CORPUS and not is_address(given.place)
    context = {
        "portfolio": given.portfolio,
        "part": "sources",
        "shown": Shown(given),
        "source": given,
        "form": form,
        "rows": rows,
        "can_edit": is_own_text and not given.upload,
    }
    return render(request, "projects/portfolio/sources/source.html", context, status=status)


@require_POST
def read(request: HttpRequest, portfolio_id: uuid.UUID, source_id: uuid.UUID) -> HttpResponse:
    """Reads it again; by rules where the model did not manage and that is wanted."""
    portfolio = _own(request, portfolio_id)
    given = queries.source_for(portfolio, source_id)
    rates.check(limits.READ, identity_of(request))
    actions.read_again(source=given, is_by_rules=request.POST.get("how") == "rules")
    return redirect(_url(portfolio))


@require_POST
def delete(request: HttpRequest, portfolio_id: uuid.UUID, source_id: uuid.UUID) -> HttpResponse:
    """Forgets it, with what was read from it where that is ticked."""
    portfolio = _own(request, portfolio_id)
    given = queries.source_for(portfolio, source_id)
    batch = actions.remove_source(
        source=given,
        actor=answers.actor_of(request, portfolio),
        with_rows=request.POST.get("rows") == "yes",
    )
    return answers.went(reverse("portfolio:sources", args=[portfolio.pk]), batch)
