"""What is done to the to-dos and notes of a project; with htmx its list changes in its place."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import build
from chat.commands.run import run_for
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from projects import queries
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.todos import ChangeTodos, CreateTodo, DeleteTodos, PlaceTodo
from projects.forms import NoteForm, TaskForm
from projects.models import Project
from projects.shown import shown
from projects.todos.queries import people_and_tags
from projects.views import answers
from projects.views.project import page


@require_POST
def add(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A to-do by its title."""
    found = answers.own(request, project_id)
    title = request.POST.get("title", "")
    try:
        batch = run_for(request, CreateTodo(title=title, project=found.pk))
    except BadInput as error:
        refused = {"add_text": title, "add_error": str(error)}
        return _list(request, found, status=422, **refused)
    return _changed(request, found, batch)


@require_POST
def status(request: HttpRequest, project_id: uuid.UUID, todo_id: uuid.UUID) -> HttpResponse:
    """Another status: done, open again, dropped, blocked."""
    task = answers.own_task(request, project_id, todo_id)
    sent = {"status": request.POST.get("status", "")}
    batch = run_for(request, build(ChangeTodos, sent, ids=[task.pk]))
    return _changed(request, answers.own(request, project_id), batch)


@require_POST
def move(request: HttpRequest, project_id: uuid.UUID, todo_id: uuid.UUID) -> HttpResponse:
    """Up or down in the list."""
    task = answers.own_task(request, project_id, todo_id)
    batch = run_for(request, build(PlaceTodo, {"to": request.POST.get("to", "")}, id=task.pk))
    return _changed(request, answers.own(request, project_id), batch)


@require_POST
def delete(request: HttpRequest, project_id: uuid.UUID, todo_id: uuid.UUID) -> HttpResponse:
    """Takes it out of the list; undo stands beside it."""
    task = answers.own_task(request, project_id, todo_id)
    batch = run_for(request, DeleteTodos(ids=(task.pk,)))
    return _changed(request, answers.own(request, project_id), batch)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, project_id: uuid.UUID, todo_id: uuid.UUID) -> HttpResponse:
    """All of a to-do on a page of its own."""
    task = answers.own_task(request, project_id, todo_id)
    tasks = queries.tasks_of(answers.own(request, project_id))
    return answers.edit_page(
        request, "task", task, TaskForm, ChangeTodos, back=answers.project_url(project_id),
        at="tasks", template="projects/task.html", title=_("Edit to-do"),
        choices={"others": [item for item in tasks if item.pk != task.pk]},
        people=people_and_tags(identity_of(request).participant_ids)[0],
    )  # fmt: skip


def _changed(request: HttpRequest, found: Project, batch: OperationBatch) -> HttpResponse:
    if not request.htmx:  # type: ignore[attr-defined]
        return answers.went(answers.project_url(found.pk), batch, at="tasks")
    return _list(request, found, done=answers.notice_of(batch))


def _list(request: HttpRequest, found: Project, *, status: int = 200, **more: Any) -> HttpResponse:
    if not request.htmx:  # type: ignore[attr-defined]
        return page(request, found, status=status, **more)
    context: dict[str, Any] = {**shown(answers.own(request, found.pk)), "is_news": True, **more}
    return render(request, "projects/_tasks_changed.html", context, status=status)


# Notes --------------------------------------------------------------------------------------------
@require_POST
def add_note(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A note with a title or without."""
    result = answers.own(request, project_id)
    form = NoteForm(request.POST)
    sent = answers.save(
        form,
        lambda: run_for(request, build(CreateNote, form.values(), project=result.pk)),
    )
    if sent.batch is None:
        return page(request, result, status=sent.status, note_form=form)
    return answers.went(answers.project_url(result.pk), sent.batch, at="notes")


@require_http_methods(["GET", "HEAD", "POST"])
def edit_note(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Title and text."""
    return answers.edit_page(
        request, "note", answers.own_note(request, project_id, note_id), NoteForm, ChangeNote,
        back=answers.project_url(project_id), at="notes", title=_("Edit note"),
    )  # fmt: skip


@require_POST
def delete_note(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Takes it away; undo stands at the top of the page."""
    note = answers.own_note(request, project_id, note_id)
    batch = run_for(request, DeleteNote(id=note.pk))
    return answers.went(answers.project_url(project_id), batch, at="notes")
