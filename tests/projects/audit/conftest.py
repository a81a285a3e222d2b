"""Conversations in audit mode about a project with a plan."""

from __future__ import annotations

from typing import Any

import pytest

from projects.models import Project
from projects.modes import starting
from tests.projects.agent.conftest import Talk
from tests.projects.talks import TODAY


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projects.modes.rows.timezone.localdate", lambda: TODAY)


@pytest.fixture
def talk(owner: Any, me: Any, drain: Any, planned: Project) -> Any:
    """Starts a conversation about the project, or about another."""

    def start(project: Project = planned, text: str = "", **state: Any) -> Talk:
        session = starting.start(
            participant=owner, project=project, mode="audit", first_text=text, **state
        )
        return Talk(session, me, drain)

    return start
