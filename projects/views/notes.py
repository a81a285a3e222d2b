"""What is done to the notes of a project."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands.base import build
from chat.commands.forms import run_for
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.forms import NoteForm
from projects.views import answers
from projects.views.project import page


@require_POST
def add(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A note with a title or without."""
    found = answers.own(request, project_id)
    form = NoteForm(request.POST)
    sent = answers.save(
        form,
        lambda: run_for(request, build(CreateNote, form.values(), project=found.pk)),
    )
    if sent.batch is None:
        return page(request, found, status=sent.status, note_form=form)
    return answers.went(answers.project_url(found.pk), sent.batch, at="notes")


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Title and text."""
    return answers.edit_page(
        request, "note", answers.own_note(request, project_id, note_id), NoteForm, ChangeNote,
        back=answers.project_url(project_id), at="notes", title=_("Edit note"),
    )  # fmt: skip


@require_POST
def delete(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Takes it away; undo stands at the top of the page."""
    note = answers.own_note(request, project_id, note_id)
    batch = run_for(request, DeleteNote(id=note.pk))
    return answers.went(answers.project_url(project_id), batch, at="notes")
