"""Pages of the conversations about projects: starting one, talking, and what audits and forecasts
are sent."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.actions import send_message
from chat.identity import Identity, identity_beginning, identity_of
from chat.models import Session
from chat.operations import rendering
from chat.pasted import sent_ranges, sent_text
from chat.presenters import presenter_for
from chat.render import page_context
from chat.resends import once
from chat.views.turns import done, json_errors
from futura import limits
from futura.errors import BadInput, NotFound
from futura.parameters import key
from projects import queries
from projects.forecasting.pages import page_of
from projects.forecasting.queries import forecast_for, inputs_of
from projects.forecasting.variants import REST, Variant, is_unknown, variants_as_json
from projects.forecasting.wording import branch_title
from projects.models import ProjectDraft
from projects.modes import starting
from projects.modes.audit import findings
from projects.modes.basic import PART, Tap
from projects.modes.forecast import ASSUMED
from projects.modes.presenters import AgentPresenter, CreatePresenter
from projects.modes.state import CREATE, FORECAST, MODES
from projects.project_page import conversation_url
from projects.views import answers

BUTTON_CHARS: Final = 200


@require_http_methods(["GET", "HEAD", "POST"])
@once
def new(request: HttpRequest) -> HttpResponse:
    """Where a project begins: a text field, and drafts to go on with; POST starts the talk.

    With `draft` it is about one that was begun without a talk; one that has its talk leads there.
    """
    identity = identity_beginning(request)
    draft = _draft(request, identity)
    if draft is not None and (there := conversation_url(draft)):
        return redirect(there)
    if request.method != "POST" and draft is not None:
        return render(request, "projects/agent/new.html", {"draft": draft})
    if request.method != "POST":
        asks = "fresh" not in request.GET and identity.is_known
        resume = queries.draft_to_resume(identity) if asks else None
        return render(request, "projects/agent/new.html", {"resume": resume})
    rates.check(limits.START, identity)

    def begin(**first: Any) -> Session:
        participant = draft.owner if draft else identity.participant()
        return starting.start(participant=participant, draft=draft, **first)

    return _begun(request, "projects/agent/new.html", {"draft": draft}, begin)


def _begun(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    begin: Callable[..., Session],
) -> HttpResponse:
    """Leads to the talk that begins; what is refused comes back in its form, with its marks."""
    text, pasted = sent_text(request.POST), list[tuple[int, int]]()
    try:
        pasted = list(sent_ranges(request.POST))
        with transaction.atomic():  # what is refused leaves no participant behind
            session = begin(first_text=text, pasted=pasted)
    except BadInput as error:
        form = {"text": text, "ranges": json.dumps(pasted), "problem": error}
        return render(request, template, {**context, **form}, status=error.status)
    return redirect("projects:agent_talk", talk_id=session.pk)


def _draft(request: HttpRequest, identity: Identity) -> ProjectDraft | None:
    """The caller's own draft that is named; NotFound for another's."""
    named = request.POST.get("draft") or request.GET.get("draft")
    if not named:
        return None
    draft_id = key(named)
    if draft_id is None:
        raise NotFound
    return queries.draft_for(identity, draft_id)


@require_http_methods(["GET", "HEAD", "POST"])
@once
def about(request: HttpRequest, project_id: uuid.UUID, mode: str) -> HttpResponse:
    """A mode of a project: its open conversation, or a new one by POST."""
    identity = identity_of(request)
    project = queries.project_for(identity, project_id)
    if MODES.get(mode, CREATE) == CREATE:
        raise NotFound
    context = {"project": project, "mode": mode, "presenter": presenter_for(MODES[mode])}
    if request.method == "POST":
        rates.check(limits.START, identity)
        begin = partial(starting.start, participant=project.owner, project=project, mode=mode)
        return _begun(request, "projects/agent/about.html", context, begin)
    for talk in queries.conversations_about(project):
        if talk.kind == MODES[mode]:
            return redirect("projects:agent_talk", talk_id=talk.pk)
    return render(request, "projects/agent/about.html", context)


@require_safe
def conversation(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponse:
    identity = identity_of(request)
    session = starting.agent_session_for(identity, talk_id)
    presenter = presenter_for(session.kind)
    project = starting.project_of(session)
    context = {
        **page_context(request, session),
        **rendering.panel_context(request, session),
        "session": session,
        "project": project,
        "title": session.title or presenter.name,
        "mode": presenter.name,
    }
    if isinstance(presenter, AgentPresenter):
        context["phase"] = presenter.phase(session, oob=False)
    if isinstance(presenter, CreatePresenter):
        context["draft"] = presenter.draft(session, oob=False)
    return render(request, "projects/agent/conversation.html", context)


@require_POST
@json_errors
def tap(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponseBase:
    """A button of a creating conversation: its words as a message that says which button it was."""
    identity = identity_of(request)
    session = starting.agent_session_for(identity, talk_id)
    tapped, text = request.POST.get("tap", ""), request.POST.get("text", "")
    if tapped not in set(Tap):
        raise BadInput(_("Choose one of the buttons."), field="tap")
    if len(text) > BUTTON_CHARS:
        raise BadInput(_("This is not the text of a button."), field="text")
    return _pressed(request, session, tapped, text)


def _pressed(request: HttpRequest, session: Session, tap: str, text: str) -> HttpResponseBase:
    part = {"type": PART, "tap": tap, "text": text}
    run = send_message(identity=identity_of(request), session=session, text=text, parts=[part])
    return done(request, session, run=run.pk, message=run.message_id)


# Audits -------------------------------------------------------------------------------------------
@require_POST
def implement(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponse:
    """Opens the updating conversation with the changes that wait."""
    session = findings.implement(
        identity=identity_of(request),
        session_id=audit_id,
        finding_ids=request.POST.getlist("finding")[:50],
    )
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))


@require_POST
def harshness(request: HttpRequest, audit_id: uuid.UUID) -> HttpResponseBase:
    """Audits again, as frankly as was chosen."""
    session = findings.choose_harshness(
        identity=identity_of(request),
        session_id=audit_id,
        harshness=request.POST.get("harshness", ""),
    )
    return _pressed(request, session, Tap.AGAIN, _("Audit again"))


@require_POST
def answer(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Notes an answer to a finding; `dismiss` in place of words sets it aside."""
    row = findings.finding_for(identity_of(request), finding_id)
    text = "" if "dismiss" in request.POST else request.POST.get("answer", "")
    if not text.strip() and "dismiss" not in request.POST:
        raise BadInput(_("Enter an answer or dismiss the finding."), field="answer")
    findings.settle(row, text, replaces=False)
    return _back(request)


@require_POST
def reopen(request: HttpRequest, finding_id: uuid.UUID) -> HttpResponse:
    """Takes an answer back."""
    findings.reopen(findings.finding_for(identity_of(request), finding_id))
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    return answers.led(request, answers.next_url(request, reverse("projects:list")))


# Forecasts ----------------------------------------------------------------------------------------
@require_safe
def forecast(request: HttpRequest, forecast_id: uuid.UUID) -> HttpResponse:
    """A forecast as it was made, and how good it was where that is known."""
    row = forecast_for(identity_of(request), forecast_id)
    context = {"page": page_of(row), "forecast": row, "project": row.project}
    return render(request, "projects/forecast.html", context)


class AssumeForm(forms.Form):
    """Everything is optional; `way` says whether it counts from now on or is tried beside."""

    task = forms.CharField(max_length=40, required=False)
    low = forms.FloatField(min_value=0, max_value=3650, required=False)
    high = forms.FloatField(min_value=0, max_value=3650, required=False)
    people = forms.FloatField(min_value=0.05, max_value=50, required=False)
    hours = forms.FloatField(min_value=0.5, max_value=100, required=False)
    away_from = forms.DateField(required=False)
    away_to = forms.DateField(required=False)
    deadline = forms.DateField(required=False)
    way = forms.ChoiceField(choices=[("count", "count"), ("what_if", "what if")])

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("away_from"), values.get("away_to")
        if first and last and last < first:
            raise forms.ValidationError(_("The last day away is before the first."))
        if not self.errors and not self.variants():
            raise forms.ValidationError(_("Enter at least one value."))
        return values

    def variants(self) -> list[Variant]:
        """The typed changes that the fields say."""
        values = self.cleaned_data
        variants: list[Variant] = []
        ends = [values[name] for name in ("low", "high") if values[name] is not None]
        if ends:
            task = values["task"] or REST
            variants.append(Variant(kind="takes", task=task, low=min(ends), high=max(ends)))
        if values["people"]:
            variants.append(Variant(kind="team", people=values["people"]))
        if values["hours"]:
            variants.append(Variant(kind="hours", hours=values["hours"]))
        if first := values["away_from"] or values["away_to"]:
            variants.append(Variant(kind="away", first=first, last=values["away_to"] or first))
        if values["deadline"]:
            variants.append(Variant(kind="deadline", day=values["deadline"]))
        return variants


@require_POST
def assume(request: HttpRequest, forecast_talk_id: uuid.UUID) -> HttpResponse:
    """Sends the values as a message with a sentence that says them; the answer computes them.

    Leads back to the conversation. NotFound for other people's to-dos.
    """
    identity = identity_of(request)
    session = starting.agent_session_for(identity, forecast_talk_id, FORECAST)
    form = AssumeForm(request.POST)
    if not form.is_valid():
        raise BadInput(" ".join(str(item) for each in form.errors.values() for item in each))
    variants, way = form.variants(), form.cleaned_data["way"]
    project = queries.project_for(identity, uuid.UUID(str(session.state.get("project_id"))))
    inputs = inputs_of(project, queries.tasks_of(project), today=timezone.localdate())
    if any(is_unknown(variant, inputs) for variant in variants):
        raise NotFound
    title = branch_title(variants, inputs)
    text = _("What if %(title)s?") % {"title": title} if way == "what_if" else f"{capfirst(title)}."
    part = {"type": ASSUMED, "as": way, "items": variants_as_json(variants)}
    send_message(identity=identity, session=session, text=text, parts=[part])
    return answers.led(request, reverse("projects:agent_talk", args=[session.pk]))
