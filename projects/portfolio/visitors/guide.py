"""The guide of visitors' conversations: asks the pipeline, keeps what it says and why, and leaves
to the owner what the portfolio could not answer.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any, Final

from django.db import transaction

from chat.actions.sessions import refuse_closed
from chat.guides import Guide, GuideEvent, Part, Turn
from chat.memory.shapes import Utterance
from chat.models import Session
from chat.operations.changes import Actor, Cause, Create, Kind
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from futura.rows import only
from futura.text import content_overlap
from projects.portfolio.contact_review import hider
from projects.portfolio.index.building import index_for
from projects.portfolio.models import OpenQuestion, Persona, Portfolio, Profile
from projects.portfolio.visitors import pipeline
from projects.portfolio.visitors.contract import (
    KIND,
    PART,
    QUESTION_CHARS,
    Question,
    Speaker,
    TurnResult,
    VisitState,
)

ASKED: Final = "asked"
"""The type of the part that comes with a question by the API: its anchor, and what was checked."""
ALIKE: Final = 0.7
"""Overlap from which two questions are the same."""
OPEN_AT_MOST: Final = 200
"""Open questions of one portfolio; visitors cannot fill an inbox without end."""


class VisitGuide(Guide[VisitState]):
    """Answers visitors of one portfolio from what is published there."""

    kind = KIND
    state_model = VisitState

    def respond(self, turn: Turn[VisitState]) -> Iterator[GuideEvent]:
        """The answer to a question: every visit begins with one."""
        portfolio = only(Portfolio.objects.filter(pk=turn.state.portfolio_id, deleted_at=None))
        if turn.message is None:
            return
        session = Session.objects.get(pk=turn.session_id)
        refuse_closed(session)  # it may have been closed while the question waited
        # the owner's own preview leaves nothing, nor does what finds the inbox full
        has_inbox = session.participant_id != portfolio.owner_id and not is_full(portfolio)
        asked: dict[str, Any] = {}
        for part in turn.message.parts:
            if part.get("sent") and part.get("type") == ASKED:
                asked |= part
        result = yield from pipeline.respond(
            Question(
                text=turn.message.text,
                speaker=speaker_of(portfolio),
                index=index_for(portfolio),
                state=turn.state,
                llm=turn.llm,
                history=_history(turn),
                is_cut=turn.context.is_compacted,
                anchor_id=str(asked.get("anchor", "")),
                is_moderated=bool(asked.get("is_moderated")),
                has_inbox=has_inbox,
                seed=str(turn.run_id),
            )
        )
        yield Part(result.record.model_dump(mode="json", by_alias=True))
        if has_inbox and is_open(turn.message.text, result):
            # “And before that?” says nothing without what was said before
            whole = result.plan.standalone_question if _history(turn) else ""
            question = " ".join((whole or turn.message.text).split())[:QUESTION_CHARS]
            asked_by = turn.message.message_id
            put_in_inbox(portfolio, question, reason="asked by a visitor", message_id=asked_by)


def speaker_of(portfolio: Portfolio) -> Speaker:
    """The voice of a portfolio. Three queries."""
    hide = hider(portfolio)
    own = {"portfolio": portfolio, "deleted_at": None}
    profile = hide(Profile.objects.filter(**own).first() or Profile())
    persona = hide(Persona.objects.filter(**own).first() or Persona())
    identity = (
        f"Name: {portfolio.owner_name}",
        f"Pronouns: {portfolio.pronouns}" if portfolio.pronouns else "",
        f"Field: {portfolio.domain_label}",
        profile.headline,
        persona.short_about,
        f"Now: {profile.current_role}" if profile.current_role else "",
        f"Location: {profile.location}" if profile.location else "",
        *profile.about,
    )
    return Speaker(
        portfolio_id=portfolio.pk,
        name=portfolio.owner_name,
        domain=portfolio.domain_label,
        is_group=portfolio.kind != Portfolio.Kind.INDIVIDUAL,
        headline=profile.headline,
        identity="\n".join(filter(None, identity)),
        persona=persona.system_persona,
        style=tuple(persona.style_guidelines),
        voice_examples=tuple(persona.voice_examples),
    )


def _history(turn: Turn[VisitState]) -> list[Utterance]:
    """What was said before, and the cards below it; nothing of what was refused, its question
    included.
    """
    said: list[Utterance] = []
    for message in turn.history:
        record = next((part for part in message.parts if part.get("type") == PART), {})
        if record.get("wasRefused"):
            del said[-1:]
        elif message.text:
            # “which of these” means the cards, too
            titles = "; ".join(card["title"] for card in record.get("cards") or ())
            text = f"{message.text}\n(Cards below: {titles})" if titles else message.text
            said.append(Utterance(message.role, text, message.message_id))
    return said


def is_open(question: str, result: TurnResult) -> bool:
    """Whether a turn leaves something that the owner could answer.

    A search knows a question only by its last sign.
    """
    record = result.record
    if record.was_refused or result.plan.question_type == "meta" or not result.evidence.is_open:
        return False
    return not record.basic_mode or question.rstrip().endswith(("?", "？", "؟", "；"))


def is_full(portfolio: Portfolio) -> bool:
    own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None)
    return own.filter(status=OpenQuestion.Status.OPEN).count() >= OPEN_AT_MOST


def put_in_inbox(
    portfolio: Portfolio,
    text: str,
    *,
    reason: str,
    message_id: uuid.UUID | None = None,
    **values: str,
) -> OperationBatch | None:
    """Lays a question or a message before the owner; None while the inbox is full.

    What a message of a conversation asked gets the id of that message, which leads to it; nothing
    is laid there where it, or a question like it, waits or was put aside. Answered ones may be
    asked anew.
    """
    with transaction.atomic():
        # two visitors may ask the same at once
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        own = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None)
        stored = list(own.exclude(status=OpenQuestion.Status.ANSWERED))
        is_asked = any(
            row.question.casefold() == text.casefold()
            or content_overlap(row.question, text) >= ALIKE
            for row in stored
        )
        if is_full(portfolio):
            return None
        if message_id and (is_asked or OpenQuestion.objects.filter(pk=message_id).exists()):
            return None
        given = {"portfolio": portfolio.pk, "question": text, **values}
        return execute(
            actor=Actor(portfolio.owner_id, kind=Kind.AGENT),
            changes=[Create("portfolio_question", given, message_id or uuid.uuid4())],
            cause=Cause(reason=reason),
            title=text[:200],
        )
