"""Pages of a portfolio as a whole: start, overview, settings, changes, delete."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from chat import rates
from chat.commands.base import build
from chat.commands.run import run_for
from chat.export import sent
from chat.identity import identity_of
from chat.operations import cards
from chat.operations.models import OperationBatch
from futura import limits
from futura.attachments import streamed
from futura.errors import BadInput
from projects.portfolio import queries
from projects.portfolio.commands import portfolio as commands
from projects.portfolio.entries import limits as picture_limits
from projects.portfolio.entries.pictures import ACCEPT, store_upload
from projects.portfolio.home.export import archive_of
from projects.portfolio.models import IndexState, Portfolio, Source
from projects.portfolio.public.page import absolute
from projects.portfolio.queries import portfolios_of
from projects.portfolio.readiness import holdings_of, missing, review_of
from projects.portfolio.records.views import edited
from projects.portfolio.schema.forms import SchemaForm
from projects.portfolio.schema.kinds import PORTFOLIO, TABLES
from projects.views import answers


def _url(portfolio: Portfolio) -> str:
    return reverse("portfolio:overview", args=[portfolio.pk])


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """The one portfolio of the caller, the list of several, or the way to a first one."""
    identity = identity_of(request)
    own = list(portfolios_of(identity)) if identity.is_known else []
    if request.method == "POST" or not own or "new" in request.GET:
        return _start(request, own)
    if len(own) == 1 and "done" not in request.GET:
        return redirect(_url(own[0]))
    context = {"portfolios": own, "done": answers.just_done(request)}
    return render(request, "projects/portfolio/home/list.html", context)


def _start(request: HttpRequest, own: list[Portfolio]) -> HttpResponse:
    name = request.user.get_full_name() if request.user.is_authenticated else ""
    initial = {"owner_name": name, "kind": Portfolio.Kind.INDIVIDUAL}
    form = SchemaForm(
        PORTFOLIO, request.POST if request.method == "POST" else None, initial=initial
    )
    saved = answers.Sent()

    def write() -> OperationBatch:
        with transaction.atomic():  # what is refused leaves no participant behind
            batch = run_for(request, build(commands.CreatePortfolio, form.values()))
            rates.check(limits.START, identity_of(request))
        return batch

    if request.method == "POST":
        saved = answers.save(form, write)
    if saved.batch is not None:
        key = saved.batch.operations.get(sequence=1).entity_id
        return answers.went(reverse("portfolio:overview", args=[key]), saved.batch)
    context = {"portfolios": own, "done": answers.just_done(request)}
    template = "projects/portfolio/home/start.html"
    return answers.form_page(request, form, saved, template=template, **context)


@require_safe
def overview(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """About twenty queries more for a portfolio that could be published and is not."""
    holdings = holdings_of(portfolio)
    sources = queries.sources_of(portfolio)
    items = missing(portfolio, holdings)
    needed = [item for item in items if item.is_needed]
    context = {
        "portfolio": portfolio,
        "part": "overview",
        "holdings": holdings,
        "missing": needed,
        "suggestions": [item for item in items if not item.is_needed],
        "index_state": IndexState.objects.filter(pk=portfolio.pk).first(),
        "has_sources": bool(sources),
        "failed_sources": [
            row for row in sources if row.given_at and row.outcome == Source.Outcome.FAILED
        ],
        "done": answers.just_done(request),
        "page_url": absolute(reverse("visitors:page", args=[portfolio.slug])),
    }
    if not needed and portfolio.status != Portfolio.Status.PUBLISHED:
        review = review_of(portfolio)
        context |= {"digest": review.digest, "contact_hits": len(review.undecided)}
    return render(request, "projects/portfolio/home/overview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    named = {"id": portfolio.pk, "version": portfolio.version}
    form, saved = edited(
        request, TABLES[Portfolio],
        lambda values: build(commands.ChangePortfolio, values, **named), row=portfolio,
    )  # fmt: skip
    if saved.batch is not None:
        return answers.went(_url(portfolio), saved.batch)
    context: dict[str, Any] = {"portfolio": portfolio, "part": "overview", "back": _url(portfolio)}
    template = "projects/portfolio/home/settings.html"
    return answers.form_page(request, form, saved, template=template, **context)


class PhotoForm(forms.Form):
    """A file, or other words for the photo that is there."""

    file = forms.FileField(
        label=gettext_lazy("Photo"), required=False,
        widget=forms.FileInput(attrs={"accept": ACCEPT}),
        help_text=gettext_lazy("JPEG, PNG, WebP or GIF. Location data is removed."),
    )  # fmt: skip
    alt = forms.CharField(
        label=gettext_lazy("Alternative text"), max_length=300,
        help_text=gettext_lazy("Who is in the photo, for people who cannot see it."),
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def photo(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """The photo on the public page, with its alternative text; `do=remove` takes it away."""
    context: dict[str, Any] = {"portfolio": portfolio, "part": "overview", "back": _url(portfolio)}
    template = "projects/portfolio/home/photo.html"
    if request.method != "POST":
        form = PhotoForm(initial={"alt": portfolio.photo_alt})
        return answers.form_page(request, form, template=template, **context)
    do = request.POST.get("do", "")
    if do not in {"", "remove"}:
        raise BadInput(_("Choose save or remove."), field="do")
    if do == "remove":
        return answers.went(
            _url(portfolio), run_for(request, commands.SetPhoto(id=portfolio.pk, remove=True))
        )
    form = PhotoForm(request.POST, request.FILES)

    def write() -> OperationBatch:
        rates.check(picture_limits.UPLOAD, identity_of(request))
        file = form.cleaned_data["file"]
        key = store_upload(portfolio, file, file.size).pk if file else None
        return run_for(
            request, commands.SetPhoto(id=portfolio.pk, file=key, alt=form.cleaned_data["alt"])
        )

    saved = answers.save(form, write)
    if saved.batch is None:
        return answers.form_page(request, form, saved, template=template, **context)
    return answers.went(_url(portfolio), saved.batch)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    if request.method != "POST":
        context = {"portfolio": portfolio, "holdings": holdings_of(portfolio)}
        return render(request, "projects/portfolio/home/delete.html", context)
    batch = run_for(request, commands.DeletePortfolio(id=portfolio.pk))
    return answers.went(reverse("portfolio:home"), batch)


@require_safe
def export(request: HttpRequest, portfolio: Portfolio) -> StreamingHttpResponse:
    rates.check(limits.EXPORT, identity_of(request))
    pieces: Any = sent(partial(archive_of, portfolio))
    return streamed(pieces, "application/zip", f"{portfolio.slug}.zip")


@require_safe
def history(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    page = queries.history_of(portfolio, request.GET.get("after", ""))
    context = {"heading": _("Changes"), "groups": cards.groups(page.gestures)}
    template = "chat/operations/history.html"
    return render(request, template, {**context, "next_key": page.next_key})
