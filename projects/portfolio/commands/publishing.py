"""The commands that show an entry or a portfolio to everybody, and take it offline again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from chat.commands.base import Rejected, Scope
from chat.commands.run import Outcome, run
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Update
from projects.portfolio import undecided
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.commands.entries import EntryCommand
from projects.portfolio.commands.questions import ContactsUndecided
from projects.portfolio.desk.contacts import hits_of, open_among
from projects.portfolio.desk.review import review_of
from projects.portfolio.entries.publishing import NotReady, check
from projects.portfolio.entries.queries import images_of
from projects.portfolio.index import refresh
from projects.portfolio.models import Entry, Portfolio


class PublishEntry(EntryCommand):
    """Shows an entry to everybody, once nothing stands in the way."""

    name: ClassVar[str] = "publish_entry"
    done: ClassVar[str] = noop("Published the entry")
    wish: ClassVar[str] = noop("Publish %(row)s")

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is public. Raises NotInScope, NotReady."""
        entry = self.entry(scope)
        if entry.status == Entry.Status.PUBLISHED:
            return []
        if failed := check(entry):
            raise NotReady(failed)
        values: dict[str, Any] = {"status": Entry.Status.PUBLISHED}
        if entry.published_at is None:
            values["published_at"] = timezone.now()
        return self.put(entry, values)


class UnpublishEntry(EntryCommand):
    """Takes an entry off the public page; it is a draft again."""

    name: ClassVar[str] = "unpublish_entry"
    done: ClassVar[str] = noop("Made the entry a draft again")
    wish: ClassVar[str] = noop("Take %(row)s offline")

    def plan(self, scope: Scope) -> list[Change]:
        """One update, none where it is a draft. Raises NotInScope."""
        entry = self.entry(scope)
        if entry.status == Entry.Status.DRAFT:
            return []
        return self.put(entry, {"status": Entry.Status.DRAFT})


class PublishPortfolio(RowCommand):
    """Opens the public page of a portfolio, once nothing stands in the way.

    With `digest`, of the review that was looked at, what changed since is refused.
    """

    name: ClassVar[str] = "publish_portfolio"
    done: ClassVar[str] = noop("Published the portfolio")
    wish: ClassVar[str] = noop("Publish the portfolio of %(row)s")

    model: ClassVar[type[OperableModel]] = Portfolio

    digest: str = ""

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, Rejected, ContactsUndecided for what is missing."""
        portfolio: Portfolio = self.row(scope)
        review = review_of(portfolio)
        if review.stands_in_the_way:
            raise ContactsUndecided(review.stands_in_the_way[0].text)
        if open_among(review.hits, portfolio):
            raise ContactsUndecided(_("Decide about each piece of contact data first."))
        if self.digest and review.digest != self.digest:
            raise Rejected(_("Something changed since you looked. Look again, then publish."))
        values = {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}
        return [Update("portfolio", portfolio.pk, values, portfolio.version)]


class ClosePortfolio(RowCommand):
    """Closes the public page of a portfolio at once."""

    name: ClassVar[str] = "close_portfolio"
    done: ClassVar[str] = noop("Closed the public page")
    wish: ClassVar[str] = noop("Close the public page of %(row)s")

    model: ClassVar[type[OperableModel]] = Portfolio

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        portfolio: Portfolio = self.row(scope)
        status = {"status": Portfolio.Status.DRAFT}
        return [Update("portfolio", portfolio.pk, status, portfolio.version)]


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
