"""What a person has, as the concierge sees it each turn: bounded, most relevant first."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from chat.assistant.delimiter import Delimiter
from chat.models import Session
from futura.text import shortened
from projects.completeness import covered
from projects.models import Project, ProjectDraft, Task

SOON: Final = dt.timedelta(days=7)
RECENT: Final = 10
REVIEWS_SHOWN: Final = 5
IN_TEXT: Final = 12  # tasks of one heading in the prompt
TITLE_CHARS: Final = 120
RANKS: Final = {"critical": 0, "high": 1, "normal": 2, "low": 3}


@dataclass(frozen=True)
class SurveyLine:
    """A work survey that was not submitted yet; `count` are the tasks noted so far."""

    id: uuid.UUID
    title: str
    count: int
    is_talking: bool = True


@dataclass(frozen=True)
class ReviewLine:
    """Changes that wait for the person's word."""

    id: uuid.UUID
    title: str
    count: int


@dataclass(frozen=True)
class Briefing:
    """Everything a turn starts from. `now` is aware, in the person's zone; `today` its day.

    `tasks` are active ones with their projects, most relevant first (overdue, critical, due today,
    high, …), `recent` those touched last; `counts` has every status, `tabs` what the lists of
    to-dos count (`projects.todos.queries.counts_of`). Projects have `open_count`. Lists are cut,
    counts are not.
    """

    now: dt.datetime
    owner_ids: tuple[uuid.UUID, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    tabs: Mapping[str, int] = field(default_factory=dict)
    tasks: Sequence[Task] = ()
    recent: Sequence[Task] = ()
    projects: Sequence[Project] = ()
    project_count: int = 0
    drafts: Sequence[ProjectDraft] = ()
    surveys: Sequence[SurveyLine] = ()
    reviews: Sequence[ReviewLine] = ()
    talks: Sequence[Session] = ()

    @property
    def today(self) -> dt.date:
        """The person's day."""
        return self.now.date()

    @property
    def overdue_count(self) -> int:
        """Open tasks due before today."""
        return self.tabs.get("late", 0)

    @property
    def due_today_count(self) -> int:
        """Open tasks due today."""
        return self.tabs.get("due_today", 0)

    @property
    def active_count(self) -> int:
        """Tasks that are neither completed nor dropped."""
        return sum(self.counts.get(one, 0) for one in Task.ACTIVE)

    @property
    def review_count(self) -> int:
        """Changes that wait, of all batches."""
        return sum(one.count for one in self.reviews)

    @property
    def is_newcomer(self) -> bool:
        """Nothing was ever stored."""
        has_any = self.tabs.get("all") or self.project_count
        return not (has_any or self.drafts or self.surveys)

    @property
    def overdue(self) -> list[Task]:
        """Due before today."""
        return [one for one in self.tasks if one.due_date and one.due_date < self.today]

    @property
    def due_today(self) -> list[Task]:
        """Due today."""
        return [one for one in self.tasks if one.due_date == self.today]

    @property
    def soon(self) -> list[Task]:
        """Due in the next seven days, today left out."""
        last = self.today + SOON
        return [one for one in self.tasks if one.due_date and self.today < one.due_date <= last]

    def of_priority(self, priority: str) -> list[Task]:
        """Active tasks of one priority."""
        return [one for one in self.tasks if one.priority == priority]

    def of_status(self, status: str) -> list[Task]:
        """Tasks of one status."""
        return [one for one in self.tasks if one.status == status]

    @property
    def focus(self) -> list[Task]:
        """What to do first today: critical, late, due today, then high; blocked ones left out."""
        ranked = [
            (rank, one)
            for one in self.tasks
            if one.status != Task.Status.BLOCKED and (rank := self._rank(one)) is not None
        ]
        ranked.sort(key=lambda pair: (pair[0], pair[1].due_date or dt.date.max))
        return [one for _rank, one in ranked]

    def _rank(self, task: Task) -> tuple[int, int] | None:
        is_late = task.due_date is not None and task.due_date < self.today
        if task.priority == "critical":
            return 0, 0 if is_late else 1
        if is_late or task.due_date == self.today:
            return 1 if is_late else 2, RANKS[task.priority]
        return (3, 1) if task.priority == "high" else None

    def as_text(self, delimiter: Delimiter | None = None) -> str:
        """The briefing as a prompt shows it, ids included; with a delimiter, as marked material."""
        head = "\n".join(self._head())
        blocks = [
            ("CRITICAL TASKS", _lines(self.of_priority("critical"), self.today)),
            ("High priority", _lines(self.of_priority("high"), self.today)),
            ("Overdue", _lines(self.overdue, self.today)),
            ("Due today", _lines(self.due_today, self.today)),
            ("Blocked", _lines(self.of_status("blocked"), self.today)),
            ("Recent tasks", _lines(self.recent, self.today)),
            ("Projects", [_project(one) for one in self.projects]),
            ("Drafts of projects", [_draft(one) for one in self.drafts]),
            ("Surveys in progress", [_survey(one) for one in self.surveys]),
            ("Changes that wait for the person's review", _reviews(self.reviews)),
        ]
        text = "\n\n".join(
            [head, *(f"{name}:\n" + "\n".join(lines) for name, lines in blocks if lines)]
        )
        return delimiter.around("briefing", text) if delimiter else text

    def _head(self) -> list[str]:
        statuses = ("inbox", "available", "scheduled", "blocked")
        counted = ", ".join(f"{self.counts.get(one, 0)} {one}" for one in statuses)
        names = ", ".join(shortened(one.name, 60) for one in self.projects) or "none"
        more = self.project_count - len(self.projects)
        resting = self.tabs.get("resting", 0)
        return [
            f"Today: {self.now:%A}, {self.today}, {self.now:%H:%M}",
            (
                f"Tasks: {self.active_count} active ({counted}); {self.overdue_count} overdue, "
                f"{self.due_today_count} due today; {self.counts.get('completed', 0)} completed"
                + (f"; {resting} more rest in paused or archived projects" if resting else "")
            ),
            f"Projects: {names}" + (f" and {more} more" if more > 0 else ""),
        ]


def line_of(task: Task, today: dt.date) -> str:
    """One task for a prompt: status, title, what matters of it, its id."""
    facts = [task.priority] if task.priority != "normal" else []
    if task.due_date:
        late = " (overdue)" if task.status in Task.ACTIVE and task.due_date < today else ""
        at = f" {task.due_time:%H:%M}" if task.due_time else ""
        facts.append(f"due {task.due_date}{at}{late}")
    if task.start_date:
        facts.append(f"starts {task.start_date}")
    if task.project:
        facts.append(f"project {shortened(task.project.name, 60)}")
    told = f" ({'; '.join(facts)})" if facts else ""
    return f"- [{task.status}] {shortened(task.title, TITLE_CHARS)}{told} id={task.pk}"


def _lines(tasks: Sequence[Task], today: dt.date) -> list[str]:
    lines = [line_of(one, today) for one in tasks[:IN_TEXT]]
    return [*lines, f"- and {len(tasks) - IN_TEXT} more"] if len(tasks) > IN_TEXT else lines


def _project(one: Project) -> str:
    end = f"; ends {one.end_date}" if one.end_date else ""
    count = getattr(one, "open_count", 0)
    return f"- {shortened(one.name, TITLE_CHARS)} ({count} open tasks{end}) id={one.pk}"


def _draft(one: ProjectDraft) -> str:
    parts = covered(one)
    return f"- {shortened(one.name, TITLE_CHARS) or 'unnamed'} ({parts} of 9 parts described)"


def _survey(one: SurveyLine) -> str:
    return f"- {shortened(one.title, TITLE_CHARS)} ({one.count} tasks noted)"


def _reviews(waiting: Sequence[ReviewLine]) -> list[str]:
    lines = [_review(one) for one in waiting[:REVIEWS_SHOWN]]
    more = len(waiting) - REVIEWS_SHOWN
    return [*lines, f"- and {more} more"] if more > 0 else lines


def _review(one: ReviewLine) -> str:
    """Without the words of the message that asked: they may be somebody else's."""
    if one.title.startswith("“"):
        return f"- changes ({one.count})"
    return f"- {shortened(one.title, TITLE_CHARS) or 'changes'} ({one.count})"
