"""How a tool call and its result lie in `Message.parts`, and how both read as text.

    {"type": "tool_call",   "id": "call_1", "name": "update_field", "arguments": {...}}
    {"type": "tool_result", "id": "call_1", "name": "update_field", "status": "ok",
     "content": {...}}

`id` is unique within a session and ties the two together. `status` is `ok`, `failed` or `refused`.
A part with `"quiet": true` is kept for people and never sent to a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import orjson

CALL: Final = "tool_call"
RESULT: Final = "tool_result"


def tool_call(call_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a call that the model made."""
    return {"type": CALL, "id": call_id, "name": name, "arguments": dict(arguments)}


def tool_result(
    call_id: str, name: str, content: object, status: Literal["ok", "failed", "refused"] = "ok"
) -> dict[str, Any]:
    """The part of what a call gave; `content` is whatever JSON can hold."""
    return {"type": RESULT, "id": call_id, "name": name, "status": status, "content": content}


def exchange_as_text(parts: Sequence[Mapping[str, Any]], *, limit: int = 4_000) -> str:
    """Calls and results as lines of text, for a model that reads the past as text.

    Each payload is cut at `limit` characters; calls and results stay side by side.
    """
    lines = []
    for part in parts:
        if part.get("quiet"):
            continue
        if part.get("type") == CALL:
            lines.append(f"[called {part.get('name')} {_json(part.get('arguments'), limit)}]")
        elif part.get("type") == RESULT:
            content = _json(part.get("content"), limit)
            lines.append(f"[{part.get('name')} {part.get('status', 'ok')}: {content}]")
    return "\n".join(lines)


def _json(value: object, limit: int) -> str:
    text = orjson.dumps(value, default=str).decode()
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
