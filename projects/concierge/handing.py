"""Hands over to another conversation: a project's, a survey, a portfolio entry; what was said goes
along.
"""

from __future__ import annotations

import uuid
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.models import Run, Session
from chat.runs.lease import LeaseLost
from futura.llm.tools import ToolRejected
from futura.text import content_stems
from projects import handovers
from projects.agent import starting
from projects.agent.state import CREATE, shortened
from projects.concierge.calls import StartConversation
from projects.concierge.desk import Desk
from projects.concierge.outcomes import Opened
from projects.handovers import Wish
from projects.models import Project

OWN_WORDS: Final = 0.6
"""Share of the words to take along that the person must have said."""
SURVEY: Final = "survey"
PORTFOLIO: Final = "portfolio_builder"


def over(call: StartConversation, desk: Desk, _call_id: str) -> Opened:
    """Opens a conversation, once in an answer for each kind and project.

    What it begins with are the person's own words: a text that they did not say is replaced by
    their message. Raises Gone, ToolRejected; LeaseLost.
    """
    if call.kind == SURVEY:
        return _survey(call, desk)
    if call.kind == PORTFOLIO:
        return _portfolio(call, desk)
    project = _project(call, desk)
    with transaction.atomic():
        run = _running(desk)
        session = _opened_before(call.kind, project, run, desk)
        if session is None:
            session = _started(call, project, desk)
    url = reverse("projects:agent_talk", args=[session.pk])
    return Opened(call, call.kind, url, project.name if project else "", session.pk)


def _running(desk: Desk) -> Run:
    """The turn's run, locked. Raises LeaseLost where it was stopped, or taken away."""
    run = Run.objects.select_for_update().get(pk=desk.turn.run_id)
    if run.status != Run.Status.RUNNING:
        raise LeaseLost
    return run


def _portfolio(call: StartConversation, desk: Desk) -> Opened:
    """The conversation about an entry: a project's, or of something that was told here."""
    project = desk.project(call.project) if call.project else None
    text = "" if project is not None else _first_words(call, desk)
    with transaction.atomic():
        run = _running(desk)
        wish = Wish(
            participant=desk.session.participant,
            owner_ids=desk.owner_ids,
            project=project,
            says=text,
            key=uuid.uuid5(run.pk, PORTFOLIO),
            has_others_words=bool(text) and desk.turn.state.has_untrusted_text,
        )
        place = handovers.opened(PORTFOLIO, wish)
    return Opened(call, call.kind, place.url, place.title, place.session_id)


def _project(call: StartConversation, desk: Desk) -> Project | None:
    if call.kind == CREATE:
        return None
    if not call.project:
        raise ToolRejected("Say which project it is about: its id is missing.")
    return desk.project(call.project)


def _opened_before(kind: str, project: Project | None, run: Run, desk: Desk) -> Session | None:
    same = Session.objects.filter(
        participant_id__in=desk.owner_ids,
        kind=kind,
        created_at__gte=run.created_at,
        deleted_at=None,
    )
    if project is not None:
        same = same.filter(state__project_id=str(project.pk))
    return same.order_by("created_at").first()


def _started(call: StartConversation, project: Project | None, desk: Desk) -> Session:
    text = _first_words(call, desk)
    others = bool(text) and desk.turn.state.has_untrusted_text
    if project is None:
        return starting.start_create(
            participant=desk.session.participant, first_text=text, is_opened_with_others=others
        )
    mode = call.kind.removeprefix("project_")
    return starting.start_about(
        participant=project.owner, project=project, mode=mode, first_text=text,
        is_opened_with_others=others,
    )  # fmt: skip


def _first_words(call: StartConversation, desk: Desk) -> str:
    says = (call.says or "").strip()
    if not says:
        return ""
    message = desk.turn.message
    heard = [one.text for one in desk.turn.history if one.role == "user"]
    heard += [message.text] if message else []
    wanted, known = content_stems(says[:2_000]), content_stems(" ".join(heard)[-60_000:])
    if wanted and len(wanted & known) / len(wanted) >= OWN_WORDS:
        return says
    return message.text if message else ""


def _survey(call: StartConversation, desk: Desk) -> Opened:
    """One that is open goes on; else the page that begins one."""
    going_on = [one for one in desk.briefing.surveys if one.is_talking]
    if going_on and not (call.says or "").strip():
        first = going_on[0]
        url = reverse("survey:chat", args=[first.id])
        return Opened(call, SURVEY, url, first.title, first.id)
    return Opened(call, SURVEY, reverse("survey:start"), shortened(_("A new survey")))
