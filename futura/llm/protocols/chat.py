"""The chat-completions API, for servers that lack the Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from futura.llm.outcomes import reported
from futura.llm.protocols.shapes import (
    Answer,
    AskedCall,
    ChatProtocol,
    End,
    FormatKind,
    Prompt,
    Round,
    items,
    mapping,
    parsed,
    usage_of,
    with_images,
    words,
)

BEGUN: Final = "(The conversation begins.)"
ENDS: Final[Mapping[str, End]] = {
    "stop": "completed",
    "tool_calls": "completed",
    "length": "truncated",
    "content_filter": "filtered",
}


def _body(model: str, prompt: Prompt, format_kind: FormatKind) -> dict[str, Any]:
    """The request. `max_tokens` is the name that every compatible server knows."""
    spoken = with_images(prompt.spoken(format_kind), "text", _image)
    body: dict[str, Any] = {
        "model": model,
        "messages": [*spoken, *_rounds(prompt.rounds)],
        "max_tokens": prompt.max_output_tokens,
        **prompt.options,
    }
    if prompt.is_stream:
        body["stream_options"] = {"include_usage": True}
    if prompt.reasoning:
        body["reasoning_effort"] = prompt.reasoning
    if prompt.format is not None and format_kind == "json_object":
        body["response_format"] = {"type": "json_object"}
    elif prompt.format is not None and format_kind == "json_schema":
        body["response_format"] = {"type": "json_schema", "json_schema": prompt.format.strict}
    if prompt.tools:
        body["tools"] = [{"type": "function", "function": tool} for tool in prompt.tools]
    return body


def _read(payload: bytes, answer: Answer) -> str:
    if payload.strip() == b"[DONE]":
        return ""
    chunk = parsed(payload)
    if error := chunk.get("error"):
        details = mapping(error)
        raise reported(details.get("code") or details.get("type"), details.get("message"))
    answer.model = str(chunk.get("model") or answer.model)
    answer.usage = usage_of(chunk.get("usage"), "prompt", "completion") or answer.usage
    text = ""
    for choice in items(chunk.get("choices"))[:1]:
        part = mapping(choice.get("delta")) or mapping(choice.get("message"))
        text += words(part.get("content"))
        answer.refusal += words(part.get("refusal"))
        _read_calls(items(part.get("tool_calls")), answer)
        if reason := choice.get("finish_reason"):
            answer.end = ENDS.get(str(reason), "broken_off")
    return text


def in_turn(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The same, for models that a person has to speak to first, and then in turn."""
    turns: list[Mapping[str, Any]] = []
    for message in messages:
        before = turns[-1] if turns else {"role": "system"}
        who = message["role"], before["role"]
        if who == ("assistant", "system"):
            turns.append({"role": "user", "content": BEGUN})
        goes_on = who in {("user", "user"), ("assistant", "assistant"), ("user", "tool")}
        if goes_on and "tool_calls" not in message:
            content = _joined(before["content"], message["content"])
            turns[-1] = {**before, "content": content}
        else:
            turns.append(message)
    return turns


def _joined(*contents: str | list[Any] | None) -> str | list[Any]:
    """The contents of messages as one: a text, or parts where one of them has pictures."""
    if any(isinstance(content, list) for content in contents):
        texts = [[{"type": "text", "text": it}] if isinstance(it, str) else it for it in contents]
        return [part for parts in texts for part in parts or ()]
    return "\n\n".join(str(content) for content in contents if content)


def _image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def _rounds(rounds: Sequence[Round]) -> Iterator[dict[str, Any]]:
    for turn in rounds:
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.sound_arguments},
            }
            for call in turn.calls
        ]
        said: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
        yield {**said, "tool_calls": calls} if calls else said
        for key, result in turn.results.items():
            yield {"role": "tool", "tool_call_id": key, "content": result}
        if turn.note:
            yield {"role": "user", "content": turn.note}


def _read_calls(parts: Sequence[Mapping[str, Any]], answer: Answer) -> None:
    """Joins the pieces of tool calls; they share an index, and only the first is named."""
    for at, part in enumerate(parts):
        answer.has_begun = True
        index = part.get("index")
        draft = answer.drafts.setdefault(index if isinstance(index, int) else at, AskedCall())
        function = mapping(part.get("function"))
        arguments = function.get("arguments") or ""
        draft.id = draft.id or str(part.get("id") or "")
        draft.name = draft.name or str(function.get("name") or "")
        # some servers give the arguments as an object
        draft.arguments += (
            arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
        )


CHAT: Final = ChatProtocol(name="chat", path="/chat/completions", read=_read, body=_body)
"""Speaks chat completions."""
