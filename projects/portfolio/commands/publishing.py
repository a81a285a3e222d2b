"""Commands that show an entry to everybody, and take it offline again."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change
from projects.portfolio.entries import changes
from projects.portfolio.entries.publishing import NotReady, check
from projects.portfolio.models import Entry


class PublishEntry(Command):
    """Shows an entry to everybody, once nothing stands in the way."""

    name: ClassVar[str] = "publish_entry"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the entry.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is public. Raises NotInScope, NotReady."""
        entry = scope.get(Entry, self.id)
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
