"""What the commands of to-dos mean to the ledger, row by row; repetitions and reminders."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from typing import Any, Final, TypeVar

from django.db.models import Max
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from chat.operations.changes import Change, Create, Update, Values
from chat.operations.registry import named
from futura import locks
from futura.errors import BadInput
from projects.checks import checked, first_day, rule_dates, rule_parts
from projects.fields import names_of
from projects.models import DraftTask, Project, Task

CIRCLE: Final = gettext_lazy("These to-dos would wait for each other.")
Key = TypeVar("Key", str, uuid.UUID)
GAP: Final = 1024  # between to-dos of no project, so that one can be put between two


def todo_created(project: Project | None, values: Values, *, position: int) -> Create:
    """A to-do of a project, or on its own. Raises BadInput, TooLong.

    It is available in a project and in the inbox without, unless a status is given.
    """
    fields = _checked(values)
    fields.setdefault("status", Task.Status.AVAILABLE if project else Task.Status.INBOX)
    fields |= _completion(fields["status"], None)
    fields["position"] = position
    if project is not None:
        fields["project"] = str(project.pk)
    if not fields.get("title"):
        raise BadInput(_("Enter a title."), field="title")
    return Create("task", fields)


def todo_changed(task: Task, values: Values, *, version: int | None = None) -> Update:
    """Other values for some fields; a status sets or clears when it was completed.

    Raises BadInput, TooLong.
    """
    fields = _checked(values, task)
    if "status" in fields:
        fields |= _completion(fields["status"], task)
    if "depends_on" in fields:
        fields["depends_on"] = without_cycle(task, fields["depends_on"])
    return Update("task", task.pk, fields, version)


def with_following(task: Task, update: Update) -> list[Change]:
    """The update; and where it completes a to-do that repeats, the next one, which takes the
    repetition over. A repetition that cannot be read stays, to be seen.
    """
    values = update.values
    is_done = values.get("status") == Task.Status.COMPLETED != task.status
    if not is_done or not values.get("repeat", task.repeat):
        return [update]
    try:
        created = following(task, values)
    except BadInput:
        return [update]
    ended = Update("task", task.pk, {**values, "repeat": ""}, update.version)
    return [ended, created] if created else [ended]


def next_position(project: Project | None, owner_id: uuid.UUID) -> int:
    """Behind the last to-do of a project, or of the person's to-dos that belong to none."""
    living = Task.objects.filter(project=project, deleted_at=None)
    if project is not None:
        return (living.aggregate(at=Max("position"))["at"] or 0) + 1
    return (living.filter(owner_id=owner_id).aggregate(at=Max("position"))["at"] or 0) + GAP


def step_between(project: Project | None) -> int:
    return GAP if project is None else 1


def freed_of(tasks: Sequence[Task] | Sequence[DraftTask]) -> list[Update]:
    """Updates of the living to-dos that wait for one of these and stay themselves.

    They belong into the batch of the deletion, so that undoing it ties them again. One query when
    nothing waits, else two.
    """
    model = type(tasks[0])
    going = {task.pk for task in tasks}
    waiting = model._default_manager.filter(depends_on__in=going, deleted_at=None)
    rows = waiting.exclude(pk__in=going).distinct().prefetch_related("depends_on").order_by("pk")
    updates = []
    for row in rows:
        remaining = sorted(str(task.pk) for task in row.depends_on.all() if task.pk not in going)
        updates.append(Update(named(model), row.pk, {"depends_on": remaining}, row.version))
    return updates


def needed_first(needs: Mapping[Key, Iterable[Key]]) -> list[Key]:
    """The keys, each after those that it needs. Raises BadInput for a circle."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise BadInput(str(CIRCLE), field="depends_on") from error


def renumbered(order: Sequence[Task], at: int) -> list[Change]:
    """Positions that rise along the list: those before `at` stay where they rise already."""
    moved: list[Change] = []
    last = order[at - 1].position if at else -1
    for n, task in enumerate(order[at:]):
        following = order[at + 1].position if n == 0 and at + 1 < len(order) else None
        if n == 0:
            place = (last + following) // 2 if following and following > last + 1 else last + 1
        elif task.position > last:
            break
        else:
            place = last + 1
        if task.position != place:
            moved.append(Update("task", task.pk, {"position": place}))
        last = place
    return moved


def _checked(values: Values, task: Task | None = None) -> dict[str, Any]:
    fields = checked(values, row=task, required="title" if task else "")
    return fields | _fitted(fields, task)


def _completion(status: str, task: Task | None) -> dict[str, dt.datetime | None]:
    was_done = task is not None and task.status == Task.Status.COMPLETED
    is_done = status == Task.Status.COMPLETED
    if is_done == was_done:
        return {}
    return {"completed_at": timezone.now() if is_done else None}


def without_cycle(task: Task | DraftTask, needed: Iterable[Any]) -> list[str]:
    """The ids of what a to-do waits for. Raises BadInput when it would wait for itself."""
    try:
        direct = {uuid.UUID(str(key)) for key in needed}
    except ValueError as error:
        raise BadInput(_("Select to-dos from this list."), field="depends_on") from error
    if reason := circle(task, {"depends_on": direct}):
        raise BadInput(reason, field="depends_on")
    return sorted(map(str, direct))


def circle(task: Task | DraftTask, values: Values) -> str:
    """Why these values cannot be where a to-do would wait for itself; empty where they can."""
    ahead = {uuid.UUID(str(key)) for key in values.get("depends_on") or ()}
    if not ahead:
        return ""
    own = type(task)._default_manager.filter(owner_id=task.owner_id, depends_on__isnull=False)
    needs: dict[uuid.UUID, set[uuid.UUID]] = {}
    for waiting, waited_for in own.values_list("pk", "depends_on"):
        needs.setdefault(waiting, set()).add(waited_for)
    seen: set[uuid.UUID] = set()
    while ahead:
        if task.pk in ahead:
            return str(CIRCLE)
        seen |= ahead
        ahead = {later for key in ahead for later in needs.get(key, ())} - seen
    return ""


def circle_in_turn(task: Task | DraftTask, values: Values) -> str:
    """`circle` for the ledger, which has locked the rows of a change, but not those beyond.

    Links of one owner are judged one after the other: two at once could close a circle of which
    each sees only its own half.
    """
    if values.get("depends_on"):
        locks.wait_for(f"links {task.owner_id}")
    return circle(task, values)


MORNING: Final = dt.time(9)  # when a to-do without a time of day is due, for its reminder
_COUNT: Final = re.compile(r"COUNT=(\d+)")
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_REPEATED: Final = names_of(
    Task,
    but=("status", "completed_at", "start_date", "due_date", "remind_at", "project", "position",
         "depends_on", "is_suggested"),
)  # fmt: skip


def _fitted(values: Values, task: Task | None) -> dict[str, Any]:
    """What other fields these values entail, of values that are tidied already.

    A repetition needs a day and brings its first one along; both it and a reminder before it go
    with the due date. A to-do has one reminder. Raises BadInput.
    """
    more: dict[str, Any] = {}
    rule = values.get("repeat")
    due = values.get("due_date", task and task.due_date)
    if rule and due is None:
        more["due_date"] = due = first_day(rule, timezone.localdate())
    elif due is None and "due_date" in values and task and task.repeat:
        more["repeat"] = ""
    minutes, moment = values.get("remind_minutes"), values.get("remind_at")
    if minutes is not None and moment is not None:
        raise BadInput(
            _("Choose one reminder: at a fixed time, or before the due date."), field="remind_at"
        )
    if minutes is not None and due is None:
        raise BadInput(_("Enter a date with the time."), field="remind_minutes")
    if minutes is not None:
        more["remind_at"] = None
    elif moment is not None or (due is None and "due_date" in values):
        more["remind_minutes"] = None
    return more


# What comes next ------------------------------------------------------------------------------
def following(task: Task, values: Values) -> Create | None:
    """The next to-do of one that repeats and is completed with these values; None at its end.

    Its day is the rule's next one after the due date, and never one that is past. Raises BadInput
    for a rule that cannot be read, such as older versions have stored.
    """
    now = {name: values.get(name, getattr(task, name)) for name in _REPEATED}
    # an undo may have taken the day from under the repetition
    due = values.get("due_date", task.due_date) or timezone.localdate()
    if not now["repeat"]:
        return None
    day = first_day(now["repeat"], due, max(due, timezone.localdate()))
    if day is None:
        return None
    start = values.get("start_date", task.start_date)
    moment = values.get("remind_at", task.remind_at)
    later = day - due
    status = task.status if task.status in {*Task.ACTIVE} - {Task.Status.BLOCKED} else "available"
    project = values.get("project", task.project_id)
    rule = _counted_down(now["repeat"], due, day)
    if "FREQ=MONTHLY" in rule and "BY" not in rule and day.day != due.day:
        rule += f";BYMONTHDAY={due.day}"  # a shorter month does not move the later ones
    fields = {**now, "repeat": rule, "due_date": day}
    fields |= {"status": status, "position": task.position}
    fields |= {"start_date": start + later} if start else {}
    fields |= {"remind_at": _moved(moment, later)} if moment else {}
    fields |= {"project": str(project)} if project else {}
    return Create("task", {name: value for name, value in fields.items() if value is not None})


def _counted_down(rule: str, due: dt.date, day: dt.date) -> str:
    match = _COUNT.search(rule)
    if match is None:
        return rule
    passed = sum(1 for _date in takewhile(lambda at: at.date() < day, rule_dates(rule, due)))
    return _COUNT.sub(f"COUNT={max(int(match[1]) - passed, 1)}", rule)


def _moved(moment: dt.datetime, by: dt.timedelta) -> dt.datetime:
    local = timezone.localtime(moment)
    return timezone.make_aware(local.replace(tzinfo=None) + by).astimezone(dt.UTC)


# Words ----------------------------------------------------------------------------------------
def repeat_words(rule: str) -> str:
    """“every 2 weeks on Tuesday”; the rule itself where words would be long, or are none."""
    if not rule:
        return ""
    try:
        rule_dates(rule, timezone.localdate())
    except BadInput:
        return rule
    parts = rule_parts(rule)
    remaining = parts.keys() - {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT", "WKST"}
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    if remaining or any(day not in _DAYS for day in days) or "," in parts.get("BYMONTHDAY", ""):
        return rule
    n = int(parts.get("INTERVAL", "1"))
    words = {
        "DAILY": ngettext("every day", "every %(n)d days", n),
        "WEEKLY": ngettext("every week", "every %(n)d weeks", n),
        "MONTHLY": ngettext("every month", "every %(n)d months", n),
        "YEARLY": ngettext("every year", "every %(n)d years", n),
    }[parts["FREQ"]] % {"n": n}
    if days == list(_DAYS[:5]) and n == 1:
        words = _("every weekday")
    elif days:
        named = ", ".join(str(WEEKDAYS[_DAYS.index(day)]) for day in days)
        words = _("%(every)s on %(days)s") % {"every": words, "days": named}
    if day := parts.get("BYMONTHDAY"):
        words = _("%(every)s on day %(day)s") % {"every": words, "day": day}
    if until := parts.get("UNTIL"):
        last = dt.datetime.strptime(until[:8], "%Y%m%d").date()  # noqa: DTZ007 - a day
        words = _("%(every)s until %(day)s") % {"every": words, "day": date_format(last, "j F Y")}
    if times := parts.get("COUNT"):
        more = ngettext("once more", "%(n)d times", int(times)) % {"n": int(times)}
        words = f"{words}, {more}"
    return words


def before_words(minutes: int) -> str:
    """“2 hours before”, “when it is due”."""
    if minutes == 0:
        return _("when it is due")
    if minutes % 1440 == 0:
        n = minutes // 1440
        return ngettext("a day before", "%(n)d days before", n) % {"n": n}
    if minutes % 60 == 0:
        n = minutes // 60
        return ngettext("an hour before", "%(n)d hours before", n) % {"n": n}
    return ngettext("a minute before", "%(n)d minutes before", minutes) % {"n": minutes}
