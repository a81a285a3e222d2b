"""Copies of what a person told in surveys: all that is stored of a participation, every survey."""

from __future__ import annotations

import json
from typing import Any

from chat.identity import Identity
from chat.models import Message
from futura.attachments import Files
from tasks import export, queries
from tasks.campaigns.models import Participation
from tasks.campaigns.queries import answers_in_words
from tasks.models import SurveyResponse


def files_of(identity: Identity) -> Files:
    """Each list, unless its campaign lets nobody take it, and what campaigns have stored."""
    people = identity.participant_ids
    own = SurveyResponse.objects.filter(
        session__participant__in=people, session__deleted_at=None
    ).select_related("campaign")
    for response in own.order_by("created_at"):
        if response.campaign is None or response.campaign.may_download:
            tasks, name = queries.tasks_of(response), export.file_name(response)
            yield f"{name}.json", [text_of(export.response_as_json(response, tasks))]
            yield f"{name}.csv", [export.as_csv(response, tasks)]
    taken = Participation.objects.filter(participant__in=people).order_by("created_at")
    for participation in taken.select_related("campaign", "response"):
        name = f"{participation.campaign.slug}-my-data.json"
        yield name, [text_of(stored_about(participation))]


def text_of(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, indent=2)


def stored_about(taken: Participation) -> dict[str, Any]:
    """All that a campaign has of who takes part: consents, answers, every message, the list."""
    response = taken.response
    # wordings that were replaced included: they are stored, too
    utterances = Message.objects.filter(session=response.pk).order_by("seq") if response else ()
    return {
        "survey": taken.campaign.title,
        "pseudonym": taken.pseudonym,
        "takenPartSince": taken.created_at.isoformat(),
        "sentAt": taken.submitted_at.isoformat() if taken.submitted_at else None,
        "consents": [
            {
                "version": consent.version,
                "text": consent.text,
                "promises": consent.promises,
                "givenAt": consent.given_at.isoformat(),
            }
            for consent in taken.consents.all()
        ],
        "answers": [
            {"question": word.question.text, "answer": word.value}
            for word in answers_in_words(taken)
        ],
        "messages": [
            {"at": item.created_at.isoformat(), "by": item.role, "text": item.text}
            for item in utterances
        ],
        "list": export.response_as_json(response, queries.tasks_of(response)) if response else None,
    }
