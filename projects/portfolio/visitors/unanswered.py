"""Questions that a portfolio could not answer: kept for its owner, each once, by the ledger."""

from __future__ import annotations

import logging
from typing import Any, Final

from django.db import transaction

from chat.models import Session
from chat.operations.changes import Actor, Cause, Create, Kind
from chat.operations.execute import execute
from futura.text import content_overlap
from projects.portfolio.models import OpenQuestion, Portfolio
from projects.portfolio.visitors import basic
from projects.portfolio.visitors.contract import TurnResult

log = logging.getLogger(__name__)

ALIKE: Final = 0.7
"""Overlap from which two questions are the same."""
OPEN_AT_MOST: Final = 200
"""Open questions of one portfolio; visitors cannot fill an inbox without end."""
QUESTION_CHARS: Final = 2_000


def is_open(question: str, result: TurnResult) -> bool:
    """Whether a turn leaves something that the owner could answer."""
    if result.record.was_refused or result.plan.question_type == "meta":
        return False
    if result.evidence.verdict != "unknown":
        return False
    if result.record.basic_mode and not basic.is_question(question):
        return False
    flags = {one.type for one in result.evidence.semantic_flags}
    return not flags & {"off_topic", "needs_clarification"}


def note(portfolio: Portfolio, turn: Any, result: TurnResult) -> None:
    """Keeps the question of a turn for the owner, unless it stands there already.

    The owner's own preview leaves nothing.
    """
    question = " ".join(turn.message.text.split())[:QUESTION_CHARS] if turn.message else ""
    if not question or not is_open(question, result):
        return
    session = Session.objects.filter(pk=turn.session_id).first()
    if session is None or session.participant_id == portfolio.owner_id:
        return
    with transaction.atomic():
        # two visitors may ask the same at once
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        if _is_known(portfolio, question):
            return
        execute(
            actor=Actor(portfolio.owner_id, kind=Kind.AGENT),
            changes=[
                Create("portfolio_question", {"portfolio": portfolio.pk, "question": question})
            ],
            cause=Cause(reason="asked by a visitor"),
            title=question[:200],
        )


def _is_known(portfolio: Portfolio, question: str) -> bool:
    """Whether it, or one like it, waits or was put aside; answered ones may be asked anew."""
    own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None)
    kept = own.exclude(status=OpenQuestion.Status.ANSWERED).values_list("question", "status")
    if sum(status == OpenQuestion.Status.OPEN for _text, status in kept) >= OPEN_AT_MOST:
        log.info("portfolio %s has enough open questions", portfolio.pk)
        return True
    return any(
        one.casefold() == question.casefold() or content_overlap(one, question) >= ALIKE
        for one, _status in kept
    )
