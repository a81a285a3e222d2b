"""JSON for programs: the notes of projects, read in lists and changed by the commands."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from chat.api import own
from chat.commands.base import build
from chat.identity import identity_of
from projects import queries
from projects.api.doors import DeletedOut, OfProject, changed, deleted
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote, NoteChanges
from projects.shapes import NoteOut, NotesOut, note_out

router = Router(tags=["Notes"])
_NOTE: Final[dict[str, Any]] = {
    "path": "/notes/{uuid:note_id}", "auth": own("note_id", queries.note_for), "url_name": "note",
}  # fmt: skip
_changed = partial(changed, "note", queries.note_for, note_out)


class NoteChangedOut(Schema):
    """A note as it is now, and the batch that undo takes."""

    note: NoteOut
    batch_id: uuid.UUID


@router.get("/notes", response=NotesOut, url_name="notes", summary="Notes of a project")
def get_notes(request: HttpRequest, of: Query[OfProject]) -> dict[str, Any]:
    """All of them, newest first."""
    project = queries.project_for(identity_of(request), of.project)
    return {"notes": [note_out(note) for note in queries.notes_of(project)]}


@router.post("/notes", response={201: NoteChangedOut}, url_name="notes", summary="Add a note")
def post_note(request: HttpRequest, note: CreateNote) -> Status[dict[str, Any]]:
    """Kept with its project."""
    return Status(201, _changed(request, note))


@router.get(**_NOTE, response=NoteOut, summary="A note")
def get_note(request: HttpRequest, note_id: uuid.UUID) -> NoteOut:
    """Its title and whole text."""
    return note_out(queries.note_for(identity_of(request), note_id))


@router.patch(**_NOTE, response=NoteChangedOut, summary="Change a note")
def patch_note(request: HttpRequest, note_id: uuid.UUID, change: NoteChanges) -> dict[str, Any]:
    """Its title, its whole text, a part of it, or what is added below."""
    command = build(ChangeNote, change.model_dump(exclude_unset=True), id=note_id)
    return _changed(request, command, note_id)


@router.delete(**_NOTE, response=DeletedOut, summary="Delete a note")
def delete_note(request: HttpRequest, note_id: uuid.UUID) -> dict[str, Any]:
    """Undo brings it back."""
    return deleted(request, DeleteNote(id=note_id))
