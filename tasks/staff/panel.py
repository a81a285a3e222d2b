"""The survey's panel in the staff's view of a session: tasks with quotes, matches, candidates."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chat.models import Session
from tasks.history import histories
from tasks.models import SurveyResponse
from tasks.queries import match_or_none, tasks_of
from tasks.review import badge_of


class TasksPanel:
    """Registered with `chat.staff.panels` for sessions of kind `survey`."""

    name = "tasks"
    title: str | Promise = _("Tasks")
    template = "tasks/staff_panel.html"

    def context(self, session: Session) -> Mapping[str, Any]:
        """`response` (or None) and a row per task, deleted ones too, with how it came to be."""
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        tasks = tasks_of(response, with_deleted=True) if response else []
        told = histories(tasks)
        rows = [
            {
                "task": one,
                "match": (found := match_or_none(one)),
                "badge": badge_of(found),
                "moments": told[one.pk],
            }
            for one in tasks
        ]
        return {"response": response, "rows": rows}

    def summaries(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """The number of tasks per session: one query."""
        counted = (
            SurveyResponse.objects.filter(pk__in=session_ids)
            .annotate(alive=Count("tasks", filter=Q(tasks__deleted_at=None)))
            .values_list("pk", "alive")
        )
        return {
            pk: ngettext("%(number)d task", "%(number)d tasks", alive) % {"number": alive}
            for pk, alive in counted
        }
