"""Addresses of projects; `agent/…` below them belongs to the conversations about one."""

from __future__ import annotations

from django.urls import path

from projects.modes import urls as modes_urls
from projects.todos import views as todos
from projects.views import answers, drafts, lists, project, search

app_name = "projects"

_PROJECT = "projects/<uuid:project_id>"
_TODO = f"{_PROJECT}/tasks/<uuid:todo_id>"
_NOTE = f"{_PROJECT}/notes/<uuid:note_id>"
_DRAFT = "projects/drafts/<uuid:draft_id>"
_DRAFT_TASK = f"{_DRAFT}/tasks/<uuid:draft_task_id>"

urlpatterns = [
    path("begin", lists.begin, name="begin"),
    path("search", search.search, name="search"),
    path("projects", lists.projects, name="list"),
    path("projects/new", lists.new, name="new"),
    path("projects/undo/<uuid:batch_id>", answers.undo, name="undo"),
    path(
        "projects/from-survey/<uuid:session_id>/<uuid:task_id>",
        lists.from_survey,
        name="from_survey",
    ),
    path("projects/drafts", drafts.drafts, name="drafts"),
    path(_DRAFT, drafts.draft, name="draft"),
    path(f"{_DRAFT}/edit", drafts.edit, name="draft_edit"),
    path(f"{_DRAFT}/finalise", drafts.finalise, name="draft_finalise"),
    path(f"{_DRAFT}/abandon", drafts.abandon, name="draft_abandon"),
    path(f"{_DRAFT}/resume", drafts.resume, name="draft_resume"),
    path(f"{_DRAFT}/tasks", drafts.add_task, name="draft_task_add"),
    path(f"{_DRAFT_TASK}/edit", drafts.edit_task, name="draft_task_edit"),
    path(f"{_DRAFT_TASK}/delete", drafts.delete_task, name="draft_task_delete"),
    path(_PROJECT, project.project, name="project"),
    path(f"{_PROJECT}/edit", project.edit, name="edit"),
    path(f"{_PROJECT}/dimensions/<slug:dimension>", project.dimension, name="dimension"),
    path(f"{_PROJECT}/status", project.change_status, name="status"),
    path(f"{_PROJECT}/finish", project.finish, name="finish"),
    path(f"{_PROJECT}/delete", project.delete, name="delete"),
    path(f"{_PROJECT}/history", project.history, name="history"),
    path(f"{_PROJECT}/export.md", project.export_md, name="export_md"),
    path(f"{_PROJECT}/export.json", project.export_json, name="export_json"),
    path(f"{_PROJECT}/tasks", todos.add_to_project, name="task_add"),
    path(f"{_TODO}/edit", todos.todo, name="task_edit"),
    path(f"{_TODO}/status", todos.status, name="task_status"),
    path(f"{_TODO}/move", todos.place, name="task_move"),
    path(f"{_TODO}/delete", todos.delete, name="task_delete"),
    path(f"{_PROJECT}/notes", project.add_note, name="note_add"),
    path(f"{_NOTE}/edit", project.edit_note, name="note_edit"),
    path(f"{_NOTE}/delete", project.delete_note, name="note_delete"),
    *modes_urls.AGENT,
]
