"""A campaign that people can take part in, and a person half way through one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from chat.models import Message
from tasks.campaigns.actions import setting_up
from tasks.campaigns.models import Campaign, Participation
from tests.tasks import changing

BEFORE = {
    "place": "before", "kind": "choice", "text": "Which site?", "options": ["North", "South"],
    "is_required": True, "position": 0,
}  # fmt: skip
AFTER = {"place": "after", "kind": "scale", "text": "How was it?", "position": 1,
         "scale_low": 1, "scale_high": 5}  # fmt: skip


@pytest.fixture
def campaign(db) -> Callable[..., Campaign]:
    """Makes an open campaign, with a question before and one after unless told otherwise."""

    def make(*, asked: bool = True, opened: bool = True, **values: Any) -> Campaign:
        made = setting_up.create(
            user_id=None,
            values={"title": "How we work", "consent": "I agree to be asked.", **values},
            questions=[{"id": None, **BEFORE}, {"id": None, **AFTER}] if asked else [],
        )
        return setting_up.open_now(campaign=made) if opened else made

    return make


def agree(client: Client, campaign: Campaign, code: str = "") -> Any:
    """Goes from the welcome to the page after the consent."""
    url = f"/s/{campaign.slug}"
    client.post(url, {"code": code})
    return client.post(f"{url}/consent", {"agree": "yes", "version": campaign.consent_version})


def talk(client: Client, campaign: Campaign, *, tasks: int = 2) -> Participation:
    """Goes on to the talk, says one thing; a list of so many tasks is there."""
    agree(client, campaign)
    url = f"/s/{campaign.slug}"
    for question in campaign.questions.filter(place="before"):
        client.post(f"{url}/questions/before", {f"q-{question.pk}": "North"})
    client.post(f"{url}/job", {"title": "Baker", "occupation": "none"})
    taken = Participation.objects.select_related("response__session").latest("number")
    assert taken.response is not None
    said = {"session": taken.response.session, "role": "user", "text": "I bake secret bread."}
    Message.objects.create(**said, seq=50)
    for number in range(tasks):
        changing.make(
            taken.response, {"status": "none"}, statement=f"Bake secret {number}", quote="secret"
        )
    return taken


def send(client: Client, taken: Participation) -> Any:
    """Sends the list."""
    return client.post(f"/survey/{taken.response_id}/complete/submit", {"sure": "yes"})
