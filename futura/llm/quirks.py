"""What servers have been seen to refuse or cut, by address and model, for this process."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

from futura.llm import server
from futura.llm.outcomes import CallFailed
from futura.llm.protocols.chat import in_turn
from futura.llm.protocols.shapes import (
    THOUGHTS,
    Answer,
    ChatProtocol,
    FormatKind,
    Prompt,
    is_unmarked,
)

REFUSALS: Final = frozenset({400, 422})
TURNS: Final = "turns"  # that somebody says two things in a row, or the assistant begins
SAYS_TURNS: Final = "alternate"  # in the templates of Mistral's and Gemma's models
OPTIONAL: Final = (
    *("temperature", "stream_options", "store", "include", "tool_choice"),
    *("reasoning", "reasoning_effort"),
    "max_tokens",  # sent under its newer name then
)
FORMAT_NAMES: Final = ("response_format", "text.format", "json_schema", "json_object")
NEXT_FORMAT: Final[Mapping[str, FormatKind]] = {
    "json_schema": "json_object",
    "json_object": "words",
}

_lock = threading.Lock()
_refused: dict[tuple[str, str], frozenset[str]] = {}


def request_for(protocol: ChatProtocol, model: str, prompt: Prompt) -> dict[str, Any]:
    """The request body, without what this server is known to refuse for this model."""
    refused = refused_by(model)
    kind: FormatKind = "json_schema"
    while kind in refused:
        kind = NEXT_FORMAT[kind]
    body = protocol.body(model, prompt, kind)
    if "max_tokens" in refused and "max_tokens" in body:
        body["max_completion_tokens"] = body.pop("max_tokens")
    if TURNS in refused and "messages" in body:
        body["messages"] = in_turn(body["messages"])
    return {name: value for name, value in body.items() if name not in refused}


def refused_by(model: str) -> frozenset[str]:
    """What the server in use is known to refuse for this model."""
    return _refused.get(_key(model), frozenset())


def look(model: str, answer: Answer) -> None:
    """Remembers of a model that it answers with thoughts first, and no tag before them, until it
    answers without: its words would come all at once.
    """
    if answer.is_unmarked or is_unmarked(answer.text):
        _remember(model, THOUGHTS)
    elif THOUGHTS in refused_by(model):
        with _lock:
            _refused[_key(model)] = refused_by(model) - {THOUGHTS}


def learn(failure: CallFailed, body: Mapping[str, Any]) -> bool:
    """Whether the refusal names something that can be left out; remembers it."""
    refused = _refused_now(failure, body)
    if not refused:
        return False
    _remember(str(body["model"]), refused)
    return True


def _remember(model: str, seen: str) -> None:
    key = _key(model)
    with _lock:
        _refused[key] = _refused.get(key, frozenset()) | {seen}


def _refused_now(failure: CallFailed, body: Mapping[str, Any]) -> str:
    messages = body.get("messages", [])
    if SAYS_TURNS in failure.server_says and in_turn(messages) != messages:
        return TURNS  # whatever the status: some call it their own fault
    if failure.status not in REFUSALS:
        return ""
    place = failure.param or failure.server_says
    # “reasoning.effort” is a part of “reasoning”
    is_named = place.split(".")[0].__eq__ if failure.param else place.__contains__
    optional = (name for name in OPTIONAL if name in body and is_named(name))
    return next(optional, "") or _format_refused(place, body)


def forget() -> None:
    with _lock:
        _refused.clear()


def _key(model: str) -> tuple[str, str]:
    return (server.current().base_url, model)


def _format_refused(place: str, body: Mapping[str, Any]) -> str:
    """The kind of structured format that was refused, empty when it was something else."""
    sent = body.get("response_format") or (body.get("text") or {}).get("format") or {}
    return str(sent.get("type", "")) if any(name in place for name in FORMAT_NAMES) else ""
