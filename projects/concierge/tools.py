"""The calls as tools of the model, and what the model is told of their results."""

from __future__ import annotations

from typing import Any, Final

from futura.llm.tools import Job, Tool, ToolRejected
from projects.agent.closing import told
from projects.agent.fencing import Fence
from projects.agent.state import shortened
from projects.concierge import calls, telling
from projects.concierge.briefing import line_of
from projects.concierge.desk import Desk
from projects.concierge.outcomes import (
    AskedBack,
    FoundProjects,
    Listed,
    Opened,
    Outcome,
    ReadNotes,
    TakenBack,
    Unchanged,
    Written,
)
from projects.concierge.perform import perform
from projects.models import Task

DESCRIPTIONS: Final[dict[str, str]] = {
    "create_task": "Creates a task when the person wants something on their list.",
    "update_task": "Changes wording, priority, notes, status or project of a task, by its id.",
    "read_task": "Reads the notes of a task, whole; needed before they are replaced.",
    "complete_task": "Marks a task as completed when the person says that it is done.",
    "list_tasks": "Lists or searches tasks by status, words, project, due date or priority.",
    "reschedule_task": "Gives a task another due date, time or start, or takes them away.",
    "delete_task": "Asks to delete a task for good; the person has to approve it first.",
    "add_note": "Keeps a note with a project.",
    "update_project": "Renames a project, or puts it on hold, takes it up again, archives it.",
    "delete_project": "Asks to delete a whole project; the person has to approve it first.",
    "find_projects": "Finds projects and their ids by name.",
    "start_conversation": "Opens the conversation made for a new project, for updating, auditing "
    "or forecasting one, for a survey of the person's work, or for an entry of their portfolio.",
    "undo": "Takes back what an answer of this conversation changed (the last one, or one before), "
    "the latest few changes, or the last change of one task. What created something is undone only "
    "after the person's yes.",
}


def offered(desk: Desk, fence: Fence) -> list[Tool[Any]]:
    """The tools of one turn, bound to the person's desk."""
    return [_tool(kind, desk, fence) for kind in calls.KINDS]


def _tool(kind: type[calls.Asked], desk: Desk, fence: Fence) -> Tool[Any]:
    name: str = kind.model_fields["tool"].default

    def call(given: Any, job: Job) -> object:
        return in_words(perform(given, desk, job.call_id), desk, fence)

    return Tool(name, DESCRIPTIONS[name], kind, call, writes=name in calls.WRITES)


def in_words(outcome: Outcome, desk: Desk, fence: Fence) -> str:
    """What the model is told. Raises ToolRejected for what was not done."""
    match outcome:
        case Written():
            return _written(outcome)
        case Unchanged(calls.CreateTask(), row):
            title = shortened(str(row))
            return f"NOT CREATED: the task “{title}” is on the list already.\nid={row.pk}"
        case Unchanged(_call, row):
            return f"Nothing to change: “{shortened(str(row))}” is like that already."
        case ReadNotes(_call, row):
            return fence.around("notes", row.details) or "This task has no notes."
        case Listed():
            return _listed(outcome, desk, fence)
        case FoundProjects(_call, projects):
            lines = [f"- {shortened(one.name)} id={one.id}" for one in projects]
            return fence.around("projects", "\n".join(lines)) or "No project fits."
        case Opened(_call, _kind, url, title, _session):
            return f"Opened; the person sees a link to it: {title or 'new'} ({url})."
        case TakenBack():
            return _taken_back(outcome)
        case AskedBack(_call, rows):
            return (
                "NOT UNDONE: it would take back something created. The person is asked below your "
                f"answer and has to say yes; say so. It would undo:\n{telling.bullets(rows)}"
            )


def _written(outcome: Written) -> str:
    said = told(outcome.batches) or "Nothing had to change."
    if outcome.applied.is_waiting:
        return f"NOT DONE. It waits for the person's review; say so.\n{said}"
    if not outcome.applied.is_done:
        raise ToolRejected(f"It did not work: {outcome.applied.error}")
    key = f"\nid={outcome.row.pk}" if isinstance(outcome.row, Task) else ""
    return f"{said}{key}"


def _listed(outcome: Listed, desk: Desk, fence: Fence) -> str:
    if not outcome.tasks:
        return "No task fits."
    lines = [line_of(one, desk.today) for one in outcome.tasks]
    if outcome.total > len(lines):
        lines.append(f"- and {outcome.total - len(lines)} more")
    about = "No task has these words; the nearest ones:\n" if outcome.is_near else ""
    return about + fence.around("tasks", "\n".join(lines))


def _taken_back(outcome: TakenBack) -> str:
    if outcome.is_changed_since:
        return "NOT UNDONE: some of it was changed since. The person has to decide on the page."
    if not outcome.titles:
        raise ToolRejected("There is nothing in this conversation to take back.")
    titles = ", ".join(one for one in outcome.titles if one) or "the last change"
    return "\n".join(filter(None, (f"Taken back: {titles}.", telling.bullets(outcome.rows))))
