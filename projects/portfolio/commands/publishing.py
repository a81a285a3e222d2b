"""Commands that show an entry to everybody, and take it offline again."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import ClassVar, Final

from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.commands.run import Outcome, run
from chat.operations.changes import Change
from projects.portfolio import undecided
from projects.portfolio.commands.entries import follow
from projects.portfolio.entries import changes
from projects.portfolio.entries.publishing import NotReady, check
from projects.portfolio.entries.queries import images_of
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry


class PublishEntry(Command):
    """Shows an entry to everybody, once nothing stands in the way."""

    name: ClassVar[str] = "publish_entry"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the entry.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is public. Raises NotInScope, NotReady."""
        entry = scope.get(Entry, self.id)
        follow(scope, entry)
        if entry.status == Entry.Status.PUBLISHED:
            return []
        if failed := check(entry):
            raise NotReady(failed)
        return [changes.published(entry, version=entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Published the entry”."""
        return _("Published the entry")

    def sentence(self, scope: Scope) -> str:
        """“Publish Reading app”."""
        return _("Publish %(entry)s") % {"entry": scope.get(Entry, self.id)}


class UnpublishEntry(Command):
    """Takes an entry off the public page; it is a draft again."""

    name: ClassVar[str] = "unpublish_entry"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the entry.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is a draft. Raises NotInScope."""
        entry = scope.get(Entry, self.id)
        follow(scope, entry)
        if entry.status == Entry.Status.DRAFT:
            return []
        return [changes.unpublished(entry, version=entry.version)]

    @property
    def ledger_title(self) -> str:
        """“Made the entry a draft again”."""
        return _("Made the entry a draft again")

    def sentence(self, scope: Scope) -> str:
        """“Take Reading app offline”."""
        return _("Take %(entry)s offline") % {"entry": scope.get(Entry, self.id)}


COMMANDS: Final = (PublishEntry, UnpublishEntry)


def publish_entry(scope: Scope, entry: Entry, leave: Collection[str]) -> Outcome:
    """Publishes for its owner, who lets the contact data of these keys be shown with it.

    Raises NotReady that names each failed rule, Conflict.
    """
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *images_of(entry)], leave)
        return run(PublishEntry(id=entry.pk), scope)


def settle_entry(entry: Entry, leave: Collection[str]) -> None:
    """Lets contact data of an entry be shown that were left out of it; `leave` names them."""
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *images_of(entry)], leave)
        refresh.wanted(entry.portfolio_id)
