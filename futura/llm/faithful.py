"""A model server inside this process that an evaluation answers itself: chats, and no refusals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import httpx2
from django.conf import settings

from futura.llm import loop

MODERATED: Final = {"model": "faithful", "results": [{"flagged": False, "categories": {}}]}
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""From the body of a request to the message of its completion."""


@contextmanager
def served(answer: Answer) -> Iterator[None]:
    def respond(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        if request.url.path.endswith("/moderations"):
            return httpx2.Response(200, json=MODERATED)
        if not request.url.path.endswith("/chat/completions"):
            return httpx2.Response(501, json={"error": {"message": "Only chat completions."}})
        completion = _completion(body, answer(body))
        if body.get("stream"):
            return httpx2.Response(200, text=f"data: {json.dumps(completion)}\n\ndata: [DONE]\n\n")
        return httpx2.Response(200, json=completion)

    before = settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.LLM_WIRE
    settings.OPENAI_BASE_URL = "http://faithful.invalid/v1"
    settings.OPENAI_API_KEY, settings.LLM_WIRE = "faithful", "chat"
    loop.connect(httpx2.AsyncClient(transport=httpx2.MockTransport(respond)))
    try:
        yield
    finally:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.LLM_WIRE = before
        loop.shutdown()


def _completion(body: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    """A completion, whole or as the one chunk of a stream; four letters count as a token."""
    question, written = len(json.dumps(body.get("messages"))) // 4, len(json.dumps(message)) // 4
    choice = {
        "index": 0,
        "delta" if body.get("stream") else "message": {"role": "assistant", **message},
        "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
    }
    return {
        "id": "chatcmpl-1",
        "model": body["model"],
        "choices": [choice],
        "usage": {"prompt_tokens": question, "completion_tokens": written},
    }
