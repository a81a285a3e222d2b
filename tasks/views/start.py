"""The way in: home, the account, the job title, the picker of occupations."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import identity_beginning, identity_of
from chat.queries import message_for
from chat.resends import once
from chat.views.turns import json_errors, written_down
from futura import limits, parameters
from futura.errors import BadInput, NotFound, TooMany
from futura.limits import JOB_TITLE_CHARS
from futura.llm.client import Llm
from futura.llm.stages import is_configured
from onet import queries as onet
from onet.candidates import OccupationHit, TitleHit
from onet.titles import suggest_titles
from onet.translations import is_english, occupations_named
from tasks import actions, queries
from tasks.forms import StartForm
from tasks.views.fragments import steps


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Email, password, work to take over, the surveys of this account."""
    context = {
        "responses": queries.responses_of(identity_of(request)),
        "claimable": claimable(request),
    }
    return render(request, "tasks/account.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, where it goes, how to get rid of it."""
    return render(request, "tasks/privacy.html")


MAX_SHOWN: Final = 8
MIN_TYPED: Final = 2
OFFERED: Final = 5
LIKELY: Final = 0.5
"""From this score on, which is a share of 1, an occupation is likelier than all others together."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What Futura is, the way in, and the person's own surveys to go on with."""
    identity = identity_of(request)
    context = {
        "form": StartForm(),
        "responses": queries.responses_of(identity) if identity.is_known else [],
        "claimable": claimable(request),
    }
    return render(request, "tasks/home.html", context)


def claimable(request: HttpRequest) -> bool:
    """Signed in, with work done on this device before."""
    identity = identity_of(request)
    return identity.user_id is not None and identity.cookie_participant_id is not None


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Asks for the job title, offers occupations, starts the talk."""
    if request.method == "POST":
        return _choice(request) or _begin(request)
    title = request.GET.get("title", "")[: JOB_TITLE_CHARS + 1]
    form = StartForm(initial={"title": title, "initial_tasks": _said(request)})
    return _page(request, form, picker=offered(title, request))


def _said(request: HttpRequest) -> str:
    """What the person has told elsewhere, such as at home, by the id of their message."""
    try:
        key = uuid.UUID(request.GET.get("said", ""))
        return message_for(identity_of(request), key).text
    except (ValueError, NotFound):
        return ""


def _choice(request: HttpRequest) -> HttpResponse | None:
    """The page to choose an occupation on, where none was offered yet and there are some."""
    form = StartForm(request.POST)
    if "occupation" not in request.POST and form.is_valid():
        picker = offered(request.POST.get("title", ""), request)
        return _page(request, form, picker=picker) if picker else None
    return None


@once
def _begin(request: HttpRequest) -> HttpResponse:
    form, title = StartForm(request.POST), request.POST.get("title", "")
    identity = identity_beginning(request)
    try:
        values = form.values()
        with transaction.atomic():  # what is refused leaves no participant behind
            response = actions.start_survey(
                participant=identity.participant(),
                **values,
                language=parameters.language(request.headers.get("Accept-Language", "")),
            )
            rates.check(limits.START, identity)  # what cannot be used is not counted
    except BadInput as error:
        form.refuse(error)
        return _page(request, form, picker=offered(title), status=422)
    except TooMany as error:
        page = _page(request, form, picker=offered(title), error=error, status=error.status)
        page["Retry-After"] = str(error.retry_after_s)
        return page
    return redirect("survey:chat", session_id=response.pk)


def offered(title: str, request: HttpRequest | None = None) -> list[OccupationHit]:
    """The five closest occupations of a usable title.

    In a request, a model may say what the title is called in English: where nothing is close to it,
    or the person writes in another language.
    """
    cleaned = " ".join(title.replace("\x00", "").split())
    if not cleaned or len(cleaned) > JOB_TITLE_CHARS:
        return []
    near = onet.pick_occupations(cleaned, limit=OFFERED)
    named = occupations_named(cleaned, llm=_model_for(request, is_found=bool(near)))
    return list({hit.code: hit for hit in (*named, *near)}.values())[:OFFERED]


def _model_for(request: HttpRequest | None, *, is_found: bool) -> Llm | None:
    if request is None:
        return None
    language = parameters.language(request.headers.get("Accept-Language", ""))
    if is_found and is_english(language):
        return None
    try:
        rates.check(limits.READ, identity_of(request))
    except TooMany:
        return None
    return Llm()


def marked(picker: Sequence[OccupationHit], chosen: object = "") -> str:
    """Which occupation of a picker stands chosen: a code, or `none`.

    The person's choice; else the first where it is likelier than all others together.
    """
    if any(hit.code == chosen for hit in picker):
        return str(chosen)
    is_likely = bool(picker) and not chosen and picker[0].score >= LIKELY
    return picker[0].code if is_likely else "none"


def _page(
    request: HttpRequest,
    form: StartForm,
    *,
    picker: list[OccupationHit],
    status: int = 200,
    error: TooMany | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "picker": picker,
        "chosen": marked(picker, form["occupation"].value()),
        "steps": steps(0),
        "can_transcribe": is_configured(),
        "wait_s": error.retry_after_s if error else 0,
        "wait_says": str(error or ""),
    }
    return render(request, "tasks/start.html", context, status=status)


@require_safe
def titles(request: HttpRequest) -> HttpResponse:
    """The options of the typeahead for what was typed so far, and the line under the field.

    Fragments. One letter is too little to look up, and to say that nothing is like it.
    """
    typed = " ".join(request.GET.get("title", "").replace("\x00", "").split())[:JOB_TITLE_CHARS]
    if len(typed) < MIN_TYPED:
        typed = ""
    hits = suggest_titles(typed, limit=MAX_SHOWN) if typed else []
    context = {"options": [_option(hit, typed) for hit in hits], "typed": typed}
    return render(request, "tasks/_titles.html", context)


def _option(hit: TitleHit, typed: str) -> dict[str, str]:
    """A title of the typeahead, cut where the typed words lie, with its occupations."""
    at = hit.title.lower().find(typed.lower())
    start, end = (at, at + len(typed)) if at >= 0 else (0, 0)
    names = [occupation.title for occupation in hit.occupations]
    note = ", ".join(names[:2])
    if len(names) > 2:
        note = _("%(names)s and %(more)d more") % {"names": note, "more": len(names) - 2}
    return {
        "before": hit.title[:start],
        "typed": hit.title[start:end],
        "after": hit.title[end:],
        "title": hit.title,
        "note": note,
    }


@require_POST
@json_errors
def transcribe(request: HttpRequest) -> HttpResponseBase:
    """Writes down a recording (field `audio`) before there is a talk: `{"text"}`; keeps nothing."""
    text = written_down(request, identity=identity_of(request), llm=Llm())
    return JsonResponse({"text": text})


@require_safe
def occupations(request: HttpRequest) -> HttpResponse:
    """The picker for a title (a fragment)."""
    picker = offered(request.GET.get("title", ""), request)
    context = {"picker": picker, "chosen": marked(picker)}
    return render(request, "tasks/_picker.html", context)
