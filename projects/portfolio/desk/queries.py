"""Reads of the desk: questions with their verdicts, the conversations behind them, the inbox, and
what visitors cost by month, from the ledger of model calls.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, QuerySet, Subquery

from chat.models import Message, Run
from projects.portfolio.blocks import plain_text
from projects.portfolio.models import OpenQuestion, Portfolio, VisitMonth
from projects.portfolio.queries import visits_of
from projects.portfolio.visitors.presenter import record_of
from projects.portfolio.visitors.retention import NUMBERS, numbers_of

PAGE: Final = 30
MONTHS: Final = 12


def questions_page(portfolio: Portfolio, number: str = "") -> dict[str, Any]:
    """A page of questions, newest first. Four queries."""
    visits = visits_of(portfolio).filter(deleted_at=None)
    messages = Message.objects.filter(session__in=visits, superseded_at=None)
    questions = messages.filter(role=Message.Role.PERSON)
    newest = questions.select_related("session").order_by("-created_at", "-seq")
    page = Paginator(newest, PAGE).get_page(number)
    rows = list(page.object_list)
    runs = Run.objects.filter(message__in=rows, reply__superseded_at=None)
    answered = runs.exclude(reply=None).select_related("reply").order_by("created_at")
    replies = {run.message_id: run.reply for run in answered}
    return {
        "rows": [_row(question, replies.get(question.pk), portfolio) for question in rows],
        "page": page,
    }


def _row(question: Message, reply: Message | None, portfolio: Portfolio) -> dict[str, Any]:
    """A question and what came of it: the record of its answer is empty while there is none."""
    return {
        "message": question,
        "answer": plain_text(reply.text) if reply else "",
        "is_own": question.session.participant_id == portfolio.owner_id,
        "record": record_of(reply) if reply else {},
    }


def questions_of(portfolio: Portfolio, status: str = "") -> QuerySet[OpenQuestion]:
    """The inbox, or what became of its questions; newest first.

    `asked_in` is the conversation of the message that asked it, which has the same id.
    """
    visits = visits_of(portfolio).filter(deleted_at=None)
    asking = Message.objects.filter(pk=OuterRef("pk"), session__in=visits)
    questions = OpenQuestion.objects.annotate(asked_in=Subquery(asking.values("session")))
    own = questions.filter(portfolio=portfolio, deleted_at=None)
    return (own.filter(status=status) if status else own).order_by("-created_at")


def inbox_page(
    portfolio: Portfolio, status: str, number: str = "", *, around: OpenQuestion | None = None
) -> Page[OpenQuestion]:
    """A page of these: of a number, or the one `around` a question."""
    rows = questions_of(portfolio, status)
    paginator = Paginator(rows, PAGE)
    if around is None:
        return paginator.get_page(number)
    before = rows.filter(created_at__gt=around.created_at).count()
    return paginator.get_page(before // PAGE + 1)


def counts_of(portfolio: Portfolio) -> dict[str, int]:
    """How many questions of the inbox there are, by status."""
    own = questions_of(portfolio).order_by()
    return dict(own.values_list("status").annotate(n=Count("pk")))


# Cost -------------------------------------------------------------------------------------------
def costs_of(portfolio: Portfolio) -> list[dict[str, Any]]:
    """The last twelve calendar months (UTC) of a portfolio, the latest first, each with its
    `NUMBERS`; `cost_usd` is None where no price is known. Three queries.

    Of conversations that are erased by now, or lie in a visitor's bin, the numbers count on.
    """
    living = numbers_of(visits_of(portfolio)).items()
    sums = {month.date(): Counter(numbers) for month, numbers in living}
    for erased in VisitMonth.objects.filter(portfolio=portfolio):
        numbers = Counter({name: getattr(erased, name) for name in NUMBERS})
        sums[erased.month] = sums.get(erased.month, Counter()) + numbers
    months: list[dict[str, Any]] = []
    for month in sorted(sums, reverse=True)[:MONTHS]:
        numbers = sums[month]
        cost = numbers["cost_usd"] if numbers["calls"] > numbers["unknown_calls"] else None
        months.append({**numbers, "month": month, "cost_usd": cost})
    return months
