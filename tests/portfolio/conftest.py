"""A portfolio and its owner."""

from __future__ import annotations

from typing import Any

import pytest

from chat.operations.changes import Actor, Create
from chat.operations.execute import execute
from chat.operations.registry import operable
from projects.portfolio.models import Portfolio


@pytest.fixture
def actor(alice, participant_of) -> Actor:
    return Actor(participant_of(alice).pk)


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
def portfolio(make) -> Portfolio:
    made: Portfolio = make(
        "portfolio", slug="mara", owner_name="Mara Lindqvist", domain_label="software engineer"
    )
    return made
