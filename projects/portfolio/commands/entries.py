"""The commands of entries: create, change, address, publish, order, delete."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop
from pydantic import Field

from chat.commands.base import Scope
from chat.operations.changes import Change, Create, Update, Values
from futura.errors import BadInput, Conflict
from projects.commands.projects import slug_of
from projects.models import Project
from projects.portfolio.blocks import pictures_in, stored_blocks
from projects.portfolio.commands.base import (
    DeleteRow,
    PortfolioCommand,
    RowCommand,
    next_position,
)
from projects.portfolio.entries import limits, publishing
from projects.portfolio.models import Entry, EntryImage, Portfolio
from projects.portfolio.queries import entries_of, session_of
from projects.portfolio.schema.fields import check_span, label_of, tidied
from projects.portfolio.schema.kinds import ENTRY, EntryFields, free, id_of

Status = Entry.Status
_UNTITLED: Final = "entry"


class CreateEntry(EntryFields, PortfolioCommand):  # type: ignore[misc, valid-type]
    """Adds a draft of an entry at the end of a portfolio."""

    name = "create_entry"
    done = gettext_noop("Added entry")
    proposal = gettext_noop("Add entry “%(entry)s”")

    portfolio: uuid.UUID
    project: uuid.UUID | None = Field(None, description="The project that it is about.")

    def plan(self, scope: Scope) -> list[Change]:
        portfolio = scope.get(Portfolio, self.portfolio)
        values = self.given()
        check_span(values)
        if self.project:
            values["project"] = str(scope.get(Project, self.project).pk)
        publishing.lock(portfolio.pk)
        entries = Entry.objects.filter(portfolio=portfolio)
        own = entries.filter(deleted_at=None)
        if own.count() >= limits.ENTRIES:
            raise BadInput(_("A portfolio has at most %(n)d entries.") % {"n": limits.ENTRIES})
        title, ids = str(values.get("title", "")), entries.values_list("doc_id", flat=True)
        values |= {
            "portfolio": str(portfolio.pk),
            "doc_id": id_of("project", title or _UNTITLED, taken=ids),
            "slug": _free_slug(title, own),
            "position": next_position(own),
            "status": Status.DRAFT,
        }
        return [Create("portfolio_entry", values)]

    @property
    def placeholders(self) -> Mapping[str, object]:
        return {"entry": self.given().get("title", "")}


class EntryCommand(RowCommand):
    """A command on one entry, which belongs to the conversation about it where there is one."""

    model = Entry

    def row(self, scope: Scope) -> Entry:
        entry: Entry = super().row(scope)
        join_conversation(scope, entry)
        return entry

    def edit(self, entry: Entry, values: Values) -> list[Change]:
        """Other values for fields, and for `blocks`. Reading the source again will leave them; the
        address follows the title until the entry was published. Raises BadInput, TooLong.
        """
        fields = {name: value for name, value in values.items() if name != "blocks"}
        new = tidied(EntryFields, fields)
        check_span(new, entry)
        if "blocks" in values:
            new["blocks"] = stored_blocks(values["blocks"])
            # of this entry; deleted ones, which an undo brings back, included
            pictures = {key for block in new["blocks"] for key in pictures_in(block)}
            own = EntryImage.objects.filter(entry=entry, pk__in=pictures)
            if pictures - {str(key) for key in own.values_list("pk", flat=True)}:
                problem = _("A block uses a picture that does not belong to this entry.")
                raise BadInput(problem, field="blocks")
        changed = [name for name, value in new.items() if getattr(entry, name) != value]
        if entry.source_id is not None and set(changed) - set(entry.kept_fields):
            new["kept_fields"] = list(dict.fromkeys([*entry.kept_fields, *changed]))
        title = new.get("title", "")
        if title and title != entry.title and not entry.published_at and _has_own_slug(entry):
            publishing.lock(entry.portfolio_id)
            new["slug"] = _free_slug(title, publishing.others_of(entry))
        return self.put(entry, new)


class ChangeEntry(EntryFields, EntryCommand):  # type: ignore[misc, valid-type]
    """Changes fields of an entry of a portfolio: title, summary, dates, tags and the like.

    A list replaces the one that stands, unless `lists` says otherwise. The address follows the
    title until it was published.
    """

    name = "change_entry"
    done = gettext_noop("Edited entry")
    proposal = gettext_noop("Edit %(fields)s of %(row)s")

    clear: tuple[str, ...] = Field((), description="Fields to empty.")
    lists: Literal["replace", "append", "remove"] = Field(
        "replace", description="Whether the items of lists replace, join or leave those that stand."
    )

    def plan(self, scope: Scope) -> list[Change]:
        entry = self.row(scope)
        if not self.values():
            raise BadInput(_("No change was given."), field="id")
        return self.edit(entry, self.values_for(entry))

    def values(self) -> dict[str, Any]:
        """What is given, by field; emptied ones empty."""
        given: dict[str, Any] = dict.fromkeys(self.clear, "") | self.given()
        return given

    def values_for(self, entry: Entry) -> dict[str, Any]:
        """The same, with lists as they will stand, after what else a round does before."""
        return {
            name: self._listed(getattr(entry, name), value) if isinstance(value, list) else value
            for name, value in self.values().items()
        }

    def _listed(self, standing: list[str], items: list[str]) -> list[str]:
        if self.lists == "append":
            return [*standing, *items]
        gone = {item.casefold() for item in items} if self.lists == "remove" else set()
        return [item for item in standing if item.casefold() not in gone] if gone else items

    @property
    def placeholders(self) -> Mapping[str, object]:
        return {"fields": ", ".join(label_of(ENTRY, name) for name in self.values())}


class ReaddressEntry(EntryCommand):
    """Gives an entry another public address."""

    name = "readdress_entry"
    done = gettext_noop("Changed address")
    proposal = gettext_noop("Change the address of %(row)s")

    slug: str = Field(description="Small letters, digits and hyphens.")

    def plan(self, scope: Scope) -> list[Change]:
        """Raises Conflict when it is taken."""
        entry = self.row(scope)
        slug = self.slug.strip().lower()
        if not slug or slug_of(slug) != slug:
            raise BadInput(_("Use lower-case letters, digits and hyphens."), field="slug")
        if slug in limits.RESERVED:
            raise BadInput(_("This address is reserved."), field="slug")
        if publishing.others_of(entry).filter(slug=slug).exists():
            raise Conflict(_("This address is taken by another entry."), field="slug")
        return self.put(entry, {"slug": slug})


class PublishEntry(EntryCommand):
    """Shows an entry to everybody, once nothing stands in the way."""

    name = "publish_entry"
    done = gettext_noop("Published entry")
    proposal = gettext_noop("Publish %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """None where it is public. Raises NotReady."""
        entry = self.row(scope)
        if entry.status == Status.PUBLISHED:
            return []
        if failed := publishing.check(entry):
            raise publishing.NotReady(failed)
        first = {} if entry.published_at else {"published_at": timezone.now()}
        return self.put(entry, {"status": Status.PUBLISHED, **first})


class UnpublishEntry(EntryCommand):
    """Takes an entry off the public page; it is a draft again."""

    name = "unpublish_entry"
    done = gettext_noop("Unpublished entry")
    proposal = gettext_noop("Unpublish %(row)s")
    sets = {"status": Status.DRAFT}


class DeleteEntry(DeleteRow):
    """Deletes an entry with its pictures; undo brings all of it back."""

    name = "delete_entry"
    done = gettext_noop("Deleted entry")
    proposal = gettext_noop("Delete %(row)s")
    model = Entry


class PlaceEntries(RowCommand):
    """Puts the entries of a portfolio in this order; those that are not named follow."""

    name = "place_entries"
    done = gettext_noop("Reordered entries")
    proposal = gettext_noop("Reorder entries of %(row)s")
    model = Portfolio

    order: tuple[uuid.UUID, ...] = Field(description="Ids of entries.")

    def plan(self, scope: Scope) -> list[Change]:
        """New places where they change."""
        return [
            Update("portfolio_entry", entry.pk, {"position": place})
            for place, entry in enumerate(ordered(entries_of(self.row(scope)), self.order))
            if entry.position != place
        ]


COMMANDS: Final = (
    CreateEntry, ChangeEntry, ReaddressEntry, PublishEntry, UnpublishEntry, DeleteEntry,
    PlaceEntries,
)  # fmt: skip


def join_conversation(scope: Scope, entry: Entry) -> None:
    """What is done belongs to the conversation about the entry, where there is one."""
    session = session_of(entry)
    if session is not None:
        scope.conversation(session.pk)


def ordered(rows: Sequence[Any], order: Sequence[uuid.UUID]) -> list[Any]:
    """Rows in this order; those not named follow as they stood. Raises BadInput."""
    by_id = {row.pk: row for row in rows}
    if set(order) - set(by_id):
        raise BadInput(_("Part of this order no longer exists. Reload the page."), field="order")
    return [by_id[key] for key in dict.fromkeys([*order, *by_id])]


def _stem(title: str) -> str:
    stem = slug_of(title) if title.strip() else _UNTITLED
    # a title without letters that an address can have
    return _UNTITLED if stem == "project" else stem


def _free_slug(title: str, others: QuerySet[Entry]) -> str:
    return free(_stem(title), {*others.values_list("slug", flat=True), *limits.RESERVED})


def _has_own_slug(entry: Entry) -> bool:
    """Whether nobody chose the address: it is the title's, perhaps with a number behind it."""
    stem = _stem(entry.title)
    number = entry.slug.removeprefix(stem).lstrip("-")
    return entry.slug.startswith(stem) and (entry.slug == stem or number.isdigit())
