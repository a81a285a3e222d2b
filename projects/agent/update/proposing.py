"""From what the grammar found to changes for the ledger, on a project or a draft."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, cast

from chat.operations.changes import Change, Delete
from projects.agent import proposals
from projects.agent.toolbox import Picture
from projects.agent.update.state import Option
from projects.commands.texts import Merge, merged_text
from projects.commands.todo_changes import freed_of
from projects.language.changes import ProposedChange
from projects.language.targets import Known, Thing
from projects.models import DraftTask, Project, Task


def known_of(picture: Picture) -> Known:
    """A project or draft as the grammar reads it. One query for the dependencies."""
    return Known(
        name=picture.row.name,
        start=picture.row.start_date,
        end=picture.row.end_date,
        tasks=[_thing(task) for task in picture.tasks],
    )


def _thing(task: Task | DraftTask) -> Thing:
    if isinstance(task, DraftTask):
        return Thing(task.pk, task.title, task.start_date, task.due_date)
    needs = [str(one.pk) for one in task.depends_on.all()]
    is_open = task.status in Task.ACTIVE
    return Thing(task.pk, task.title, task.start_date, task.due_date, needs, is_open)


def changes_of(found: Iterable[ProposedChange], picture: Picture) -> list[Change]:
    """The changes, one update for each row. Raises BadInput, TooLong for what cannot be."""
    tasks = {task.pk: task for task in picture.tasks}
    made: list[Change] = []
    texts: dict[str, str] = {}
    for one in found:
        ahead = len([done for done in made if done.entity in {"task", "draft_task"}])
        made += _changes(one, picture, tasks, texts, ahead)
    gone = {one.id for one in made if isinstance(one, Delete)}
    leaving = [one for one in picture.tasks if isinstance(one, Task) and one.pk in gone]
    return proposals.joined([*(freed_of(leaving) if leaving else ()), *made])


def _changes(
    one: ProposedChange,
    picture: Picture,
    tasks: dict[uuid.UUID, Task | DraftTask],
    texts: dict[str, str],
    ahead: int,
) -> list[Change]:
    values = dict(one.values)
    if one.kind == "new_task":
        return [proposals.new_task(picture, values.pop("title"), values, ahead=ahead)]
    if one.kind == "note":
        return [_note(picture, values)]
    if one.kind == "dimension":
        return [_dimension(picture, values, texts)]
    if one.kind == "project":
        return [proposals.update(picture, _for(picture, values))]
    if one.kind == "delete_project":
        row = picture.row
        return [Delete("project", row.pk, row.version)] if isinstance(row, Project) else []
    task = tasks.get(one.id) if one.id else None
    if task is None:
        return []
    if one.kind == "delete_task" or (isinstance(task, DraftTask) and "status" in values):
        entity = "task" if isinstance(task, Task) else "draft_task"
        return [Delete(entity, task.pk, task.version)]
    return [proposals.task_changed(task, values)]


def _for(picture: Picture, values: dict[str, Any]) -> dict[str, Any]:
    """A draft's status is its own."""
    if isinstance(picture.row, Project):
        return values
    return {name: value for name, value in values.items() if name != "status"}


def _note(picture: Picture, values: dict[str, Any]) -> Change:
    if isinstance(picture.row, Project):
        return proposals.note(picture, values["text"], values.get("title", ""))
    text = merged_text(picture.row.context, values["text"], "append")
    return proposals.update(picture, {"context": text})


def _dimension(picture: Picture, values: dict[str, Any], texts: dict[str, str]) -> Change:
    """Several statements on one dimension join each other."""
    name = values["field"]
    merge = cast("Merge", values.get("merge", "append"))
    before = texts.get(name, picture.dimension(name))
    texts[name] = merged_text(before, values["text"], merge)
    return proposals.dimension(picture, name, texts[name], "replace")


def option_of(one: ProposedChange) -> Option:
    """A way to understand a wish, as the session keeps it."""
    values = {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in one.values.items()
    }
    return Option(label=one.label, values=values, entity=one.kind, id=one.id)


def proposed_of(option: Option) -> ProposedChange:
    """The way back."""
    return ProposedChange(
        cast("Any", option.entity), option.values, option.id, said=option.label, label=option.label
    )


def options_of(found: Sequence[ProposedChange]) -> list[Option]:
    """Several ways, in order."""
    return [option_of(one) for one in found]
