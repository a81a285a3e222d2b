"""What is computed of a project: dates, order, load, odds, estimates, owners, missing pieces."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from futura.percent import whole_percent
from projects.dimensions import BY_FIELD, DIMENSIONS
from projects.forecasting.inputs import working_days
from projects.forecasting.results import Result, today_plus
from projects.forecasting.simulation import range_of
from projects.forecasting.wording import days_words, listed, short_day
from projects.models import Task
from projects.modes.audit.models import Finding
from projects.modes.create.guards import QUESTIONS
from projects.modes.rows import Plan

TOO_LOW: Final = 0.5  # as the chance to meet the end date
TOO_MUCH: Final = 6.0  # days of work in a week, for one person
WEEKS: Final = 520
Area, Severity = Finding.Area, Finding.Severity
Words = str | Promise


class FindingText(NamedTuple):
    """The words of a computed finding; `recommendation` reads after “I would …”."""

    area: Finding.Area
    observation: Words
    question: Words
    recommendation: Words
    dimension: str = "core_goals_momentum"


_TEXTS: Final[Mapping[str, FindingText]] = {
    "after-end": FindingText(
        Area.CONSISTENCY,
        _("“%(title)s” is due on %(due)s, after the end date of the project, %(end)s."),
        _("Which of the two dates is right?"),
        _("move the end date of the project to %(due)s, or the to-do before it"),
    ),
    "order": FindingText(
        Area.CONSISTENCY,
        _("“%(title)s” is due before “%(needed)s”, which it is waiting for."),
        _("Is it really waiting for that?"),
        _("put the dates in the order of the work"),
    ),
    "chance": FindingText(
        Area.FEASIBILITY,
        _("Done by %(end)s in only %(percent)d of 100 simulated runs."),
        _("What would you leave out to meet the end date?"),
        _("move the end date to %(late)s, which is met in 8 of 10 runs, or reduce the scope"),
    ),
    "load": FindingText(
        Area.FEASIBILITY,
        _("The week of %(day)s has %(days)s of work for one person. Overfull weeks: %(n)d."),
        _("Which of these would you drop if you had to drop one today?"),
        _("spread them, or assign one of them to somebody else"),
        "core_power_resources",
    ),
    "overdue": FindingText(
        Area.FEASIBILITY,
        _("Overdue: %(titles)s."),
        _("Are these still to be done, or has the plan moved on without them?"),
        _("reschedule or drop each of them"),
    ),
    "no-end": FindingText(
        Area.MISSING,
        _("The project has no end date."),
        _("What would happen if it took twice as long as you think?"),
        _("set an end date, even a rough one"),
    ),
    "no-tasks": FindingText(
        Area.MISSING,
        _("No to-do is open, so the next step is unclear."),
        _("What is the smallest step that you could take tomorrow?"),
        _("write down the next three steps"),
    ),
    "no-estimates": FindingText(
        Area.MISSING,
        _("Open to-dos without an estimate: %(n)d of %(all)d."),
        _("Which of these is the largest, and how sure are you of that?"),
        _("give each a shorter and a longer estimate in days"),
        "core_power_resources",
    ),
    "no-owner": FindingText(
        Area.MISSING,
        _("Open to-dos without an assignee: %(n)d of %(all)d."),
        _("Who takes the first of them, and do they know?"),
        _("assign each of them to one person"),
        "core_people_bonds",
    ),
}  # fmt: skip


def computed_findings(plan: Plan) -> Iterator[Finding]:
    """Contradictions first, then whether it can be done, then what is not there."""
    checks = (_after_the_end, _order, _chance, _load, _overdue, _missing)
    for check in checks:
        yield from check(plan)
    for dimension in DIMENSIONS:
        if not getattr(plan.row, dimension.field).strip():
            yield _empty(dimension.field, is_needed=dimension.is_always_asked)


def new_task(title: str) -> dict[str, Any]:
    return {"kind": "task", "values": {"title": title}, "id": None}


def _moved(task: Task, due: dt.date) -> dict[str, Any]:
    return {"kind": "task_update", "values": {"due_date": due.isoformat()}, "id": str(task.pk)}


def _ending(day: dt.date) -> dict[str, Any]:
    return {"kind": "project_update", "values": {"end_date": day.isoformat()}, "id": None}


def _finding(
    key: str,
    severity: Finding.Severity,
    values: Mapping[str, Any],
    tasks: Sequence[Task],
    fix: dict[str, Any],
) -> Finding:
    """A finding that is not stored yet; the titles of `tasks` are its evidence.

    Its key is that of its words, and where each to-do has its own, the to-do's id behind it.
    """
    texts = _TEXTS[key.split("|", maxsplit=1)[0]]
    return Finding(
        key=key.replace("|", "-"),
        area=texts.area,
        severity=severity,
        observation=str(texts.observation) % values,
        question=str(texts.question),
        recommendation=str(texts.recommendation) % values,
        dimension=texts.dimension,
        evidence=[{"field": f"task:{task.pk}:title", "quote": task.title} for task in tasks],
        fix=fix,
        source=Finding.Source.COMPUTED,
    )


def _after_the_end(plan: Plan) -> Iterator[Finding]:
    end = plan.row.end_date
    late = [(task.due_date, task) for task in plan.open_tasks if task.due_date]
    late = [(due, task) for due, task in late if end and due > end]
    if end is not None and late:
        due, last = max(late, key=lambda pair: pair[0])
        values = {"title": last.title, "due": short_day(due), "end": short_day(end)}
        tasks = [task for _due, task in late]
        yield _finding("after-end", Severity.CRITICAL, values, tasks, _ending(due))


def _order(plan: Plan) -> Iterator[Finding]:
    """Due before what it waits for; the first such pair."""
    by_id = {str(task.pk): task for task in plan.open_tasks}
    for read in plan.inputs.open_tasks:
        for needed in (by_id[key] for key in read.depends_on if key in by_id):
            if read.due and needed.due_date and needed.due_date > read.due:
                task = by_id[read.id]
                values = {"title": task.title, "needed": needed.title}
                fix = _moved(task, needed.due_date)
                yield _finding(f"order|{task.pk}", Severity.SERIOUS, values, [task, needed], fix)
                return


def _chance(plan: Plan) -> Iterator[Finding]:
    result, end = plan.result, plan.row.end_date
    if not isinstance(result, Result) or result.on_time is None or end is None:
        return
    if result.on_time < TOO_LOW:
        late = result.pessimistic
        values = {
            "end": short_day(end),
            "percent": whole_percent(result.on_time),
            "late": short_day(late),
        }
        severity = Severity.CRITICAL if result.on_time < 0.2 else Severity.SERIOUS
        by_id = {str(task.pk): task for task in plan.tasks}
        tasks = [by_id[driver.id] for driver in result.drivers[:2] if driver.id in by_id]
        yield _finding("chance", severity, values, tasks, _ending(late))


def _load(plan: Plan) -> Iterator[Finding]:
    limit = TOO_MUCH * max(plan.inputs.hands, 1)
    full = {day: week for day, week in _weeks(plan).items() if week[0] > limit}
    if not full:
        return
    worst = max(full, key=lambda day: full[day][0])
    days, tasks = full[worst]
    values = {"day": short_day(worst), "days": days_words(days), "n": len(full)}
    last = tasks[-1]
    fix = _moved(last, (last.due_date or plan.today) + dt.timedelta(weeks=1))
    severity = Severity.CRITICAL if days > 2 * limit else Severity.SERIOUS
    yield _finding("load", severity, values, tasks, fix)


def _weeks(plan: Plan) -> dict[dt.date, tuple[float, list[Task]]]:
    """Days of work by week (its Monday), spread evenly between the dates of each task."""
    weeks: dict[dt.date, tuple[float, list[Task]]] = defaultdict(lambda: (0.0, []))
    by_id = {str(task.pk): task for task in plan.open_tasks}
    for read in plan.inputs.open_tasks:
        if read.due is None or not read.is_estimated:
            continue
        start = max(read.start or plan.today, plan.today)
        low, high = range_of(read)
        middle, days = float((low * high) ** 0.5), working_days(start, read.due)
        monday = start - dt.timedelta(days=start.weekday())
        for number in range(min((read.due - monday).days // 7 + 1, WEEKS)):
            first = monday + dt.timedelta(weeks=number)
            last = min(first + dt.timedelta(days=6), read.due)
            if inside := working_days(max(first, start), last):
                before, tasks = weeks[first]
                weeks[first] = (before + middle * inside / days, [*tasks, by_id[read.id]])
    return dict(weeks)


def _overdue(plan: Plan) -> Iterator[Finding]:
    late = [task for task in plan.open_tasks if task.due_date and task.due_date < plan.today]
    if late:
        first = min(late, key=lambda task: task.due_date or plan.today)
        severity = Severity.SERIOUS if len(late) > 1 else Severity.MINOR
        fix = _moved(first, today_plus(plan.inputs, 5))
        values = {"titles": listed([task.title for task in late])}
        yield _finding("overdue", severity, values, late, fix)


def _missing(plan: Plan) -> Iterator[Finding]:
    """No end date, no to-dos, to-dos without an estimate, and without a person where some have."""
    tasks, result = plan.open_tasks, plan.result
    if plan.row.end_date is None:
        fix = new_task(gettext("Set an end date"))
        if isinstance(result, Result):
            fix = _ending(result.pessimistic)
        yield _finding("no-end", Severity.SERIOUS, {}, (), fix)
    if not tasks:
        fix = new_task(gettext("Write down the next three steps"))
        yield _finding("no-tasks", Severity.CRITICAL, {}, (), fix)
    ids = {item.id for item in plan.inputs.unestimated}
    without = [task for task in tasks if str(task.pk) in ids]
    if len(without) > 1 and len(without) * 2 >= len(tasks):
        values = {"n": len(without), "all": len(tasks)}
        severity = Severity.SERIOUS if isinstance(result, Result) else Severity.MINOR
        fix = new_task(gettext("Estimate the open to-dos"))
        yield _finding("no-estimates", severity, values, without, fix)
    without = [task for task in tasks if not task.assignee]
    if 0 < len(without) < len(tasks):
        values = {"n": len(without), "all": len(tasks)}
        fix = new_task(gettext("Assign the open to-dos"))
        yield _finding("no-owner", Severity.MINOR, values, without, fix)


def _empty(name: str, *, is_needed: bool) -> Finding:
    label = {"name": BY_FIELD[name].name}
    return Finding(
        key=f"thin-{name}",
        area=Area.COMPLETENESS,
        severity=Severity.CRITICAL if is_needed else Severity.SERIOUS,
        observation=gettext("%(name)s is empty.") % label,
        question=str(QUESTIONS[name][0]),
        recommendation=gettext("describe it, even in one sentence"),
        dimension=name,
        evidence=[],
        fix=new_task(gettext("Describe “%(name)s”") % label),
        source=Finding.Source.COMPUTED,
    )
