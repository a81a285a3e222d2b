"""Doors of single messages: reword or remove one that waits, edit the last, rate an answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from chat import actions
from chat.identity import identity_of
from chat.models import Run
from chat.pasted import sent_ranges, sent_text
from chat.queries import message_for
from chat.views.answering import asked_first, done, is_form, told
from futura.errors import FuturaError


@require_POST
@told
def reword(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    """Rewords a message that waits to be answered."""
    return _reworded(request, message_id, actions.edit_queued)


@require_POST
@told
def edit(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    """Rewords the last message and has it answered anew, once it is clear what that undoes."""
    said = message_for(identity_of(request), message_id)
    answered = said.runs.select_related("session").order_by("created_at").last()
    question = asked_first(request, answered, request.POST.get("text", ""))
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
@told
def remove(request: HttpRequest, message_id: uuid.UUID) -> HttpResponseBase:
    """Takes a waiting message back."""
    message = actions.remove_queued(identity=identity_of(request), message_id=message_id)
    return done(request, message.session, message=message.pk)


@require_POST
@told
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
