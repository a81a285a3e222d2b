"""Doors of the talk: send, stop, answer again, go on; single messages; draft, voice, claim."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat import actions, rates
from chat.identity import Identity, identity_of
from chat.models import Run, Session
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.presenters import presenter_for
from chat.queries import active_run, message_for, run_for, session_for
from futura import limits
from futura.errors import BadInput, FuturaError, TooMany
from futura.llm.client import Llm
from futura.middleware import as_json
from futura.parameters import own_address

View = Callable[..., HttpResponseBase]


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, which reads the answer itself."""
    return request.headers.get("Accept", "").startswith("application/json")


def is_htmx(request: HttpRequest) -> bool:
    """Whether an open page asks for a fragment of itself."""
    return bool(getattr(request, "htmx", False))


def is_form(request: HttpRequest) -> bool:
    """Whether a plain form was sent, from a page that will be left for the answer."""
    return not wants_json(request) and not is_htmx(request)


def json_errors(view: View) -> View:
    """Tells errors as JSON to scripts that ask for it; pages get the usual ones."""

    @functools.wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except FuturaError as error:
            if not wants_json(request):
                raise
            answer = JsonResponse(as_json(error), status=error.status)
            if isinstance(error, TooMany):
                answer["Retry-After"] = str(error.retry_after_s)
            return answer

    return answered


def undo_question(request: HttpRequest, run: Run | None, text: str = "") -> HttpResponse | None:
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
    displayed = {"changes": changes, "text": text, "back": back, "action": request.path}
    return render(request, "chat/answer_anew.html", displayed)


def done(request: HttpRequest, session: Session, **body: Any) -> HttpResponse:
    """JSON for scripts, nothing for htmx (the socket shows it), back to the page for forms."""
    if wants_json(request):
        return JsonResponse(body, status=202)
    if is_htmx(request):
        return HttpResponse(status=204)
    return HttpResponseRedirect(presenter_for(session.kind).page_url(session), status=303)


def id_in(value: str | None) -> uuid.UUID | None:
    """The id in a field, None when it is empty. Raises BadInput."""
    if not value:
        return None
    try:
        return uuid.UUID(value)
    except ValueError:
        raise BadInput(_("That is not an ID.")) from None


@require_POST
@json_errors
def send(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """Takes a message; when it is refused, its text is kept as the draft."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    try:
        run = actions.send_message(
            identity=identity,
            session=session,
            text=text,
            client_id=id_in(request.POST.get("client_id")),
            pasted=pasted,
        )
    except FuturaError:
        actions.save_draft(identity=identity, session=session, text=text, pasted=pasted)
        raise
    return done(request, session, run=run.pk, message=run.message_id)


@require_POST
@json_errors
def stop(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """Stops a session's run: the one named, else the one at work; nothing when all is quiet."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    run_id = id_in(request.POST.get("run")) or getattr(active_run(session.pk), "pk", None)
    if run_id is None:
        return done(request, session, run=None)
    run = actions.stop_run(identity=identity, run_id=run_id)
    return done(request, session, run=run.pk, status=run.status)


@require_POST
@json_errors
def retry_run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    run = actions.retry_run(identity=identity_of(request), run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@json_errors
def regenerate(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    """Another answer to the same message, once it is clear what that undoes."""
    identity = identity_of(request)
    question = undo_question(request, run_for(identity, run_id))
    if question is not None:
        return question
    run = actions.regenerate(identity=identity, run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@json_errors
def continue_run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    run = actions.continue_run(identity=identity_of(request), run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@json_errors
def draft(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    identity = identity_of(request)
    session = session_for(identity, session_id)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    actions.save_draft(identity=identity, session=session, text=text, pasted=pasted)
    return HttpResponse(status=204)


@require_POST
@json_errors
def transcribe(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """Writes down a recording (field `audio`): `{"text"}`. The recording is not kept."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    text = written_down(request, identity=identity, llm=Llm(session_id=session.pk))
    return JsonResponse({"text": text})


@require_POST
@json_errors
def claim(request: HttpRequest) -> HttpResponseBase:
    """Takes what this browser made into the account, then goes where the form says."""
    identity = identity_of(request)
    actions.claim(identity=identity)
    # not `redirect`, which takes a bare word for the name of a view
    return HttpResponseRedirect(own_address(request, request.POST.get("next", "")), status=303)


@require_POST
@json_errors
def reword(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    return _reworded(request, message_id, actions.edit_queued)


@require_POST
@json_errors
def edit(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    """Rewords the last message and has it answered anew, once it is clear what that undoes."""
    message = message_for(identity_of(request), message_id)
    answered = message.runs.select_related("session").order_by("created_at").last()
    question = undo_question(request, answered, request.POST.get("text", ""))
    if question is not None:
        return question
    return _reworded(request, message_id, actions.edit_last)


def _reworded(
    request: HttpRequest, message_id: uuid.UUID, action: Callable[..., Run]
) -> HttpResponseBase:
    """When a form is refused, its text is kept in the composer; scripts have it still."""
    identity = identity_of(request)
    session = message_for(identity, message_id).session
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    try:
        run = action(identity=identity, message_id=message_id, text=text, pasted=pasted)
    except FuturaError:
        if is_form(request):
            actions.keep_refused(identity=identity, session=session, text=text)
        raise
    return done(request, session, run=run.pk, message=run.message_id)


@require_POST
@json_errors
def remove(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    message = actions.remove_queued(identity=identity_of(request), message_id=message_id)
    return done(request, message.session, message=message.pk)


@require_POST
@json_errors
def rate(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    """Keeps a rating (`good` or `bad`, with `reasons` and `comment`); an empty one forgets it."""
    identity = identity_of(request)
    session = message_for(identity, message_id).session
    rating = request.POST.get("rating", "")
    if rating:
        actions.rate_message(
            identity=identity,
            message_id=message_id,
            rating=rating,
            reasons=request.POST.getlist("reasons"),
            comment=request.POST.get("comment", ""),
        )
    else:
        actions.withdraw_rating(identity=identity, message_id=message_id)
    return done(request, session, rating=rating or None)


def written_down(request: HttpRequest, *, identity: Identity, llm: Llm) -> str:
    """The words of the recording in the field `audio`. Raises BadInput, TooMany, LlmError."""
    recording = request.FILES.get("audio")
    if recording is None or not recording.size:
        raise BadInput(_("This file contains no recording."), field="audio")
    if recording.size > limits.AUDIO_BYTES:
        raise BadInput(_("This recording is too long. Speak in shorter parts."), field="audio")
    rates.check(limits.TRANSCRIBE, identity)
    name = str(recording.name or "speech.webm")[-40:]
    return llm.transcribe(recording.read(), filename=name)
