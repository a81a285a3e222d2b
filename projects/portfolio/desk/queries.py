"""Reads of the desk: questions with their verdicts, the conversations behind them, the inbox."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, QuerySet

from chat.models import Message, Run, Session
from futura.errors import NotFound
from projects.portfolio.models import OpenQuestion, Portfolio
from projects.portfolio.visitors.contract import PART
from projects.portfolio.visitors.state import KIND

PAGE: Final = 30
_MARKUP: Final = re.compile(r"[*_`#]+|^[-+>]\s", re.MULTILINE)
VERDICTS: Final = ("yes", "no", "partial", "unknown", "n/a")


@dataclass(frozen=True)
class Asked:
    """A question with how it was answered; no verdict while it is not."""

    id: uuid.UUID
    text: str
    at: datetime
    visit_id: uuid.UUID
    verdict: str
    confidence: str
    answer: str
    sources: int
    is_own: bool
    state: str


@dataclass(frozen=True)
class Page:
    """A page of questions; `counts` are of all, by verdict."""

    rows: Sequence[Asked]
    counts: Mapping[str, int]
    number: int
    has_more: bool


def visits_of(portfolio: Portfolio) -> QuerySet[Session]:
    """Conversations with a portfolio that nobody threw away."""
    return Session.objects.filter(kind=KIND, state__portfolio_id=str(portfolio.pk), deleted_at=None)


def asked(portfolio: Portfolio, *, verdict: str = "", words: str = "", number: int = 1) -> Page:
    """Questions, newest first, of one verdict when it is given. Four queries."""
    questions = Message.objects.filter(
        session__in=visits_of(portfolio), role=Message.Role.PERSON, superseded_at=None
    )
    if verdict in VERDICTS:
        questions = questions.filter(
            runs__reply__parts__contains=[{"type": PART, "verdict": verdict}],
            runs__reply__superseded_at=None,
        )
    if words:
        questions = questions.filter(text__icontains=words)
    start = (number - 1) * PAGE
    found = list(
        questions.select_related("session").order_by("-created_at", "-seq")[
            start : start + PAGE + 1
        ]
    )
    shown = found[:PAGE]
    replies = _replies(shown)
    return Page(
        rows=[_row(one, replies.get(one.pk), portfolio) for one in shown],
        counts=_counts(portfolio),
        number=number,
        has_more=len(found) > PAGE,
    )


def _replies(questions: Sequence[Message]) -> dict[uuid.UUID, Message]:
    runs = Run.objects.filter(message__in=questions, reply__superseded_at=None)
    answered = runs.exclude(reply=None).select_related("reply").order_by("created_at")
    return {run.message_id: run.reply for run in answered if run.message_id and run.reply}


def _row(question: Message, reply: Message | None, portfolio: Portfolio) -> Asked:
    record: Mapping[str, Any] = next(
        (one for one in (reply.parts if reply else ()) if one.get("type") == PART), {}
    )
    return Asked(
        id=question.pk,
        text=question.text,
        at=question.created_at,
        visit_id=question.session_id,
        verdict=str(record.get("verdict", "")),
        confidence=str(record.get("confidence", "")),
        answer=_MARKUP.sub("", reply.text) if reply else "",
        sources=len(record.get("evidence", ())),
        is_own=question.session.participant_id == portfolio.owner_id,
        state=reply.status if reply else question.status,
    )


def _counts(portfolio: Portfolio) -> dict[str, int]:
    """How many answers there are of each verdict."""
    answers = Message.objects.filter(
        session__in=visits_of(portfolio), role=Message.Role.ASSISTANT, superseded_at=None
    )
    found: dict[str, int] = answers.aggregate(
        **{
            f"v{place}": Count("pk", filter=Q(parts__contains=[{"type": PART, "verdict": verdict}]))
            for place, verdict in enumerate(VERDICTS)
        }
    )
    return {verdict: found[f"v{place}"] for place, verdict in enumerate(VERDICTS)}


def visit_of_portfolio(portfolio: Portfolio, visit_id: uuid.UUID) -> Session:
    """A conversation with this portfolio. NotFound for others and those thrown away."""
    found = visits_of(portfolio).filter(pk=visit_id).first()
    if found is None:
        raise NotFound
    return found


def questions_of(portfolio: Portfolio, status: str) -> QuerySet[OpenQuestion]:
    """The inbox, or what became of its questions; newest first."""
    own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None, status=status)
    return own.order_by("-created_at")


def question_for(portfolio: Portfolio, question_id: uuid.UUID) -> OpenQuestion:
    """A question of this portfolio's inbox. NotFound for others."""
    own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None)
    found = own.filter(pk=question_id).first()
    if found is None:
        raise NotFound
    return found


def counts_of(portfolio: Portfolio) -> dict[str, int]:
    """How many questions of the inbox there are, by status."""
    own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None).order_by()
    return dict(own.values_list("status").annotate(n=Count("pk")))
