"""How the four conversations look: phase, draft preview, changes of each message, the panel."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.assistant import cards
from chat.events.kinds import Reference
from chat.models import Message, Session
from chat.operations.presenter import ChangingPresenter
from chat.presenters import Rendered
from projects.forecasting.models import Forecast
from projects.forecasting.pages import page_of
from projects.modes.audit.models import Finding
from projects.modes.audit.queries import BY_GRAVITY
from projects.modes.audit.texts import HARSHNESS_WORDS
from projects.modes.create.draft import preview_of, timeline
from projects.modes.state import AUDIT, CREATE, FORECAST, UPDATE, Phase

PROJECT_MESSAGE_CHARS = 50_000


class AgentPresenter(ChangingPresenter):
    """What the four modes share; a mode names its kind and its words."""

    message_chars = PROJECT_MESSAGE_CHARS
    event_kinds = frozenset({"operations", "agent"})
    state_event = "agent"
    composer_label = _("Your message")
    mode: ClassVar[str] = ""
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Listening"),
        Phase.CLARIFYING: _("Asking"),
        Phase.FINALIZING: _("Looking it over"),
        Phase.COMPLETED: _("Created"),
    }

    def page_url(self, session: Session) -> str:
        """The conversation's page."""
        return reverse("projects:agent_talk", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The ledger's line, the preview of a draft, and files; calls of tools are hidden."""
        if part.get("type") == cards.TYPE:
            # its cards stand in the panel beside it
            return cards.line(part, session)
        if part.get("type") == "preview":
            context = {"part": part, "session": session, "timeline": timeline(part)}
            return Rendered("projects/agent/_preview.html", context)
        if part.get("type") == "choices":
            return Rendered("projects/agent/_choices.html", {"part": part, "session": session})
        if part.get("type") == "offers":
            return Rendered("projects/concierge/_offers.html", {"part": part, "session": session})
        if part.get("type") == "file":
            return Rendered("projects/agent/_file.html", {"part": part})
        if part.get("type") == "opened":
            return Rendered("projects/agent/_opened.html", {"part": part})
        return None

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """The same in words, for exports."""
        if part.get("type") == cards.TYPE:
            return cards.in_words(part)
        if part.get("type") == "offers":
            return "\n".join(f"- {one['text']}" for one in part.get("offers", ()))
        if part.get("type") == "preview":
            lines = [f"- {one['name']}: {one['text']}" for one in part.get("dimensions", ())]
            return "\n".join([str(part.get("name", "")), *lines])
        return f"[{part['name']}]" if part.get("type") == "file" else ""

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        """What an event changes on the open page."""
        return self.snapshot(session=session, view=view) if view == "chat" else ()

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """The phase; the panel is the engine's."""
        if view != "chat":
            return ()
        return [self.phase(session)]

    def phase(self, session: Session, *, oob: bool = True) -> Rendered:
        """The line that says where the conversation stands."""
        now = session.state.get("phase", Phase.GATHERING)
        at = list(self.phases).index(now) if now in self.phases else 0
        steps = [
            (word, place <= at, place == at) for place, word in enumerate(self.phases.values())
        ]
        context = {"steps": steps, "session": session, "oob": oob, "mode": self.mode}
        context["title"] = session.title or self.name
        return Rendered("projects/agent/_phase.html", context)


class CreatePresenter(AgentPresenter):
    """Creating a project: with the draft as it grows."""

    kind = CREATE
    mode = "create"
    name = _("New project")
    composer_placeholder = _("Just as it comes to mind")

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """Phase and draft."""
        if view != "chat":
            return ()
        return [*super().snapshot(session=session, view=view), self.draft(session)]

    def draft(self, session: Session, *, oob: bool = True) -> Rendered:
        """The draft as it stands, or the project that came of it."""
        context = {"preview": preview_of(session), "session": session, "oob": oob}
        return Rendered("projects/agent/_draft.html", context)


class UpdatePresenter(AgentPresenter):
    """Updating a project."""

    kind = UPDATE
    mode = "update"
    name = _("Project update")
    composer_placeholder = _("What changed?")


class AuditPresenter(AgentPresenter):
    """Auditing: findings as they stand now, to tick, to answer, to dismiss."""

    kind = AUDIT
    mode = "audit"
    changes_things = False
    name = _("Project audit")
    composer_placeholder = _("What worries you most?")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Reading"),
        Phase.CLARIFYING: _("Findings"),
        Phase.COMPLETED: _("Talked over"),
    }

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The list; nothing where an old message names no project."""
        if part.get("type") != "findings":
            return super().part(part, message=message, session=session)
        if "project" not in part:
            return None
        own = Finding.objects.filter(owner_id=session.participant_id, project=part["project"])
        rows = list(own.order_by(*BY_GRAVITY))
        return Rendered("projects/audit_findings.html", findings_context(rows, session, message))

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") == "findings":
            return ""
        return super().part_words(part, message=message)


def findings_context(
    rows: list[Finding], session: Session, message: Message | None = None
) -> dict[str, Any]:
    """What the list shows: standing ones first, the gravest on top."""
    now = (session.state.get("audit") or {}).get("harshness", 7)
    return {
        "standing": [one for one in rows if one.is_standing],
        "settled": [one for one in rows if not one.is_standing],
        "session": session,
        "message": message,
        "choices": [(value, words, value == now) for value, words in HARSHNESS_WORDS.items()],
    }


_TEMPLATES = {
    "forecast": "projects/_forecast_part.html",
    "branches": "projects/_forecast_branches.html",
}
_SILENT = frozenset({*_TEMPLATES, "assume", "assumptions"})


class ForecastPresenter(AgentPresenter):
    """Forecasting: the chart stands with the answer, what-if beside the first course."""

    kind = FORECAST
    mode = "forecast"
    changes_things = False
    name = _("Project forecast")
    composer_placeholder = _("What if …")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Plan"),
        Phase.CLARIFYING: _("Estimates"),
        Phase.COMPLETED: _("Forecast"),
    }

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The chart, the branches or the form; nothing where the forecast is gone."""
        if part.get("type") == "assume":
            context = {"part": part, "session": session, "message": message}
            return Rendered("projects/_forecast_assume.html", context)
        if part.get("type") not in _TEMPLATES:
            return super().part(part, message=message, session=session)
        own = Forecast.objects.filter(owner_id=session.participant_id)
        forecast = own.filter(pk=uuid.UUID(str(part["id"]))).first()
        if forecast is None:
            return None
        context = {"page": page_of(forecast), "part": part, "message": message}
        return Rendered(_TEMPLATES[part["type"]], context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") in _SILENT:
            return ""
        return super().part_words(part, message=message)
