"""The commands of notes: add one to a project, change it by the whole or by a part, delete it."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final, Literal

from django.utils.translation import gettext as _, gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Scope, SeenVersion
from chat.operations.changes import Change, Create, Update
from futura.errors import BadInput
from projects.checks import checked
from projects.commands.wording import DeleteRow, RowCommand, Titled, merged_text, replaced_in
from projects.models import Note, Project


class CreateNote(Titled):
    """Keeps a piece of Markdown with a project."""

    name: ClassVar[str] = "create_note"
    done = gettext_lazy("Added note")

    project: uuid.UUID = Field(description="Id of the project.")
    text: str = Field(description="Markdown, at most 20,000 characters.")
    title: str = Field("", description="At most 200 characters.")

    def plan(self, scope: Scope) -> list[Change]:
        project = scope.get(Project, self.project)
        fields = checked({"title": self.title, "text": self.text})
        if not fields["text"]:
            raise BadInput(_("Enter a text."), field="text")
        return [Create("note", {**fields, "project": str(project.pk)})]

    def sentence(self, scope: Scope) -> str:
        return _("Add a note to %(project)s") % {"project": scope.get(Project, self.project)}


class NoteChanges(BaseModel):
    """Fields that are left out stay.

    `replaced` is a stretch of the text as it stands, word for word and there only once; `text` is
    put in its place. `append` adds below. With `version`, a note that has moved on is refused.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str | None = Field(None, description="At most 200 characters.")
    text: str | None = Field(None, description="The new text, or the new part for `replaced`.")
    replaced: str | None = Field(None, min_length=1, description="The part that `text` replaces.")
    append: str | None = Field(None, description="Added below the text.")
    version: SeenVersion | None = Field(None, description="The version that was seen.")


class ChangeNote(NoteChanges, RowCommand):
    """Changes a note: its title, its whole text, text added at the end, or one part of the text.

    `replaced` is a stretch of the text as it stands, word for word and there only once; `text` is
    put in its place. `append` adds below. With `version`, a note that has moved on is refused.
    """

    name: ClassVar[str] = "change_note"
    clearable: ClassVar[frozenset[str]] = frozenset({"title"})
    model = Note
    done = gettext_lazy("Edited note")
    wish = gettext_lazy("Edit the note “%(row)s”")

    clear: tuple[Literal["title"], ...] = ()

    def plan(self, scope: Scope) -> list[Change]:
        note = scope.get(Note, self.id)
        values: dict[str, Any] = {"title": ""} if self.clear else {}
        if self.title is not None:
            values["title"] = self.title
        text = self.text
        if self.append is not None:
            text = merged_text(note.text if text is None else text, self.append)
        elif self.replaced is not None and text is not None:
            text = replaced_in(note.text, self.replaced, text)
        if text is not None:
            values["text"] = text
        if not values:
            raise BadInput(_("Give at least one field to change."), field="text")
        fields = checked(values, row=note, required="text")
        return [Update("note", note.pk, fields, self.version or note.version)]


class DeleteNote(DeleteRow):
    """Deletes a note; undo brings it back."""

    name: ClassVar[str] = "delete_note"
    model = Note
    done = gettext_lazy("Deleted note")
    wish = gettext_lazy("Delete the note “%(row)s”")


COMMANDS: Final = (CreateNote, ChangeNote, DeleteNote)
