"""The commands of a portfolio as a whole: start, change, photo, open and close, delete; and of the
questions that visitors asked.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop
from pydantic import Field

from chat import languages
from chat.commands.base import Rejected, Scope
from chat.commands.run import Outcome, run
from chat.operations.changes import Change, Create
from futura import locks
from futura.errors import BadInput
from futura.limits import required_text
from futura.text import latin_slug
from projects.portfolio import contact_review
from projects.portfolio.commands.base import (
    DeleteRow,
    PortfolioCommand,
    RowCommand,
    settle_contacts,
)
from projects.portfolio.models import OpenQuestion, Portfolio, StoredImage
from projects.portfolio.readiness import review_of
from projects.portfolio.schema.fields import Values
from projects.portfolio.schema.kinds import PortfolioFields, free

SLUG_CHARS: Final = 72
ANSWER_CHARS: Final = 4_000
Status = OpenQuestion.Status
_ADDRESSES: Final = "addresses of portfolios"  # they are given one at a time


class CreatePortfolio(PortfolioFields, PortfolioCommand):  # type: ignore[misc, valid-type]
    """Starts a portfolio, empty and not published: whose it is, and what they are."""

    name = "create_portfolio"
    done = gettext_noop("Created portfolio")
    proposal = gettext_noop("Create a portfolio of %(name)s")

    def plan(self, scope: Scope) -> list[Change]:  # noqa: ARG002 - nothing is there yet
        values = _values(self)
        for name in ("owner_name", "domain_label"):
            if not values.get(name):
                raise BadInput(_("Enter a name and a profession or field."), field=name)
        if "slug" in values:
            _refuse_taken(values["slug"])
        else:
            locks.wait_for(_ADDRESSES)
            stem = latin_slug(values["owner_name"]).replace("_", "-")[:SLUG_CHARS].strip("-")
            if not stem:  # how a name is written in Latin letters is for its owner to say
                words = _("The name has no Latin letters: choose an address, such as olga-petrova.")
                raise BadInput(words, field="slug")
            living = Portfolio.objects.filter(slug__startswith=stem, deleted_at=None)
            values["slug"] = free(stem, set(living.values_list("slug", flat=True)))
        values.setdefault("language", languages.current())
        return [Create("portfolio", values)]

    @property
    def placeholders(self) -> Mapping[str, object]:
        return {"name": self.given().get("owner_name", "")}


class ChangePortfolio(PortfolioFields, RowCommand):  # type: ignore[misc, valid-type]
    """Changes who speaks, in which field, the public address, or the language of the pages."""

    name = "change_portfolio"
    done = gettext_noop("Edited portfolio")
    proposal = gettext_noop("Edit the portfolio of %(row)s")
    model = Portfolio

    def plan(self, scope: Scope) -> list[Change]:
        portfolio: Portfolio = self.row(scope)
        values = _values(self)
        if values.get("slug", portfolio.slug) != portfolio.slug:
            _refuse_taken(values["slug"])
        return self.put(portfolio, values)


class SetPhoto(RowCommand):
    """Puts a photo of the person, or a mark of the team, on the public page; or takes it away.

    A photo needs an alternative text: whom it shows.
    """

    name = "set_photo"
    done = gettext_noop("Changed photo")
    proposal = gettext_noop("Change the photo of %(row)s")
    model = Portfolio

    file: uuid.UUID | None = Field(
        None, description="Id of an uploaded picture; null leaves the one there is."
    )
    alt: str = Field("", max_length=300, description="Whom it shows, in words.")
    remove: bool = False

    def plan(self, scope: Scope) -> list[Change]:
        portfolio: Portfolio = self.row(scope)
        if self.remove:
            return self.put(portfolio, {"photo": None, "photo_alt": ""})
        key, alt = self.file or portfolio.photo_id, " ".join(self.alt.split())
        own = StoredImage.objects.filter(portfolio=portfolio)
        # which keeps its file for an undo
        if key is None or not own.filter(pk=key).update(is_photo=True):
            raise BadInput(_("Select a picture."), field="file")
        if not alt:
            raise BadInput(_("Enter an alternative text: who is in the picture."), field="alt")
        return self.put(portfolio, {"photo": str(key), "photo_alt": alt})


class PublishPortfolio(RowCommand):
    """Opens the public page of a portfolio, once nothing stands in the way.

    With `digest`, of the review that was looked at, what changed since is refused.
    """

    name = "publish_portfolio"
    done = gettext_noop("Published portfolio")
    proposal = gettext_noop("Publish the portfolio of %(row)s")
    model = Portfolio

    digest: str = ""

    def plan(self, scope: Scope) -> list[Change]:
        """Raises Rejected, BadInput for what is missing."""
        portfolio: Portfolio = self.row(scope)
        review = review_of(portfolio)
        if review.needed:
            raise BadInput(review.needed[0].text)
        if contact_review.open_among(review.hits, portfolio):
            raise BadInput(_("Decide about each item of contact data first."))
        if self.digest and review.digest != self.digest:
            raise Rejected(
                _("The portfolio changed since you opened this page. Check it again, then publish.")
            )
        values = {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}
        return self.put(portfolio, values)


class ClosePortfolio(RowCommand):
    """Closes the public page of a portfolio at once."""

    name = "close_portfolio"
    done = gettext_noop("Unpublished portfolio")
    proposal = gettext_noop("Unpublish the portfolio of %(row)s")
    model = Portfolio
    sets = {"status": Portfolio.Status.DRAFT}


class DeletePortfolio(DeleteRow):
    """Deletes a portfolio with everything in it; undo brings all of it back."""

    name = "delete_portfolio"
    done = gettext_noop("Deleted portfolio")
    proposal = gettext_noop("Delete the portfolio of %(row)s")
    model = Portfolio


class AnswerQuestion(RowCommand):
    """Answers a visitor's question; both join what visitors are told from."""

    name = "answer_question"
    done = gettext_noop("Approved answer")
    proposal = gettext_noop("Answer “%(row)s”")
    model = OpenQuestion

    answer: str

    def plan(self, scope: Scope) -> list[Change]:
        text = required_text(self.answer, limit=ANSWER_CHARS, field="answer")
        question: OpenQuestion = self.row(scope)
        if question.reply_to:
            raise Rejected(_("This is a message to you. Reply by email."))
        values = {"answer": text, "status": Status.ANSWERED, "answered_at": timezone.now()}
        return self.put(question, values)


class DismissQuestion(RowCommand):
    """Puts a question away; an approved answer to it is taken out of what visitors are told."""

    name = "dismiss_question"
    done = gettext_noop("Dismissed question")
    proposal = gettext_noop("Dismiss “%(row)s”")
    model = OpenQuestion
    sets = {"status": Status.DISMISSED}


COMMANDS: Final = (
    CreatePortfolio, ChangePortfolio, SetPhoto, PublishPortfolio, ClosePortfolio, DeletePortfolio,
    AnswerQuestion, DismissQuestion,
)  # fmt: skip


def publish_portfolio(
    scope: Scope, portfolio: Portfolio, *, digest: str, leave: Collection[str]
) -> Outcome:
    """Publishes for its owner, who has looked at a review and decided about each contact in it.

    Raises Rejected when something changed since, BadInput for what is missing or open.
    """
    with transaction.atomic():
        rows = (row for row, _url in contact_review.public_rows(portfolio))
        settle_contacts(portfolio.pk, rows, leave)
        return run(PublishPortfolio(id=portfolio.pk, digest=digest or "-"), scope)


def _values(command: Values) -> dict[str, Any]:
    """What is given; an address only where one was written."""
    values = command.given()
    return {name: value for name, value in values.items() if value or name != "slug"}


def _refuse_taken(slug: str) -> None:
    locks.wait_for(_ADDRESSES)
    if Portfolio.objects.filter(slug=slug, deleted_at=None).exists():
        raise BadInput(
            _("This address is taken by another portfolio. Choose another address."), field="slug"
        )
