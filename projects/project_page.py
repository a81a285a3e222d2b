"""What the page of a project shows: the same context for the page and for its fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from functools import cached_property
from typing import Any, Final

from django.template.defaultfilters import date as day_words
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from chat.models import Session
from chat.presenters import presenter_for
from projects import field_labels, from_survey, queries
from projects.commands.todo_changes import repeat_words
from projects.dimensions import completeness, covered
from projects.forecasting.wording import figure
from projects.models import Project, ProjectDraft, Task
from projects.todos.listing import Listing


@dataclass(frozen=True)
class Entry:
    """One choice of the menu that leads to a conversation about the project."""

    mode: str
    name: str | Promise
    says: str | Promise
    icon: str
    keys: str


MENU: Final = (
    Entry("update", gettext_lazy("Update"),
          gettext_lazy("Tell what changed and update the project"), "pencil", "Alt+KeyU"),
    Entry("audit", gettext_lazy("Audit"),
          gettext_lazy("Find gaps and risks in the plan"), "audit", "Alt+KeyA"),
    Entry("forecast", gettext_lazy("Forecast"),
          gettext_lazy("See when it could be finished, and why"), "forecast", "Alt+KeyF"),
)  # fmt: skip


@dataclass(frozen=True)
class Talk:
    session: Session
    name: str | Promise
    url: str


@dataclass(frozen=True)
class Todo:
    task: Task
    waits_for: Sequence[Task]
    due: str
    is_late: bool

    @property
    def is_done(self) -> bool:
        return self.task.status == Task.Status.COMPLETED

    @property
    def is_closed(self) -> bool:
        return self.task.status in Task.CLOSED

    @property
    def priority(self) -> str:
        """Its priority in words, where it is out of the ordinary."""
        if self.task.priority == Task.Priority.NORMAL:
            return ""
        return str(field_labels.PRIORITY[self.task.priority])

    @property
    def status_word(self) -> str:
        return str(field_labels.TASK_STATUS[self.task.status])

    @property
    def estimate(self) -> str:
        """How long it takes, in days."""
        low, high = self.task.estimate_low_days, self.task.estimate_high_days
        values = [figure(float(days)) for days in (low, high) if days is not None]
        words = ngettext("%(n)s day", "%(n)s days", 1 if {*values} == {"1"} else 2)
        return words % {"n": "–".join(dict.fromkeys(values))} if values else ""

    @cached_property
    def facts(self) -> list[str]:
        """What every list tells of it below the title, in order."""
        needed = ", ".join(task.title for task in self.waits_for)
        facts = [
            _("Waiting for: %(titles)s") % {"titles": needed} if needed else "",
            self.estimate,
            repeat_words(self.task.repeat),
            f"@{self.task.assignee}" if self.task.assignee else "",
            *(f"#{tag}" for tag in self.task.tags),
        ]
        return [fact for fact in facts if fact]


def project_context(project: Project) -> dict[str, Any]:
    """The context of the page and of every fragment of it: the same queries for any project."""
    notes = queries.notes_of(project, limit=queries.NOTES_SHOWN + 1)
    closed, closed_count = queries.last_closed_of(project)
    listing = Listing(tab="done", project=str(project.pk))
    return {
        "project": project,
        "next": reverse("projects:project", args=[project.pk]),
        "status_word": field_labels.PROJECT_STATUS[project.status],
        "statuses": [
            (key, word)
            for key, word in field_labels.PROJECT_STATUS.items()
            if key != project.status
        ],
        "standings": completeness(project),
        "covered": covered(project),
        "todos": list(map(todo_of, queries.open_todos_of(project))),
        "closed": list(map(todo_of, closed)),
        "closed_count": closed_count,
        "closed_url": listing.whole_url,
        "task_statuses": list(field_labels.TASK_STATUS.items()),
        "notes": notes[: queries.NOTES_SHOWN],
        "has_more_notes": len(notes) > queries.NOTES_SHOWN,
        "history": queries.history_of(project, limit=queries.HISTORY),
        "survey_id": from_survey.survey_of(project),
    }


def todo_of(task: Task, today: date | None = None) -> Todo:
    """A to-do of `queries.tasks_of` as a row, without a query."""
    today = today or timezone.localdate()
    waits_for = [item for item in task.depends_on.all() if item.status not in Task.CLOSED]
    is_late = task.due_date is not None and task.due_date < today and task.status not in Task.CLOSED
    return Todo(task, waits_for, due_words(task.due_date, task.due_time, today), is_late)


def due_words(when: date | None, clock: time | None, today: date) -> str:
    """Day and time of day; empty without a day."""
    words = day(when, today)
    return f"{words}, {clock:%H:%M}" if words and clock else words


def day(when: date | None, today: date) -> str:
    """A day as one says it: yesterday, today, tomorrow, else with the year when it is another."""
    if when is None:
        return ""
    near = {
        today - timedelta(days=1): _("Yesterday"),
        today: _("Today"),
        today + timedelta(days=1): _("Tomorrow"),
    }
    return near.get(when) or day_words(when, "j M" if when.year == today.year else "j M Y")


def talks_about(project: Project) -> list[Talk]:
    """The open conversations about a project that have a page. One query."""
    talks = [
        Talk(item, field_labels.CONVERSATION.get(item.kind, item.title), page_of(item))
        for item in queries.conversations_about(project)
    ]
    return [talk for talk in talks if talk.url]


def conversation_url(draft: ProjectDraft) -> str:
    """The page of the conversation that makes a draft; empty when there is none (any more)."""
    if draft.session is None or draft.session.deleted_at is not None:
        return ""
    return page_of(draft.session)


def page_of(session: Session) -> str:
    """The page of a conversation; empty when its kind has none."""
    try:
        return presenter_for(session.kind).page_url(session)
    except KeyError:
        return ""
