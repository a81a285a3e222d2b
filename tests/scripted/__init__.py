"""A scripted OpenAI-compatible server: the only model that tests talk to."""

from tests.scripted.requests import ScriptedRequest
from tests.scripted.server import ScriptedServer
from tests.scripted.steps import ScriptedCall

__all__ = ["ScriptedCall", "ScriptedRequest", "ScriptedServer"]
