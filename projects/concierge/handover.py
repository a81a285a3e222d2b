"""Hands over to another conversation: a project's, a survey, a portfolio entry; what was said goes
along.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.urls import reverse

from chat.assistant.working import Working, running
from chat.commands.base import NotInScope
from chat.models import Participant, Run, Session
from futura.llm.tools import ToolRejected
from futura.text import locate
from projects import handovers
from projects.concierge.briefing import Briefing
from projects.concierge.calls import StartConversation, Talk
from projects.handovers import Wish
from projects.models import Project
from projects.modes import starting
from projects.modes.state import CREATE

SURVEY: Final = "survey"
PORTFOLIO: Final = "portfolio_builder"


@dataclass(frozen=True)
class Opened:
    """Another conversation that begins or goes on, and where it is."""

    kind: Talk
    url: str
    title: str = ""


def over(
    call: StartConversation, participant: Participant, briefing: Briefing, working: Working
) -> Opened:
    """Opens a conversation, once in an answer for each kind and project.

    What it begins with are the person's own words: a text that is not found in what they said is
    replaced by their message. Raises NotInScope, ToolRejected; LeaseLost.
    """
    if call.kind == SURVEY:
        opened = _survey(call, briefing)
    elif call.kind == PORTFOLIO:
        opened = _portfolio(call, participant, briefing, working)
    else:
        project = _project(call, working)
        with transaction.atomic():
            run = running(working.turn)
            session = _opened_before(call.kind, project, run, briefing)
            if session is None:
                session = _started(call, project, participant, working)
        url = reverse("projects:agent_talk", args=[session.pk])
        opened = Opened(call.kind, url, project.name if project else "")
    working.acts.append(opened)
    return opened


def _portfolio(
    call: StartConversation, participant: Participant, briefing: Briefing, working: Working
) -> Opened:
    """The conversation about an entry: a project's, or of something that was told here."""
    project = _own(call.project, working) if call.project else None
    text = "" if project is not None else _first_words(call, working)
    with transaction.atomic():
        run = running(working.turn)
        wish = Wish(
            participant=participant,
            owner_ids=briefing.owner_ids,
            project=project,
            says=text,
            key=uuid.uuid5(run.pk, PORTFOLIO),
            has_others_words=bool(text) and working.is_tainted,
        )
        place = handovers.opened(PORTFOLIO, wish)
    return Opened(call.kind, place.url, place.title)


def _project(call: StartConversation, working: Working) -> Project | None:
    if call.kind == CREATE:
        return None
    if not call.project:
        raise ToolRejected("Say which project it is about: its id is missing.")
    return _own(call.project, working)


def _own(ref: str, working: Working) -> Project:
    try:
        return working.scope().get(Project, uuid.UUID(ref.strip()))
    except ValueError:
        raise NotInScope from None


def _opened_before(
    kind: str, project: Project | None, run: Run, briefing: Briefing
) -> Session | None:
    same = Session.objects.filter(
        participant_id__in=briefing.owner_ids,
        kind=kind,
        created_at__gte=run.created_at,
        deleted_at=None,
    )
    if project is not None:
        same = same.filter(state__project_id=str(project.pk))
    return same.order_by("created_at").first()


def _started(
    call: StartConversation, project: Project | None, participant: Participant, working: Working
) -> Session:
    text = _first_words(call, working)
    others = bool(text) and working.is_tainted
    if project is None:
        return starting.start_create(
            participant=participant, first_text=text, is_opened_with_others=others
        )
    mode = call.kind.removeprefix("project_")
    return starting.start_about(
        participant=project.owner, project=project, mode=mode, first_text=text,
        is_opened_with_others=others,
    )  # fmt: skip


def _first_words(call: StartConversation, working: Working) -> str:
    says = (call.says or "").strip()
    if not says:
        return ""
    turn = working.turn
    own = [one.text for one in turn.history if one.role == "user"]
    own += [turn.message.text] if turn.message else []
    if any(locate(says, text) is not None for text in reversed(own)):
        return says
    return turn.message.text if turn.message else ""


def _survey(call: StartConversation, briefing: Briefing) -> Opened:
    """One that is open goes on; else the page that begins one."""
    talking = [one for one in briefing.surveys if one.is_talking]
    if talking and not (call.says or "").strip():
        url = reverse("survey:chat", args=[talking[0].id])
        return Opened(SURVEY, url, talking[0].title)
    return Opened(SURVEY, reverse("survey:start"))
