"""What is computed of a project: the odds of its end date, load, order of dates, overdue work."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from futura.percent import whole_percent
from projects.forecasting.calendar import working_days
from projects.forecasting.durations import range_of
from projects.forecasting.inputs import TaskInput
from projects.forecasting.results import Result, today_plus
from projects.forecasting.wording import days_words, short_day
from projects.models import Task
from projects.modes.audit.models import Finding
from projects.modes.audit.shapes import (
    Area,
    Severity,
    Subject,
    computed,
    new_task,
    project_change,
    task_change,
)

# the chance to meet the end date that is called too low, by harshness
TOO_LOW: Final = {5: 0.3, 7: 0.5, 8: 0.7}
# how many days of work in a week are too many for one person, by harshness
TOO_MUCH: Final = {5: 7.5, 7: 6.0, 8: 5.0}


def feasibility(subject: Subject) -> Iterator[Finding]:
    """Whether it can be done, by the figures that were given."""
    yield from _end_date(subject)
    yield from _load(subject)
    yield from _windows(subject)
    yield from _late(subject)
    yield from _stuck(subject)


def _end_date(subject: Subject) -> Iterator[Finding]:
    result, end = subject.result, subject.project.end_date
    if not isinstance(result, Result) or result.on_time is None or end is None:
        return
    if result.on_time >= TOO_LOW[subject.harshness]:
        return
    told = {"day": short_day(end), "percent": whole_percent(result.on_time)}
    by_id = {str(task.pk): task for task in subject.tasks}
    late = {"day": short_day(result.pessimistic)}
    yield computed(
        "chance",
        Area.FEASIBILITY,
        Severity.CRITICAL if result.on_time < 0.2 else Severity.SERIOUS,
        _("Done by %(day)s in %(percent)d of 100 simulated courses only.") % told,
        _("What would you leave out if the end date must hold?"),
        _("promise %(day)s, which holds in 8 of 10, or make the goal smaller") % late,
        tasks=[by_id[driver.id] for driver in result.drivers[:2] if driver.id in by_id],
        fix=project_change(end_date=result.pessimistic.isoformat()),
    )


def loads(subject: Subject) -> dict[dt.date, tuple[float, list[Task]]]:
    """Days of work by week (its Monday), spread evenly between the dates of each task."""
    found: dict[dt.date, tuple[float, list[Task]]] = defaultdict(lambda: (0.0, []))
    by_id = {one.id: one for one in subject.inputs.open_tasks}
    for task in subject.open_tasks:
        read = by_id.get(str(task.pk))
        if read is None or not read.is_estimated or task.due_date is None:
            continue
        start = max(task.start_date or subject.today, subject.today)
        days = working_days(start, task.due_date)
        for monday, inside in _weeks(start, task.due_date):
            sum_before, tasks = found[monday]
            share = _middle(read) * inside / days if days else _middle(read)
            found[monday] = (sum_before + share, [*tasks, task])
    return dict(found)


def _weeks(start: dt.date, end: dt.date) -> Iterator[tuple[dt.date, int]]:
    monday = start - dt.timedelta(days=start.weekday())
    for number in range(min((end - monday).days // 7 + 1, 520)):
        first = monday + dt.timedelta(weeks=number)
        inside = working_days(max(first, start), min(first + dt.timedelta(days=6), end))
        if inside:
            yield first, inside


def _middle(task: TaskInput) -> float:
    low, high = range_of(task)
    return float((low * high) ** 0.5)


def _load(subject: Subject) -> Iterator[Finding]:
    limit = TOO_MUCH[subject.harshness] * max(subject.inputs.hands, 1)
    too_full = {day: one for day, one in loads(subject).items() if one[0] > limit}
    if not too_full:
        return
    worst = max(too_full, key=lambda day: too_full[day][0])
    days, tasks = too_full[worst]
    told = {"day": short_day(worst), "days": days_words(days), "n": len(too_full)}
    words = ngettext(
        "The week of %(day)s holds %(days)s of work for one person.",
        "The week of %(day)s holds %(days)s of work for one person; %(n)d weeks are too full.",
        len(too_full),
    )
    yield computed(
        "load",
        Area.FEASIBILITY,
        Severity.CRITICAL if days > 2 * limit else Severity.SERIOUS,
        words % told,
        _("Which of these would you drop if you had to drop one today?"),
        _("spread them, or say who takes one of them over"),
        dimension="core_power_resources",
        tasks=tasks,
        fix=task_change(tasks[-1], due_date=_later(subject, tasks[-1], days - limit).isoformat()),
    )


def _later(subject: Subject, task: Task, days: float) -> dt.date:
    due = task.due_date or subject.today
    after = working_days(subject.today, due) + max(1.0, days)
    return max(due, today_plus(subject.inputs, after))


def _windows(subject: Subject) -> Iterator[Finding]:
    """Estimates that do not fit between a task's own dates."""
    for task in subject.open_tasks:
        high = task.estimate_high_days or task.estimate_low_days
        if high is None or task.start_date is None or task.due_date is None:
            continue
        window = working_days(task.start_date, task.due_date)
        if float(high) <= window:
            continue
        told = {"title": task.title, "high": days_words(float(high)), "window": days_words(window)}
        start = max(task.start_date, subject.today)
        needed = working_days(subject.today, start) - 1 + float(high)
        yield computed(
            f"window-{task.pk}",
            Area.FEASIBILITY,
            Severity.SERIOUS,
            _("“%(title)s” may take %(high)s, but has %(window)s.") % told,
            _("Which is wrong: the estimate or the dates?"),
            _("move its due date, or cut it into parts"),
            tasks=[task],
            fix=task_change(task, due_date=today_plus(subject.inputs, needed).isoformat()),
        )


def _late(subject: Subject) -> Iterator[Finding]:
    late = [one for one in subject.open_tasks if one.due_date and one.due_date < subject.today]
    if not late:
        return
    words = ngettext("%(n)d task is overdue.", "%(n)d tasks are overdue.", len(late))
    first = min(late, key=lambda one: one.due_date or subject.today)
    yield computed(
        "overdue",
        Area.FEASIBILITY,
        Severity.SERIOUS if len(late) > 1 else Severity.MINOR,
        words % {"n": len(late)},
        _("Are these still to be done, or has the plan moved on without them?"),
        _("give each a new day, or drop it"),
        tasks=late,
        fix=task_change(first, due_date=today_plus(subject.inputs, 5).isoformat()),
    )


def _stuck(subject: Subject) -> Iterator[Finding]:
    """Blocked, and nobody wrote down by what."""
    blocked = [one for one in subject.open_tasks if one.status == Task.Status.BLOCKED]
    stuck = [one for one in blocked if not one.details.strip() and not subject.needs(one)]
    if not stuck:
        return
    told = {"title": stuck[0].title[:120]}
    yield computed(
        "blocked",
        Area.FEASIBILITY,
        Severity.SERIOUS,
        _("“%(title)s” is blocked, and nothing says by what.") % told,
        _("Who could free it, and have they been asked?"),
        _("write down what it waits for, and ask today"),
        dimension="core_reality_understanding",
        tasks=stuck,
        fix=new_task(_("Find out what blocks “%(title)s”") % told),
    )
