"""How auditing conversations look: phases, and the list of findings below the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Session
from chat.presenters import Rendered
from projects.modes.audit.models import Finding
from projects.modes.audit.shapes import AREAS, SEVERITIES
from projects.modes.audit.texts import harshness_words
from projects.modes.presenters import ReadingPresenter
from projects.modes.state import AUDIT, Phase


class AuditPresenter(ReadingPresenter):
    """Auditing: findings as they stand now, to tick, to answer, to dismiss."""

    kind = AUDIT
    mode = "audit"
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
        return Rendered("projects/audit_findings.html", context_of(list(own), session, message))

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") == "findings":
            return ""
        return super().part_words(part, message=message)


def context_of(
    rows: list[Finding], session: Session, message: Message | None = None
) -> dict[str, Any]:
    """What the list shows: standing ones first, the gravest on top."""
    ordered = sorted(rows, key=lambda o: (-o.severity, o.first_audit_at, o.key))
    now = (session.state.get("audit") or {}).get("harshness", 7)
    return {
        "standing": [_Line(one) for one in ordered if one.is_standing],
        "settled": [_Line(one) for one in ordered if not one.is_standing],
        "session": session,
        "message": message,
        "choices": [(one, harshness_words(one), one == now) for one in (5, 7, 8)],
    }


class _Line:
    """A finding with its labels."""

    def __init__(self, row: Finding) -> None:
        self.row = row
        self.severity = str(SEVERITIES[row.severity])
        self.area = str(AREAS[row.area])
        self.is_computed = row.source == Finding.Source.COMPUTED
        self.is_recurring = row.status == Finding.Status.RECURRING
        self.is_mended = row.status == Finding.Status.MENDED
        self.quotes = [one["quote"] for one in row.evidence[:2]]
