"""What the review knows of surveys: the facts of its queues, and the panel of a session's tasks."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext

from chat.models import Session
from chat.operations.models import Operation, OperationBatch
from chat.staff.panels import Facts, Source
from onet.candidates import ActivityGroup
from tasks import changes, review
from tasks.campaigns.models import Campaign, Participation
from tasks.commands.matches import search_results
from tasks.interview.state import Tool
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none, tasks_of
from tasks.review import MatchCandidate, candidates_of

DECIDED = (TaskMatch.Method.PERSON, TaskMatch.Method.STAFF)
"""Whoever chose by hand has no doubt any more."""


def is_doubtful(match: TaskMatch | None) -> bool:
    """Whether a match wants a look: weak, none or failed, and nobody chose it by hand."""
    if match is None or match.method in DECIDED:
        return False
    is_weak = match.confidence == TaskMatch.Confidence.LOW
    return is_weak or match.status in (TaskMatch.Status.NONE, TaskMatch.Status.FAILED)


WORDS: Final[Mapping[str, str | Promise]] = {
    **dict(ActivityGroup.choices),
    Tool.OPEN: _("Open question"),
    Tool.FOLLOW_UP: _("Follow-up question"),
    Tool.CUSTOM: _("Question about a gap"),
    Tool.SUGGEST: _("Suggestions"),
    Tool.ENCOURAGE: _("Asking for more"),
    Tool.OFFER: _("Offer to finish"),
    Tool.PROCEED: _("Finishing"),
    "none": _("none"),
    "low": _("low"),
    "medium": _("medium"),
    "high": _("high"),
    "actionsTaken": _("tools so far"),
    "area": _("area"),
    "chosenBy": _("chosen by"),
    "ending": _("wish to end"),
    "engagement": _("engagement"),
    "estimatedTaskCount": _("tasks so far"),
    "gwaCoverage": _("coverage"),
    "newActivities": _("new activities"),
    "question": _("question"),
    "reason": _("reason"),
    "tool": _("tool"),
    "turnCount": _("turns"),
    "usedPhrases": _("phrases used"),
}
"""What staff read of the interview's tools, levels and values."""


@dataclass
class Row(review.Row):
    """One task with its match, what else there was, and what staff corrected.

    `results` are what a search of the catalogue gave for it.
    """

    is_doubtful: bool = False
    was: Mapping[str, str] = field(default_factory=dict)
    is_current: bool = False
    results: Sequence[MatchCandidate] = ()


class TasksPanel(Source):
    """The survey's word on its conversations, and the panel of a list."""

    kind = "survey"
    name = "tasks"
    title: str | Promise = _("Tasks")
    template = "tasks/staff_panel.html"

    def facts(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Facts]:
        living = Q(tasks__deleted_at=None, tasks__isnull=False)
        weak = Q(tasks__match__confidence=TaskMatch.Confidence.LOW) | Q(
            tasks__match__status__in=(TaskMatch.Status.NONE, TaskMatch.Status.FAILED)
        )
        open_ = ~Q(tasks__match__method__in=DECIDED)
        counted = SurveyResponse.objects.filter(pk__in=session_ids).annotate(
            living=Count("tasks", filter=living),
            weak=Count("tasks", filter=living & weak & open_),
        )
        return {
            pk: Facts(is_ready=sent is not None, results=number, doubts=doubts, group_id=campaign)
            for pk, sent, campaign, number, doubts in counted.values_list(
                "pk", "submitted_at", "campaign", "living", "weak"
            )
        }

    def counted(self, results: int) -> str:
        return ngettext("%(number)d task", "%(number)d tasks", results) % {"number": results}

    def doubted(self, doubts: int) -> str:
        text = ngettext("%(number)d weak match", "%(number)d weak matches", doubts)
        return text % {"number": doubts}

    def groups(self) -> Sequence[tuple[uuid.UUID, str]]:
        return list(Campaign.objects.order_by("-created_at").values_list("pk", "title")[:200])

    def names(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        taking = Participation.objects.filter(response__in=session_ids)
        return {item.response_id: item.pseudonym for item in taking if item.response_id}

    def context(self, session: Session, query: Mapping[str, str]) -> Mapping[str, Any]:
        """`response` (or None) and a row per task, deleted ones too.

        `query["task"]` is the one looked at, `query["find"]` words to search the catalogue for.
        """
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        if response is None:
            return {"response": None, "rows": []}
        rows = _rows(response)
        current = _current(rows, query.get("task", ""))
        words = query.get("find", "").strip()
        if current is not None:
            current.is_current = True
            if words:
                current.results = candidates_of(search_results(response, words), current.match)
        return {
            "response": response,
            "rows": rows,
            "current": current,
            "words": words if current else "",
            "doubts": sum(row.is_doubtful for row in rows),
            "living": [row.task for row in rows if row.task.deleted_at is None],
            "groups": ActivityGroup.choices,
            "last": last_correction(session),
        }


def _rows(response: SurveyResponse) -> list[Row]:
    was = _as_it_was(response)
    rows = []
    for task in tasks_of(response, with_deleted=True):
        match = match_or_none(task)
        corrected = {**was.get(task.pk, {}), **(was.get(match.pk, {}) if match else {})}
        doubtful = task.deleted_at is None and is_doubtful(match)
        rows.append(Row(task, response, is_doubtful=doubtful, was=corrected))
    return rows


def _current(rows: Sequence[Row], task_id: str) -> Row | None:
    """The task that was asked for; else the first that wants a look, else the first."""
    living = [row for row in rows if row.task.deleted_at is None]
    asked_for = [row for row in living if str(row.task.pk) == task_id]
    doubtful = [row for row in living if row.is_doubtful]
    return next(iter([*asked_for, *doubtful, *living]), None)


def _as_it_was(response: SurveyResponse) -> Mapping[uuid.UUID, dict[str, str]]:
    """What the person's list said where staff corrected it: one query.

    By the id of task or match: `statement`, `group`, `text` (of the match) before the first
    correction that stands.
    """
    corrected = Operation.objects.filter(
        batch__session=response.pk,
        batch__actor=OperationBatch.Actor.STAFF,
        batch__undoes=None,
        status=Operation.Status.COMPLETED,
        type=Operation.Type.UPDATE,
        entity__in=(changes.TASK, changes.MATCH),
        payload__erased_at=None,
    )
    groups = dict(ActivityGroup.choices)
    was: dict[uuid.UUID, dict[str, str]] = {}
    for item in corrected.select_related("payload").order_by("executed_at", "sequence"):
        for name, value in (item.payload.before or {}).items():
            if name in {"statement", "group", "text"}:
                text = groups.get(str(value), "") if name == "group" else value or ""
                was.setdefault(item.entity_id, {}).setdefault(name, str(text))
    return was


def last_correction(session: Session) -> OperationBatch | None:
    """The newest correction that stands and is no undo itself."""
    batches = OperationBatch.objects.filter(
        session=session,
        actor=OperationBatch.Actor.STAFF,
        status=OperationBatch.Status.COMPLETED,
        undoes=None,
    )
    return batches.order_by("-created_at").first()


def next_doubt(response: SurveyResponse, after: WorkTask) -> WorkTask:
    """The task to look at next: the next doubtful one, or the one that was just looked at."""
    tasks = tasks_of(response)
    ids = [task.pk for task in tasks]
    place = ids.index(after.pk) if after.pk in ids else -1
    turned = [*tasks[place + 1 :], *tasks[: place + 1]]
    return next((item for item in turned if is_doubtful(match_or_none(item))), after)
