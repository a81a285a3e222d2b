"""Doors of the talk itself: send, stop, answer again, go on; draft, voice, claim."""

from __future__ import annotations

import uuid

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.views.decorators.http import require_POST

from chat import actions
from chat.identity import identity_of
from chat.pasted import sent_ranges, sent_text
from chat.queries import active_run, run_for, session_for
from chat.speech import written_down
from chat.views.answering import asked_first, done, id_in, told
from futura.errors import FuturaError
from futura.given import own_address
from futura.llm.client import Llm


@require_POST
@told
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
@told
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
@told
def retry_run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    """Answers the same message again."""
    run = actions.retry_run(identity=identity_of(request), run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@told
def regenerate(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    """Another answer to the same message, once it is clear what that undoes."""
    identity = identity_of(request)
    question = asked_first(request, run_for(identity, run_id))
    if question is not None:
        return question
    run = actions.regenerate(identity=identity, run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@told
def continue_run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponseBase:
    """Lets an answer go on that broke off."""
    run = actions.continue_run(identity=identity_of(request), run_id=run_id)
    return done(request, run.session, run=run.pk)


@require_POST
@told
def draft(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """Keeps what stands in the composer."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    text, pasted = sent_text(request.POST), sent_ranges(request.POST)
    actions.save_draft(identity=identity, session=session, text=text, pasted=pasted)
    return HttpResponse(status=204)


@require_POST
@told
def transcribe(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """Writes down a recording (field `audio`): `{"text"}`. The recording is not kept."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    text = written_down(request, identity=identity, llm=Llm(session_id=session.pk))
    return JsonResponse({"text": text})


@require_POST
@told
def claim(request: HttpRequest) -> HttpResponseBase:
    """Takes what this browser made into the account, then goes where the form says."""
    identity = identity_of(request)
    actions.claim(identity=identity)
    # not `redirect`, which takes a bare word for the name of a view
    return HttpResponseRedirect(own_address(request, request.POST.get("next", "")), status=303)
