"""The Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

from futura.llm import failures
from futura.llm.schema import Format
from futura.llm.wires.parsing import count, items, mapping, parsed
from futura.llm.wires.shapes import LARGEST_ANSWER_BYTES, Answer, Prompt, StreamReader, Usage

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI


class ResponsesWire:
    """Speaks the Responses API."""

    name = "responses"
    largest_bytes = LARGEST_ANSWER_BYTES

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request; nothing is stored at the provider."""
        body: dict[str, Any] = {
            "model": prompt.model,
            "input": prompt.spoken,
            "max_output_tokens": prompt.max_output_tokens,
            "store": False,
        }
        if prompt.temperature is not None:
            body["temperature"] = prompt.temperature
        if prompt.is_stream:
            body["stream"] = True
        if prompt.format is not None and prompt.format_kind != "words":
            body["text"] = {"format": _format(prompt.format, prompt.format_kind)}
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
        elif kind in {"response.completed", "response.incomplete", "response.failed"}:
            _read_response(mapping(found.get("response")), self.answer)
        elif kind == "error":
            error = mapping(found.get("error")) or found
            raise failures.reported(error.get("code"), error.get("message"))
        return ""


def _format(wanted: Format, kind: str) -> dict[str, Any]:
    if kind == "json_object":
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "name": wanted.name,
        "schema": wanted.schema,
        "strict": True,
    }


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
