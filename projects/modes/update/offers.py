"""What follows from a change and is offered, never done by itself: tasks after a moved end, and
what a finished project did to the time its task takes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.models import Operation
from projects.forecasting.wording import range_words
from projects.from_survey import percent, share_of
from projects.models import Project, ProjectDraft, Task
from projects.modes.rows import Snapshot
from projects.modes.state import OpenQuestion, Option

_SHARE: Final = re.compile(r"(?P<share>-?\d+(?:[.,]\d+)?)\s*%?\.?")


def offered(done: Sequence[Operation], snapshot: Snapshot) -> OpenQuestion | None:
    """What to ask after these operations; None for nothing."""
    if _has_finished(done) and asks_for_share(snapshot.row):
        return OpenQuestion(kind="share", text=share_question(snapshot.row))
    moved_by = _moved_by(done)
    if not moved_by:
        return None
    changed = {one.entity_id for one in done if one.entity == "task"}
    dated = [
        task
        for task in snapshot.tasks
        if isinstance(task, Task)
        and task.status in Task.ACTIVE
        and task.due_date is not None
        and task.pk not in changed
    ]
    if not dated:
        return None
    if len(dated) == 1:
        text = _("Move “%(title)s” as well (%(shift)s)?")
    else:
        text = ngettext(
            "Move the %(n)d to-do that has a date as well (%(shift)s)?",
            "Move the %(n)d to-dos that have dates as well (%(shift)s)?",
            len(dated),
        )
    days = abs(moved_by.days)
    shift = _("%(days)s later") if moved_by.days > 0 else _("%(days)s earlier")
    shift %= {"days": range_words(days, days)}
    text %= {"n": len(dated), "title": dated[0].title, "shift": shift}
    return OpenQuestion(kind="shift", text=text, options=[_moved(one, moved_by) for one in dated])


def buttons(question: OpenQuestion) -> dict[str, Any] | None:
    """The part with the buttons of a question; None for one that takes a number."""
    if question.kind == "share":
        return None
    labels = {_("Yes"): _("Yes.")}
    if question.kind == "place":
        labels = {option.label: option.label for option in question.options}
        labels |= {_("Cancel"): _("Cancel")}
    else:
        labels |= {_("No"): _("No, leave it as it is.")}
    offers = [{"text": text, "say": sent, "href": ""} for text, sent in labels.items()]
    return {"type": "offers", "quiet": True, "kind": "reply", "offers": offers}


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
    """The share that an answer is, if it is a number and nothing else. BadInput for no share."""
    number = _SHARE.fullmatch(text.strip())
    return share_of(number["share"]) if number is not None else None


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
    days = (("start_date", task.start_date), ("due_date", task.due_date))
    values = {name: (date + by).isoformat() for name, date in days if date}
    return Option(label=task.title, values=values, id=task.pk)
