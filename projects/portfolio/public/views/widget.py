"""The conversation as a widget on other sites: one script, one frame, no cookies.

The frame carries a token that the server put there; the conversation belongs to it. What the
browser sends of itself, cookies above all, says nothing here.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any, Final, cast

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from chat import actions as chat_actions
from chat.events.log import tail
from chat.identity import FRAME_FIELD, Identity, frame_token, identity_of_frame
from chat.languages import answered_in
from chat.models import Session
from chat.queries import active_run
from chat.render import run_state, socket_url, transcript
from chat.views.turns import View, id_in, told, wants_json
from futura.errors import FuturaError, NotAllowed
from futura.limits import storable
from projects.portfolio.models import Portfolio
from projects.portfolio.public import actions, addresses, structured
from projects.portfolio.public.page import QUESTION_CHARS, starters_of
from projects.portfolio.public.queries import public_of, visit_of
from projects.portfolio.queries import published_portfolio

SCRIPT_AGE_S: Final = 3_600
# this page alone may stand in others
_anywhere = cast("Callable[[View], View]", csp_replace({"frame-ancestors": ["*"]}))


@require_safe
@never_cache
@xframe_options_exempt
@_anywhere
def frame(_request: HttpRequest, slug: str) -> HttpResponse:
    """The page in the frame, with a token that nobody had before."""
    portfolio = published_portfolio(slug)
    return answered_in(portfolio.language, lambda: _frame(portfolio, frame_token(), None))


@csrf_exempt  # there is no cookie to abuse: the token in the form is the whole right
@require_POST
@never_cache
@xframe_options_exempt
@_anywhere
@told
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """A question from the frame (`visitor`, `text`, `client_id`)."""
    portfolio = published_portfolio(slug)
    return answered_in(portfolio.language, lambda: _asked(request, portfolio))


def _asked(request: HttpRequest, portfolio: Portfolio) -> HttpResponse:
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
        visit = visit_of(identity, portfolio)
        refused = {"typed": storable(text), "refusal": str(error)}
        return _frame(portfolio, token, visit, status=error.status, **refused)
    if wants_json(request):
        return JsonResponse({"visit": str(session.pk)}, status=202)
    return _frame(portfolio, token, session)


@csrf_exempt
@require_POST
@never_cache
@told
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Stops the answer that is being made (`visitor`)."""
    portfolio = published_portfolio(slug)
    _token, identity = _caller(request)
    session = visit_of(identity, portfolio)
    run = active_run(session.pk) if session is not None else None
    if run is not None:
        chat_actions.stop_run(identity=identity, run_id=run.pk)
    return JsonResponse({"run": str(run.pk) if run else None}, status=202)


@require_safe
def script(_request: HttpRequest, slug: str) -> HttpResponse:
    """What other sites include: a button that opens the frame."""
    portfolio = published_portfolio(slug)
    return answered_in(portfolio.language, lambda: _script(portfolio))


def _script(portfolio: Portfolio) -> HttpResponse:
    settings = {
        "frame": structured.absolute(reverse("visitors:widget", args=[portfolio.slug])),
        "open": _("Ask %(name)s") % {"name": portfolio.owner_name},
        "close": _("Close"),
    }
    text = render_to_string(
        "projects/portfolio/public/widget.js", {"settings": json.dumps(settings)}
    )
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={SCRIPT_AGE_S}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _caller(request: HttpRequest) -> tuple[str, Identity]:
    """The token of the form and who it stands for. Raises NotAllowed for one that is not ours."""
    token = request.POST.get(FRAME_FIELD, "")
    identity = identity_of_frame(token, address=str(request.META.get("REMOTE_ADDR") or ""))
    if not identity.frame_key:
        raise NotAllowed(_("This page has expired. Reload it."))
    return token, identity


def _frame(
    portfolio: Portfolio,
    token: str,
    session: Session | None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The frame's page. Rendered without the request, so that nothing can set a cookie."""
    public = public_of(portfolio)
    at = addresses.public(portfolio)
    shown: dict[str, Any] = {
        "portfolio": portfolio,
        "profile": public.profile,
        "addresses": at,
        "starters": starters_of(public),
        "token": token,
        "client_id": uuid.uuid4(),
        "limit": QUESTION_CHARS,
        "visit": session,
        "ask_url": reverse("visitors:widget_ask", args=[portfolio.slug]),
        "stop_url": reverse("visitors:widget_stop", args=[portfolio.slug]),
        **more,
    }
    if session is not None:
        cursor = str(tail(session.pk) or "")
        shown["chat"] = {
            "messages": transcript(session),
            "socket": f"{socket_url(session, 'chat')}&{FRAME_FIELD}={token}",
            "cursor": cursor,
            "session": session,
            **run_state(session, active_run(session.pk)),
        }
    page = render_to_string("projects/portfolio/public/widget.html", shown)
    return HttpResponse(page, status=status)
