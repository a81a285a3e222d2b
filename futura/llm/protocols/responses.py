"""The Responses API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from futura.llm.outcomes import reported
from futura.llm.protocols.shapes import (
    Answer,
    AskedCall,
    ChatProtocol,
    End,
    FormatKind,
    Prompt,
    Round,
    count,
    items,
    mapping,
    parsed,
    usage_of,
    with_images,
    words,
)

# Models whose thoughts must come along from round to round, since nothing is stored there.
REASONING: Final = re.compile(r"(?:gpt-[5-9]|o\d)")
REASONING_ITEM: Final = ("type", "id", "summary", "encrypted_content")
INCOMPLETE: Final[Mapping[str, End]] = {
    "max_output_tokens": "truncated",
    "content_filter": "filtered",
}


def _body(model: str, prompt: Prompt, format_kind: FormatKind) -> dict[str, Any]:
    """The request; nothing is stored at the provider."""
    spoken = with_images(prompt.spoken(format_kind), "input_text", _image)
    body: dict[str, Any] = {
        "model": model,
        "input": [*spoken, *_rounds(prompt.rounds)],
        "max_output_tokens": prompt.max_output_tokens,
        "store": False,
        **prompt.options,
    }
    if prompt.reasoning:
        body["reasoning"] = {"effort": prompt.reasoning}
    if prompt.format is not None and format_kind == "json_object":
        body["text"] = {"format": {"type": "json_object"}}
    elif prompt.format is not None and format_kind == "json_schema":
        body["text"] = {"format": {"type": "json_schema", **prompt.format.strict}}
    if prompt.tools:
        body["tools"] = [{"type": "function", **tool} for tool in prompt.tools]
        if REASONING.match(model):
            body["include"] = ["reasoning.encrypted_content"]
    return body


def _read(payload: bytes, answer: Answer) -> str:
    event = parsed(payload)
    kind = event.get("type")
    if kind == "response.output_text.delta":
        return words(event.get("delta"))
    if kind == "response.refusal.delta":
        answer.refusal += words(event.get("delta"))
    elif kind in {"response.output_item.added", "response.output_item.done"}:
        item = mapping(event.get("item"))
        _read_item(item, count(event.get("output_index")), answer)
        if kind.endswith("done"):
            _read_thoughts(item, answer)
    elif kind == "response.function_call_arguments.delta":
        answer.has_begun = True
        place = count(event.get("output_index"))
        answer.drafts.setdefault(place, AskedCall()).arguments += words(event.get("delta"))
    elif kind in {"response.completed", "response.incomplete", "response.failed"}:
        _read_end(mapping(event.get("response")), answer)
    elif kind == "error":
        error = mapping(event.get("error")) or event
        raise reported(error.get("code"), error.get("message"))
    elif kind is None and not event.keys().isdisjoint(("output", "status")):
        return _read_whole(event, answer)
    return ""


def _image(url: str) -> dict[str, Any]:
    return {"type": "input_image", "image_url": url}


def _rounds(rounds: Sequence[Round]) -> Iterator[dict[str, Any]]:
    for turn in rounds:
        yield from (dict(item) for item in turn.thoughts)
        if turn.text:
            yield {"role": "assistant", "content": turn.text}
        for call in turn.calls:
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.sound_arguments,
            }
        for key, result in turn.results.items():
            yield {"type": "function_call_output", "call_id": key, "output": result}
        if turn.note:
            yield {"role": "user", "content": turn.note}


def _read_whole(response: Mapping[str, Any], answer: Answer) -> str:
    """A response that came in one piece: its end and its calls, then its words."""
    _read_end(response, answer)
    text = ""
    for item in items(response.get("output")):
        _read_thoughts(item, answer)
        for part in items(item.get("content")):
            if part.get("type") == "output_text":
                text += words(part.get("text"))
            elif part.get("type") == "refusal":
                answer.refusal += words(part.get("refusal"))
    return text


def _read_item(item: Mapping[str, Any], place: int, answer: Answer) -> None:
    if item.get("type") != "function_call":
        return
    answer.has_begun = True
    answer.drafts[place] = AskedCall(
        str(item.get("call_id") or item.get("id") or ""),
        str(item.get("name") or ""),
        str(item.get("arguments") or ""),
    )


def _read_thoughts(item: Mapping[str, Any], answer: Answer) -> None:
    """Thoughts that are to be given back with the next round."""
    if item.get("type") == "reasoning" and item.get("encrypted_content"):
        answer.thoughts.append({name: item[name] for name in REASONING_ITEM if name in item})


def _read_end(response: Mapping[str, Any], answer: Answer) -> None:
    """Status, model and usage. Usage first: a failed response has been paid for as well."""
    answer.model = str(response.get("model") or answer.model)
    answer.usage = usage_of(response.get("usage"), "input", "output") or answer.usage
    status = response.get("status")
    if status == "completed":
        answer.end = "completed"
    elif status == "incomplete":
        reason = mapping(response.get("incomplete_details")).get("reason")
        answer.end = INCOMPLETE.get(str(reason), "broken_off")
    else:
        error = mapping(response.get("error"))
        raise reported(error.get("code") or status, error.get("message"))
    if not answer.drafts:  # some servers give calls with the whole response only
        for place, item in enumerate(items(response.get("output"))):
            _read_item(item, place, answer)


RESPONSES: Final = ChatProtocol(name="responses", path="/responses", read=_read, body=_body)
"""Speaks the Responses API."""
