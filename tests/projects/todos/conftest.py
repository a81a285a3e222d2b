"""Alice's to-dos, her browser, and a clock that stands still."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from projects.models import Task
from tests import todos


@pytest.fixture(autouse=True)
def _server_time():
    yield
    timezone.deactivate()


@pytest.fixture
def client(alice, browser, actor):
    return browser(alice)


@pytest.fixture
def loose(actor) -> Callable[..., Task]:
    """Adds a to-do that belongs to no project."""

    def add(title: str = "Call the printer", **values: Any) -> Task:
        told = {"title": title, **values}
        return todos.add(actor=actor, project=None, values=told).row

    return add


@pytest.fixture
def at(monkeypatch) -> Callable[[str], dt.datetime]:
    """Makes it a certain moment, given in UTC."""

    def stand(moment: str) -> dt.datetime:
        told = dt.datetime.fromisoformat(moment).replace(tzinfo=dt.UTC)
        monkeypatch.setattr(timezone, "now", lambda: told)
        return told

    return stand


def url(name: str, *args: object) -> str:
    return reverse(f"todos:{name}", args=args)
