"""People and projects for the tests of the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from chat.operations.changes import Actor, Create
from chat.operations.execute import execute
from chat.operations.registry import operable
from projects.models import Project


@pytest.fixture
def actor(alice, participant_of) -> Actor:
    return Actor(participant_of(alice).pk)


@pytest.fixture
def other(bob, participant_of) -> Actor:
    return Actor(participant_of(bob).pk)


@pytest.fixture
def make(actor):
    """Makes one row by an operation and returns it."""

    def make_one(entity: str, who: Actor | None = None, **values: Any) -> Any:
        change = Create(entity, values)
        batch = execute(actor=who or actor, changes=[change])
        assert batch.status == "completed", batch.operations.get().error
        return operable(entity).model._default_manager.get(pk=change.id)

    return make_one


@pytest.fixture
def project(make) -> Project:
    made: Project = make("project", name="Fitness app", slug="fitness-app")
    return made
