"""Doors of visitors: the page of a portfolio, its works, their pictures, asking and writing to its
owner, who sees the same before, and while, they do; and the widget on other sites.
"""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from csp.decorators import csp_replace
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import actions as chat_actions, languages
from chat.events.log import tail
from chat.identity import FRAME_FIELD, Identity, frame_token, identity_of, identity_of_frame
from chat.models import Session
from chat.queries import active_run
from chat.render import run_state, socket_url, transcript
from chat.resends import once
from chat.views.turns import View, id_in, json_errors, wants_json
from futura.errors import FuturaError, NotAllowed, NotFound, TooMany, Unavailable
from futura.rows import only
from projects.portfolio import queries
from projects.portfolio.article import article_of
from projects.portfolio.contact_review import hider
from projects.portfolio.doors import View as Door, own_portfolio
from projects.portfolio.entries.pictures import respond
from projects.portfolio.models import Portfolio
from projects.portfolio.public import page
from projects.portfolio.public.page import Addresses, absolute
from projects.portfolio.queries import published_portfolio
from projects.portfolio.visitors import actions
from projects.portfolio.visitors.contract import QUESTION_CHARS


def for_visitors(view: Door) -> Door:
    """The door of everybody: a published portfolio by its public address.

    A picture is the same for all: who asks for it is not looked at, so that caches may keep it.
    """

    @functools.wraps(view)
    def opened(request: HttpRequest, slug: str, **more: Any) -> HttpResponseBase:
        portfolio = published_portfolio(slug=slug)
        displayed = partial(view, request, portfolio, Addresses(portfolio), **more)
        return displayed() if view is image else _in_its_language(request, portfolio, displayed)

    return json_errors(opened)


def for_owner(view: Door) -> Door:
    """The door of its owner, whether it is published or not."""

    @own_portfolio
    @functools.wraps(view)
    def opened(request: HttpRequest, portfolio: Portfolio, **more: Any) -> HttpResponseBase:
        displayed = partial(view, request, portfolio, Addresses(portfolio, is_preview=True), **more)
        return _in_its_language(request, portfolio, displayed)

    return never_cache(json_errors(opened))


def _in_its_language(
    request: HttpRequest, portfolio: Portfolio, answer: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """A page in the portfolio's language; who asks for the first time keeps their own elsewhere."""
    identity = identity_of(request)
    identity.language = identity.language or languages.current()
    own = portfolio.language_for(identity.participant_ids, identity.chosen_language)
    return languages.answered_in(own, answer)


ask_page = require_safe(page.ask_page)
work_page = require_safe(page.work_page)


@require_safe
def privacy_page(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    displayed = {
        "portfolio": portfolio,
        "addresses": addresses,
        "title": portfolio.owner_name,
        "retention_days": settings.PORTFOLIO_VISIT_DAYS,
    }
    return render(request, "projects/portfolio/public/privacy.html", displayed)


@require_safe
def entry_page(
    request: HttpRequest, portfolio: Portfolio, addresses: Addresses, entry_slug: str
) -> HttpResponse:
    """A piece of work as a page, with what search engines and other sites show of it."""
    published = queries.published_entries(portfolio).filter(slug=entry_slug)
    entry = only(published.select_related("portfolio"))
    article = article_of(entry, image_url=addresses.image, hide=hider(portfolio))
    context = {
        "portfolio": portfolio,
        "addresses": addresses,
        "article": article,
        "title": article.seo_title,
        "description": article.seo_description,
        "canonical": absolute(addresses.entry(entry.slug)),
        "picture": absolute(article.hero.url) if article.hero else "",
        "picture_alt": article.hero.alt if article.hero else "",
    }
    return render(request, "projects/portfolio/public/entry.html", context)


@require_safe
def image(
    request: HttpRequest,
    portfolio: Portfolio,
    addresses: Addresses,
    image_id: uuid.UUID | None = None,
) -> HttpResponse:
    """A picture of a published work, or the photo of its person (`w`: at most so wide)."""
    stored = queries.published_image(portfolio, image_id)
    return respond(request, stored, is_public=not addresses.is_preview)


@require_POST
@once
def ask(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    """A question (`text`, `client_id`); refused, the page shows it again with the reason."""
    identity = identity_of(request)
    text = request.POST.get("text", "")
    client_id = id_in(request.POST.get("client_id"))
    try:
        actions.ask(identity=identity, portfolio=portfolio, text=text, client_id=client_id)
    except FuturaError as error:
        if wants_json(request):
            raise
        return page.ask_page(request, portfolio, addresses, typed=text, refusal=error)
    return HttpResponseRedirect(addresses.page, status=303)


@require_POST
def new(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    """Begins anew: the conversation there was is put away."""
    identity = identity_of(request)
    session = queries.visit_of(identity, portfolio)
    if session is not None:
        chat_actions.archive_session(identity=identity, session_id=session.pk)
    return HttpResponseRedirect(addresses.page, status=303)


@require_safe
@never_cache
def visit(request: HttpRequest, visit_id: uuid.UUID) -> HttpResponse:
    """From a conversation to the page it belongs to; the owner's own may be a preview."""
    identity = identity_of(request)
    portfolio = queries.portfolio_of_visit(identity, visit_id)
    if portfolio.status == Portfolio.Status.PUBLISHED:
        where = Addresses(portfolio).page
    elif identity.owns(portfolio.owner_id):
        where = Addresses(portfolio, is_preview=True).page
    else:
        raise NotFound
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{where}?{query}" if query else where)


class ContactForm(forms.Form):
    """`website` is filled by machines only."""

    sender = forms.CharField(label=_("Your name"), max_length=120)
    reply_to = forms.EmailField(label=_("Your email address"), help_text=_("For the reply."))
    text = forms.CharField(
        label=_("Message"), max_length=2_000, widget=forms.Textarea(attrs={"rows": 6})
    )
    website = forms.CharField(required=False, widget=forms.HiddenInput)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@once
def contact(request: HttpRequest, portfolio: Portfolio, addresses: Addresses) -> HttpResponse:
    form = ContactForm(request.POST or None)
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        values = {name: form.cleaned_data[name] for name in ("sender", "reply_to", "text")}
        try:
            if not form.cleaned_data["website"]:
                actions.write_to_owner(identity=identity_of(request), portfolio=portfolio, **values)
        except (TooMany, Unavailable) as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            return redirect(f"{addresses.contact}?sent=yes")
    context = {
        "portfolio": portfolio, "addresses": addresses, "form": form, "part": "contact",
        "title": portfolio.owner_name, "canonical": request.build_absolute_uri(addresses.contact),
        "is_sent": "sent" in request.GET,
    }  # fmt: skip
    return render(request, "projects/portfolio/public/contact.html", context, status=status)


# The widget -------------------------------------------------------------------------------------
# One script, one frame, no cookies: the frame carries a token that the server put there, and the
# conversation belongs to it. What the browser sends of itself, cookies above all, says nothing.
# this page alone may stand in others
_anywhere = cast("Callable[[View], View]", csp_replace({"frame-ancestors": ["*"]}))


def for_frames(view: Door) -> Door:
    """The door of frames on other sites: a published portfolio, in its language."""

    @functools.wraps(view)
    def opened(request: HttpRequest, slug: str) -> HttpResponseBase:
        portfolio = published_portfolio(slug=slug)
        return languages.answered_in(portfolio.language, partial(view, request, portfolio))

    return never_cache(xframe_options_exempt(_anywhere(json_errors(opened))))


@for_frames
@require_safe
def widget(_request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """The page in the frame, with a token that nobody had before."""
    return _frame(portfolio, frame_token(), None)


@csrf_exempt  # there is no cookie to abuse: the token in the form is the whole right
@for_frames
@require_POST
def widget_ask(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """A question from the frame (`visitor`, `text`, `client_id`)."""
    token, identity = _caller(request)
    text = request.POST.get("text", "")
    client_id = id_in(request.POST.get("client_id"))
    try:
        session = actions.ask(
            identity=identity, portfolio=portfolio, text=text, client_id=client_id
        )
    except FuturaError as error:
        if wants_json(request):
            raise
        visit = queries.visit_of(identity, portfolio)
        return _frame(portfolio, token, visit, typed=text, refusal=error)
    if wants_json(request):
        return JsonResponse({"visit": str(session.pk)}, status=202)
    return _frame(portfolio, token, session)


@csrf_exempt
@for_frames
@require_POST
def widget_stop(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
    """Stops the answer that is being made (`visitor`)."""
    _token, identity = _caller(request)
    session = queries.visit_of(identity, portfolio)
    run = active_run(session.pk) if session is not None else None
    if run is not None:
        chat_actions.stop_run(identity=identity, run_id=run.pk)
    return JsonResponse({"run": str(run.pk) if run else None}, status=202)


@require_safe
def widget_script(_request: HttpRequest, slug: str) -> HttpResponse:
    """What other sites include: a button that opens the frame."""
    portfolio = published_portfolio(slug=slug)
    return languages.answered_in(portfolio.language, lambda: _script(portfolio))


def _script(portfolio: Portfolio) -> HttpResponse:
    labels = {
        "frame": absolute(reverse("visitors:widget", args=[portfolio.slug])),
        "open": gettext("Ask %(name)s") % {"name": portfolio.owner_name},
        "close": gettext("Close"),
    }
    text = render_to_string("projects/portfolio/public/widget.js", {"settings": json.dumps(labels)})
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "public, max-age=3600"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _caller(request: HttpRequest) -> tuple[str, Identity]:
    """The token of the form and who it stands for. Raises NotAllowed for one that is not ours."""
    token = request.POST.get(FRAME_FIELD, "")
    identity = identity_of_frame(token, address=str(request.META.get("REMOTE_ADDR") or ""))
    if not identity.frame_key:
        raise NotAllowed(gettext("This page has expired. Reload it."))
    return token, identity


def _frame(
    portfolio: Portfolio,
    token: str,
    session: Session | None,
    *,
    typed: str = "",
    refusal: FuturaError | None = None,
) -> HttpResponse:
    public = queries.public_of(portfolio)
    displayed: dict[str, Any] = {
        "portfolio": portfolio,
        "profile": public.profile,
        "addresses": Addresses(portfolio),
        "starters": page.starters_of(public),
        "token": token,
        "client_id": uuid.uuid4(),
        "limit": QUESTION_CHARS,
        "visit": session,
        "ask_url": reverse("visitors:widget_ask", args=[portfolio.slug]),
        "stop_url": reverse("visitors:widget_stop", args=[portfolio.slug]),
        "typed": typed,
        "refusal": str(refusal or ""),
    }
    if session is not None:
        displayed["chat"] = {
            "messages": transcript(session),
            "socket": f"{socket_url(session, 'chat')}&{FRAME_FIELD}={token}",
            "cursor": str(tail(session.pk) or ""),
            "session": session,
            **run_state(session, active_run(session.pk)),
        }
    html = render_to_string("projects/portfolio/public/widget.html", displayed)
    return HttpResponse(html, status=refusal.status if refusal else 200)
