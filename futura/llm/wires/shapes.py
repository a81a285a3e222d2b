"""What goes over a wire and comes back, in words that both wires share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Protocol, TypedDict

import numpy as np
import numpy.typing as npt
import orjson

from futura.characters import clean_json
from futura.llm.schema import Format

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI


class ChatMessage(TypedDict):
    """One message of a prompt; `images` are pictures that the model is to see, as data URLs."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: NotRequired[Sequence[str]]


def with_images(
    messages: Iterable[ChatMessage], text: str, image: Callable[[str], Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Messages as a wire writes them: pictures stand before the words, each as its part `image`;
    `text` is the type of a part of words.
    """
    return [
        {
            "role": one["role"],
            "content": [*map(image, one["images"]), {"type": text, "text": one["content"]}],
        }
        if one.get("images")
        else {"role": one["role"], "content": one["content"]}
        for one in messages
    ]


@dataclass(frozen=True)
class AskedCall:
    """A tool call as the model asked for it; `arguments` is what it wrote, JSON or not.

    Where it is JSON its texts are clean (`futura.characters`).
    """

    id: str
    name: str
    arguments: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", clean_json(self.arguments))

    @property
    def sound_arguments(self) -> str:
        """The arguments, or an empty object: servers choke on their own model's broken JSON."""
        try:
            found = orjson.loads(self.arguments)
        except orjson.JSONDecodeError:
            return "{}"
        return self.arguments if isinstance(found, dict) else "{}"


@dataclass(frozen=True)
class Round:
    """One exchange with tools: what the model said and asked for, and what came of each call.

    `kept` are items that only this wire understands and wants to see again (reasoning); `note` is
    what the model is told after it.
    """

    text: str
    calls: Sequence[AskedCall] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    kept: Sequence[Mapping[str, Any]] = ()
    note: str = ""


@dataclass(frozen=True)
class Offer:
    """A tool as the model is told of it."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Prompt:
    """One question to one model. `format_kind` says how the format is asked for.

    `cache_key` is the same for prompts that begin alike, so that a provider finds what it keeps.
    """

    model: str
    messages: Sequence[ChatMessage]
    temperature: float | None
    max_output_tokens: int
    is_stream: bool
    format: Format | None = None
    format_kind: Literal["json_schema", "json_object", "words"] = "json_schema"
    tools: Sequence[Offer] = ()
    rounds: Sequence[Round] = ()
    may_call: bool = True
    cache_key: str = ""

    @property
    def spoken(self) -> list[ChatMessage]:
        """The messages, with the schema in words where the server does not take it otherwise."""
        if self.format is None or self.format_kind == "json_schema":
            return list(self.messages)
        first, *rest = self.messages
        words = self.format.in_words
        if first["role"] == "system":
            return [{"role": "system", "content": f"{first['content']}\n\n{words}"}, *rest]
        return [{"role": "system", "content": words}, first, *rest]


# No stage asks for more than a few thousand tokens; what is larger is not an answer.
LARGEST_ANSWER_BYTES = 1_000_000


@dataclass(frozen=True)
class Usage:
    """Token counts; input includes the cached, output includes reasoning."""

    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    reasoning_tokens: int


@dataclass
class Answer:
    """What a model said so far. `end` stays empty until the terminal event was read."""

    text: str = ""
    refusal: str = ""
    end: Literal["", "completed", "truncated", "filtered", "broken_off"] = ""
    model: str = ""
    request_id: str = ""
    usage: Usage | None = None
    vectors: npt.NDArray[np.float32] | None = None
    calls: list[AskedCall] = field(default_factory=list)
    kept: list[Mapping[str, Any]] = field(default_factory=list)
    verdicts: list[Mapping[str, Any]] = field(default_factory=list)
    # of calls that are being written, by their place: the tool's name, its arguments so far
    drafting: dict[int, tuple[str, str]] = field(default_factory=dict)
    has_begun: bool = False  # something of the answer has come, be it a call without words


class StreamReader(Protocol):
    """Reads the events of one streamed answer."""

    def read(self, event: bytes) -> str:
        """The visible text of one event; updates the answer. Raises CallFailed."""
        ...


class Endpoint(Protocol):
    """One door of a model server."""

    name: str
    largest_bytes: int

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        ...

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads an answer that was not streamed. Raises CallFailed."""
        ...


class Wire(Endpoint, Protocol):
    """A door for conversations."""

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request."""
        ...

    def reader(self, answer: Answer) -> StreamReader:
        """A reader for a streamed answer that fills `answer`."""
        ...
