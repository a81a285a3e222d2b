"""The commands of entries: create, change, write the story, address, put away, order, delete."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from pydantic import Field

from chat.commands.base import Command, ConversationScope, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Update, Values
from futura.errors import BadInput
from projects.models import Project
from projects.portfolio.commands.base import RowCommand
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


class EntryCommand(RowCommand):
    """A command on one entry, which belongs to the conversation about it where there is one."""

    model: ClassVar[type[OperableModel]] = Entry

    version: int | None = Field(None, description="The version that was seen.")

    def entry(self, scope: Scope) -> Entry:
        """The entry. Raises NotInScope."""
        entry: Entry = self.row(scope)
        follow(scope, entry)
        return entry

    def update(self, entry: Entry, values: Values) -> list[Change]:
        """One update of it, as it stands."""
        return [Update("portfolio_entry", entry.pk, values, self.version or entry.version)]


class ChangeEntry(EntryFields, EntryCommand):  # type: ignore[misc, valid-type]
    """Changes fields of an entry of a portfolio: title, summary, dates, tags and the like.

    A list replaces the one that stands. The address follows the title until it was published.
    """

    name: ClassVar[str] = "change_entry"
    done: ClassVar[str] = noop("Edited the entry")

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

    def sentence(self, scope: Scope) -> str:
        """“Change title and tags of Reading app”."""
        names = [label_of(FIELDS, name).lower() for name in self.values()]
        named = {"fields": ", ".join(names), "entry": self.row(scope)}
        return _("Change %(fields)s of %(entry)s") % named


class SetStory(EntryCommand):
    """Replaces the whole story of an entry."""

    name: ClassVar[str] = "set_story"
    done: ClassVar[str] = noop("Edited the story")
    wish: ClassVar[str] = noop("Change the story of %(row)s")

    blocks: tuple[dict[str, Any], ...] = Field(
        description="Each has a `type`: heading, text, gallery, before_after, quote, facts."
    )

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput."""
        entry = self.entry(scope)
        story = {"blocks": list(self.blocks)}
        return [changes.updated(entry, story, version=self.version or entry.version)]


class ReaddressEntry(EntryCommand):
    """Gives an entry another public address."""

    name: ClassVar[str] = "readdress_entry"
    done: ClassVar[str] = noop("Changed the address")
    wish: ClassVar[str] = noop("Change the address of %(row)s")

    slug: str = Field(description="Small letters, digits and hyphens.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, Conflict when it is taken."""
        entry = self.entry(scope)
        return [changes.readdressed(entry, self.slug, version=self.version or entry.version)]


class ArchiveEntry(EntryCommand):
    """Puts an entry away: neither public nor among the drafts."""

    name: ClassVar[str] = "archive_entry"
    done: ClassVar[str] = noop("Archived the entry")
    wish: ClassVar[str] = noop("Archive %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        entry = self.entry(scope)
        return self.update(entry, {"status": Entry.Status.ARCHIVED})


class DeleteEntry(EntryCommand):
    """Deletes an entry with its pictures; undo brings all of it back."""

    name: ClassVar[str] = "delete_entry"
    done: ClassVar[str] = noop("Deleted the entry")
    wish: ClassVar[str] = noop("Delete %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        entry = scope.get(Entry, self.id)
        return [changes.removed(entry, version=self.version or entry.version)]


class PlaceEntries(RowCommand):
    """Puts the entries of a portfolio in this order; those that are not named follow."""

    name: ClassVar[str] = "place_entries"
    model: ClassVar[type[OperableModel]] = Portfolio
    done: ClassVar[str] = noop("Changed the order of entries")
    wish: ClassVar[str] = noop("Change the order of the entries of %(row)s")

    order: tuple[uuid.UUID, ...] = Field(description="Ids of entries.")

    def plan(self, scope: Scope) -> list[Change]:
        """New places where they change. Raises NotInScope, BadInput."""
        return changes.placed(entries_of(self.row(scope)), self.order)


COMMANDS: Final = (
    CreateEntry, ChangeEntry, SetStory, ReaddressEntry, ArchiveEntry, DeleteEntry, PlaceEntries,
)  # fmt: skip


def follow(scope: Scope, entry: Entry) -> None:
    """What is done belongs to the conversation about the entry, where there is one."""
    session = session_of(entry)
    if session is not None and isinstance(scope, ConversationScope):
        scope.conversation(session.pk)
