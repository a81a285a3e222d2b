"""How auditing conversations look: phases, and the findings to tick below the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Session
from chat.presenters import Rendered
from projects.agent.audit.findings import Finding
from projects.agent.audit.words import harshness_words
from projects.agent.readers import ReadingPresenter
from projects.agent.state import AUDIT, Phase


class AuditPresenter(ReadingPresenter):
    """Auditing: findings stand with the answer, with a box each and one button."""

    kind = AUDIT
    mode = "audit"
    name = _("Project audit")
    composer_placeholder = _("What worries you most?")
    phases: ClassVar[Mapping[str, str | Promise]] = {
        Phase.GATHERING: _("Concern"),
        Phase.CLARIFYING: _("Findings"),
        Phase.COMPLETED: _("Talked over"),
    }

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The list of findings; those that only a person can mend have no box."""
        if part.get("type") != "findings":
            return super().part(part, message=message, session=session)
        items = [Finding.model_validate(one) for one in part.get("items", ())]
        now = (session.state.get("audit") or {}).get("harshness", 7)
        choices = [(one, harshness_words(one), one == now) for one in (5, 7, 8)]
        context = {"items": items, "session": session, "message": message, "choices": choices}
        return Rendered("projects/audit_findings.html", context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") == "findings":
            return ""
        return super().part_words(part, message=message)
