"""The two ways to talk to a model server: the Responses API and chat completions."""

from __future__ import annotations

from futura.llm.protocols.chat import ChatCompletions
from futura.llm.protocols.responses import Responses
from futura.llm.protocols.shapes import ChatProtocol

PROTOCOLS: dict[str, ChatProtocol] = {one.name: one for one in (Responses(), ChatCompletions())}
