"""What goes to a model server and comes back, in terms that both protocols share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, Protocol, TypedDict

import orjson

from futura.characters import clean_json
from futura.llm.protocols.parsing import count, mapping
from futura.llm.schema import Format

# No stage asks for more than a few thousand tokens; what is larger is not an answer.
LARGEST_ANSWER_BYTES = 1_000_000
FormatKind = Literal["json_schema", "json_object", "words"]
End = Literal["", "completed", "truncated", "filtered", "broken_off"]


class ChatMessage(TypedDict):
    """One message of a prompt; `images` are pictures that the model is to see, as data URLs."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: NotRequired[Sequence[str]]


def with_images(
    messages: Iterable[ChatMessage], text: str, image: Callable[[str], Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Messages as a protocol writes them: pictures stand before the words, each as its part
    `image`; `text` is the type of a part of words.
    """
    return [
        {
            "role": message["role"],
            "content": [*map(image, message["images"]), {"type": text, "text": message["content"]}],
        }
        if message.get("images")
        else {"role": message["role"], "content": message["content"]}
        for message in messages
    ]


@dataclass(frozen=True)
class AskedCall:
    """A tool call as the model asked for it; `arguments` is what it wrote, JSON or not.

    Where it is JSON its texts are clean (`futura.characters`).
    """

    id: str
    name: str
    arguments: str

    @property
    def sound_arguments(self) -> str:
        """The arguments, or an empty object: servers choke on their own model's broken JSON."""
        try:
            values = orjson.loads(self.arguments)
        except orjson.JSONDecodeError:
            return "{}"
        return self.arguments if isinstance(values, dict) else "{}"


@dataclass
class CallDraft:
    """A tool call as far as the model has written it."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class Round:
    """One exchange with tools: what the model said and asked for, and what came of each call.

    `thoughts` are items that only this protocol understands and needs again; `note` is what the
    model is told after it.
    """

    text: str
    calls: Sequence[AskedCall] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    thoughts: Sequence[Mapping[str, Any]] = ()
    note: str = ""


@dataclass(frozen=True)
class Offer:
    """A tool as the model is told of it."""

    name: str
    description: str
    schema: Mapping[str, Any]

    @property
    def function(self) -> dict[str, Any]:
        """As both protocols write it."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.schema,
            "strict": True,
        }


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    `cache_key` is the same for prompts that begin alike, so that a provider finds what it keeps.
    """

    messages: Sequence[ChatMessage]
    temperature: float | None
    max_output_tokens: int
    is_stream: bool
    cache_key: str = ""
    format: Format | None = None
    tools: Sequence[Offer] = ()
    rounds: Sequence[Round] = ()
    may_call: bool = True

    def spoken(self, format_kind: FormatKind) -> list[ChatMessage]:
        """The messages, with the schema in words where the server does not take it otherwise."""
        if self.format is None or format_kind == "json_schema":
            return list(self.messages)
        first, *others = self.messages
        words = self.format.in_words
        if first["role"] == "system":
            return [{"role": "system", "content": f"{first['content']}\n\n{words}"}, *others]
        return [{"role": "system", "content": words}, first, *others]


@dataclass(frozen=True)
class Usage:
    """Token counts; input includes the cached, output includes reasoning."""

    input_tokens: int
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0


def usage_of(value: object, asked: str, written: str) -> Usage | None:
    """What a server says was used, in the words of its protocol for what was asked and written."""
    usage = mapping(value)
    if f"{asked}_tokens" not in usage:
        return None
    asked_details = mapping(usage.get(f"{asked}_tokens_details"))
    written_details = mapping(usage.get(f"{written}_tokens_details"))
    return Usage(
        input_tokens=count(usage.get(f"{asked}_tokens")),
        cached_input_tokens=count(asked_details.get("cached_tokens")),
        output_tokens=count(usage.get(f"{written}_tokens")),
        reasoning_tokens=count(written_details.get("reasoning_tokens")),
    )


@dataclass
class Answer:
    """What a model said so far. `end` stays empty until the terminal event was read.

    `drafts` are its tool calls by their place; `result` is what an endpoint gives that is no words.
    """

    text: str = ""
    refusal: str = ""
    end: End = ""
    model: str = ""
    request_id: str = ""
    usage: Usage | None = None
    drafts: dict[int, CallDraft] = field(default_factory=dict)
    thoughts: list[Mapping[str, Any]] = field(default_factory=list)
    result: Any = None
    has_begun: bool = False  # something of the answer has come, be it a call without words

    @property
    def calls(self) -> list[AskedCall]:
        """The tool calls in their order."""
        drafts = [self.drafts[place] for place in sorted(self.drafts)]
        return [AskedCall(one.id, one.name, clean_json(one.arguments)) for one in drafts]


class Endpoint(Protocol):
    """One address of a model server, below its base."""

    name: str
    path: str
    largest_bytes: int

    def read(self, payload: bytes, answer: Answer) -> str:
        """Reads an event, or an answer that came in one piece, into `answer`.

        Gives the visible text it holds. Raises CallFailed.
        """
        ...


class ChatProtocol(Endpoint, Protocol):
    """An endpoint for conversations."""

    def body(self, model: str, prompt: Prompt, format_kind: FormatKind) -> dict[str, Any]:
        """The request."""
        ...
