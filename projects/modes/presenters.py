"""How the four conversations look, and how they are plugged into the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat import guides
from chat.assistant import cards
from chat.events.kinds import Reference
from chat.models import Message, Session
from chat.operations.rendering import ChangingPresenter
from chat.presenters import Rendered, register
from projects.forecasting.models import Forecast
from projects.forecasting.pages import page_of
from projects.modes.audit.guide import HARSHNESS_WORDS, AuditGuide
from projects.modes.audit.models import Finding
from projects.modes.create.draft import preview_of, timeline
from projects.modes.create.guide import CreateGuide
from projects.modes.forecast import ForecastGuide
from projects.modes.rows import own_row
from projects.modes.state import AUDIT, CREATE, FORECAST, UPDATE, Phase
from projects.modes.update import UpdateGuide

_TEMPLATES: Final[Mapping[str, str]] = {
    "preview": "projects/agent/_preview.html",
    "choices": "projects/agent/_choices.html",
    "offers": "projects/concierge/_offers.html",
    "file": "projects/agent/_file.html",
    "opened": "projects/agent/_opened.html",
    "findings": "projects/audit_findings.html",
    "assume": "projects/_forecast_assume.html",
    "forecast": "projects/_forecast_part.html",
    "branches": "projects/_forecast_branches.html",
}
"""By the type of a message's part; calls of tools and all else is hidden."""


class AgentPresenter(ChangingPresenter):
    """What the four modes share; a mode names its kind and its words."""

    message_chars = 50_000
    event_kinds = frozenset({"operations", "agent"})
    state_event = "agent"
    composer_label = _("Your message")
    about: ClassVar[str | Promise] = ""
    """What it does and what it looks at, on the page where it starts."""
    begin_label: ClassVar[str | Promise] = ""
    text_label: ClassVar[str | Promise] = ""
    text_is_optional: ClassVar[bool] = True
    phases: ClassVar[Mapping[str, str | Promise]] = {}
    """Steps of its way, where it has one."""

    def page_url(self, session: Session) -> str:
        return reverse("projects:agent_talk", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """A part by its template; the cards of the ledger's line stand in the panel beside it."""
        kind = str(part.get("type"))
        if kind == cards.TYPE:
            return cards.line(part, session)
        more = _context_of(part, session) if kind in _TEMPLATES else None
        if more is None:
            return None
        context = {"part": part, "session": session, "message": message, **more}
        return Rendered(_TEMPLATES[kind], context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """The same in words, for exports; nothing where the message says it."""
        match part.get("type"):
            case cards.TYPE:
                return cards.in_words(part)
            case "offers":
                return "\n".join(f"- {item['text']}" for item in part.get("offers", ()))
            case "preview":
                lines = [f"- {item['name']}: {item['text']}" for item in part.get("dimensions", ())]
                return "\n".join([str(part.get("name", "")), *lines])
            case "file":
                return f"[{part['name']}]"
        return ""

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        return self.snapshot(session=session, view=view)

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        return [self.phase(session)] if view == "chat" else ()

    def phase(self, session: Session, *, oob: bool = True) -> Rendered:
        now = session.state.get("phase", Phase.GATHERING)
        at = list(self.phases).index(now) if now in self.phases else 0
        steps = [
            (word, place <= at, place == at) for place, word in enumerate(self.phases.values())
        ]
        context = {"steps": steps, "oob": oob, "title": session.title or self.name}
        return Rendered("projects/agent/_phase.html", context)


class CreatePresenter(AgentPresenter):
    """Creating a project: with the draft as it grows."""

    kind = CREATE
    name = _("New project")
    composer_placeholder = _("Write in any order")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Listening"),
        Phase.CLARIFYING: _("Questions"),
        Phase.FINALIZING: _("Review"),
        Phase.COMPLETED: _("Created"),
    }

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        phase = super().snapshot(session=session, view=view)
        return [*phase, self.draft(session)] if phase else ()

    def draft(self, session: Session, *, oob: bool = True) -> Rendered:
        context = {"preview": preview_of(session), "session": session, "oob": oob}
        return Rendered("projects/agent/_draft.html", context)


class UpdatePresenter(AgentPresenter):
    """Updating a project."""

    kind = UPDATE
    name = _("Project update")
    about = _(
        "Describe what changed. The to-dos, dates and texts of the project are updated, and you "
        "can undo every change."
    )
    begin_label = _("Start update")
    text_label = _("What changed?")
    text_is_optional = False
    composer_placeholder = _("What changed?")


class AuditPresenter(AgentPresenter):
    """Auditing a project."""

    kind = AUDIT
    changes_things = False
    name = _("Project audit")
    about = _(
        "Looks for gaps, contradictions and risks in the nine dimensions, the to-dos with their "
        "dates and estimates, and the end date. It changes nothing."
    )
    begin_label = _("Run audit")
    text_label = _("Add a concern")
    composer_placeholder = _("What worries you most?")


class ForecastPresenter(AgentPresenter):
    """Forecasting a project."""

    kind = FORECAST
    changes_things = False
    name = _("Project forecast")
    about = _(
        "Simulates when the project could be done, from the open to-dos with their estimates, "
        "dates and dependencies, and the end date. It changes nothing."
    )
    begin_label = _("Run forecast")
    text_label = _("Add a scenario")
    composer_placeholder = _("What if …")


def _context_of(part: Mapping[str, Any], session: Session) -> Mapping[str, Any] | None:
    """What the template of a part needs besides it; None hides what is gone, or of the first
    version.
    """
    match part["type"]:
        case "preview":
            return {"timeline": timeline(part)}
        case "forecast" | "branches":
            forecast = own_row(Forecast, session.participant_id, part["id"])
            return {"page": page_of(forecast)} if forecast else None
        case "findings":
            if "project" not in part:
                return None
            own = Finding.objects.filter(owner_id=session.participant_id, project=part["project"])
            rows = list(own.order_by(*Finding.BY_GRAVITY))
            now = (session.state.get("audit") or {}).get("harshness", 7)
            return {
                "standing": [row for row in rows if row.is_standing],
                "settled": [row for row in rows if not row.is_standing],
                "choices": [(tone, words, tone == now) for tone, words in HARSHNESS_WORDS.items()],
            }
    return {}


def register_all() -> None:
    """Guide and presenter of each mode; called once, when the app is ready."""
    for guide in (CreateGuide(), UpdateGuide(), AuditGuide(), ForecastGuide()):
        guides.register(guide)
    for presenter in (CreatePresenter(), UpdatePresenter(), AuditPresenter(), ForecastPresenter()):
        register(presenter)
