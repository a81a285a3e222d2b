"""The Responses API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

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

# Models whose thoughts must come along from round to round, since nothing is stored there.
REASONING = re.compile(r"(?:gpt-[5-9]|o\d)")


class ResponsesWire:
    """Speaks the Responses API."""

    name = "responses"
    largest_bytes = LARGEST_ANSWER_BYTES

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request; nothing is stored at the provider."""
        body: dict[str, Any] = {
            "model": prompt.model,
            "input": [*with_images(prompt.spoken, "input_text", _image), *_heard(prompt.rounds)],
            "max_output_tokens": prompt.max_output_tokens,
            "store": False,
        }
        if prompt.temperature is not None:
            body["temperature"] = prompt.temperature
        if prompt.is_stream:
            body["stream"] = True
        if prompt.format is not None and prompt.format_kind != "words":
            body["text"] = {"format": _format(prompt.format, prompt.format_kind)}
        if prompt.tools:
            body["tools"] = [_offered(tool) for tool in prompt.tools]
            body["tool_choice"] = "auto" if prompt.may_call else "none"
            if REASONING.match(prompt.model):
                body["include"] = ["reasoning.encrypted_content"]
        if prompt.cache_key:
            body["prompt_cache_key"] = prompt.cache_key
        return body

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        create = cast("Any", client.responses.with_streaming_response.create)
        return cast(
            "AbstractAsyncContextManager[AsyncAPIResponse[Any]]",
            create(**body, extra_headers=headers),
        )

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads a response object."""
        response = parsed(payload)
        _read_response(response, answer)
        for item in items(response.get("output")):
            _read_item(item, answer)
            for part in items(item.get("content")):
                if part.get("type") == "output_text":
                    answer.text += str(part.get("text") or "")
                elif part.get("type") == "refusal":
                    answer.refusal += str(part.get("refusal") or "")

    def reader(self, answer: Answer) -> StreamReader:
        """A reader for a streamed answer that fills `answer`."""
        return _Reader(answer)


class _Reader:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def read(self, event: bytes) -> str:
        found = parsed(event)
        kind = found.get("type")
        if kind == "response.output_text.delta":
            return str(found.get("delta") or "")
        if kind == "response.refusal.delta":
            self.answer.refusal += str(found.get("delta") or "")
        elif kind == "response.output_item.added":
            item = mapping(found.get("item"))
            if item.get("type") == "function_call":
                self._draft(found, str(item.get("name") or ""), "")
        elif kind == "response.function_call_arguments.delta":
            self.answer.has_begun = True
            self._draft(found, "", str(found.get("delta") or ""))
        elif kind == "response.output_item.done":
            _read_item(mapping(found.get("item")), self.answer)
        elif kind in {"response.completed", "response.incomplete", "response.failed"}:
            response = mapping(found.get("response"))
            _read_response(response, self.answer)
            if not self.answer.calls:  # some servers give calls with the whole response only
                for item in items(response.get("output")):
                    _read_item(item, self.answer)
        elif kind == "error":
            error = mapping(found.get("error")) or found
            raise failures.reported(error.get("code"), error.get("message"))
        return ""

    def _draft(self, event: Mapping[str, Any], name: str, delta: str) -> None:
        place = count(event.get("output_index"))
        known, arguments = self.answer.drafting.get(place, ("", ""))
        self.answer.drafting[place] = (known or name, arguments + delta)


def _image(url: str) -> dict[str, Any]:
    return {"type": "input_image", "image_url": url}


def _format(wanted: Format, kind: str) -> dict[str, Any]:
    if kind == "json_object":
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "name": wanted.name,
        "schema": wanted.schema,
        "strict": True,
    }


def _offered(tool: Offer) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": True,
    }


def _heard(rounds: Sequence[Round]) -> Iterator[dict[str, Any]]:
    """The rounds with tools so far, as this wire wants to hear them again."""
    for one in rounds:
        yield from (dict(item) for item in one.kept)
        if one.text:
            yield {"role": "assistant", "content": one.text}
        for call in one.calls:
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.sound_arguments,
            }
        for key, result in one.results.items():
            yield {"type": "function_call_output", "call_id": key, "output": result}
        if one.note:
            yield {"role": "user", "content": one.note}


def _read_item(item: Mapping[str, Any], answer: Answer) -> None:
    """A finished item of the output: a tool call, or thoughts to be given back."""
    if item.get("type") == "function_call":
        answer.has_begun = True
        answer.calls.append(
            AskedCall(
                str(item.get("call_id") or item.get("id") or ""),
                str(item.get("name") or ""),
                str(item.get("arguments") or ""),
            )
        )
    elif item.get("type") == "reasoning" and item.get("encrypted_content"):
        names = ("type", "id", "summary", "encrypted_content")
        answer.kept.append({name: item[name] for name in names if name in item})


def _read_response(response: Mapping[str, Any], answer: Answer) -> None:
    """Status, model and usage. Usage first: a failed response has been paid for as well."""
    answer.model = str(response.get("model") or answer.model)
    answer.usage = _usage(response.get("usage")) or answer.usage
    status = response.get("status")
    if status == "completed":
        answer.end = "completed"
    elif status == "incomplete":
        reason = mapping(response.get("incomplete_details")).get("reason")
        ends = {"max_output_tokens": "truncated", "content_filter": "filtered"}
        answer.end = cast("Any", ends.get(str(reason), "broken_off"))
    else:
        error = mapping(response.get("error"))
        raise failures.reported(error.get("code") or status, error.get("message"))


def _usage(value: object) -> Usage | None:
    usage = mapping(value)
    if not usage:
        return None
    return Usage(
        input_tokens=count(usage.get("input_tokens")),
        cached_input_tokens=count(mapping(usage.get("input_tokens_details")).get("cached_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        reasoning_tokens=count(mapping(usage.get("output_tokens_details")).get("reasoning_tokens")),
    )
