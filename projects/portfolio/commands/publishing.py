"""The commands that show an entry or a portfolio to everybody, and take it offline again."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import ClassVar, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Rejected, Scope
from chat.commands.run import Outcome, run
from chat.operations.changes import Change, Update
from projects.portfolio import undecided
from projects.portfolio.commands.entries import follow
from projects.portfolio.commands.questions import ContactsUndecided
from projects.portfolio.desk.contacts import hits_of, open_among
from projects.portfolio.desk.review import review_of
from projects.portfolio.entries import changes
from projects.portfolio.entries.publishing import NotReady, check
from projects.portfolio.entries.queries import images_of
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry, Portfolio


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


class PublishPortfolio(Command):
    """Opens the public page of a portfolio, once nothing stands in the way.

    With `digest`, of the review that was looked at, what changed since is refused.
    """

    name: ClassVar[str] = "publish_portfolio"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the portfolio.")
    digest: str = ""

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, ContactsUndecided for what is missing."""
        portfolio = scope.get(Portfolio, self.id)
        review = review_of(portfolio)
        if review.stands_in_the_way:
            raise ContactsUndecided(review.stands_in_the_way[0].text)
        if open_among(review.hits, portfolio):
            raise ContactsUndecided(_("Decide about each piece of contact data first."))
        if self.digest and review.digest != self.digest:
            raise Rejected(_("Something changed since you looked. Look again, then publish."))
        values = {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}
        return [Update("portfolio", portfolio.pk, values, portfolio.version)]

    @property
    def ledger_title(self) -> str:
        """“Published the portfolio”."""
        return _("Published the portfolio")

    def sentence(self, scope: Scope) -> str:
        """“Publish the portfolio of Mara”."""
        name = scope.get(Portfolio, self.id).owner_name
        return _("Publish the portfolio of %(name)s") % {"name": name}


class ClosePortfolio(Command):
    """Closes the public page of a portfolio at once."""

    name: ClassVar[str] = "close_portfolio"
    area: ClassVar[str] = "portfolio"

    id: uuid.UUID = Field(description="Id of the portfolio.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        portfolio = scope.get(Portfolio, self.id)
        status = {"status": Portfolio.Status.DRAFT}
        return [Update("portfolio", portfolio.pk, status, portfolio.version)]

    @property
    def ledger_title(self) -> str:
        """“Closed the public page”."""
        return _("Closed the public page")

    def sentence(self, scope: Scope) -> str:
        """“Close the public page of Mara”."""
        name = scope.get(Portfolio, self.id).owner_name
        return _("Close the public page of %(name)s") % {"name": name}


COMMANDS: Final = (PublishEntry, UnpublishEntry, PublishPortfolio, ClosePortfolio)


def publish_entry(scope: Scope, entry: Entry, leave: Collection[str]) -> Outcome:
    """Publishes for its owner, who lets the contact data of these keys be shown with it.

    Raises NotReady that names each failed rule, Conflict.
    """
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *images_of(entry)], leave)
        return run(PublishEntry(id=entry.pk), scope)


def publish_portfolio(
    scope: Scope, portfolio: Portfolio, *, digest: str, leave: Collection[str]
) -> Outcome:
    """Publishes for its owner, who has looked at a review and decided about each contact in it.

    Raises Rejected when something changed since, ContactsUndecided for what is missing or open.
    """
    with transaction.atomic():
        hits = hits_of(portfolio)
        if all(hit.key in leave for hit in hits):
            undecided.clear(portfolio.pk, [hit.key for hit in hits])
        elif portfolio.status != Portfolio.Status.PUBLISHED:
            raise ContactsUndecided(_("Decide about each piece of contact data first."))
        return run(PublishPortfolio(id=portfolio.pk, digest=digest or "-"), scope)


def settle_portfolio(portfolio: Portfolio, leave: Collection[str]) -> None:
    """Lets contact data be shown that were left out of the open page; `leave` names them."""
    with transaction.atomic():
        keys = [hit.key for hit in hits_of(portfolio) if hit.key in leave]
        undecided.clear(portfolio.pk, keys)
        refresh.wanted(portfolio.pk)


def settle_entry(entry: Entry, leave: Collection[str]) -> None:
    """Lets contact data of an entry be shown that were left out of it; `leave` names them."""
    with transaction.atomic():
        undecided.settle(entry.portfolio_id, [entry, *images_of(entry)], leave)
        refresh.wanted(entry.portfolio_id)
