"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.scripted import ScriptedServer


@pytest.fixture
def scripted(settings) -> Iterator[ScriptedServer]:
    """A scripted model API that the gateway talks to; nothing is scripted at first."""
    with ScriptedServer() as server:
        settings.OPENAI_BASE_URL = server.base_url
        settings.OPENAI_API_KEY = "sk-scripted-secret"
        yield server
