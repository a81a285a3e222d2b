"""Writes notes: add, edit, delete."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Cause, Values
from projects import changes
from projects.actions.writing import Done, perform
from projects.models import Note, Project


def add_note(
    *, actor: Actor, project: Project, values: Values, cause: Cause | None = None
) -> Done[Note]:
    """A piece of Markdown kept with a project. Raises BadInput, TooLong."""
    made = changes.note_created(project, values)
    batch = perform([made], actor=actor, title=_("Added a note"), cause=cause)
    return Done(Note.objects.get(pk=made.id), batch)


def edit_note(
    *,
    actor: Actor,
    note: Note,
    values: Values,
    version: int | None = None,
    cause: Cause | None = None,
) -> Done[Note]:
    """Another title or text. Raises BadInput, TooLong, Conflict for a stale version."""
    change = changes.note_edited(note, values, version=version)
    batch = perform([change], actor=actor, title=_("Edited a note"), cause=cause)
    return Done(Note.objects.get(pk=note.pk), batch)


def delete_note(
    *, actor: Actor, note: Note, version: int | None = None, cause: Cause | None = None
) -> Done[Note]:
    """Takes a note away; undo brings it back. Raises Conflict."""
    change = changes.note_deleted(note, version=version)
    batch = perform([change], actor=actor, title=_("Deleted a note"), cause=cause)
    return Done(Note.objects.get(pk=note.pk), batch)
