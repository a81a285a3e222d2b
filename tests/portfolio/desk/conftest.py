"""An open portfolio, its owner's browser, and visitors who have asked."""

from __future__ import annotations

from typing import Any

import pytest

from chat.models import Message, Run, Session
from projects.portfolio.visitors.contract import KIND, PART
from tests.portfolio.open import fill, publish


@pytest.fixture
def filled(portfolio):
    """Mara's portfolio with things in it, not published."""
    fill(portfolio)
    return portfolio


@pytest.fixture
def opened(actor, filled):
    """The same, open to everybody."""
    return publish(actor, filled)


@pytest.fixture
def desk(alice, browser):
    """The owner's browser."""
    return browser(alice)


@pytest.fixture
def asked(bob, participant_of):
    """Has a visitor ask something and get an answer of a verdict; gives the conversation."""

    def ask(portfolio, text: str, verdict: str, answer: str = "As it is.", who: Any = None) -> Any:
        session = Session.objects.create(
            participant=who or participant_of(bob), kind=KIND,
            state={"portfolio_id": str(portfolio.pk), "slug": portfolio.slug},
        )  # fmt: skip
        question = Message.objects.create(session=session, seq=1, role="user", text=text)
        part = {
            "type": PART, "verdict": verdict, "confidence": "high", "questionType": "binary",
            "evidence": [], "claims": [], "cards": [], "stages": [], "ui": {},
        }  # fmt: skip
        reply = Message.objects.create(
            session=session, seq=2, role="assistant", text=answer, parts=[part]
        )
        Run.objects.create(session=session, message=question, reply=reply, status="completed")
        return session

    return ask
