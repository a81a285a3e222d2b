"""What goes to a model server and comes back, in terms that both protocols share; light parsing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NotRequired, TypedDict

import orjson

from futura.characters import clean_json, cleaned
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.schema import Format

# No stage asks for more than a few thousand tokens; what is larger is not an answer.
LARGEST_ANSWER_BYTES = 1_000_000
MOST_TOKENS: Final = 10_000_000  # of one call: several times what the largest models read
FormatKind = Literal["json_schema", "json_object", "words"]
THOUGHTS: Final = "<think>"
THOUGHTS_END: Final = "</think>"
FENCE: Final = "```"
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


@dataclass
class AskedCall:
    """A tool call as the model asks for it; `arguments` is what it wrote so far, JSON or not."""

    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def sound_arguments(self) -> str:
        """The arguments, or an empty object: servers choke on their own model's broken JSON."""
        try:
            values = orjson.loads(self.arguments)
        except orjson.JSONDecodeError:
            return "{}"
        return self.arguments if isinstance(values, dict) else "{}"


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
class Prompt:
    """One question to a model; `tools` are functions as both protocols describe them."""

    messages: Sequence[ChatMessage]
    temperature: float | None
    max_output_tokens: int
    is_stream: bool
    format: Format | None = None
    tools: Sequence[Mapping[str, Any]] = ()
    rounds: Sequence[Round] = ()
    may_call: bool = True
    reasoning: str = ""

    @property
    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if self.temperature is not None:
            options["temperature"] = self.temperature
        if self.is_stream:
            options["stream"] = True
        if self.tools:
            options["tool_choice"] = "auto" if self.may_call else "none"
        return options

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
    """What a server says was used, in the words of its protocol for what was asked and written.

    None where it says nothing, or figures that no call can have: then the cost is estimated.
    """
    usage = mapping(value)
    if f"{asked}_tokens" not in usage:
        return None
    counts = (
        usage.get(f"{asked}_tokens"),
        mapping(usage.get(f"{asked}_tokens_details")).get("cached_tokens"),
        usage.get(f"{written}_tokens"),
        mapping(usage.get(f"{written}_tokens_details")).get("reasoning_tokens"),
    )
    tokens = [0 if item is None else item for item in counts]
    if any(not isinstance(item, int) or not 0 <= item <= MOST_TOKENS for item in tokens):
        return None
    return Usage(*tokens)


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
    drafts: dict[int, AskedCall] = field(default_factory=dict)
    thoughts: list[Mapping[str, Any]] = field(default_factory=list)
    result: Any = None
    has_begun: bool = False  # something of the answer has come, be it a call without words
    unsaid: str | None = ""  # what came before it is known whether thoughts come first
    is_unmarked: bool = False  # thoughts come first whose opening tag the server cuts

    def without_thoughts(self, text: str, *, is_last: bool) -> str:
        """What there is to say now that `text` has come: thoughts in a tag before it are left out.

        Local models begin so where their server does not take the tag apart.
        """
        if self.unsaid is None:
            return text
        begun = (self.unsaid + text).lstrip()
        is_object = begun.startswith("{")  # which may well write of the tags
        if self.is_unmarked and not is_object and not THOUGHTS.startswith(begun[: len(THOUGHTS)]):
            before, end, _rest = begun.partition(THOUGHTS_END)
            is_ordinary = THOUGHTS in before  # it writes of the tags
            if not (end or is_ordinary):
                self.is_unmarked = not (is_last and self.end == "completed")
                if self.is_unmarked:  # what breaks off among thoughts has said nothing yet
                    self.unsaid += text
                    return ""
            begun = THOUGHTS + begun if end and not is_ordinary else begun
        if begun.startswith(THOUGHTS):
            thoughts, end, rest = begun.removeprefix(THOUGHTS).partition(THOUGHTS_END)
            rest = rest.lstrip()
            self.unsaid = None if rest else THOUGHTS + (end or thoughts[-len(THOUGHTS_END) :])
            return rest
        whole = self.unsaid + text
        is_open = THOUGHTS.startswith(begun) and not is_last
        self.unsaid = whole if is_open else None
        return "" if is_open else whole

    @property
    def calls(self) -> list[AskedCall]:
        """Those that it asks for, in order; texts of their arguments are clean."""
        drafts = [self.drafts[place] for place in sorted(self.drafts)]
        return [replace(draft, arguments=clean_json(draft.arguments)) for draft in drafts]


def is_unmarked(text: str) -> bool:
    """Whether an answer begins with thoughts whose opening tag is not there: the closing one has a
    line of its own, and stands neither in an object or HTML nor in code that is shown.
    """
    before, end, rest = text.partition(THOUGHTS_END)
    is_alone = bool(end) and before[-1:] in {"", "\n"} and rest.lstrip(" \t\r")[:1] == "\n"
    is_shown = THOUGHTS in before or before.count(FENCE) % 2 == 1
    return is_alone and not is_shown and before.lstrip()[:1] not in {"<", "{"}


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One address of a model server, below its base.

    `read` takes an event, or an answer that came in one piece, into an `Answer` and gives the
    visible text it holds; it raises CallFailed.
    """

    name: str
    path: str
    read: Callable[[bytes, Answer], str]
    largest_bytes: int = LARGEST_ANSWER_BYTES


@dataclass(frozen=True, kw_only=True)
class ChatProtocol(Endpoint):
    """An endpoint for conversations; `body` writes the request."""

    body: Callable[[str, Prompt, FormatKind], dict[str, Any]]


# Reading --------------------------------------------------------------------------------------
# What has to be in the bytes of a payload for one of its texts not to be clean.
NUL: Final = b"\\u0000"
SURROGATE: Final = b"\\ud"


class Events:
    """Splits a byte stream into the data of server-sent events."""

    def __init__(self) -> None:
        self._rest = b""
        self._lines: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that this chunk completes."""
        events: list[bytes] = []
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._lines.append(line[5:].removeprefix(b" "))
            elif not line and self._lines:
                events.append(b"\n".join(self._lines))
                self._lines = []
        return events


def parsed(payload: bytes) -> dict[str, Any]:
    """A JSON object whose texts are clean; CallFailed (malformed) for anything else.

    Everything that a model says passes here: texts, names, ids, arguments of tools as written.
    """
    try:
        if NUL in payload or SURROGATE in payload.lower():  # of which orjson reads no half
            content = cleaned(json.loads(payload))
        else:
            content = orjson.loads(payload)
    except (ValueError, RecursionError) as error:
        raise CallFailed(Outcome.MALFORMED, "not JSON") from error
    if not isinstance(content, dict):
        raise CallFailed(Outcome.MALFORMED, "not a JSON object")
    return content


def mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[dict[str, Any]]:
    """The objects of a list, else nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def words(content: object) -> str:
    """What is said; some servers give it in parts, with their thoughts among them."""
    texts = [content, *(part.get("text") for part in items(content))]
    return "".join(text for text in texts if isinstance(text, str))


def count(value: object) -> int:
    """A whole number; 0 where the server gives none."""
    return value if isinstance(value, int) else 0
