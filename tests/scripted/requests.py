"""What the scripted server was asked, in a form that tests and scripts can read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ScriptedRequest:
    """One request of the model API."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes = field(repr=False, default=b"")

    @property
    def stage(self) -> str:
        """The stage that the gateway names in its header."""
        return self.headers.get("x-futura-stage", "")

    @property
    def wire(self) -> str:
        """`responses`, `chat`, `embeddings`, `transcription`, `models` or the path."""
        tail = self.path.split("?")[0].rstrip("/")
        names = {
            "/responses": "responses",
            "/chat/completions": "chat",
            "/embeddings": "embeddings",
            "/audio/transcriptions": "transcription",
            "/models": "models",
            "/moderations": "moderations",
        }
        return next((name for end, name in names.items() if tail.endswith(end)), tail)

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model", ""))

    @property
    def is_stream(self) -> bool:
        """Whether server-sent events were asked for."""
        return bool(self.body.get("stream"))

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as `role` and `content`, whichever wire carried it."""
        given = self.body.get("input" if self.wire == "responses" else "messages", [])
        if isinstance(given, str):
            return [{"role": "user", "content": given}]
        return [
            {"role": str(item.get("role", "")), "content": _plain(item.get("content"))}
            for item in given
            if isinstance(item, dict) and item.get("role") and item["role"] != "tool"
        ]

    @property
    def tools(self) -> list[str]:
        """The names of the tools that are offered."""
        given = [tool for tool in self.body.get("tools", []) if isinstance(tool, dict)]
        return [str(tool.get("name") or tool["function"]["name"]) for tool in given]

    @property
    def tool_results(self) -> dict[str, str]:
        """What tools gave, by the id of the call."""
        if self.wire == "responses":
            return {
                item["call_id"]: item["output"]
                for item in self.body["input"]
                if item.get("type") == "function_call_output"
            }
        return {
            item["tool_call_id"]: item["content"]
            for item in self.body.get("messages", [])
            if item.get("role") == "tool"
        }

    @property
    def asked_calls(self) -> dict[str, str]:
        """The arguments of the calls that the model is reminded of, by id."""
        if self.wire == "responses":
            return {
                item["call_id"]: item["arguments"]
                for item in self.body["input"]
                if item.get("type") == "function_call"
            }
        return {
            call["id"]: call["function"]["arguments"]
            for item in self.body.get("messages", [])
            for call in item.get("tool_calls") or []
        }

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        return "\n\n".join(message["content"] for message in self.messages)

    @property
    def last_user(self) -> str:
        """The last message in the person's role."""
        texts = [m["content"] for m in self.messages if m["role"] == "user"]
        return texts[-1] if texts else ""

    @property
    def format(self) -> dict[str, Any] | None:
        """The structured format asked for, None for plain text."""
        if self.wire == "responses":
            given = (self.body.get("text") or {}).get("format")
        else:
            given = self.body.get("response_format")
        return given if isinstance(given, dict) and given.get("type") != "text" else None

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of the answer: from the format, else from the prompt."""
        given = self.format or {}
        found = given.get("schema") or (given.get("json_schema") or {}).get("schema")
        return found if isinstance(found, dict) else _schema_in(self.text)


def _plain(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)


def _schema_in(text: str) -> dict[str, Any] | None:
    """A JSON schema written into a prompt (the gateway's fallback for plain servers)."""
    decoder = json.JSONDecoder()
    for place in re.finditer(r"\{", text):
        try:
            found, _ = decoder.raw_decode(text, place.start())
        except json.JSONDecodeError:
            continue
        if isinstance(found, dict) and "properties" in found:
            return found
    return None
