"""Consistency: dates against tasks and texts, goals against means, money and people told twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from projects.agent.audit.findings import (
    Area,
    Evidence,
    Finding,
    Fix,
    Severity,
    Subject,
    of_task,
    quoted,
)
from projects.agent.audit.sentences import Sentence, sentences_of
from projects.dimensions import FIELDS
from projects.forecasting.wording import short_day
from projects.language.dates import find_dates
from projects.models import Task

GOALS, MEANS = "core_goals_momentum", "core_power_resources"
_FINISH: Final = re.compile(
    r"\b(?:launch\w*|finish\w*|done|complete\w*|live|deadline|deliver\w*|ready|end\b|hand over"
    r"|release\w*|open(?:s|ing)?)\b", re.IGNORECASE,
)  # fmt: skip
_NO_MONEY: Final = re.compile(
    r"\b(?:no (?:budget|money|funds|funding)|without (?:a )?(?:budget|money|funding)"
    r"|zero budget|unfunded)\b", re.IGNORECASE,
)  # fmt: skip
_SPENDS: Final = re.compile(
    r"\b(?:buy|buying|purchas\w+|hir(?:e|ing)|pay(?:ing|s)?|rent(?:ing)?|licen[cs]es?|subscri\w+"
    r"|agency|contractors?|freelancers?|adverti\w+)\b", re.IGNORECASE,
)  # fmt: skip
_MONEY: Final = re.compile(
    r"(?:[$€£]\s?(?P<a>\d[\d.,]*)\s?(?P<ka>k|m)?\b|\b(?P<b>\d[\d.,]*)\s?(?P<kb>k|m)?\s?"
    r"(?:euros?|dollars?|pounds?|eur|usd|gbp|€|\$|£))", re.IGNORECASE,
)  # fmt: skip
_BUDGET: Final = re.compile(
    r"\b(?:budget|in total|altogether|we have|spend up to)\b", re.IGNORECASE
)
_ALONE: Final = re.compile(
    r"\b(?:just me|only me|alone|on my own|by myself|nobody else)\b", re.IGNORECASE
)
_TEAM: Final = re.compile(
    r"\b(?:our team|the team|my team|colleagues|team members|teammates|both of us"
    r"|we are (?:two|three|four|five|six|\d+))\b", re.IGNORECASE,
)  # fmt: skip
_AMBITION: Final = re.compile(
    r"\b(?:all|every|entire|whole|world\w*|best|first|leading|revolution\w*|double|triple|\d{2,}"
    r"|complete(?:ly)?|everything|everyone|nationwide|global\w*)\b", re.IGNORECASE,
)  # fmt: skip
_SCARCE: Final = re.compile(
    r"\b(?:no |little|few|limited|only|half a day|tight|short of|lack\w*|spare time|evenings"
    r"|weekends|one person|alone|not enough)", re.IGNORECASE,
)  # fmt: skip


def consistency(subject: Subject) -> Iterator[Finding]:
    """What does not go together."""
    yield from _after_the_end(subject)
    yield from _told_dates(subject)
    yield from _order(subject)
    yield from _ambition(subject)
    yield from _money(subject)
    yield from _people(subject)
    yield from _everything_urgent(subject)


def _after_the_end(subject: Subject) -> Iterator[Finding]:
    end = subject.project.end_date
    if end is None:
        return
    late = [task for task in subject.open_tasks if task.due_date and task.due_date > end]
    if not late:
        return
    last = max(late, key=lambda one: one.due_date or end)
    told = {"title": last.title, "due": short_day(last.due_date or end), "end": short_day(end)}
    yield Finding(
        id="after-end",
        area=Area.CONSISTENCY,
        severity=Severity.CRITICAL,
        observation=_("“%(title)s” is due on %(due)s, after the project's end on %(end)s.") % told,
        question=_("Which of the two days is the real one?"),
        recommendation=_("move the end of the project to %(due)s, or the task before it") % told,
        dimension=GOALS,
        evidence=[of_task(task) for task in late[:4]],
        fix=Fix(kind="project_update", values={"end_date": (last.due_date or end).isoformat()}),
    )


def _told_dates(subject: Subject) -> Iterator[Finding]:
    """A finish named in words that lies elsewhere than the end date."""
    end = subject.project.end_date
    if end is None:
        return
    for name in (GOALS, "description", "core_integrity_ideals"):
        text = subject.text(name)
        for one in sentences_of(text):
            days = [found for found in find_dates(one.text, subject.today) if found.date]
            after = [o for o in days if o.date and (o.first or o.date) > end]
            if not after or not _FINISH.search(one.text):
                continue
            told = {"words": after[-1].text, "end": short_day(end)}
            yield Finding(
                id=f"date-{name}",
                area=Area.CONSISTENCY,
                severity=Severity.SERIOUS,
                observation=_("The text speaks of “%(words)s”, the end date is %(end)s.") % told,
                question=_("Which of the two holds, and who has been told the other one?"),
                recommendation=_("make text and end date say the same"),
                dimension=name if name in FIELDS else GOALS,
                evidence=[quoted(name, text, one.start, one.end)],
                fix=Fix(
                    kind="project_update",
                    values={"end_date": after[-1].date.isoformat()} if after[-1].date else {},
                ),
            )
            return


def _order(subject: Subject) -> Iterator[Finding]:
    """Due before what it waits for."""
    by_id = {str(task.pk): task for task in subject.open_tasks}
    for task in subject.open_tasks:
        for key in subject.needs.get(str(task.pk), ()):
            needed = by_id.get(key)
            if not needed or not needed.due_date or not task.due_date:
                continue
            if needed.due_date <= task.due_date:
                continue
            told = {"task": task.title, "needed": needed.title}
            yield Finding(
                id=f"order-{task.pk}",
                area=Area.CONSISTENCY,
                severity=Severity.SERIOUS,
                observation=_("“%(task)s” is due before “%(needed)s”, which it waits for.") % told,
                question=_("Does it really wait for that?"),
                recommendation=_("put the days in the order of the work"),
                dimension=GOALS,
                evidence=[of_task(task), of_task(needed)],
                fix=Fix(
                    kind="task_update",
                    id=task.pk,
                    values={"due_date": needed.due_date.isoformat()},
                ),
            )
            return


def _first(subject: Subject, pattern: re.Pattern[str], *names: str) -> tuple[str, Sentence] | None:
    for name in names:
        for one in sentences_of(subject.text(name)):
            if pattern.search(one.text):
                return name, one
    return None


def _as_evidence(subject: Subject, found: tuple[str, Sentence]) -> Evidence:
    name, one = found
    return quoted(name, subject.text(name), one.start, one.end)


def _ambition(subject: Subject) -> Iterator[Finding]:
    """High goals beside scarce means (the specification's own example)."""
    high = _first(subject, _AMBITION, GOALS, "core_integrity_ideals")
    scarce = _first(subject, _SCARCE, MEANS, "core_people_bonds")
    is_thin = subject.is_thin(MEANS)
    if high is None or (scarce is None and not is_thin):
        return
    evidence = [_as_evidence(subject, high)]
    if scarce is not None:
        evidence.append(_as_evidence(subject, scarce))
        words = _("The goals are ambitious, the means are small.")
    else:
        words = _("The goals are ambitious, and next to nothing is said of the means.")
    yield Finding(
        id="ambition",
        area=Area.CONSISTENCY,
        severity=Severity.SERIOUS,
        observation=words,
        question=_("How do you choose when time or money gets tight: what goes first, what stays?"),
        recommendation=_("put the goals in an order, and mark the one that would do on its own"),
        dimension=MEANS,
        evidence=evidence,
        fix=Fix(kind="task", values={"title": _("Put the goals in an order")}),
    )


def _money(subject: Subject) -> Iterator[Finding]:
    none = _first(subject, _NO_MONEY, *FIELDS, "description", "context")
    spends = _first(subject, _SPENDS, *FIELDS, "description", "context")
    if none and spends and none != spends:
        yield _contradiction(
            subject, "no-money", [none, spends],
            _("There is no budget, and yet money would be spent."),
            _("Where does that money come from?"),
            _("say what it costs and who pays, or do without it"),
            _("Say what it costs and who pays"),
        )  # fmt: skip
    told: dict[float, tuple[str, Sentence]] = {}
    for name in (*FIELDS, "description", "context"):
        for one in sentences_of(subject.text(name)):
            if _BUDGET.search(one.text) and (amount := amount_in(one.text)):
                told.setdefault(amount, (name, one))
    if len(told) > 1:
        yield _contradiction(
            subject, "two-budgets", list(told.values())[:3],
            _("Two budgets are named."),
            _("Which of them has somebody agreed to?"),
            _("leave the one that was agreed to, and take the other out"),
            _("Settle which budget holds"),
        )  # fmt: skip


def amount_in(text: str) -> float | None:
    """An amount of money; None without one."""
    found = _MONEY.search(text)
    if found is None:
        return None
    digits, letter = found["a"] or found["b"], (found["ka"] or found["kb"] or "").lower()
    plain = re.sub(r"[.,](?=\d{3}\b)", "", digits).replace(",", ".").rstrip(".")
    try:
        return float(plain) * {"k": 1_000.0, "m": 1_000_000.0}.get(letter, 1.0)
    except ValueError:
        return None


def _people(subject: Subject) -> Iterator[Finding]:
    alone = _first(subject, _ALONE, "core_people_bonds", MEANS)
    team = _first(subject, _TEAM, *FIELDS)
    if alone and team and alone != team:
        yield _contradiction(
            subject, "people", [alone, team],
            _("In one place you do it alone, in another there are several."),
            _("Who of them has said yes, and to how many hours?"),
            _("name those who have agreed, and with how much time"),
            _("Name who has agreed, and with how much time"),
        )  # fmt: skip


def _contradiction(
    subject: Subject, key: str, found: list[tuple[str, Sentence]], observation: str,
    question: str, recommendation: str, task: str,
) -> Finding:  # fmt: skip
    name = found[0][0]
    return Finding(
        id=key,
        area=Area.CONSISTENCY,
        severity=Severity.SERIOUS,
        observation=observation,
        question=question,
        recommendation=recommendation,
        dimension=name if name in FIELDS else MEANS,
        evidence=[_as_evidence(subject, one) for one in found],
        fix=Fix(kind="task", values={"title": task}),
    )


def _everything_urgent(subject: Subject) -> Iterator[Finding]:
    urgent = [
        task
        for task in subject.open_tasks
        if task.priority in {Task.Priority.CRITICAL, Task.Priority.HIGH}
    ]
    if len(urgent) < 4 or len(urgent) * 3 < len(subject.open_tasks) * 2:
        return
    told = {"n": len(urgent), "all": len(subject.open_tasks)}
    yield Finding(
        id="urgent",
        area=Area.CONSISTENCY,
        severity=Severity.MINOR,
        observation=_("%(n)d of %(all)d open tasks are of high priority; then none is.") % told,
        question=_("Which one would you do if you could do only one this week?"),
        recommendation=_("keep high priority for two or three of them"),
        dimension=GOALS,
        evidence=[of_task(task) for task in urgent[:4]],
        fix=Fix(kind="task_update", id=urgent[-1].pk, values={"priority": "normal"}),
    )
