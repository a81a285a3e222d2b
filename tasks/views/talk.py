"""The talk: the conversation with its margin, the suggestion cards, the way to the list."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from chat import actions as chat_actions, queries as chat_queries
from chat.identity import identity_of
from chat.models import Message
from chat.render import page_context
from chat.views.turns import is_htmx
from futura.errors import BadInput, Conflict, NotFound
from futura.parameters import whole
from tasks import actions
from tasks.campaigns.journey import closed_words, fixed_words
from tasks.interview import cards as card_actions
from tasks.interview.analysis import ANOTHER_QUESTION
from tasks.marking import mark, selected_place, words_of
from tasks.models import SurveyResponse
from tasks.presenters import cards_context, progress_of
from tasks.views.fragments import steps


@require_safe
def chat(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """The page; read-only once the list was sent."""
    context = {
        **page_context(request, response.session),
        "response": response,
        "progress": progress_of(response.session.state),
        "is_fixed": bool(fixed_words(response)),
        "closed": closed_words(response.campaign) if response.submitted_at is None else "",
        "steps": steps(1, response),
    }
    return render(request, "tasks/chat.html", context)


@require_POST
def cards(request: HttpRequest, response: SurveyResponse, message_id: uuid.UUID) -> HttpResponse:
    """Saves which cards of one display are picked; with `add`, says so in the talk."""
    if words := fixed_words(response):
        raise Conflict(words)
    identity = identity_of(request)
    message = chat_queries.message_for(identity, message_id)
    part = next((part for part in message.parts if part.get("type") == "suggestions"), None)
    if part is None or message.session_id != response.pk:
        raise NotFound
    picked = request.POST.getlist("card")
    session = card_actions.select(session=response.session, ids=picked, part=part)
    if request.POST.get("add") and (text := card_actions.naming(session)):
        chat_actions.send_message(identity=identity, session=session, text=text)
    if not is_htmx(request):
        return redirect("survey:chat", session_id=response.pk)
    context = {**cards_context(part, message, session), "oob": True}
    return render(request, "tasks/_suggestions_foot.html", context)


@require_POST
def another(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """“Ask me something else”: a message that wants another question and answers none."""
    if words := fixed_words(response):
        raise Conflict(words)
    identity = identity_of(request)
    chat_actions.send_message(
        identity=identity, session=response.session, text=str(ANOTHER_QUESTION)
    )
    if is_htmx(request):
        return HttpResponse(status=204)
    return redirect("survey:chat", session_id=response.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def words(request: HttpRequest, response: SurveyResponse, answer_id: uuid.UUID) -> HttpResponse:
    """Which words of an answer stand for tasks: a page, and the door of its marks and selections.

    POST takes `is_task` with `start` and `end`, or `words` (and `at`, about where they stand).
    """
    message = chat_queries.message_for(identity_of(request), answer_id)
    if message.session_id != response.pk or message.role != Message.Role.PERSON:
        raise NotFound
    if request.method != "POST":
        return _words_page(request, response, message)
    try:
        place = _place(request.POST, message)
        is_task = bool(request.POST.get("is_task"))
        mark(response=response, message=message, place=place, is_task=is_task)
    except BadInput as error:
        if is_htmx(request):
            raise
        return _words_page(request, response, message, problem=str(error), status=error.status)
    if is_htmx(request):
        return HttpResponse(status=204)  # the message comes by the socket
    return redirect("survey:words", session_id=response.pk, answer_id=message.pk)


def _place(query: QueryDict, message: Message) -> tuple[int, int]:
    """The stretch that is meant. Raises BadInput."""
    start, end = (whole(query.get(name), digits=6) for name in ("start", "end"))
    if start is not None and end is not None:
        return start, end
    near = whole(query.get("at"), digits=6) or 0
    return selected_place(message, query.get("words", ""), near)


def _words_page(
    request: HttpRequest,
    response: SurveyResponse,
    message: Message,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    words = words_of(response.session, [message])[message.pk]
    context = {
        "response": response,
        "message": message,
        "words": words.marked,
        "can_change": words.can_change,
        "typed": request.POST.get("words", ""),
        "problem": problem,
        "steps": steps(1, response),
    }
    return render(request, "tasks/words.html", context, status=status)


@require_POST
def finish(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """“Finish”: the list is written now."""
    if response.submitted_at is None:
        actions.start_pipeline(response.pk)
    url = reverse("survey:tasks", args=[response.pk])
    return HttpResponseClientRedirect(url) if is_htmx(request) else redirect(url)
