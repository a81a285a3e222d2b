"""The commands of entries: create, change, write the story, address, put away, order, delete."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from pydantic import Field

from chat.commands.base import Command, ConversationScope, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Create, Delete, Update, Values
from futura.errors import BadInput
from projects.models import Project
from projects.portfolio.blocks import pictures_in, stored_blocks
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.entries import limits, naming
from projects.portfolio.entries.queries import entries_of
from projects.portfolio.entries.talk import session_of
from projects.portfolio.models import Entry, EntryImage, Portfolio
from projects.portfolio.schema.entry import FIELDS, EntryFields
from projects.portfolio.schema.forms import label_of
from projects.portfolio.schema.tables import check_span, tidied


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
        check_span(values)
        if self.project:
            values["project"] = str(scope.get(Project, self.project).pk)
        naming.lock(portfolio.pk)
        own = Entry.objects.filter(portfolio=portfolio, deleted_at=None)
        if own.count() >= limits.ENTRIES:
            raise BadInput(_("A portfolio has at most %(n)d entries.") % {"n": limits.ENTRIES})
        doc_id, slug = naming.new_names(portfolio, str(values.get("title", "")))
        last = own.aggregate(last=Max("position"))["last"]
        values |= {
            "portfolio": str(portfolio.pk),
            "doc_id": doc_id,
            "slug": slug,
            "position": 0 if last is None else last + 1,
            "status": Entry.Status.DRAFT,
        }
        return [Create("portfolio_entry", values)]

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

    def put(self, entry: Entry, values: Values) -> list[Change]:
        """One update of it, as it stands."""
        return [Update("portfolio_entry", entry.pk, values, self.version or entry.version)]

    def edit(self, entry: Entry, values: Values) -> list[Change]:
        """Other values for fields, and for `blocks`. Reading the source again will leave them; the
        address follows the title until the entry was published. Raises BadInput, TooLong.
        """
        tidy = tidied(EntryFields, {name: one for name, one in values.items() if name != "blocks"})
        check_span(tidy, entry)
        if "blocks" in values:
            tidy["blocks"] = stored_blocks(values["blocks"])
            _check_pictures(entry, tidy["blocks"])
        return self.put(entry, tidy | _address(entry, tidy) | _kept(entry, tidy))


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
        return self.edit(entry, values)

    def values(self) -> dict[str, Any]:
        """What is given, by field; emptied ones empty."""
        given: dict[str, Any] = dict.fromkeys(self.clear, "") | self.given()
        return given

    def sentence(self, scope: Scope) -> str:
        """“Change title and tags of Reading app”."""
        names = [label_of(FIELDS, name).lower() for name in self.values()]
        named = {"fields": ", ".join(names), "entry": self.row(scope)}
        return _("Change %(fields)s of %(entry)s") % named


class ReaddressEntry(EntryCommand):
    """Gives an entry another public address."""

    name: ClassVar[str] = "readdress_entry"
    done: ClassVar[str] = noop("Changed the address")
    wish: ClassVar[str] = noop("Change the address of %(row)s")

    slug: str = Field(description="Small letters, digits and hyphens.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, Conflict when it is taken."""
        entry = self.entry(scope)
        return self.put(entry, {"slug": naming.slug_checked(entry, self.slug)})


class ArchiveEntry(EntryCommand):
    """Puts an entry away: neither public nor among the drafts."""

    name: ClassVar[str] = "archive_entry"
    done: ClassVar[str] = noop("Archived the entry")
    wish: ClassVar[str] = noop("Archive %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        entry = self.entry(scope)
        return self.put(entry, {"status": Entry.Status.ARCHIVED})


class DeleteEntry(EntryCommand):
    """Deletes an entry with its pictures; undo brings all of it back."""

    name: ClassVar[str] = "delete_entry"
    done: ClassVar[str] = noop("Deleted the entry")
    wish: ClassVar[str] = noop("Delete %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One deletion. Raises NotInScope."""
        entry = scope.get(Entry, self.id)
        return [Delete("portfolio_entry", entry.pk, self.version or entry.version)]


class PlaceEntries(RowCommand):
    """Puts the entries of a portfolio in this order; those that are not named follow."""

    name: ClassVar[str] = "place_entries"
    model: ClassVar[type[OperableModel]] = Portfolio
    done: ClassVar[str] = noop("Changed the order of entries")
    wish: ClassVar[str] = noop("Change the order of the entries of %(row)s")

    order: tuple[uuid.UUID, ...] = Field(description="Ids of entries.")

    def plan(self, scope: Scope) -> list[Change]:
        """New places where they change. Raises NotInScope, BadInput."""
        return [
            Update("portfolio_entry", entry.pk, {"position": place})
            for place, entry in enumerate(ordered(entries_of(self.row(scope)), self.order))
            if entry.position != place
        ]


COMMANDS: Final = (
    CreateEntry, ChangeEntry, ReaddressEntry, ArchiveEntry, DeleteEntry, PlaceEntries,
)  # fmt: skip


def follow(scope: Scope, entry: Entry) -> None:
    """What is done belongs to the conversation about the entry, where there is one."""
    session = session_of(entry)
    if session is not None and isinstance(scope, ConversationScope):
        scope.conversation(session.pk)


def ordered(rows: Sequence[Any], order: Sequence[uuid.UUID]) -> list[Any]:
    """Rows in this order; those not named follow as they stood. Raises BadInput."""
    by_id = {row.pk: row for row in rows}
    if set(order) - set(by_id):
        raise BadInput(_("Something in this order is not there any more."), field="order")
    named = list(dict.fromkeys(order))
    return [*(by_id[key] for key in named), *(row for row in rows if row.pk not in set(named))]


def _check_pictures(entry: Entry, story: Sequence[Mapping[str, Any]]) -> None:
    """Blocks show pictures of their own entry, deleted ones (an undo brings them back) included."""
    named = {key for block in story for key in pictures_in(block)}
    own = EntryImage.objects.filter(entry=entry, pk__in=named).values_list("pk", flat=True)
    if named - {str(key) for key in own}:
        raise BadInput(_("A block shows a picture that is not of this entry."), field="blocks")


def _address(entry: Entry, values: Mapping[str, Any]) -> dict[str, str]:
    """An address for another title, unless it was published or somebody chose it."""
    title = values.get("title", entry.title)
    if not title or title == entry.title or entry.published_at is not None:
        return {}
    if not naming.is_made_of(entry.slug, entry.title):
        return {}
    return {"slug": naming.free_slug(entry, title)}


def _kept(entry: Entry, values: Mapping[str, Any]) -> dict[str, Any]:
    """Which fields a source may not overwrite any more, where there is a source."""
    changed = [name for name, value in values.items() if getattr(entry, name, None) != value]
    if entry.source_id is None or not set(changed) - set(entry.kept_fields):
        return {}
    return {"kept_fields": list(dict.fromkeys([*entry.kept_fields, *changed]))}
