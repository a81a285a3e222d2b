"""What is computed of a project: dates that contradict each other, missing pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.dimensions import BY_FIELD, DIMENSIONS
from projects.forecasting.results import Result
from projects.forecasting.wording import short_day
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

Words = str | Promise


@dataclass(frozen=True)
class Gap:
    """What the want of a dimension leads to, what to ask, and what to do."""

    consequence: Words
    question: Words
    recommendation: Words
    task: Words


GAPS: Final[Mapping[str, Gap]] = {
    "core_integrity_ideals": Gap(
        gettext_lazy("Nobody can tell when this is good enough."),
        gettext_lazy("By what would a stranger see that it has succeeded?"),
        gettext_lazy("write down two or three signs of success, and what must not suffer for them"),
        gettext_lazy("Write down what success looks like"),
    ),
    "core_people_bonds": Gap(
        gettext_lazy("Who does what, and who has to agree, is left to chance."),
        gettext_lazy("Who would be surprised to learn of this project, and should not be?"),
        gettext_lazy("name who works on it, who decides, and who has to be told"),
        gettext_lazy("Name who works on it, decides, and is told"),
    ),
    "core_goals_momentum": Gap(
        gettext_lazy("Without milestones nobody notices when it stops moving."),
        gettext_lazy("What must be true a month from now for this to be on its way?"),
        gettext_lazy("set three milestones, each with a day"),
        gettext_lazy("Set three milestones, each with a day"),
    ),
    "core_meaning_identity": Gap(
        gettext_lazy("When it gets hard, nothing here says why to go on."),
        gettext_lazy("What if it were never done: who would miss it?"),
        gettext_lazy("write one sentence on why it matters, and to whom"),
        gettext_lazy("Write one sentence on why it matters"),
    ),
    "core_reality_understanding": Gap(
        gettext_lazy("Without the present state there is nothing to measure progress against."),
        gettext_lazy("How is it done today, and what exactly is wrong with that?"),
        gettext_lazy("describe the present state and its limits in figures where you can"),
        gettext_lazy("Describe how it is done today"),
    ),
    "core_trust_safeguards": Gap(
        gettext_lazy("Nothing here prepares for what may go wrong."),
        gettext_lazy("What if the person you count on most is gone for a month?"),
        gettext_lazy("list the three worst things that could happen, and your answer to each"),
        gettext_lazy("List what could go wrong, with an answer to each"),
    ),
    "core_opportunity_freedom": Gap(
        gettext_lazy("Only one way is described; that the others were weighed cannot be seen."),
        gettext_lazy("What if this way turned out to be closed: which is the next best?"),
        gettext_lazy("name one alternative, and the sign on which you would take it"),
        gettext_lazy("Name one alternative, and when to take it"),
    ),
    "core_power_resources": Gap(
        gettext_lazy("Whether time, money and hands suffice cannot be judged."),
        gettext_lazy("How many hours a week are really free for this, and whose?"),
        gettext_lazy("put figures to time, money and hands"),
        gettext_lazy("Put figures to time, money and hands"),
    ),
    "core_harmony_integration": Gap(
        gettext_lazy("Nothing here would tell you early that it goes wrong."),
        gettext_lazy("When do you next look at it, with whom, and what do you look at?"),
        gettext_lazy("fix a day on which you look at progress, and the one figure you look at"),
        gettext_lazy("Fix a day and a figure for looking at progress"),
    ),
}


def contradictions(subject: Subject) -> Iterator[Finding]:
    """Dates and priorities that do not go together."""
    yield from _after_the_end(subject)
    yield from _order(subject)
    yield from _circles(subject)
    yield from _everything_urgent(subject)


def missing(subject: Subject) -> Iterator[Finding]:
    """What is not there and would be needed."""
    yield from _end(subject)
    yield from _tasks(subject)
    yield from _estimates(subject)
    yield from _owners(subject)
    for dimension in DIMENSIONS:
        if not subject.text(dimension.field).strip():
            yield _empty(dimension.field, is_needed=dimension.is_always_asked)


def _after_the_end(subject: Subject) -> Iterator[Finding]:
    end = subject.project.end_date
    late = [task for task in subject.open_tasks if end and task.due_date and task.due_date > end]
    if end is None or not late:
        return
    last = max(late, key=lambda one: one.due_date or end)
    due = last.due_date or end
    told = {"title": last.title, "due": short_day(due), "end": short_day(end)}
    yield computed(
        "after-end",
        Area.CONSISTENCY,
        Severity.CRITICAL,
        _("“%(title)s” is due on %(due)s, after the project's end on %(end)s.") % told,
        _("Which of the two days is the real one?"),
        _("move the end of the project to %(due)s, or the task before it") % told,
        tasks=late,
        fix=project_change(end_date=due.isoformat()),
    )


def _order(subject: Subject) -> Iterator[Finding]:
    """Due before what it waits for; the first such pair."""
    by_id = {str(task.pk): task for task in subject.open_tasks}
    pairs = (
        (task, by_id[key]) for task in by_id.values() for key in subject.needs(task) if key in by_id
    )
    for task, needed in pairs:
        if not needed.due_date or not task.due_date or needed.due_date <= task.due_date:
            continue
        told = {"task": task.title, "needed": needed.title}
        yield computed(
            f"order-{task.pk}",
            Area.CONSISTENCY,
            Severity.SERIOUS,
            _("“%(task)s” is due before “%(needed)s”, which it waits for.") % told,
            _("Does it really wait for that?"),
            _("put the days in the order of the work"),
            tasks=[task, needed],
            fix=task_change(task, due_date=needed.due_date.isoformat()),
        )
        return


def _circles(subject: Subject) -> Iterator[Finding]:
    """To-dos that wait for each other."""
    titles = subject.result.circles if isinstance(subject.result, Result) else ()
    tasks = [task for task in subject.open_tasks if task.title in titles]
    if not tasks:
        return
    yield computed(
        "circle",
        Area.CONSISTENCY,
        Severity.SERIOUS,
        _("Some to-dos wait for each other in a circle, so none can begin."),
        _("Which of them could begin without the others?"),
        _("take out one of the dependencies"),
        tasks=tasks,
        fix=task_change(tasks[0], depends_on=[]),
    )


def _everything_urgent(subject: Subject) -> Iterator[Finding]:
    grave = {Task.Priority.CRITICAL, Task.Priority.HIGH}
    urgent = [task for task in subject.open_tasks if task.priority in grave]
    if len(urgent) < 4 or len(urgent) * 3 < len(subject.open_tasks) * 2:
        return
    told = {"n": len(urgent), "all": len(subject.open_tasks)}
    yield computed(
        "urgent",
        Area.CONSISTENCY,
        Severity.MINOR,
        _("%(n)d of %(all)d open tasks are of high priority; then none is.") % told,
        _("Which one would you do if you could do only one this week?"),
        _("keep high priority for two or three of them"),
        tasks=urgent,
        fix=task_change(urgent[-1], priority="normal"),
    )


def _end(subject: Subject) -> Iterator[Finding]:
    if subject.project.end_date is not None:
        return
    fix = new_task(_("Set an end date"))
    recommendation = _("set an end date, even a rough one")
    if isinstance(subject.result, Result):
        late = subject.result.pessimistic
        fix = project_change(end_date=late.isoformat())
        recommendation = _("set %(day)s, which the tasks as they stand meet in 8 of 10 cases")
        recommendation %= {"day": short_day(late)}
    yield computed(
        "no-end",
        Area.MISSING,
        Severity.SERIOUS,
        _("The project has no end date."),
        _("What would happen if it took twice as long as you think?"),
        recommendation,
        fix=fix,
    )


def _tasks(subject: Subject) -> Iterator[Finding]:
    if subject.open_tasks:
        return
    yield computed(
        "no-tasks",
        Area.MISSING,
        Severity.CRITICAL,
        _("No task is open: nothing says what happens next."),
        _("What is the smallest step that you could take tomorrow?"),
        _("write down the next three steps"),
        fix=new_task(_("Write down the next three steps")),
    )


def _estimates(subject: Subject) -> Iterator[Finding]:
    without = {one.id for one in subject.inputs.unestimated}
    tasks = [task for task in subject.open_tasks if str(task.pk) in without]
    if len(tasks) < 2 or len(tasks) * 2 < len(subject.open_tasks):
        return
    told = {"n": len(tasks), "all": len(subject.open_tasks)}
    yield computed(
        "no-estimates",
        Area.MISSING,
        Severity.SERIOUS if isinstance(subject.result, Result) else Severity.MINOR,
        _("%(n)d of %(all)d open tasks have no estimate.") % told,
        _("Which of these is the largest, and how sure are you of that?"),
        _("give each a shorter and a longer estimate in days"),
        dimension="core_power_resources",
        tasks=tasks,
        fix=new_task(_("Estimate the open tasks")),
    )


def _owners(subject: Subject) -> Iterator[Finding]:
    """Where some to-dos have a person, those that have none."""
    without = [task for task in subject.open_tasks if not task.assignee]
    if not without or len(without) == len(subject.open_tasks):
        return
    told = {"n": len(without), "all": len(subject.open_tasks)}
    yield computed(
        "no-owner",
        Area.MISSING,
        Severity.MINOR,
        _("%(n)d of %(all)d open to-dos have nobody who does them.") % told,
        _("Who does the first of them, and do they know?"),
        _("name one person for each"),
        dimension="core_people_bonds",
        tasks=without,
        fix=new_task(_("Name who does the open to-dos")),
    )


def _empty(name: str, *, is_needed: bool) -> Finding:
    gap = GAPS[name]
    values = {"name": BY_FIELD[name].name, "consequence": gap.consequence}
    return computed(
        f"thin-{name}",
        Area.COMPLETENESS,
        Severity.CRITICAL if is_needed else Severity.SERIOUS,
        _("Nothing is said on %(name)s. %(consequence)s") % values,
        str(gap.question),
        str(gap.recommendation),
        dimension=name,
        fix=new_task(str(gap.task), str(gap.question)),
    )
