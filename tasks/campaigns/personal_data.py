"""Everything that is stored about one participant, as JSON to take along."""

from __future__ import annotations

from typing import Any

from chat.models import Message
from tasks.campaigns.models import Participation
from tasks.campaigns.queries import answers_in_words
from tasks.export import response_as_json
from tasks.queries import tasks_of


def as_json(participation: Participation) -> dict[str, Any]:
    response = participation.response
    return {
        "survey": participation.campaign.title,
        "pseudonym": participation.pseudonym,
        "takenPartSince": participation.created_at.isoformat(),
        "sentAt": _when(participation.submitted_at),
        "consents": [
            {"version": one.version, "text": one.text, "givenAt": one.given_at.isoformat()}
            for one in participation.consents.all()
        ],
        "answers": [
            {"question": one.question.text, "answer": one.value}
            for one in answers_in_words(participation)
        ],
        "messages": [
            {"at": one.created_at.isoformat(), "by": one.role, "text": one.text}
            for one in _messages(participation)
        ],
        "list": response_as_json(response, tasks_of(response)) if response else None,
    }


def _when(at: Any) -> str | None:
    return at.isoformat() if at else None


def _messages(participation: Participation) -> list[Message]:
    """What was said, wordings that were replaced included: they are stored, too."""
    if participation.response_id is None:
        return []
    return list(Message.objects.filter(session=participation.response_id).order_by("seq"))
