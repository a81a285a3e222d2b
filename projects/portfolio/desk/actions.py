"""Writes of the desk: publish and unpublish a portfolio; answer, approve and dismiss questions."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Update
from chat.operations.models import OperationBatch
from futura import limits
from futura.errors import BadInput, Conflict
from projects.portfolio import undecided
from projects.portfolio.contact import find_contacts
from projects.portfolio.desk.contacts import hits_of
from projects.portfolio.desk.review import review_of
from projects.portfolio.index import refresh
from projects.portfolio.models import OpenQuestion, Portfolio
from projects.portfolio.writing import perform

ANSWER_CHARS = 4_000
Status = OpenQuestion.Status


class Unsettled(BadInput):
    """Contact data that nobody decided about, or something that must be there first."""


def publish(
    *, actor: Actor, portfolio: Portfolio, digest: str, left: Collection[str]
) -> OperationBatch:
    """Opens the public page. `digest` is of the review that was shown, `left` the hits in it that
    may stay.

    Raises Conflict when something changed since, Unsettled for what is missing or undecided.
    """
    with transaction.atomic():
        review = review_of(portfolio)
        if review.stands_in_the_way:
            raise Unsettled(review.stands_in_the_way[0].text)
        if any(one.key not in left for one in review.hits):
            raise Unsettled(_("Decide about each piece of contact data first."))
        if review.digest != digest:
            raise Conflict(_("Something changed since you looked. Look again, then publish."))
        undecided.clear(portfolio.pk, [one.key for one in review.hits])
        values = {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}
        change = Update("portfolio", portfolio.pk, values, portfolio.version)
        return perform([change], actor=actor, title=_("Published the portfolio"))


def decide(*, portfolio: Portfolio, left: Collection[str]) -> None:
    """Lets contact data be shown that were left out of the open page; `left` names them."""
    with transaction.atomic():
        undecided.clear(portfolio.pk, [one.key for one in hits_of(portfolio) if one.key in left])
        refresh.wanted(portfolio.pk)


def unpublish(*, actor: Actor, portfolio: Portfolio) -> OperationBatch:
    """Closes the public page at once."""
    change = Update("portfolio", portfolio.pk, {"status": Portfolio.Status.DRAFT})
    return perform([change], actor=actor, title=_("Closed the public page"))


def keep_answer(*, actor: Actor, question: OpenQuestion, answer: object) -> OperationBatch:
    """Keeps an answer that is not approved yet; one that was is taken out of the corpus again."""
    text = limits.required_text(answer, limit=ANSWER_CHARS, field="answer")
    values = {"answer": text, "status": Status.OPEN, "answered_at": None}
    change = Update("portfolio_question", question.pk, values)
    return perform([change], actor=actor, title=_("Kept an answer for later"))


def approve_answer(
    *, actor: Actor, question: OpenQuestion, answer: object, with_contacts: bool = False
) -> OperationBatch:
    """Lets visitors be told this answer: it joins the corpus.

    Raises BadInput/TooLong for the text, Unsettled when contact data stand in it and nobody said
    that they may.
    """
    text = limits.required_text(answer, limit=ANSWER_CHARS, field="answer")
    found = find_contacts(f"{question.question}\n{text}")
    if found and not with_contacts:
        told = ", ".join(one.text for one in found)
        raise Unsettled(
            _("This would make contact data public: %(found)s.") % {"found": told}, field="answer"
        )
    values = {"answer": text, "status": Status.ANSWERED, "answered_at": timezone.now()}
    change = Update("portfolio_question", question.pk, values)
    with transaction.atomic():
        if found:
            shown = OpenQuestion(pk=question.pk, question=question.question, answer=text)
            undecided.clear(question.portfolio_id, undecided.keys_in([shown]))
        return perform([change], actor=actor, title=_("Approved an answer"))


def dismiss(*, actor: Actor, question: OpenQuestion) -> OperationBatch:
    """Puts a question away; an approved answer to it is taken out of the corpus."""
    change = Update("portfolio_question", question.pk, {"status": Status.DISMISSED})
    return perform([change], actor=actor, title=_("Dismissed a question"))


def reopen(*, actor: Actor, question: OpenQuestion) -> OperationBatch:
    """Puts a question back among those without an answer."""
    change = Update("portfolio_question", question.pk, {"status": Status.OPEN, "answered_at": None})
    return perform([change], actor=actor, title=_("Put a question back"))
