"""What the scripted server does with a request: a step; and the script that lines steps up."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.scripted.requests import ScriptedRequest

Answer = str | Mapping[str, Any] | list[Any]
Computed = Answer | Callable[[ScriptedRequest], Answer]
Fault = Literal["", "cut", "stall", "silence", "failed", "incomplete", "refusal", "bytes", "status"]


@dataclass(frozen=True)
class ScriptedCall:
    """A tool call that the model makes; `arguments` may be a text that is no JSON."""

    name: str
    arguments: Mapping[str, Any] | str = ""
    id: str = ""

    @property
    def written(self) -> str:
        """The arguments as the model writes them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Step:
    """One answer, good or bad. `after` counts text pieces before the fault sets in."""

    answer: Computed = ""
    fault: Fault = ""
    after: int = 0
    is_clean: bool = False
    chunk_delay_s: float | None = None
    hurry: threading.Event | None = None
    first_delay_s: float = 0.0
    pieces: tuple[str, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    usage: Mapping[str, int] | None = None
    raw: bytes = b""
    calls: tuple[ScriptedCall, ...] = ()

    def text_for(self, request: ScriptedRequest) -> str:
        """The text that the model says."""
        answer = self.answer(request) if callable(self.answer) else self.answer
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


class Script:
    """The steps of one stage: each request takes the next, the last one stays.

    `scripted.on("response").status(429, retry_after=0).text("Hello")` refuses once, then answers.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._position = 0

    def next(self) -> Step:
        """The step for the next request."""
        step = self.steps[min(self._position, len(self.steps) - 1)]
        self._position += 1
        return step

    def _add(self, step: Step) -> Script:
        self.steps.append(step)
        return self

    def text(
        self,
        answer: Computed,
        *,
        chunk_delay_s: float | None = None,
        hurry: threading.Event | None = None,
        first_delay_s: float = 0.0,
        pieces: tuple[str, ...] = (),
        usage: Mapping[str, int] | None = None,
    ) -> Script:
        """Says a text (or what a function of the request returns), streamed in pieces.

        Once `hurry` is set, what is left of it comes at once.
        """
        return self._add(
            Step(
                answer,
                chunk_delay_s=chunk_delay_s,
                hurry=hurry,
                first_delay_s=first_delay_s,
                pieces=pieces,
                usage=usage,
            )
        )

    def json(self, answer: Computed, *, usage: Mapping[str, int] | None = None) -> Script:
        """Says a JSON value (or what a function of the request returns)."""
        return self._add(Step(answer, usage=usage))

    def calls(
        self,
        *calls: ScriptedCall,
        text: Computed = "",
        cut: bool = False,
        is_too_long: bool = False,
        usage: Mapping[str, int] | None = None,
        chunk_delay_s: float | None = None,
        hurry: threading.Event | None = None,
    ) -> Script:
        """Asks for tools, after some words perhaps; `cut` tears the stream within the last. One
        that `is_too_long` ends where its limit is reached: give the last call as a text without
        its end.

        With `chunk_delay_s` the arguments come in small pieces, of which those after the first wait
        for `hurry`.
        """
        fault: Fault = "cut" if cut else "incomplete" if is_too_long else ""
        step = Step(
            text, calls=calls, fault=fault, after=1_000_000, usage=usage,
            reason="max_output_tokens" if is_too_long else "",
            chunk_delay_s=chunk_delay_s, hurry=hurry,
        )  # fmt: skip
        return self._add(step)

    def call(self, name: str, arguments: Mapping[str, Any] | str = "") -> Script:
        """Asks for one tool."""
        return self.calls(ScriptedCall(name, arguments))

    def status(
        self,
        status: int,
        *,
        retry_after: float | None = None,
        message: str = "Scripted error.",
        code: str | None = None,
        param: str | None = None,
        kind: str = "scripted_error",
    ) -> Script:
        """Answers with an HTTP error."""
        headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
        error = {"message": message, "type": kind, "code": code, "param": param}
        return self._add(Step(fault="status", status=status, headers=headers, error=error))

    def refuse(self, words: str = "I cannot help with that.") -> Script:
        """The model refuses."""
        return self._add(Step(words, fault="refusal"))

    def empty(self) -> Script:
        """The model says nothing at all."""
        return self._add(Step(""))

    def cut(
        self, *, after: int = 2, text: Computed = "A text that never ends.", is_clean: bool = False
    ) -> Script:
        """The connection ends after some pieces: torn, or (`is_clean`) properly closed."""
        return self._add(Step(text, fault="cut", after=after, is_clean=is_clean))

    def stall(self, *, after: int = 0, text: Computed = "A text that stops coming.") -> Script:
        """Headers and some pieces come, then nothing; the connection stays open."""
        return self._add(Step(text, fault="stall", after=after))

    def silence(self) -> Script:
        """Takes the request and never sends a byte."""
        return self._add(Step(fault="silence"))

    def failed(
        self, *, after: int = 0, code: str = "server_error", text: Computed = "A text that fails."
    ) -> Script:
        """`response.failed` (an `error` chunk on the chat wire) after some pieces."""
        return self._add(Step(text, fault="failed", after=after, reason=code))

    def incomplete(
        self,
        *,
        after: int = 1,
        reason: str = "max_output_tokens",
        text: Computed = "A text that is too long for its limit.",
    ) -> Script:
        """`response.incomplete` (finish reason `length` or `content_filter`) after some pieces."""
        return self._add(Step(text, fault="incomplete", after=after, reason=reason))

    def truncated_json(self, answer: Mapping[str, Any], *, keep: int = 12) -> Script:
        """Complete by its own word, but the JSON breaks off after `keep` characters."""
        return self._add(Step(json.dumps(answer)[:keep]))

    def huge(self, size: int = 2_000_000) -> Script:
        """A text of that many bytes."""
        return self._add(Step("word " * (size // 5), chunk_delay_s=0, pieces=()))

    def invalid_utf8(self) -> Script:
        """Bytes that are no text."""
        return self._add(Step("", fault="bytes", raw=b"\xff\xfe\xc3\x28"))

    def blanks(self, size: int) -> Script:
        """That many blanks, and no answer."""
        return self._add(Step("", fault="bytes", raw=b" " * size))

    def garbled(self) -> Script:
        """Events that are no JSON."""
        return self._add(Step("", fault="bytes", raw=b'" and then {'))
