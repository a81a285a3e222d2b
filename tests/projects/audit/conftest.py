"""Conversations in audit mode about a project with a plan."""

from __future__ import annotations

from typing import Any

import pytest

from chat.identity import Identity
from chat.models import Participant
from chat.operations.changes import Actor
from projects import actions
from projects.agent.starting import start_about
from projects.models import Project
from tests.projects.agent.conftest import Talk
from tests.projects.talks import TEXTS, TODAY, plan_into


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projects.agent.toolbox.timezone.localdate", lambda: TODAY)


@pytest.fixture
def owner(alice: Any, participant_of: Any) -> Participant:
    made: Participant = participant_of(alice)
    return made


@pytest.fixture
def me(alice: Any, owner: Participant, identity_for: Any) -> Identity:
    made: Identity = identity_for(alice)
    return made


@pytest.fixture
def actor(owner: Any) -> Actor:
    return Actor(owner.pk)


@pytest.fixture
def planned(actor: Actor) -> Project:
    project = actions.create_project(actor=actor, values=TEXTS).row
    plan_into(actor, project)
    return Project.objects.get(pk=project.pk)


@pytest.fixture
def talk(owner: Any, me: Any, drain: Any, planned: Project) -> Any:
    """Starts a conversation about the project, or about another."""

    def start(project: Project = planned, text: str = "", **state: Any) -> Talk:
        session = start_about(
            participant=owner, project=project, mode="audit", first_text=text, **state
        )
        return Talk(session, me, drain)

    return start
