"""What follows from a change and is asked, never done by itself: tasks after a moved end, and what
a finished project did to the time its task takes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal

from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.models import Operation
from projects.agent.toolbox import Picture
from projects.agent.update.state import OpenQuestion, Option
from projects.from_survey import percent, share_of
from projects.models import Project, ProjectDraft, Task

_SHARE = re.compile(
    r"(?:(?:it[’']?s|it is|about|around|roughly|now|only)\s+)*(?P<share>-?\d+(?:[.,]\d+)?)"
    r"\s*(?:%|percent|per cent)?(?:\s+(?:now|or so))?\W*",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:none|nothing|no time|zero)(?:\s+(?:now|at all|any\s?more))?\W*", re.IGNORECASE
)


def offered(done: Sequence[Operation], picture: Picture) -> OpenQuestion | None:
    """Moving the open dated tasks along with the project's end; None when there is nothing to."""
    if _has_finished(done) and asks_for_share(picture.row):
        return OpenQuestion(kind="share", text=share_question(picture.row))
    moved_by = _moved_by(done)
    if not moved_by:
        return None
    changed = {one.entity_id for one in done if one.entity == "task"}
    dated = [
        task
        for task in picture.tasks
        if isinstance(task, Task)
        and task.status in Task.ACTIVE
        and task.due_date is not None
        and task.pk not in changed
    ]
    if not dated:
        return None
    days = abs(moved_by.days)
    text = ngettext(
        "Should “%(title)s” move along (%(days)d days %(way)s)?",
        "Should the %(n)d tasks that have dates move along (%(days)d days %(way)s)?",
        len(dated),
    ) % {
        "n": len(dated),
        "title": dated[0].title,
        "days": days,
        "way": _("later") if moved_by.days > 0 else _("earlier"),
    }
    return OpenQuestion(kind="shift", text=text, options=[_moved(one, moved_by) for one in dated])


def _has_finished(done: Sequence[Operation]) -> bool:
    return any(
        one.entity == "project" and (one.payload.after or {}).get("status") == "completed"
        for one in done
        if "status" in one.changed_fields
    )


def asks_for_share(row: Project | ProjectDraft) -> bool:
    """Whether a project came from a survey whose task's new share is not known yet."""
    return isinstance(row, Project) and bool(row.survey_task) and row.time_share_after is None


def share_question(row: Project | ProjectDraft) -> str:
    """Asks what the task takes now."""
    if row.time_share_before is None:
        return _(
            "It came from a task of your survey: how much of your working time, in percent, does "
            "that take now?"
        )
    return _(
        "It came from a task that took %(share)s %% of your working time. How much does it take "
        "now, in percent?"
    ) % {"share": percent(row.time_share_before)}


def share_in(text: str) -> Decimal | None:
    """The share that an answer is, if it says nothing else. BadInput for one that cannot be."""
    number = _SHARE.fullmatch(text.strip())
    if number is not None:
        return share_of(number["share"])
    return Decimal(0) if _NONE.fullmatch(text.strip()) else None


def _moved_by(done: Sequence[Operation]) -> dt.timedelta | None:
    """How far the end of the project moved, if it did."""
    for one in done:
        if one.entity != "project" or "end_date" not in one.changed_fields:
            continue
        before = parse_date(str((one.payload.before or {}).get("end_date") or "0"))
        after = parse_date(str((one.payload.after or {}).get("end_date") or "0"))
        if before and after and before != after:
            return after - before
    return None


def _moved(task: Task, by: dt.timedelta) -> Option:
    values = {
        name: (date + by).isoformat()
        for name, date in (("start_date", task.start_date), ("due_date", task.due_date))
        if date
    }
    return Option(label=task.title, values=values, entity="task", id=task.pk)
