"""The two ways to talk to a model server: the Responses API and chat completions."""

from __future__ import annotations

from futura.llm.wires.chat import ChatWire
from futura.llm.wires.responses import ResponsesWire
from futura.llm.wires.shapes import Wire

WIRES: dict[str, Wire] = {wire.name: wire for wire in (ResponsesWire(), ChatWire())}
