"""From a submitted survey to projects: the tasks that weigh most, and what became of them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.presenters import Rendered
from futura.errors import BadInput, Conflict
from futura.rows import only
from projects.models import Project, ProjectDraft
from tasks.commands.rating import parse_percent
from tasks.models import SurveyResponse, WorkTask
from tasks.queries import tasks_of

OFFERED: Final = 3
# how much of a task's time may still be won, by how far AI helps with it already
ROOM: Final[Mapping[str, Decimal]] = {
    WorkTask.AiLevel.NONE: Decimal(1),
    WorkTask.AiLevel.SOME: Decimal("0.5"),
}
WEEK_HOURS: Final = 40


@dataclass(frozen=True)
class Candidate:
    """A task that may be worth a project, and what was begun of it already."""

    task: WorkTask
    project: Project | None = None
    draft: ProjectDraft | None = None


def candidates(response: SurveyResponse, limit: int = OFFERED) -> list[Candidate]:
    """The heaviest tasks of a submitted survey: time share times what AI does not do of it yet.

    Tasks with significant AI use, or without a word on it or on their time, are none. Three
    queries.
    """
    if response.submitted_at is None:
        return []
    weighed = [(task, weight_of(task)) for task in tasks_of(response)]
    heaviest = sorted(
        (item for item in weighed if item[1] > 0), key=lambda item: (-item[1], item[0].position)
    )[:limit]
    begun = _begun([task.pk for task, _weight in heaviest])
    return [Candidate(task, *begun.get(task.pk, ())) for task, _weight in heaviest]


def weight_of(task: WorkTask) -> Decimal:
    """Percent of the working time that a project could still win, at the very most."""
    return (task.time_share or Decimal(0)) * ROOM.get(task.ai_level, Decimal(0))


def _begun(
    task_ids: Sequence[uuid.UUID],
) -> dict[uuid.UUID, tuple[Project | None, ProjectDraft | None]]:
    alive: dict[str, Any] = {"survey_task__in": task_ids, "deleted_at": None}
    drafts = ProjectDraft.objects.filter(status=ProjectDraft.Status.IN_PROGRESS, **alive)
    projects = {project.survey_task: project for project in Project.objects.filter(**alive)}
    by_task = {draft.survey_task: draft for draft in drafts}
    return {key: (projects.get(key), by_task.get(key)) for key in task_ids}


def candidate_for(response: SurveyResponse, task_id: uuid.UUID) -> Candidate:
    """A task of a submitted survey by its id. Raises NotFound, Conflict before submission."""
    task = only(response.tasks.filter(pk=task_id, deleted_at=None))
    if response.submitted_at is None:
        raise Conflict(_("Submit your task list first."))
    return Candidate(task, *_begun([task.pk])[task.pk])


def draft_values(task: WorkTask) -> dict[str, Any]:
    """What a draft can be filled with: only what the survey says of the task."""
    share = percent(task.time_share) if task.time_share is not None else ""
    today = [task.statement.rstrip(".") + "."]
    if share:
        today.append(_("This takes %(share)s %% of the working time today.") % {"share": share})
    if task.ai_level == WorkTask.AiLevel.NONE:
        today.append(_("AI is not used for it."))
    elif task.ai_level == WorkTask.AiLevel.SOME:
        tools = ", ".join(task.ai_tools)
        today.append(
            _("AI helps a little (%(tools)s).") % {"tools": tools}
            if tools
            else _("AI helps a little.")
        )
    text = f"\n\n> {' '.join(task.quote.split())}" if task.quote else ""
    return {
        "name": (_("Less time: %(task)s") % {"task": task.statement})[:200],
        "core_reality_understanding": " ".join(today) + text,
        "survey_task": task.pk,
        "time_share_before": task.time_share,
    }


def percent(share: Decimal | None) -> str:
    return "" if share is None else f"{share.normalize():f}"


def share_of(text: object) -> Decimal | None:
    """A share in percent as it was typed. Raises BadInput."""
    share = parse_percent(str(text or ""))
    if share is None:
        raise BadInput(_("How much of your working time does it take now?"), field="time_share")
    return share


def difference_of(project: Project) -> str:
    """What a finished project did to the time that its task takes; empty until both are known."""
    before, after = project.time_share_before, project.time_share_after
    if before is None or after is None:
        return ""
    hours = (abs(before - after) * WEEK_HOURS / 100).quantize(Decimal("0.1"))
    values = {"before": percent(before), "after": percent(after), "hours": percent(hours)}
    words = _("%(before)s %% of the working time, before and now.")
    if after < before:
        words = _(
            "%(before)s %% of the working time before, %(after)s %% now: about %(hours)s hours "
            "less in a week of 40."
        )
    elif after > before:
        words = _(
            "%(before)s %% of the working time before, %(after)s %% now: about %(hours)s hours "
            "more in a week of 40."
        )
    return words % values


def survey_of(project: Project) -> uuid.UUID | None:
    """The id of the survey that a project came from, while it is there. One query at most."""
    if project.survey_task is None:
        return None
    own = WorkTask.objects.filter(response__session__participant_id=project.owner_id)
    result: uuid.UUID | None = (
        own.filter(pk=project.survey_task).values_list("response_id", flat=True).first()
    )
    return result


def offer(response: SurveyResponse) -> Rendered | None:
    """The block on the survey's last page; None when nothing weighs."""
    heaviest = candidates(response)
    if not heaviest:
        return None
    return Rendered("projects/_from_survey.html", {"candidates": heaviest, "response": response})
