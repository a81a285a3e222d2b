"""The gateway as features see it: one object per session and run, bound to its ledger rows."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt
from django.db import connections
from pydantic import BaseModel

from futura.errors import ModelUnavailable
from futura.llm import calls, checks, database, ledger, loop, media, redaction, stages, structured
from futura.llm.calls import Plan
from futura.llm.cancel import Cancelled, CancelToken, FirstWord, current_first_word
from futura.llm.protocols.shapes import ChatMessage
from futura.llm.tools import Tool, ToolEvent, Writer
from futura.llm.tools.loop import ToolLoop
from futura.threads import carried

__all__ = [
    "CancelToken",
    "Cancelled",
    "ChatMessage",
    "Llm",
    "Parallel",
    "each_side_by_side",
    "side_by_side",
]

ModelT = TypeVar("ModelT", bound=BaseModel)
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Llm:
    """Calls to the model for one session and run.

    Every call may raise ModelUnavailable (the rules take over) or Cancelled (nothing takes over).
    A call inside `transaction.atomic` or of an unknown stage is a programming error and raises
    CalledInsideTransaction or KeyError. While a call waits, this thread holds no connection to
    the database. No call outlasts `first_word`, the deadline of the turn it is made for.
    """

    session_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)
    first_word: FirstWord = field(default_factory=current_first_word, compare=False)
    _call_ids: set[str] = field(default_factory=set, compare=False, repr=False)

    @property
    def is_configured(self) -> bool:
        return stages.is_configured()

    def stream_text(
        self, stage: str, messages: Sequence[ChatMessage], *, prompt_version: str = ""
    ) -> Iterator[str]:
        """Text as it comes. A cut stream raises, it never ends as a short answer.

        The call starts with the first `next` and ends early when the iterator is closed.
        """
        plan, hides = self._plan(stage, prompt_version), self._redaction
        prompt = plan.prompt(redaction.hidden(hides, messages), is_stream=True)
        return redaction.shown_stream(hides, calls.stream(plan, prompt))

    def run_tools(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool[Any]],
        *,
        prompt_version: str = "",
        writer: Writer | None = None,
    ) -> Iterator[ToolEvent]:
        """An answer for which the model may call tools.

        At most 6 answers of the model and 12 calls, one after the other; an answer that reaches
        its limit is gone on with. `writer` takes the calls of tools that are `is_of_round`. What
        the model gets wrong (an unknown tool, bad arguments) is told to it. Nothing is asked again
        once a text was yielded or a tool that writes was begun. Where ModelUnavailable or Cancelled
        ends it, the events so far say what has been done.
        """
        plan = self._plan(stage, prompt_version)
        if self._redaction is not None:  # arguments and results would have to pass it, too
            raise ModelUnavailable(reason="redacted")
        return ToolLoop(plan, messages, tools, used_ids=self._call_ids, writer=writer).events()

    def structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        prompt_version: str = "",
        model: str = "",
        is_long: bool = False,
    ) -> ModelT:
        """One validated answer of the given schema; `model` in place of the stage's own.

        `is_long`: it will be longer than the stage allows, as an account of many things is.

        The prompt's version is the schema's `VERSION`, unless another one is given.

        Messages may have pictures. A server that cannot see refuses: ModelUnavailable with the
        reason `bad_request`; where words of the session are hidden, no picture leaves at all.
        """
        version = prompt_version or str(getattr(schema, "VERSION", ""))
        plan, hides = self._plan(stage, version, model), self._redaction
        if hides is not None and any(message.get("images") for message in messages):
            raise ModelUnavailable(reason="redacted")
        answer = structured.ask(plan, redaction.hidden(hides, messages), schema, is_long=is_long)
        return redaction.shown_model(hides, answer)

    def stream_structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        field: str,
        prompt_version: str = "",
    ) -> Iterator[str | ModelT]:
        """One text field of a structured answer as it comes, then the validated whole, last.

        `field` is its name in the schema. An answer that cannot be used is asked for again only
        while nothing of the field has been yielded; after that ModelUnavailable is raised.
        """
        plan, hides = self._plan(stage, prompt_version), self._redaction
        hidden = redaction.hidden(hides, messages)
        return redaction.shown_stream(hides, structured.stream_field(plan, hidden, schema, field))

    def checked(self, stage: str, *, used: int, refused: Mapping[str, int] | None = None) -> None:
        """Counts the items of an answer that were used, and those refused by reason.

        See `futura.llm.checks`, which has the reasons.
        """
        checks.count(stages.stage(stage).name, used=used, refused=refused or {})

    def moderate(self, text: str) -> bool:
        """Whether a text breaks the provider's rules; stage `moderation`.

        A server without moderation flags nothing. Any other failure raises ModelUnavailable.
        """
        plan, hides = self._plan("moderation"), self._redaction
        return media.moderate(plan, hides.hide(text) if hides else text)

    def embed(
        self, texts: Sequence[str], *, model: str = "", stage: str = "embedding"
    ) -> npt.NDArray[np.float32]:
        """Vectors `(len(texts), d)` float32, unit length, in batches."""
        plan, hides = self._plan(stage, model=model), self._redaction
        return media.embed(plan, [hides.hide(text) for text in texts] if hides else texts)

    def transcribe(self, audio: bytes, *, filename: str) -> str:
        """What was said in a recording; its kind is told by the file name."""
        return media.transcribe(self._plan("transcription"), audio, filename)

    @cached_property
    def _redaction(self) -> redaction.Redaction | None:
        """What hides words of this session from the model; asked for with its first call."""
        return redaction.redaction_of(self.session_id)

    def _plan(self, stage: str, prompt_version: str = "", model: str = "") -> Plan:
        values = stages.stage(stage)
        ledger.refuse_misuse()
        loop.client()  # what loading the SDK takes is not the server's time
        return Plan(
            values,
            self.cancel,
            self.first_word,
            session_id=self.session_id,
            run_id=self.run_id,
            prompt_version=prompt_version,
            model=model,
        )


def side_by_side(ask: Callable[[S], T], values: Sequence[S]) -> list[T]:
    """What `ask` gives for each value, in their order, the calls side by side.

    Raises what the first one that failed raised, when all have ended.
    """
    answers: list[T] = []
    for answer in each_side_by_side(ask, values):
        if isinstance(answer, ModelUnavailable):
            raise answer
        answers.append(answer)
    return answers


def each_side_by_side(
    ask: Callable[[S], T], values: Sequence[S], *, at_once: int = 8
) -> list[T | ModelUnavailable]:
    """The same with the reason in the place of each one that failed.

    Where a server answered some, the others are asked again, fewer at once, until it answers none
    of them: it had no room, one call tried whether it is back, or an answer was of no use.
    """

    def attempted(value: S) -> T | ModelUnavailable:
        try:
            return ask(value)
        except ModelUnavailable as error:
            return error

    if len(values) < 2:
        return [attempted(value) for value in values]
    database.refuse_inside_transaction()  # the threads would not see it
    database.release_connections()  # they need some, and this one waits
    with Parallel(min(len(values), at_once)) as pool:
        answers = [call() for call in [pool.start(partial(attempted, value)) for value in values]]
    again = [n for n, answer in enumerate(answers) if isinstance(answer, ModelUnavailable)]
    if len(again) == len(values):
        return answers
    later = each_side_by_side(ask, [values[place] for place in again], at_once=-(-at_once // 2))
    for place, answer in zip(again, later, strict=True):
        answers[place] = answer
    return answers


class Parallel:
    """Model calls in threads of their own; a context that is left only when all have ended."""

    def __init__(self, threads: int = 3) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="survey-turn")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def start(self, call: Callable[[], T]) -> Callable[[], T | ModelUnavailable]:
        """Begins a call; what is given back waits for its answer, or for the reason why the model
        gave none. Cancelled is raised there.
        """

        def attempted() -> T | ModelUnavailable:
            try:
                return call()
            except ModelUnavailable as error:
                return error
            finally:
                connections.close_all()

        # in a copy of this context, so that its log lines and spans belong to the turn
        return self._pool.submit(carried(attempted)).result
