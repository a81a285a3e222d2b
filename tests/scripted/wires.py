"""The shapes of both model APIs: whole answers, and the events of a streamed one."""

from __future__ import annotations

import itertools
import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from tests.scripted.requests import ScriptedRequest
from tests.scripted.steps import ScriptedCall, Step

HALVES = re.compile("[\ud800-\udfff]")


def pieces_of(text: str, step: Step) -> list[str]:
    """The text as a model streams it: a word at a time, long texts in larger pieces."""
    if step.pieces:
        return list(step.pieces)
    if len(text) > 50_000:
        return [text[at : at + 20_000] for at in range(0, len(text), 20_000)]
    return re.findall(r"\s*\S+|\s+$", text) or ([text] if text else [])


def tokens(text: str) -> int:
    """A token count that is stable: a token for each four letters."""
    return max(1, (len(text) + 3) // 4)


def sse(payload: Mapping[str, Any], *, event: str = "") -> bytes:
    """One server-sent event; lone surrogates are escaped, as they cannot be written."""
    head = f"event: {event}\n" if event else ""
    data = json.dumps(payload, ensure_ascii=False)
    if HALVES.search(data):
        data = json.dumps(payload)
    return f"{head}data: {data}\n\n".encode()


class Stream(Protocol):
    """The events of one streamed answer, in the order they are sent."""

    def opening(self) -> Iterator[bytes]:
        """Before the first text."""
        ...

    def piece(self, text: str) -> bytes:
        """One stretch of text."""
        ...

    def calling(self) -> Iterator[bytes]:
        """The tool calls of the step, after its words."""
        ...

    def closing(self, said: str) -> Iterator[bytes]:
        """After the last text, the terminal event included."""
        ...

    def failing(self, said: str) -> Iterator[bytes]:
        """The terminal event of an answer that failed."""
        ...

    def incomplete(self, said: str) -> Iterator[bytes]:
        """The terminal event of an answer that was broken off."""
        ...


class ResponsesStream:
    """Events of the Responses API."""

    def __init__(self, request: ScriptedRequest, step: Step) -> None:
        self.request = request
        self.step = step
        self.id = f"resp_{uuid.uuid4().hex}"
        self.item = f"msg_{uuid.uuid4().hex}"
        self.numbers = itertools.count()
        self.is_refusal = step.fault == "refusal"
        self.speaks = not step.calls or bool(step.answer)
        self.calls = [_named(call) for call in step.calls]

    def _event(self, kind: str, **fields: Any) -> bytes:
        return sse({"type": kind, "sequence_number": next(self.numbers), **fields}, event=kind)

    def _place(self) -> dict[str, Any]:
        return {"item_id": self.item, "output_index": 0, "content_index": 0}

    def response(self, said: str | None, status: str, **fields: Any) -> dict[str, Any]:
        """A response object; `said` is None while nothing has been said."""
        output = [] if said is None or not self.speaks else [self.message(said, status)]
        if said is not None:
            output += [self.item_of(call, call.written) for call in self.calls]
        usage = None if status == "in_progress" else self.usage(said or "")
        return {
            "id": self.id,
            "object": "response",
            "created_at": int(time.time()),
            "status": status,
            "model": self.request.model,
            "output": output,
            "usage": usage,
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "temperature": self.request.body.get("temperature"),
            "max_output_tokens": self.request.body.get("max_output_tokens"),
            **fields,
        }

    def message(self, said: str, status: str) -> dict[str, Any]:
        """The output message of a response."""
        state = "completed" if status == "completed" else "incomplete"
        return {
            "id": self.item,
            "type": "message",
            "role": "assistant",
            "status": state,
            "content": [self.part(said)],
        }

    def item_of(self, call: ScriptedCall, written: str) -> dict[str, Any]:
        """A tool call as an item of the output."""
        return {
            "type": "function_call",
            "id": f"fc_{call.id}",
            "call_id": call.id,
            "name": call.name,
            "arguments": written,
            "status": "completed" if written else "in_progress",
        }

    def part(self, said: str) -> dict[str, Any]:
        """One content part: text or refusal."""
        if self.is_refusal:
            return {"type": "refusal", "refusal": said}
        return {"type": "output_text", "text": said, "annotations": [], "logprobs": []}

    def usage(self, said: str) -> dict[str, Any]:
        """Token counts in this wire's names."""
        given = dict(self.step.usage or {})
        asked = given.get("input", tokens(self.request.text))
        written = given.get("output", tokens(said))
        return {
            "input_tokens": asked,
            "input_tokens_details": {
                "cached_tokens": given.get("cached", 0),
                "cache_write_tokens": 0,
            },
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": given.get("reasoning", 0)},
            "total_tokens": asked + written,
        }

    def opening(self) -> Iterator[bytes]:
        yield self._event("response.created", response=self.response(None, "in_progress"))
        yield self._event("response.in_progress", response=self.response(None, "in_progress"))
        if not self.speaks:
            return
        yield self._event(
            "response.output_item.added",
            output_index=0,
            item={**self.message("", "in_progress"), "status": "in_progress", "content": []},
        )
        yield self._event("response.content_part.added", **self._place(), part=self.part(""))

    def piece(self, text: str) -> bytes:
        if self.is_refusal:
            return self._event("response.refusal.delta", **self._place(), delta=text)
        return self._event("response.output_text.delta", **self._place(), delta=text, logprobs=[])

    def calling(self) -> Iterator[bytes]:
        for at, call in enumerate(self.calls, start=int(self.speaks)):
            place = {"output_index": at, "item_id": f"fc_{call.id}"}
            yield self._event(
                "response.output_item.added", output_index=at, item=self.item_of(call, "")
            )
            for piece in _written(call, self.step):
                yield self._event("response.function_call_arguments.delta", **place, delta=piece)
            yield self._event(
                "response.function_call_arguments.done", **place, arguments=call.written
            )
            yield self._event(
                "response.output_item.done",
                output_index=at,
                item=self.item_of(call, call.written),
            )

    def closing(self, said: str) -> Iterator[bytes]:
        if self.speaks:
            yield from self._end_of_message(said)
        yield self._event("response.completed", response=self.response(said, "completed"))

    def _end_of_message(self, said: str) -> Iterator[bytes]:
        if self.is_refusal:
            yield self._event("response.refusal.done", **self._place(), refusal=said)
        else:
            yield self._event("response.output_text.done", **self._place(), text=said, logprobs=[])
        yield self._event("response.content_part.done", **self._place(), part=self.part(said))
        yield self._event(
            "response.output_item.done", output_index=0, item=self.message(said, "completed")
        )

    def failing(self, said: str) -> Iterator[bytes]:
        error = {"code": self.step.reason, "message": "Scripted failure."}
        yield self._event("response.failed", response=self.response(said, "failed", error=error))

    def incomplete(self, said: str) -> Iterator[bytes]:
        details = {"reason": self.step.reason}
        yield self._event(
            "response.incomplete",
            response=self.response(said, "incomplete", incomplete_details=details),
        )


class ChatStream:
    """Chunks of the chat-completions API."""

    def __init__(self, request: ScriptedRequest, step: Step) -> None:
        self.request = request
        self.step = step
        self.id = f"chatcmpl-{uuid.uuid4().hex}"
        self.is_refusal = step.fault == "refusal"
        self.calls = [_named(call) for call in step.calls]

    def _chunk(
        self, delta: Mapping[str, Any] | None, finish: str | None = None, **fields: Any
    ) -> bytes:
        choices = (
            []
            if delta is None
            else [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]
        )
        return sse(
            {
                "id": self.id,
                "object": "chat.completion.chunk",
                "created": int(time.time()),
                "model": self.request.model,
                "choices": choices,
                **fields,
            }
        )

    def usage(self, said: str) -> dict[str, Any]:
        """Token counts in this wire's names."""
        given = dict(self.step.usage or {})
        asked = given.get("input", tokens(self.request.text))
        written = given.get("output", tokens(said))
        return {
            "prompt_tokens": asked,
            "prompt_tokens_details": {"cached_tokens": given.get("cached", 0)},
            "completion_tokens": written,
            "completion_tokens_details": {"reasoning_tokens": given.get("reasoning", 0)},
            "total_tokens": asked + written,
        }

    def whole(self, said: str, finish: str) -> dict[str, Any]:
        """A completion that is not streamed."""
        message: dict[str, Any] = {"role": "assistant", "content": said, "refusal": None}
        if self.is_refusal:
            message = {"role": "assistant", "content": None, "refusal": said}
        if self.calls:
            message |= {
                "content": said or None,
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.written},
                    }
                    for call in self.calls
                ],
            }
        return {
            "id": self.id,
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.request.model,
            "usage": self.usage(said),
            "choices": [
                {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
            ],
        }

    def opening(self) -> Iterator[bytes]:
        yield self._chunk({"role": "assistant", "content": "", "refusal": None})

    def piece(self, text: str) -> bytes:
        return self._chunk({"refusal": text} if self.is_refusal else {"content": text})

    def _end(self, said: str, finish: str) -> Iterator[bytes]:
        yield self._chunk({}, finish)
        if (self.request.body.get("stream_options") or {}).get("include_usage"):
            yield self._chunk(None, usage=self.usage(said))
        yield b"data: [DONE]\n\n"

    def calling(self) -> Iterator[bytes]:
        for at, call in enumerate(self.calls):
            first, *others = _written(call, self.step)
            named = {"id": call.id, "type": "function"}
            yield self._called(at, {**named, "function": {"name": call.name, "arguments": first}})
            for piece in others:
                yield self._called(at, {"function": {"arguments": piece}})

    def _called(self, at: int, part: Mapping[str, Any]) -> bytes:
        return self._chunk({"tool_calls": [{"index": at, **part}]})

    def closing(self, said: str) -> Iterator[bytes]:
        yield from self._end(said, "tool_calls" if self.calls else "stop")

    def failing(self, said: str) -> Iterator[bytes]:
        yield sse(
            {
                "error": {
                    "message": "Scripted failure.",
                    "type": "server_error",
                    "code": self.step.reason,
                }
            }
        )

    def incomplete(self, said: str) -> Iterator[bytes]:
        yield from self._end(said, finish_reason(self.step.reason))


def finish_reason(reason: str) -> str:
    """The chat wire's word for why an answer is incomplete."""
    return {"max_output_tokens": "length"}.get(reason, reason)


def _named(call: ScriptedCall) -> ScriptedCall:
    return call if call.id else replace(call, id=f"call_{uuid.uuid4().hex[:20]}")


def _written(call: ScriptedCall, step: Step) -> list[str]:
    """Its arguments in two pieces; in small ones where the step takes its time."""
    text = call.written
    if step.chunk_delay_s:
        return [text[at : at + 6] for at in range(0, len(text), 6)]
    middle = (len(text) + 1) // 2
    return [text[:middle], text[middle:]]
