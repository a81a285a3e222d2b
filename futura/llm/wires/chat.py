"""The chat-completions API, for servers that lack the Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

import orjson

from futura.llm import failures
from futura.llm.schema import Format
from futura.llm.wires.parsing import count, items, mapping, parsed
from futura.llm.wires.shapes import (
    LARGEST_ANSWER_BYTES,
    Answer,
    AskedCall,
    Offer,
    Prompt,
    Round,
    StreamReader,
    Usage,
    with_images,
)

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI

ENDS = {
    "stop": "completed",
    "tool_calls": "completed",
    "length": "truncated",
    "content_filter": "filtered",
}


class ChatWire:
    """Speaks chat completions."""

    name = "chat"
    largest_bytes = LARGEST_ANSWER_BYTES

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request. `max_tokens` is the name that every compatible server knows."""
        body: dict[str, Any] = {
            "model": prompt.model,
            "messages": [*with_images(prompt.spoken, "text", _image), *_heard(prompt.rounds)],
            "max_tokens": prompt.max_output_tokens,
        }
        if prompt.temperature is not None:
            body["temperature"] = prompt.temperature
        if prompt.is_stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if prompt.format is not None and prompt.format_kind != "words":
            body["response_format"] = _format(prompt.format, prompt.format_kind)
        if prompt.tools:
            body["tools"] = [_offered(tool) for tool in prompt.tools]
            body["tool_choice"] = "auto" if prompt.may_call else "none"
        if prompt.cache_key:
            body["prompt_cache_key"] = prompt.cache_key
        return body

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        create = cast("Any", client.chat.completions.with_streaming_response.create)
        return cast(
            "AbstractAsyncContextManager[AsyncAPIResponse[Any]]",
            create(**body, extra_headers=headers),
        )

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads a completion."""
        completion = parsed(payload)
        _read_frame(completion, answer)
        for choice in items(completion.get("choices"))[:1]:
            message = mapping(choice.get("message"))
            answer.text += str(message.get("content") or "")
            answer.refusal += str(message.get("refusal") or "")
            answer.calls += [_call(part) for part in items(message.get("tool_calls"))]
            _read_end(choice, answer)

    def reader(self, answer: Answer) -> StreamReader:
        """A reader for a streamed answer that fills `answer`."""
        return _Reader(answer)


class _Reader:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.open: dict[int, dict[str, Any]] = {}  # calls as they come, by their place

    def read(self, event: bytes) -> str:
        if event.strip() == b"[DONE]":
            return ""
        chunk = parsed(event)
        _read_frame(chunk, self.answer)
        text = ""
        for choice in items(chunk.get("choices"))[:1]:
            delta = mapping(choice.get("delta"))
            text += str(delta.get("content") or "")
            self.answer.refusal += str(delta.get("refusal") or "")
            self._read_calls(items(delta.get("tool_calls")))
            _read_end(choice, self.answer)
        return text

    def _read_calls(self, parts: Sequence[Mapping[str, Any]]) -> None:
        """Joins the pieces of tool calls; they share an index, and only the first is named."""
        for at, part in enumerate(parts):
            self.answer.has_begun = True
            place = part.get("index")
            number = place if isinstance(place, int) else at
            call = self.open.setdefault(number, {})
            function = mapping(part.get("function"))
            call["id"] = call.get("id") or part.get("id")
            known = mapping(call.setdefault("function", {}))
            known["name"] = known.get("name") or function.get("name")
            known["arguments"] = known.get("arguments", "") + str(function.get("arguments") or "")
            self.answer.drafting[number] = (str(known["name"] or ""), known["arguments"])
        if parts:
            self.answer.calls = [_call(self.open[place]) for place in sorted(self.open)]


def _image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def _format(wanted: Format, kind: str) -> dict[str, Any]:
    if kind == "json_object":
        return {"type": "json_object"}
    schema = {"name": wanted.name, "schema": wanted.schema, "strict": True}
    return {"type": "json_schema", "json_schema": schema}


def _offered(tool: Offer) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": True,
    }
    return {"type": "function", "function": function}


def _heard(rounds: Sequence[Round]) -> Iterator[dict[str, Any]]:
    """The rounds with tools so far, as this wire wants to hear them again."""
    for one in rounds:
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.sound_arguments},
            }
            for call in one.calls
        ]
        said: dict[str, Any] = {"role": "assistant", "content": one.text or None}
        yield {**said, "tool_calls": calls} if calls else said
        for key, result in one.results.items():
            yield {"role": "tool", "tool_call_id": key, "content": result}
        if one.note:
            yield {"role": "user", "content": one.note}


def _call(part: Mapping[str, Any]) -> AskedCall:
    function = mapping(part.get("function"))
    arguments = function.get("arguments")
    written = arguments if isinstance(arguments, str) else orjson.dumps(arguments or {}).decode()
    return AskedCall(str(part.get("id") or ""), str(function.get("name") or ""), written)


def _read_frame(chunk: Mapping[str, Any], answer: Answer) -> None:
    """What every chunk may carry: an error, the model's name, the usage."""
    if error := chunk.get("error"):
        given = mapping(error)
        raise failures.reported(given.get("code") or given.get("type"), given.get("message"))
    answer.model = str(chunk.get("model") or answer.model)
    answer.usage = _usage(chunk.get("usage")) or answer.usage


def _read_end(choice: Mapping[str, Any], answer: Answer) -> None:
    if reason := choice.get("finish_reason"):
        answer.end = cast("Any", ENDS.get(str(reason), "broken_off"))


def _usage(value: object) -> Usage | None:
    usage = mapping(value)
    if not usage:
        return None
    cached = mapping(usage.get("prompt_tokens_details")).get("cached_tokens")
    reasoning = mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")
    return Usage(
        input_tokens=count(usage.get("prompt_tokens")),
        cached_input_tokens=count(cached),
        output_tokens=count(usage.get("completion_tokens")),
        reasoning_tokens=count(reasoning),
    )
