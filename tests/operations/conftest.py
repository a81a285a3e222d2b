"""People, projects and a conversation with changes for the tests of the ledger."""

from __future__ import annotations

import pytest

from chat.models import Message, Session
from chat.operations.changes import Actor, Cause, Kind
from projects.models import Project


@pytest.fixture
def page(browser, alice):
    """Alice's browser."""
    return browser(alice)


@pytest.fixture
def other(bob, participant_of) -> Actor:
    return Actor(participant_of(bob).pk)


@pytest.fixture
def agent(actor) -> Actor:
    return Actor(actor.owner_id, kind=Kind.AGENT)


@pytest.fixture
def project(make) -> Project:
    made: Project = make("project", name="Fitness app", slug="fitness-app")
    return made


@pytest.fixture
def talk(alice, participant_of) -> Session:
    """A conversation of alice's."""
    return Session.objects.create(participant=participant_of(alice), kind="survey", title="Talk")


@pytest.fixture
def cause(talk) -> Cause:
    """A message in it that asks for changes."""
    said = Message.objects.create(session=talk, seq=1, role="user", text="Push the launch to Q3.")
    return Cause(session=talk, message=said)
