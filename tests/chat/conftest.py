"""Fixtures of the engine's tests: the echo guide, its templates, sessions, an empty Redis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test.utils import override_settings

from chat.actions import start_session
from chat.events.log import redis
from chat.models import Session
from tests.chat import echo


@pytest.fixture(scope="module", autouse=True)
def _echo_templates():
    """For a module at a time: with other settings, every template is compiled again."""
    engine = settings.TEMPLATES[0]
    folder = Path(__file__).parent / "templates"
    with override_settings(TEMPLATES=[{**engine, "DIRS": [*engine["DIRS"], folder]}]):
        yield


@pytest.fixture(autouse=True)
def _empty_redis():
    redis().flushall()


@pytest.fixture
def echo_guide() -> echo.EchoGuide:
    """The guide of kind "echo", with no gates left from other tests."""
    echo.guide.gates.clear()
    echo.guide.ended_sessions.clear()
    return echo.guide


@pytest.fixture
def start(participant_of) -> Callable[..., Session]:
    """Starts an echo session of a user."""

    def start_echo(user: User, text: str | None = None) -> Session:
        return start_session(
            participant=participant_of(user), kind="echo", state=echo.EchoState(), first_text=text
        )

    return start_echo
