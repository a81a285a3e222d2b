"""What servers have been found not to take, remembered per address and model for this process."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from django.conf import settings

from futura.llm.outcomes import CallFailed
from futura.llm.wires.shapes import Prompt, Wire

REFUSALS = frozenset({400, 422})
OPTIONAL = (
    "temperature",
    "stream_options",
    "store",
    "prompt_cache_key",
    "include",
    "tool_choice",
)
FORMAT_WORDS = ("response_format", "text.format", "json_schema", "json_object")
NEXT_FORMAT: Mapping[str, Literal["json_object", "words"]] = {
    "json_schema": "json_object",
    "json_object": "words",
}

_lock = threading.Lock()
_known: dict[tuple[str, str], set[str]] = {}


def request_for(wire: Wire, prompt: Prompt) -> dict[str, Any]:
    """The request body, without what this server is known to refuse for this model."""
    known = _of(prompt.model)
    if prompt.format is not None:
        refused = [kind for kind in NEXT_FORMAT if kind in known]
        if refused:
            prompt = replace(prompt, format_kind=NEXT_FORMAT[refused[-1]])
    body = wire.body(prompt)
    if "max_tokens" in known and "max_tokens" in body:
        body["max_completion_tokens"] = body.pop("max_tokens")
    return {name: value for name, value in body.items() if name not in known}


def learn(failure: CallFailed, body: Mapping[str, Any]) -> bool:
    """Whether the refusal names something that can be left out; remembers it."""
    if failure.status not in REFUSALS:
        return False
    found = next(
        (name for name in (*OPTIONAL, "max_tokens") if name in body and _names(failure, name)), ""
    ) or _format_refused(failure, body)
    if not found:
        return False
    with _lock:
        _known.setdefault(_key(str(body["model"])), set()).add(found)
    return True


def forget() -> None:
    """Forgets everything; the next call asks anew."""
    with _lock:
        _known.clear()


def _key(model: str) -> tuple[str, str]:
    return (settings.OPENAI_BASE_URL, model)


def _of(model: str) -> frozenset[str]:
    with _lock:
        return frozenset(_known.get(_key(model), ()))


def _names(failure: CallFailed, name: str) -> bool:
    if failure.param:
        return failure.param == name
    return name in failure.server_says


def _format_refused(failure: CallFailed, body: Mapping[str, Any]) -> str:
    """The kind of structured format that was refused, empty when it was something else."""
    sent = body.get("response_format") or (body.get("text") or {}).get("format") or {}
    said = failure.param or failure.server_says
    return str(sent.get("type", "")) if any(word in said for word in FORMAT_WORDS) else ""
