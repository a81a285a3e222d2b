"""Reads what one run works on out of the conversation, its state and the list."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from chat.models import Message
from tasks.coding.records import Source, SourceTurn
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse
from tasks.stretches import Decisions


def read(response_id: uuid.UUID) -> Source:
    """The response as it stands."""
    response = SurveyResponse.objects.select_related("session").get(pk=response_id)
    state = SurveyState.model_validate(response.session.state or {})
    stored = list(
        Message.objects.filter(session_id=response_id).exclude(text="", parts=[]).order_by("seq")
    )
    messages = [message for message in stored if message.superseded_at is None]
    return Source(
        job_title=response.job_title,
        turns=_turns(messages, after=response.processed_to_seq),
        cards=state.cards,
        picked=frozenset(state.selected_suggestion_ids),
        # a card may have been picked from an answer that was replaced since
        card_messages={**_card_messages(stored), **_card_messages(messages)},
        listed=list(response.tasks.all()),
        decisions=Decisions.of(state),
        language=state.basic_language,
        last_seq=max((m.seq for m in messages if m.role == Message.Role.PERSON), default=0),
    )


def _turns(messages: Sequence[Message], *, after: int) -> list[SourceTurn]:
    """Messages not yet taken over, and the question before them; none without the person's."""
    turns: list[SourceTurn] = []
    shown: set[str] = set()
    question: SourceTurn | None = None
    for message in messages:
        turn = SourceTurn(message.role, message.text, message.pk, frozenset(shown))
        if message.seq > after:
            if question is not None and not turns:
                turns.append(question)
            turns.append(turn)
        else:
            question = None if turn.is_person else turn
        shown.update(_cards_in(message))
    return turns if any(turn.is_person for turn in turns) else []


def _cards_in(message: Message) -> list[str]:
    parts = [part for part in message.parts if part.get("type") == "suggestions"]
    return [str(card.get("id", "")) for part in parts for card in part.get("cards", ())]


def _card_messages(messages: Sequence[Message]) -> dict[str, uuid.UUID]:
    """Which message showed a card first: card id → message id."""
    shown: dict[str, uuid.UUID] = {}
    for message in messages:
        for card_id in _cards_in(message):
            shown.setdefault(card_id, message.pk)
    return shown
