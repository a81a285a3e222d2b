"""Changes of notes: added, edited, deleted."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.operations.changes import Create, Delete, Update, Values
from futura.errors import BadInput
from projects.checks import checked
from projects.models import Note, Project


def note_created(project: Project, values: Values) -> Create:
    """A piece of Markdown kept with a project. Raises BadInput, TooLong."""
    told = checked(values)
    if not told.get("text"):
        raise BadInput(_("Write something first."), field="text")
    return Create("note", {**told, "project": str(project.pk)})


def note_edited(note: Note, values: Values, *, version: int | None = None) -> Update:
    """Another title or text. Raises BadInput, TooLong."""
    return Update("note", note.pk, checked(values, row=note, required="text"), version)


def note_deleted(note: Note, *, version: int | None = None) -> Delete:
    """Takes a note away."""
    return Delete("note", note.pk, version)
