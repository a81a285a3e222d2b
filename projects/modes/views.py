"""Pages of conversations with the agent: starting one, talking, how its changes are made."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import Identity, identity_of
from chat.models import Session
from chat.operations import rendering
from chat.pasted import Ranges, sent_ranges, sent_text
from chat.presenters import presenter_for
from chat.render import page_context
from chat.views.turns import done, told
from futura import limits
from futura.errors import BadInput, NotFound
from projects import queries
from projects.models import ProjectDraft
from projects.modes import starting
from projects.modes.presenters import AgentPresenter, CreatePresenter
from projects.modes.state import CREATE, MODES
from projects.shown import conversation_url


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Where a project begins: a text field, and drafts to go on with; POST starts the talk.

    With `draft` it is about one that was begun without a talk; one that has its talk leads there.
    """
    identity = identity_of(request)
    draft = _draft(request, identity)
    if draft is not None and (there := conversation_url(draft)):
        return redirect(there)
    if request.method != "POST" and draft is not None:
        return render(request, "projects/agent/new.html", {"draft": draft})
    if request.method != "POST":
        asks = "fresh" not in request.GET and identity.is_known
        resume = queries.draft_to_resume(identity) if asks else None
        context = {"resume": resume, "talk_url": request.path}
        return render(request, "projects/agent/new.html", context)
    rates.check(limits.START, identity)

    def begin(text: str, pasted: Ranges) -> Session:
        participant = draft.owner if draft else identity.participant()
        return starting.start_create(
            participant=participant, first_text=text, pasted=pasted, draft=draft
        )

    return _begun(request, "projects/agent/new.html", {"draft": draft}, begin)


def _begun(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    begin: Callable[[str, Ranges], Session],
) -> HttpResponse:
    """Leads to the talk that begins; what is refused comes back in its form, with its marks."""
    text, pasted = sent_text(request.POST), list[tuple[int, int]]()
    try:
        pasted = list(sent_ranges(request.POST))
        with transaction.atomic():  # what is refused leaves no participant behind
            session = begin(text, pasted)
    except BadInput as error:
        form = {"text": text, "ranges": json.dumps(pasted), "problem": error}
        return render(request, template, {**context, **form}, status=error.status)
    return redirect("projects:agent_talk", talk_id=session.pk)


def _draft(request: HttpRequest, identity: Identity) -> ProjectDraft | None:
    """The caller's own draft that is named; NotFound for another's."""
    named = request.POST.get("draft") or request.GET.get("draft")
    if not named:
        return None
    try:
        draft_id = uuid.UUID(named)
    except ValueError:
        raise NotFound from None
    return queries.draft_for(identity, draft_id)


@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, project_id: uuid.UUID, mode: str) -> HttpResponse:
    """A mode of a project: its open conversations, or a new one by POST.

    With an open one it leads there, unless `?new=1`.
    """
    identity = identity_of(request)
    project = queries.project_for(identity, project_id)
    if MODES.get(mode, CREATE) == CREATE:
        raise NotFound
    context = {"project": project, "mode": mode, "presenter": presenter_for(MODES[mode])}
    if request.method == "POST":
        rates.check(limits.START, identity)

        def begin(text: str, pasted: Ranges) -> Session:
            return starting.start_about(
                participant=project.owner, project=project, mode=mode, first_text=text,
                pasted=pasted,
            )  # fmt: skip

        return _begun(request, "projects/agent/about.html", context, begin)
    talks = starting.open_conversations(identity, project, mode)
    if talks and "new" not in request.GET:
        return redirect("projects:agent_talk", talk_id=talks[0].pk)
    return render(request, "projects/agent/about.html", {**context, "talks": talks})


@require_safe
def conversation(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponse:
    """The talk with its panel."""
    identity = identity_of(request)
    session = starting.agent_session_for(identity, talk_id)
    presenter = presenter_for(session.kind)
    project = starting.project_of(identity, session)
    known = starting.open_conversations(identity, project) if project else []
    others = [one for one in known if one.pk != session.pk]
    context = {
        **page_context(request, session),
        **rendering.panel_context(request, session),
        "session": session,
        "project": project,
        "title": session.title or presenter.name,
        "mode": presenter.name,
        "others": [(one, presenter_for(one.kind).name) for one in others[:5]],
    }
    if isinstance(presenter, AgentPresenter):
        context["phase"] = presenter.phase(session, oob=False)
    if isinstance(presenter, CreatePresenter):
        context["draft"] = presenter.draft(session, oob=False)
    return render(request, "projects/agent/conversation.html", context)


@require_POST
@told
def tap(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponseBase:
    """A button of a creating conversation: its words as a message that says which button it was."""
    identity = identity_of(request)
    session = starting.agent_session_for(identity, talk_id)
    run = starting.tap(
        identity=identity, session=session, tap=request.POST.get("tap", ""),
        text=request.POST.get("text", ""),
    )  # fmt: skip
    return done(request, session, run=run.pk, message=run.message_id)
