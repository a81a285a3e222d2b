"""How the engine's doors answer: JSON for scripts, little for htmx, a way back for forms."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from chat.models import Run, Session
from chat.operations import rendering
from chat.presenters import presenter_for
from futura.errors import BadInput, FuturaError, TooMany
from futura.middleware import as_json

View = Callable[..., HttpResponseBase]


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, which reads the answer itself."""
    return request.headers.get("Accept", "").startswith("application/json")


def is_form(request: HttpRequest) -> bool:
    """Whether a plain form was sent, from a page that will be left for the answer."""
    return not wants_json(request) and not getattr(request, "htmx", False)


def told(view: View) -> View:
    """Tells errors as JSON to scripts that ask for it; pages get the usual ones."""

    @functools.wraps(view)
    def telling(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except FuturaError as error:
            if not wants_json(request):
                raise
            answer = JsonResponse(as_json(error), status=error.status)
            if isinstance(error, TooMany):
                answer["Retry-After"] = str(error.retry_after_s)
            return answer

    return telling


def asked_first(request: HttpRequest, run: Run | None, text: str = "") -> HttpResponse | None:
    """For plain forms: the question whether to undo what an answer changed, before it is made anew.

    None when nothing stands of it, when the form says that it was asked (`sure`), and for scripts,
    which ask by themselves. `text` is the reworded message, which the question keeps.
    """
    if not is_form(request) or run is None or request.POST.get("sure"):
        return None
    changes = rendering.written(run)
    if not changes:
        return None
    back = presenter_for(run.session.kind).page_url(run.session)
    shown = {"changes": changes, "text": text, "back": back, "action": request.path}
    return render(request, "chat/answer_anew.html", shown)


def done(request: HttpRequest, session: Session, **body: Any) -> HttpResponse:
    """JSON for scripts, nothing for htmx (the socket shows it), back to the page for forms."""
    if wants_json(request):
        return JsonResponse(body, status=202)
    if getattr(request, "htmx", False):
        return HttpResponse(status=204)
    back = redirect(presenter_for(session.kind).page_url(session))
    back.status_code = 303
    return back


def id_in(value: str | None) -> uuid.UUID | None:
    """The id in a field, None when it is empty. Raises BadInput."""
    if not value:
        return None
    try:
        return uuid.UUID(value)
    except ValueError:
        raise BadInput(_("That is not an ID.")) from None
