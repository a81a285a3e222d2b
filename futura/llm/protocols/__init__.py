"""The two ways to talk to a model server: the Responses API and chat completions."""

from __future__ import annotations

from futura.llm.protocols.chat import CHAT
from futura.llm.protocols.responses import RESPONSES

PROTOCOLS = {protocol.name: protocol for protocol in (RESPONSES, CHAT)}
