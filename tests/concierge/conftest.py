"""Conversations with the concierge, played turn by turn through the engine."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from chat.models import Participant, Run, Session
from chat.operations.changes import Actor
from projects.concierge import actions
from projects.concierge.greeting import GreetingOut, Suggestion, SuggestionOut
from projects.concierge.presenter import suggested
from projects.concierge.state import ConciergeState
from projects.models import Project, Task
from tests import project_rows, talk as talk_of, todos

WAYS = [f"Show my inbox, please, way {n}" for n in range(5)]


class Talk(talk_of.Talk):
    """A conversation with the concierge."""

    def greet(self, *, again: bool = False) -> Run | None:
        run = actions.greet(identity=self.me, session=self.session, again=again)
        self.drain()
        return run

    @property
    def offers(self) -> list[dict[str, str]]:
        return [offer for part in self.parts("offers") for offer in part["offers"]]

    @property
    def tools(self) -> list[str]:
        return [part["name"] for part in self.parts("tool_call")]


def _made(owner: Participant) -> Any:
    def make(title: str, *, project: Project | None = None, **values: Any) -> Task:
        told = {"title": title, **values}
        done = todos.add(actor=Actor(owner.pk), project=project, values=told)
        return done.row

    return make


@pytest.fixture
def task(owner) -> Any:
    """Adds a task of alice's."""
    return _made(owner)


@pytest.fixture
def bobs_task(bob, participant_of) -> Any:
    """Adds a task of bob's."""
    return _made(participant_of(bob))


@pytest.fixture
def project(owner) -> Any:
    """Adds a project of alice's."""

    def make(name: str = "Q4 Launch", **values: Any) -> Project:
        told = {"name": name, **values}
        return project_rows.create_project(actor=Actor(owner.pk), values=told).row

    return make


@pytest.fixture
def talk(owner, me, drain) -> Any:
    """Begins a conversation with what is said; else one that stands behind its greeting.

    The greeting is played where it is what is tried.
    """

    def begin(text: str = "", *, has_greeting: bool = False) -> Talk:
        if text or has_greeting:
            return Talk(actions.begin(participant=owner, text=text), me, drain)
        return Talk(greeted(owner), me, drain)

    return begin


def greeted(owner: Participant) -> Session:
    """A conversation that has begun with the greeting of `model`."""
    session = actions.begin(participant=owner)
    state = ConciergeState(greeted_on=timezone.localdate())
    state.memory.suggestions = [*WAYS]
    session.state = state.model_dump(mode="json", by_alias=True)
    session.save(update_fields=["state"])
    offers = suggested([Suggestion(text) for text in WAYS], "greeting").data
    return talk_of.settle_opening(session, "Good morning.", [offers])


@pytest.fixture
def model(scripted) -> Any:
    """A model that greets; the test scripts the rest."""
    suggestions = [SuggestionOut(text=text) for text in WAYS]
    greeting = GreetingOut(intro="Good morning.", suggestions=suggestions)
    scripted.on("concierge_greeting").json(greeting.model_dump())
    return scripted


@pytest.fixture
def monday(monkeypatch) -> dt.datetime:
    """A fixed moment for the concierge: Monday 23 November 2026, 9:00. Rows keep the real time."""
    now = dt.datetime(2026, 11, 23, 9, 0, tzinfo=dt.UTC)
    monkeypatch.setattr("projects.concierge.actions.timezone.localdate", now.date)
    monkeypatch.setattr("projects.concierge.snapshot.current_time", lambda: now)
    return now
