"""Conversations that the pipeline works on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from chat.models import Message, Participant, Session
from tasks.interview.state import Card, SurveyState
from tasks.models import SurveyResponse

Step = SurveyResponse.Step
TALK = (
    ("assistant", "What do you do on a normal day?"),
    ("user", "I write reports and review contracts. My boss decides the prices."),
    ("assistant", "Do you train colleagues or run workshops?"),
    ("user", "both"),
)


@pytest.fixture
def survey(db) -> Callable[..., SurveyResponse]:
    """A response with a conversation, its pipeline queued."""

    def make(
        talk: Sequence[tuple[str, str]] = TALK,
        *,
        cards: Sequence[Card] = (),
        picked: Sequence[str] = (),
        step: str = Step.QUEUED,
    ) -> SurveyResponse:
        state = SurveyState(cards=list(cards), selected_suggestion_ids=list(picked))
        session = Session.objects.create(
            participant=Participant.objects.create(),
            kind="survey",
            state=state.model_dump(mode="json"),
        )
        for role, text in talk:
            say(session, role, text)
        return SurveyResponse.objects.create(session=session, job_title="Manager", step=step)

    return make


def say(session: Session, role: str, text: str) -> Message:
    """One more message of a conversation."""
    seq = session.messages.count() + 1
    return Message.objects.create(session=session, seq=seq, role=role, text=text)
