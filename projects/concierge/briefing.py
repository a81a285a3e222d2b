"""What a person has, as the concierge sees it each turn: typed, bounded, most relevant first."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from chat.assistant.delimiter import Delimiter
from futura.text import shortened
from projects.models import Task

SOON: Final = dt.timedelta(days=7)
RECENT: Final = 10
REVIEWS_SHOWN: Final = 5
IN_TEXT: Final = 12  # tasks of one heading in the prompt
TITLE_CHARS: Final = 120
RANKS: Final = {"critical": 0, "high": 1, "normal": 2, "low": 3}


@dataclass(frozen=True)
class TaskLine:
    """A living task in short. Dates are days of the person's calendar."""

    id: uuid.UUID
    title: str
    status: str
    priority: str
    owner_id: uuid.UUID
    start: dt.date | None = None
    due: dt.date | None = None
    due_time: dt.time | None = None
    project_id: uuid.UUID | None = None
    project_name: str = ""
    updated_at: dt.datetime | None = None

    @property
    def is_active(self) -> bool:
        """Neither completed nor dropped."""
        return self.status in Task.ACTIVE


@dataclass(frozen=True)
class ProjectLine:
    """An active project and how many of its tasks are open."""

    id: uuid.UUID
    name: str
    end: dt.date | None = None
    open_count: int = 0


@dataclass(frozen=True)
class DraftLine:
    """A draft in progress; `covered` counts its dimensions that hold anything, of nine."""

    id: uuid.UUID
    name: str
    covered: int
    session_id: uuid.UUID | None = None
    touched_at: dt.datetime | None = None


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
    session_id: uuid.UUID | None = None


@dataclass(frozen=True)
class TalkLine:
    """A conversation about a project that can go on."""

    id: uuid.UUID
    kind: str
    title: str
    updated_at: dt.datetime


@dataclass(frozen=True)
class Briefing:
    """Everything a turn starts from. `now` is aware, in the person's zone; `today` its day.

    `tasks` are active ones, most relevant first (overdue, critical, due today, high, …), `recent`
    those touched last; `counts` has every status, `tabs` what the lists of to-dos count
    (`projects.todos.queries.counts_of`). Lists are cut, counts are not.
    """

    now: dt.datetime
    owner_ids: tuple[uuid.UUID, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    tabs: Mapping[str, int] = field(default_factory=dict)
    tasks: Sequence[TaskLine] = ()
    recent: Sequence[TaskLine] = ()
    projects: Sequence[ProjectLine] = ()
    project_count: int = 0
    drafts: Sequence[DraftLine] = ()
    surveys: Sequence[SurveyLine] = ()
    reviews: Sequence[ReviewLine] = ()
    talks: Sequence[TalkLine] = ()

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
        """Nothing was ever kept."""
        has_any = self.tabs.get("all") or self.project_count
        return not (has_any or self.drafts or self.surveys)

    def due_before(self, day: dt.date) -> list[TaskLine]:
        """Tasks due before a day."""
        return [one for one in self.tasks if one.due is not None and one.due < day]

    @property
    def overdue(self) -> list[TaskLine]:
        """Due before today."""
        return self.due_before(self.today)

    @property
    def due_today(self) -> list[TaskLine]:
        """Due today."""
        return [one for one in self.tasks if one.due == self.today]

    @property
    def soon(self) -> list[TaskLine]:
        """Due in the next seven days, today left out."""
        last = self.today + SOON
        return [one for one in self.tasks if one.due and self.today < one.due <= last]

    def of_priority(self, priority: str) -> list[TaskLine]:
        """Active tasks of one priority."""
        return [one for one in self.tasks if one.priority == priority]

    def of_status(self, status: str) -> list[TaskLine]:
        """Tasks of one status."""
        return [one for one in self.tasks if one.status == status]

    @property
    def focus(self) -> list[TaskLine]:
        """What to do first today: late, critical, due today, then high; blocked ones left out."""
        late, today = set(self.overdue), set(self.due_today)
        chosen = [
            one
            for one in self.tasks
            if one.status != Task.Status.BLOCKED
            and (one in late or one in today or one.priority in {"critical", "high"})
        ]
        chosen.sort(key=lambda one: (_order(one, late, today), one.due or dt.date.max))
        return chosen

    def known(self) -> dict[uuid.UUID, TaskLine]:
        """Every task of the briefing by id."""
        return {one.id: one for one in (*self.tasks, *self.recent)}

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


def _order(one: TaskLine, late: set[TaskLine], today: set[TaskLine]) -> tuple[int, int]:
    rank = RANKS.get(one.priority, 2)
    if one.priority == "critical":
        return 0, 0 if one in late else 1
    if one in late:
        return 1, rank
    return (2, rank) if one in today else (3, rank)


def line_of(task: TaskLine, today: dt.date) -> str:
    """One task for a prompt: status, title, what matters of it, its id."""
    told = [task.priority] if task.priority != "normal" else []
    if task.due:
        late = " (overdue)" if task.is_active and task.due < today else ""
        at = f" {task.due_time:%H:%M}" if task.due_time else ""
        told.append(f"due {task.due}{at}{late}")
    if task.start:
        told.append(f"starts {task.start}")
    if task.project_name:
        told.append(f"project {shortened(task.project_name, 60)}")
    facts = f" ({'; '.join(told)})" if told else ""
    return f"- [{task.status}] {shortened(task.title, TITLE_CHARS)}{facts} id={task.id}"


def _lines(tasks: Sequence[TaskLine], today: dt.date) -> list[str]:
    shown = [line_of(one, today) for one in tasks[:IN_TEXT]]
    return [*shown, f"- and {len(tasks) - IN_TEXT} more"] if len(tasks) > IN_TEXT else shown


def _project(one: ProjectLine) -> str:
    end = f"; ends {one.end}" if one.end else ""
    return f"- {shortened(one.name, TITLE_CHARS)} ({one.open_count} open tasks{end}) id={one.id}"


def _draft(one: DraftLine) -> str:
    return f"- {shortened(one.name, TITLE_CHARS) or 'unnamed'} ({one.covered} of 9 parts described)"


def _survey(one: SurveyLine) -> str:
    return f"- {shortened(one.title, TITLE_CHARS)} ({one.count} tasks noted)"


def _reviews(waiting: Sequence[ReviewLine]) -> list[str]:
    shown = [_review(one) for one in waiting[:REVIEWS_SHOWN]]
    more = len(waiting) - REVIEWS_SHOWN
    return [*shown, f"- and {more} more"] if more > 0 else shown


def _review(one: ReviewLine) -> str:
    """Without the words of the message that asked: they may be somebody else's."""
    if one.title.startswith("“"):
        return f"- changes ({one.count})"
    return f"- {shortened(one.title, TITLE_CHARS) or 'changes'} ({one.count})"
