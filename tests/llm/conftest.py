"""What the gateway's tests share: short pauses, both wires, a small schema, the ledger's rows."""

from __future__ import annotations

import uuid
from typing import Literal

import pytest
from pydantic import BaseModel

from futura.llm import quirks
from futura.llm.client import ChatMessage, Llm
from futura.llm.models import ModelCall

HELLO: list[ChatMessage] = [
    {"role": "system", "content": "You answer briefly."},
    {"role": "user", "content": "What do bakers do, whispered-secret-words?"},
]


class Verdict(BaseModel):
    """A small answer of a fixed form."""

    word: str
    certainty: Literal["high", "low"]
    note: str | None = None


GOOD = {"word": "bake", "certainty": "high", "note": None}


@pytest.fixture(autouse=True)
def _short_pauses(settings):
    settings.LLM_BACKOFF_S = 0.001
    quirks.forget()


@pytest.fixture(params=["responses", "chat"])
def wire(request, settings) -> str:
    """Both ways to talk to a server."""
    settings.LLM_WIRE = request.param
    return str(request.param)


@pytest.fixture(params=["responses", pytest.param("chat", marks=pytest.mark.thorough)])
def either_wire(request, settings) -> str:
    """For what hardly depends on it: one way every day, the other in thorough runs."""
    settings.LLM_WIRE = request.param
    return str(request.param)


@pytest.fixture
def llm() -> Llm:
    """A gateway bound to a session and a run."""
    return Llm(session_id=uuid.uuid4(), run_id=uuid.uuid4())


def outcomes() -> list[str]:
    """The outcome of every attempt, in order."""
    return list(ModelCall.objects.order_by("id").values_list("outcome", flat=True))
