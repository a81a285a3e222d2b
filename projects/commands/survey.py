"""The command that starts a draft from a task of the person's own survey; for pages."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.utils.translation import gettext as _

from chat.commands.base import Command, Rejected, Scope
from chat.operations.changes import Change
from projects.commands.drafts import draft_created
from projects.from_survey import draft_values
from tasks.models import WorkTask


class DraftFromSurvey(Command):
    """Starts a draft that knows what the survey says of a task."""

    name: ClassVar[str] = "draft_from_survey"
    area: ClassVar[str] = "projects"

    task: uuid.UUID

    def plan(self, scope: Scope) -> list[Change]:
        """One new row. Raises NotInScope, Rejected before the survey is sent."""
        task = scope.get(WorkTask, self.task)
        if task.response.submitted_at is None:
            raise Rejected(_("Send your list first."))
        return [draft_created(draft_values(task))]

    @property
    def ledger_title(self) -> str:
        """“Started a draft”."""
        return _("Started a draft")

    def sentence(self, scope: Scope) -> str:
        """“Start a draft for “Write reports””."""
        return _("Start a draft for “%(task)s”") % {"task": scope.get(WorkTask, self.task)}
