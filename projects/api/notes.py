"""JSON for programs: the notes of projects, read in lists and changed by the commands."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema, Status
from pydantic import BaseModel, ConfigDict

from chat.commands.api import REFUSALS, run_by_program
from chat.commands.base import build
from chat.identity import identity_of
from projects import queries
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.models import Note
from projects.shapes import NoteOut, NotesOut, note_out

router = Router(tags=["Notes"])
_ONE: Final = "/notes/{uuid:note_id}"


class NoteIn(BaseModel):
    """A note that is to be kept with a project."""

    model_config = ConfigDict(extra="forbid")

    project: uuid.UUID
    text: str = Field(description="Markdown, at most 20,000 characters.")
    title: str = Field("", description="At most 200 characters.")


class NoteChange(BaseModel):
    """Fields that are left out stay; see the command `change_note`."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = None
    text: str | None = None
    replaced: str | None = Field(None, description="The part that `text` replaces.")
    append: str | None = Field(None, description="Added below the text.")
    version: int | None = None


class ChangedOut(Schema):
    """A note as it is now, and the batch that undo takes."""

    note: NoteOut
    batch_id: uuid.UUID


class DeletedOut(Schema):
    """The batch whose undo brings the note back."""

    batch_id: uuid.UUID


class Of(Schema):
    """Whose notes."""

    project: uuid.UUID = Field(description="A project's id.")


def _own(request: HttpRequest) -> Note:
    """The caller's note, looked at before anything that was sent. Raises NotFound."""
    match = request.resolver_match
    assert match is not None  # noqa: S101 - a view is running
    return queries.note_for(identity_of(request), uuid.UUID(str(match.kwargs["note_id"])))


@router.get(
    "/notes", response={200: NotesOut, **REFUSALS}, url_name="notes", summary="Notes of a project"
)
def get_notes(request: HttpRequest, of: Query[Of]) -> dict[str, Any]:
    """All of them, newest first."""
    project = queries.project_for(identity_of(request), of.project)
    return {"notes": [note_out(note) for note in queries.notes_of(project)]}


@router.post(
    "/notes", response={201: ChangedOut, **REFUSALS}, url_name="notes", summary="Add a note"
)
def post_note(request: HttpRequest, note: NoteIn) -> Status[dict[str, Any]]:
    """Kept with its project."""
    outcome = run_by_program(request, build(CreateNote, note.model_dump()))
    made = queries.note_for(identity_of(request), outcome.created[0])
    return Status(201, {"note": note_out(made), "batch_id": outcome.batch.pk})


@router.get(_ONE, auth=_own, response={200: NoteOut, **REFUSALS}, url_name="note", summary="A note")
def get_note(request: HttpRequest, note_id: uuid.UUID) -> dict[str, Any]:
    """Its title and whole text."""
    return note_out(queries.note_for(identity_of(request), note_id))


@router.patch(
    _ONE, auth=_own, response={200: ChangedOut, **REFUSALS}, url_name="note",
    summary="Change a note",
)  # fmt: skip
def patch_note(request: HttpRequest, note_id: uuid.UUID, change: NoteChange) -> dict[str, Any]:
    """Its title, its whole text, a part of it, or what is added below."""
    command = build(ChangeNote, change.model_dump(exclude_unset=True), id=note_id)
    batch = run_by_program(request, command).batch
    note = queries.note_for(identity_of(request), note_id)
    return {"note": note_out(note), "batch_id": batch.pk}


@router.delete(
    _ONE, auth=_own, response={200: DeletedOut, **REFUSALS}, url_name="note",
    summary="Delete a note",
)  # fmt: skip
def delete_note(request: HttpRequest, note_id: uuid.UUID) -> dict[str, Any]:
    """Undo brings it back."""
    return {"batch_id": run_by_program(request, DeleteNote(id=note_id)).batch.pk}
