"""A small OpenAI-compatible server that an evaluation answers itself: chats, and no refusals."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from django.conf import settings

from futura.llm import loop

SETTINGS: Final = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "LLM_WIRE")
_UNFLAGGED: Final = json.dumps(
    {
        "id": "modr-1",
        "model": "faithful",
        "results": [{"flagged": False, "categories": {}, "category_scores": {}}],
    }
).encode()
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""From the body of a request to the message of its completion."""


@contextmanager
def served(answer: Answer) -> Iterator[None]:
    """Runs the server, and lets the product talk to it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="faithful-model")
    thread.start()
    before = {name: getattr(settings, name) for name in SETTINGS}
    settings.OPENAI_BASE_URL = f"http://127.0.0.1:{server.server_port}/v1"
    settings.OPENAI_API_KEY, settings.LLM_WIRE = "faithful", "chat"
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)
        loop.shutdown()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.endswith("/moderations"):
                self._send(200, _UNFLAGGED, "json")
                return
            if not self.path.endswith("/chat/completions"):
                self._send(501, b'{"error": {"message": "Only chat completions."}}', "json")
                return
            message = answer(body)
            if body.get("stream"):
                self._send(200, b"".join(_events(body, message)), "stream")
            else:
                whole = _completion(body, {"message": {"role": "assistant", **message}})
                self._send(200, json.dumps(whole).encode(), "json")

        def _send(self, status: int, content: bytes, kind: str) -> None:
            kinds = {"json": "application/json", "stream": "text/event-stream"}
            self.send_response(status)
            self.send_header("Content-Type", kinds[kind])
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Says nothing."""

    return Handler


def _completion(body: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    finish = "tool_calls" if "tool_calls" in choice.get("message", {}) else "stop"
    return {
        "id": "chatcmpl-1", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, **choice}], "usage": _usage(body, choice),
    }  # fmt: skip


def _events(body: Mapping[str, Any], message: Mapping[str, Any]) -> Iterator[bytes]:
    """A streamed completion: the words one by one, or the calls; then the end and the usage."""
    head = {"id": "chatcmpl-1", "created": 0,
            "model": body["model"]}  # fmt: skip
    deltas: list[dict[str, Any]] = [
        {"content": piece} for piece in _pieces(message.get("content") or "")
    ]
    deltas += [{"tool_calls": [call]} for call in message.get("tool_calls", ())]
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    for delta in ({"role": "assistant", "content": ""}, *deltas):
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    yield _event({**head, "choices": [], "usage": _usage(body, message)})
    yield b"data: [DONE]\n\n"


def _event(payload: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(payload)}\n\n".encode()


def _pieces(text: str) -> Iterator[str]:
    for n in range(0, len(text), 8):
        yield text[n : n + 8]


def _usage(body: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, int]:
    """Tokens by the rule of thumb of four letters for one."""
    asked = len(json.dumps(body.get("messages"))) // 4
    told = len(json.dumps(answer)) // 4
    return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}
