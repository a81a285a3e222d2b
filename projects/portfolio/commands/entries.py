"""The commands of entries: create, change, write the story, address, put away, order, delete."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, ConversationScope, Scope
from chat.operations.changes import Change, Update
from futura.errors import BadInput
from projects.models import Project
from projects.portfolio.entries import changes
from projects.portfolio.entries.queries import entries_of
from projects.portfolio.entries.talk import session_of
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.schema.entry import FIELDS, EntryFields
from projects.portfolio.schema.forms import label_of


class CreateEntry(EntryFields, Command):  # type: ignore[misc, valid-type]
    """Adds a draft of an entry at the end of a portfolio."""

    name: ClassVar[str] = "create_entry"
    area: ClassVar[str] = "portfolio"

    portfolio: uuid.UUID
    project: uuid.UUID | None = Field(None, description="The project that it is about.")

    def plan(self, scope: Scope) -> list[Change]:
        """One new row. Raises NotInScope, BadInput."""
        portfolio = scope.get(Portfolio, self.portfolio)
        values = self.given()
        if self.project:
            values["project"] = str(scope.get(Project, self.project).pk)
        return [changes.created(portfolio, values)]

    @property
    def ledger_title(self) -> str:
        """“Added an entry”."""
        return _("Added an entry")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - the entry is not there yet
        """“Add the entry “Kiln””."""
        return _("Add the entry “%(entry)s”") % {"entry": self.given().get("title", "")}


class EntryCommand(Command):
    """What the commands of one entry have in common: the entry, and the version that was seen.

    What they do belongs to the conversation about the entry, where there is one.
    """

    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the entry.")
    version: int | None = Field(None, description="The version that was seen.")

    def entry(self, scope: Scope) -> Entry:
        """The entry. Raises NotInScope."""
        entry = scope.get(Entry, self.id)
        follow(scope, entry)
        return entry

    def named(self, scope: Scope) -> dict[str, Entry]:
        """For a sentence."""
        return {"entry": scope.get(Entry, self.id)}


class ChangeEntry(EntryFields, EntryCommand):  # type: ignore[misc, valid-type]
    """Changes fields of an entry of a portfolio: title, summary, dates, tags and the like.

    A list replaces the one that stands. The address follows the title until it was published.
    """

    name: ClassVar[str] = "change_entry"

    clear: tuple[str, ...] = Field((), description="Fields to empty.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        values = self.values()
        if not values:
            raise BadInput(_("Say what shall change."), field="id")
        return [changes.updated(entry, values, version=self.version or entry.version)]

    def values(self) -> dict[str, Any]:
        """What is given, by field; emptied ones empty."""
        given: dict[str, Any] = dict.fromkeys(self.clear, "") | self.given()
        return given

    @property
    def ledger_title(self) -> str:
        """“Edited the entry”."""
        return _("Edited the entry")

    def sentence(self, scope: Scope) -> str:
        """“Change title and tags of Reading app”."""
        names = [label_of(FIELDS, name).lower() for name in self.values()]
        return _("Change %(fields)s of %(entry)s") % {
            "fields": ", ".join(names), **self.named(scope),
        }  # fmt: skip


class SetStory(EntryCommand):
    """Replaces the whole story of an entry."""

    name: ClassVar[str] = "set_story"

    blocks: tuple[dict[str, Any], ...] = Field(
        description="Each has a `type`: heading, text, gallery, before_after, quote, facts."
    )

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        story = {"blocks": list(self.blocks)}
        return [changes.updated(entry, story, version=self.version or entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Edited the story”."""
        return _("Edited the story")

    def sentence(self, scope: Scope) -> str:
        """“Change the story of Reading app”."""
        return _("Change the story of %(entry)s") % self.named(scope)


class ReaddressEntry(EntryCommand):
    """Gives an entry another public address."""

    name: ClassVar[str] = "readdress_entry"

    slug: str = Field(description="Small letters, digits and hyphens.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, Conflict when it is taken."""
        entry = self.entry(scope)
        return [changes.readdressed(entry, self.slug, version=self.version or entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Changed the address”."""
        return _("Changed the address")

    def sentence(self, scope: Scope) -> str:
        """“Change the address of Reading app to reading”."""
        return _("Change the address of %(entry)s to %(slug)s") % {
            "slug": self.slug, **self.named(scope),
        }  # fmt: skip


class ArchiveEntry(EntryCommand):
    """Puts an entry away: neither public nor among the drafts."""

    name: ClassVar[str] = "archive_entry"

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        entry = self.entry(scope)
        status = {"status": Entry.Status.ARCHIVED}
        return [Update("portfolio_entry", entry.pk, status, self.version or entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Archived the entry”."""
        return _("Archived the entry")

    def sentence(self, scope: Scope) -> str:
        """“Archive Reading app”."""
        return _("Archive %(entry)s") % self.named(scope)


class DeleteEntry(EntryCommand):
    """Deletes an entry with its pictures; undo brings all of it back."""

    name: ClassVar[str] = "delete_entry"

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        entry = scope.get(Entry, self.id)
        return [changes.removed(entry, version=self.version or entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Deleted the entry”."""
        return _("Deleted the entry")

    def sentence(self, scope: Scope) -> str:
        """“Delete Reading app”."""
        return _("Delete %(entry)s") % self.named(scope)


class PlaceEntries(Command):
    """Puts the entries of a portfolio in this order; those that are not named follow."""

    name: ClassVar[str] = "place_entries"
    area: ClassVar[str] = "portfolio"

    portfolio: uuid.UUID
    order: tuple[uuid.UUID, ...] = Field(description="Ids of entries.")

    def plan(self, scope: Scope) -> list[Change]:
        """New places where they change. Raises NotInScope, BadInput."""
        return changes.placed(entries_of(scope.get(Portfolio, self.portfolio)), self.order)

    @property
    def ledger_title(self) -> str:
        """“Changed the order of entries”."""
        return _("Changed the order of entries")

    def sentence(self, scope: Scope) -> str:  # noqa: ARG002 - it names none
        """“Change the order of entries”."""
        return _("Change the order of entries")


COMMANDS: Final = (
    CreateEntry, ChangeEntry, SetStory, ReaddressEntry, ArchiveEntry, DeleteEntry, PlaceEntries,
)  # fmt: skip


def follow(scope: Scope, entry: Entry) -> None:
    """What is done belongs to the conversation about the entry, where there is one."""
    session = session_of(entry)
    if session is not None and isinstance(scope, ConversationScope):
        scope.conversation(session.pk)
