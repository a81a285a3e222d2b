"""Missing pieces: an end, estimates, effects to measure, who decides, work for each goal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from futura.text import content_stems
from projects.agent.audit.findings import Area, Finding, Fix, Severity, Subject, of_task, quoted
from projects.agent.audit.sentences import Sentence, sentences_of
from projects.forecasting.results import Result
from projects.forecasting.wording import short_day

GOALS, IDEALS, PEOPLE = "core_goals_momentum", "core_integrity_ideals", "core_people_bonds"
_OUTPUT: Final = re.compile(
    r"\b(?:launch\w*|build\w*|deliver\w*|release\w*|ship\w*|writ\w+|publish\w*|create\w*|implement\w*"
    r"|develop\w*|finish\w*|complete\w*|set up|produce\w*|features?|app|website|report)\b",
    re.IGNORECASE,
)
_EFFECT: Final = re.compile(
    r"\b(?:users?|customers?|clients?|people (?:use|can|save)|sav(?:e|es|ed|ing)|fewer|less|faster"
    r"|hours?|minutes?|revenue|profit|satisf\w+|errors?|complaints?|quality|waste|cost|per ?cent"
    r"|rate|retention|score|learn\w*|health\w*)\b|%|\d", re.IGNORECASE,
)  # fmt: skip
_DECIDES: Final = re.compile(
    r"\b(?:decid\w+|sign(?:s|ed)?[ -]?off|approv\w+|responsib\w+|own(?:s|er|ed)|accountab\w+"
    r"|lead(?:s|er)?|in charge|final (?:say|word)|boss|manager|sponsor|just me|only me|alone"
    r"|on my own)\b",
    re.IGNORECASE,
)


def missing(subject: Subject) -> Iterator[Finding]:
    """What is not there and would be needed."""
    yield from _end(subject)
    yield from _tasks(subject)
    yield from _estimates(subject)
    yield from _effects(subject)
    yield from _decider(subject)
    yield from _goals_without_work(subject)


def _end(subject: Subject) -> Iterator[Finding]:
    if subject.project.end_date is not None:
        return
    fix = Fix(kind="task", values={"title": _("Set an end date")})
    recommendation = _("set an end date, even a rough one")
    if isinstance(subject.result, Result):
        late = subject.result.pessimistic
        fix = Fix(kind="project_update", values={"end_date": late.isoformat()})
        recommendation = _("set %(day)s, which the tasks as they stand meet in 8 of 10 cases")
        recommendation %= {"day": short_day(late)}
    yield Finding(
        id="no-end",
        area=Area.MISSING,
        severity=Severity.SERIOUS,
        observation=_("The project has no end date."),
        question=_("What would happen if it took twice as long as you think?"),
        recommendation=recommendation,
        dimension=GOALS,
        fix=fix,
    )


def _tasks(subject: Subject) -> Iterator[Finding]:
    if subject.open_tasks:
        return
    yield Finding(
        id="no-tasks",
        area=Area.MISSING,
        severity=Severity.CRITICAL,
        observation=_("No task is open: nothing says what happens next."),
        question=_("What is the smallest step that you could take tomorrow?"),
        recommendation=_("write down the next three steps"),
        dimension=GOALS,
        fix=Fix(kind="task", values={"title": _("Write down the next three steps")}),
    )


def _estimates(subject: Subject) -> Iterator[Finding]:
    without = {one.id for one in subject.inputs.unestimated}
    tasks = [task for task in subject.open_tasks if str(task.pk) in without]
    if len(tasks) < 2 or len(tasks) * 2 < len(subject.open_tasks):
        return
    told = {"n": len(tasks), "all": len(subject.open_tasks)}
    yield Finding(
        id="no-estimates",
        area=Area.MISSING,
        severity=Severity.SERIOUS if isinstance(subject.result, Result) else Severity.MINOR,
        observation=_("%(n)d of %(all)d open tasks have no estimate.") % told,
        question=_("Which of these is the largest, and how sure are you of that?"),
        recommendation=_("give each a shorter and a longer estimate in days"),
        dimension="core_power_resources",
        evidence=[of_task(task) for task in tasks[:4]],
        fix=Fix(kind="task", values={"title": _("Estimate the open tasks")}),
    )


def _effects(subject: Subject) -> Iterator[Finding]:
    """Success told by what is made, not by what it does."""
    told = [(name, one) for name in (IDEALS, GOALS) for one in sentences_of(subject.text(name))]
    makes = [one for one in told if _OUTPUT.search(one[1].text)]
    if not makes or any(_EFFECT.search(_undated(one.text)) for _name, one in told):
        return
    name, one = makes[0]
    yield Finding(
        id="no-effect",
        area=Area.MISSING,
        severity=Severity.SERIOUS,
        observation=_("Success is told by what is made, not by what it brings about."),
        question=_("Suppose it is finished and nothing gets better: by what would you notice?"),
        recommendation=_("add one figure that should change, with its value today"),
        dimension=IDEALS,
        evidence=[quoted(name, subject.text(name), one.start, one.end)],
        fix=Fix(kind="task", values={"title": _("Name a figure that should change")}),
    )


def _undated(text: str) -> str:
    """Without days and years: they are figures, but no effects."""
    return re.sub(
        r"\b(?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d|q[1-4])\b", "", text, flags=re.IGNORECASE
    )


def _decider(subject: Subject) -> Iterator[Finding]:
    text = subject.text(PEOPLE)
    if not text.strip() or _DECIDES.search(text):
        return
    yield Finding(
        id="no-decider",
        area=Area.MISSING,
        severity=Severity.MINOR,
        observation=_("People are named, but not who has the last word."),
        question=_("If two of them disagree, who decides?"),
        recommendation=_("name one person who decides"),
        dimension=PEOPLE,
        evidence=[quoted(PEOPLE, text, 0, len(text))],
        fix=Fix(kind="task", values={"title": _("Name who decides")}),
    )


def _goals_without_work(subject: Subject) -> Iterator[Finding]:
    """Goals that no task has a word in common with."""
    if not subject.open_tasks:
        return
    work: set[str] = set()
    for task in subject.tasks:
        work |= content_stems(f"{task.title} {task.details}")
    text = subject.text(GOALS)
    lonely = [one for one in sentences_of(text) if _is_goal(one) and _is_apart(one, work)]
    if not lonely:
        return
    what = lonely[0].text.rstrip(".!? ")
    yield Finding(
        id="goal-without-work",
        area=Area.MISSING,
        severity=Severity.SERIOUS if len(lonely) > 1 else Severity.MINOR,
        observation=_("No task leads to this goal."),
        question=_("Who does the first thing for it, and when?"),
        recommendation=_("add a first task for it, or take the goal out"),
        dimension=GOALS,
        evidence=[quoted(GOALS, text, one.start, one.end) for one in lonely[:3]],
        fix=Fix(kind="task", values={"title": _("First step: %(goal)s") % {"goal": what[:150]}}),
    )


def _is_goal(one: Sentence) -> bool:
    return len(content_stems(one.text)) >= 3


def _is_apart(one: Sentence, work: set[str]) -> bool:
    return not content_stems(one.text) & work
