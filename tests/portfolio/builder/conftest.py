"""Conversations about an entry, played turn by turn as its owner's browser sends them."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from chat.identity import Identity
from chat.models import Message, Run, Session
from chat.operations.models import Operation, OperationBatch
from chat.queries import session_for
from projects.portfolio.builder import starting
from projects.portfolio.models import Entry, EntryImage, StoredImage
from tests.portfolio import actions
from tests.talk import settle_opening


class Talk:
    """The conversation of one entry."""

    def __init__(self, session: Session, me: Identity, drain: Any) -> None:
        self.me, self.drain, self.id = me, drain, session.pk
        self.browser = Client()
        self.browser.force_login(get_user_model().objects.get(pk=me.user_id))
        drain()

    @property
    def session(self) -> Session:
        return session_for(self.me, self.id)

    @property
    def state(self) -> dict[str, Any]:
        return self.session.state

    @property
    def entry(self) -> Entry:
        return Entry.objects.get(pk=self.state["entry_id"])

    @property
    def run(self) -> Run:
        run = self.session.runs.order_by("created_at").last()
        assert run is not None
        return run

    @property
    def message(self) -> Message:
        said = self.session.messages.filter(role="assistant").order_by("seq").last()
        assert said is not None
        return said

    @property
    def reply(self) -> str:
        return self.message.text

    def say(self, text: str, pasted: str = "") -> str:
        """One message, with a pasted stretch below it; the answer's text. It must complete."""
        ranges = [(len(text) + 1, len(text) + 1 + len(pasted))] if pasted else []
        sent = {"text": f"{text}\n{pasted}" if pasted else text, "pasted": json.dumps(ranges)}
        answer = self.browser.post(f"/chat/sessions/{self.id}/messages", sent)
        assert answer.status_code < 400, answer.content
        self.drain()
        assert self.run.status == Run.Status.COMPLETED, self.run.error_text
        return self.reply

    @property
    def page(self) -> str:
        """The entry's page with the conversation, as its owner sees it."""
        entry = self.entry
        return str(self.browser.get(f"/portfolio/{entry.portfolio_id}/entries/{entry.pk}").text)

    def use(self, batch: OperationBatch) -> None:
        """Presses the button that does what waits of a batch, as the page shows it."""
        shown = re.findall(r'name="shown" value="([^"]+)"', self.page)
        keys = {str(operation.pk) for operation in batch.operations.all()}
        waiting = [item for item in shown if item.split(":")[0] in keys]
        answer = self.browser.post(f"/operations/{batch.pk}/approve", {"shown": waiting})
        assert answer.status_code in {302, 303}, answer.content

    def parts(self, kind: str) -> list[dict[str, Any]]:
        return [part for part in self.message.parts if part["type"] == kind]

    @property
    def tools(self) -> list[str]:
        return [part["name"] for part in self.parts("tool_call")]

    @property
    def batches(self) -> list[OperationBatch]:
        return list(OperationBatch.objects.filter(session=self.id).order_by("created_at"))

    def operations(self, **narrowed: Any) -> list[Operation]:
        return list(Operation.objects.filter(batch__session=self.id, **narrowed))


@pytest.fixture
def me(alice, actor, identity_for) -> Identity:
    return identity_for(alice)


@pytest.fixture
def talk(portfolio, me, drain) -> Any:
    """Begins a conversation with what is said, or about an entry.

    About an entry that is given, its opening is played where that is what is tried.
    """

    def begin(text: str = "", entry: Entry | None = None, *, has_opening: bool = False) -> Talk:
        if entry is None and text:
            return Talk(starting.begin(portfolio, text), me, drain)
        about = entry or actions.create(_actor(portfolio), portfolio).row
        session = starting.open_for(about, text)
        if not (text or has_opening or entry is None or session.messages.exists()):
            settle_opening(session, "What shall it say?")
        return Talk(session, me, drain)

    return begin


def _actor(portfolio: Any) -> Any:
    from chat.operations.changes import Actor

    return Actor(portfolio.owner_id)


@pytest.fixture
def picture(actor):
    """Gives an entry a picture without a file."""

    def make_one(entry: Entry, alt: str = "A kiln") -> EntryImage:
        stored = StoredImage.objects.create(
            portfolio=entry.portfolio, sha256=uuid.uuid4().hex, file="portfolio/none.jpg",
            media_type="image/jpeg", width=800, height=600,
        )  # fmt: skip
        return actions.attach_image(actor, entry, stored, alt=alt).row

    return make_one


@pytest.fixture
def model(scripted):
    """The model says little unless a test scripts more."""
    return scripted
