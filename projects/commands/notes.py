"""The commands of notes: add one to a project, change it by the whole or by a part, delete it."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final, Literal

from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects.checks import checked
from projects.commands.texts import merged_text, replaced_in
from projects.models import Note, Project


class CreateNote(Command):
    """Keeps a piece of Markdown with a project."""

    name: ClassVar[str] = "create_note"
    area: ClassVar[str] = "projects"

    project: uuid.UUID = Field(description="Id of the project.")
    text: str = Field(description="Markdown, at most 20,000 characters.")
    title: str = Field("", description="At most 200 characters.")

    def plan(self, scope: Scope) -> list[Change]:
        """One new row. Raises NotInScope, BadInput, TooLong."""
        project = scope.get(Project, self.project)
        return [note_created(project, {"title": self.title, "text": self.text})]

    @property
    def ledger_title(self) -> str:
        """“Added a note”."""
        return _("Added a note")

    def sentence(self, scope: Scope) -> str:
        """“Add a note to Garden”."""
        name = scope.get(Project, self.project).name
        return _("Add a note to %(project)s") % {"project": name}


class ChangeNote(Command):
    """Changes a note: its title, its whole text, text added at the end, or one part of the text.

    `replaced` is a stretch of the text as it stands, word for word and there only once; `text` is
    put in its place. `append` adds below. With `version`, a note that has moved on is refused.
    """

    name: ClassVar[str] = "change_note"
    area: ClassVar[str] = "projects"
    clearable: ClassVar[frozenset[str]] = frozenset({"title"})

    id: uuid.UUID
    title: str | None = Field(None, description="At most 200 characters.")
    text: str | None = Field(None, description="The new text, or the new part for `replaced`.")
    replaced: str | None = Field(None, min_length=1, description="The part that `text` replaces.")
    append: str | None = None
    clear: tuple[Literal["title"], ...] = ()
    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, BadInput, TooLong."""
        note = scope.get(Note, self.id)
        values: dict[str, Any] = {"title": ""} if self.clear else {}
        if self.title is not None:
            values["title"] = self.title
        text = self._text(note)
        if text is not None:
            values["text"] = text
        if not values:
            raise BadInput(_("Say what shall change."), field="text")
        fields = checked(values, row=note, required="text")
        return [Update("note", note.pk, fields, self.version or note.version)]

    def _text(self, note: Note) -> str | None:
        if self.append is not None:
            return merged_text(note.text if self.text is None else self.text, self.append, "append")
        if self.replaced is None or self.text is None:
            return self.text
        return replaced_in(note.text, self.replaced, self.text)

    @property
    def ledger_title(self) -> str:
        """“Edited a note”."""
        return _("Edited a note")

    def sentence(self, scope: Scope) -> str:
        """“Change the note “Colours””."""
        return _("Change the note “%(note)s”") % {"note": scope.get(Note, self.id)}


class DeleteNote(Command):
    """Deletes a note; undo brings it back."""

    name: ClassVar[str] = "delete_note"
    area: ClassVar[str] = "projects"

    id: uuid.UUID

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        note = scope.get(Note, self.id)
        return [Delete("note", note.pk, note.version)]

    @property
    def ledger_title(self) -> str:
        """“Deleted a note”."""
        return _("Deleted a note")

    def sentence(self, scope: Scope) -> str:
        """“Delete the note “Colours””."""
        return _("Delete the note “%(note)s”") % {"note": scope.get(Note, self.id)}


COMMANDS: Final = (CreateNote, ChangeNote, DeleteNote)


def note_created(project: Project, values: Values) -> Create:
    """A piece of Markdown kept with a project. Raises BadInput, TooLong."""
    fields = checked(values)
    if not fields.get("text"):
        raise BadInput(_("Write something first."), field="text")
    return Create("note", {**fields, "project": str(project.pk)})
