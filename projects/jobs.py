"""What projects do by themselves: drafts end, reminders go out, forecasts are judged."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.commands.base import Scope
from chat.commands.run import run
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.erase import erase
from futura.celery import periodic
from futura.errors import Conflict
from projects import queries
from projects.commands.drafts import AbandonDraft
from projects.forecasting.actions import score_finished
from projects.models import ProjectDraft
from projects.todos import reminders


def abandon_untouched(now: datetime | None = None) -> int:
    """Gives up every draft that nobody touched for seven days; how many. Safe to run twice."""
    abandoned = 0
    for draft in queries.untouched_drafts(now or timezone.now()):
        scope = Scope.of_actor(Actor(draft.owner_id, Kind.SYSTEM))
        cause = Cause(reason=_("Not edited for seven days."))
        try:
            run(AbandonDraft(id=draft.pk, version=draft.version), scope, cause=cause)
        except Conflict:
            continue  # touched, or given up, this very moment
        abandoned += 1
    return abandoned


def purge_abandoned(now: datetime | None = None) -> int:
    """Erases every draft that was given up 30 days ago; how many. Safe to run twice."""
    erased = 0
    for draft in queries.drafts_to_purge(now or timezone.now()):
        with transaction.atomic():
            same = ProjectDraft.objects.select_for_update().filter(version=draft.version)
            if not same.filter(pk=draft.pk).exists():
                continue  # taken up again this very moment
            erase(
                actor=Actor(draft.owner_id, Kind.SYSTEM),
                rows=[("draft", draft.pk)],
                reason=_("Discarded 30 days ago."),
            )
        erased += 1
    return erased


periodic(
    {
        # every hour, not every day: a day's pause would begin anew with each deployment
        "projects.abandon_drafts": (abandon_untouched, 3600.0),
        "projects.purge_drafts": (purge_abandoned, 3600.0),
        "projects.send_reminders": (reminders.send_due, 60.0),
        "projects.score_forecasts": (score_finished, 900.0),
    }
)
