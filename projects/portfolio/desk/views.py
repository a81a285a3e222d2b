"""Pages of the desk: questions, the conversations behind them, the inbox, cost, the public page."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.base import Command, Rejected, Scope
from chat.commands.run import run_for
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from chat.render import transcript
from futura.errors import BadInput, Conflict
from futura.llm import budget
from futura.parameters import whole
from futura.rows import only
from projects.portfolio.commands import portfolio as commands
from projects.portfolio.commands.base import settle_contacts
from projects.portfolio.contact_review import public_rows
from projects.portfolio.desk import queries
from projects.portfolio.models import OpenQuestion, Portfolio
from projects.portfolio.public.page import absolute
from projects.portfolio.queries import visits_of
from projects.portfolio.readiness import review_of
from projects.views import answers


@require_safe
@never_cache
def questions(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    displayed = {
        "results": queries.questions_page(portfolio, request.GET.get("page", "")),
        "retention_days": settings.PORTFOLIO_VISIT_DAYS,
    }
    return _page(request, portfolio, "questions", displayed)


@require_safe
@never_cache
def conversation(request: HttpRequest, portfolio: Portfolio, visit_id: uuid.UUID) -> HttpResponse:
    visit = only(visits_of(portfolio).filter(pk=visit_id, deleted_at=None))
    displayed = {
        "visit": visit,
        "turns": transcript(visit),
        "is_own": visit.participant_id == portfolio.owner_id,
    }
    return _page(request, portfolio, "conversation", displayed)


@require_POST
def answer(request: HttpRequest, portfolio: Portfolio, question_id: uuid.UUID) -> HttpResponse:
    """Approves or dismisses (`do`, `answer`); what is dismissed can still be answered."""
    question = only(queries.questions_of(portfolio).filter(pk=question_id))
    tab = request.POST.get("tab", "open")
    try:
        batch = run_for(request, _settling(request, question))
    except (BadInput, Conflict) as error:
        refused = {
            "refused": question,
            "refusal": str(error),
            "typed": request.POST.get("answer", ""),
            "seen": request.POST.get("version", ""),
        }
        if not isinstance(error, Conflict) or isinstance(error, Rejected):
            return _inbox(request, portfolio, tab, refused, status=422)
        question.refresh_from_db()
        refused["is_stale"] = True
        status = 422 if request.htmx else error.status  # type: ignore[attr-defined] # what htmx swaps
        return _inbox(request, portfolio, question.status, refused, status=status)
    return answers.went(reverse("portfolio_desk:inbox", args=[portfolio.pk]), batch)


def _settling(request: HttpRequest, question: OpenQuestion) -> Command:
    """What the pressed button asks for. Raises BadInput."""
    version = whole(request.POST.get("version")) or None
    match request.POST.get("do", ""):
        case "dismiss":
            return commands.DismissQuestion(id=question.pk, version=version)
        case "approve":
            answer = request.POST.get("answer", "")
            return commands.AnswerQuestion(id=question.pk, version=version, answer=answer)
    raise BadInput(_("Choose approve or dismiss."), field="do")


def _inbox(
    request: HttpRequest,
    portfolio: Portfolio,
    tab: str = "",
    refused: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    requested = tab or request.GET.get("tab", "")
    name = requested if requested in OpenQuestion.Status else OpenQuestion.Status.OPEN
    counts, around = queries.counts_of(portfolio), (refused or {}).get("refused")
    number = request.GET.get("page", "")
    context = {
        "tab": name,
        "rows": queries.inbox_page(portfolio, name, number, around=around),
        "counts": {status.value: counts.get(status, 0) for status in OpenQuestion.Status},
        "done": answers.just_done(request),
        "limit": commands.ANSWER_CHARS,
        **(refused or {}),
    }
    return _page(request, portfolio, "inbox", context, status=status)


inbox = require_safe(never_cache(_inbox))


@require_safe
@never_cache
def cost(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    costs = {"months": queries.costs_of(portfolio), "budget": budget.state("portfolio")}
    return _page(request, portfolio, "cost", costs)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def publish(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """What is or becomes public; publishes and closes the page (`do`, `digest`, `leave`).

    Of an open page, `do=decide` lets contact data be shown that were left out.
    """
    refusal, status = "", 200
    if request.method == "POST":
        here = reverse("portfolio_desk:publish", args=[portfolio.pk])
        if request.POST.get("do") == "decide":
            rows = (row for row, _url in public_rows(portfolio))
            settle_contacts(portfolio.pk, rows, request.POST.getlist("leave"))
            return redirect(here)
        try:
            batch = _published(request, portfolio)
        except (BadInput, Conflict) as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 422
        else:
            return answers.went(here, batch)
    path = reverse("visitors:page", args=[portfolio.slug])
    review = review_of(portfolio)
    displayed = {
        "review": review,
        "hits": review.undecided,
        "allowed": set(request.POST.getlist("leave")),
        "refusal": refusal,
        "done": answers.just_done(request),
        "page_url": absolute(path),
        "widget_url": absolute(reverse("visitors:widget_js", args=[portfolio.slug])),
    }
    return _page(request, portfolio, "publish", displayed, status=status)


def _published(request: HttpRequest, portfolio: Portfolio) -> OperationBatch:
    match request.POST.get("do", ""):
        case "publish":
            return commands.publish_portfolio(
                Scope(identity_of(request)),
                portfolio,
                digest=request.POST.get("digest", ""),
                leave=request.POST.getlist("leave"),
            ).batch
        case "unpublish":
            return run_for(request, commands.ClosePortfolio(id=portfolio.pk))
    raise BadInput(_("Choose publish or unpublish."), field="do")


def _page(
    request: HttpRequest,
    portfolio: Portfolio,
    name: str,
    content: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    waiting = queries.questions_of(portfolio, OpenQuestion.Status.OPEN).count()
    context = {"portfolio": portfolio, "page": name, "waiting": waiting, **content}
    return render(request, f"projects/portfolio/desk/{name}.html", context, status=status)
