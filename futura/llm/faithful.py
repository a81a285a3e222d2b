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

MODERATED: Final = {"model": "faithful", "results": [{"flagged": False, "categories": {}}]}
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""From the body of a request to the message of its completion."""


@contextmanager
def served(answer: Answer) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="faithful-model")
    thread.start()
    before = settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.LLM_WIRE
    settings.OPENAI_BASE_URL = f"http://127.0.0.1:{server.server_port}/v1"
    settings.OPENAI_API_KEY, settings.LLM_WIRE = "faithful", "chat"
    try:
        yield
    finally:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.LLM_WIRE = before
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
                self._send(200, MODERATED)
            elif not self.path.endswith("/chat/completions"):
                self._send(501, {"error": {"message": "Only chat completions."}})
            else:
                self._send(200, _completion(body, answer(body)), is_stream=bool(body.get("stream")))

        def _send(self, status: int, content: object, *, is_stream: bool = False) -> None:
            text = json.dumps(content)
            payload = (f"data: {text}\n\ndata: [DONE]\n\n" if is_stream else text).encode()
            kind = "text/event-stream" if is_stream else "application/json"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Says nothing."""

    return Handler


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
