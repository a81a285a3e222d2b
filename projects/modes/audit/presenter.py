"""How auditing conversations look: phases, and the list of findings below the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Message, Session
from chat.presenters import Rendered
from projects.modes.audit.models import Finding
from projects.modes.audit.queries import BY_GRAVITY
from projects.modes.audit.texts import HARSHNESS_WORDS
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
        rows = list(own.order_by(*BY_GRAVITY))
        return Rendered("projects/audit_findings.html", context_of(rows, session, message))

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """Nothing: the message says it in words."""
        if part.get("type") == "findings":
            return ""
        return super().part_words(part, message=message)


def context_of(
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
