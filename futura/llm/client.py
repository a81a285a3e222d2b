"""The gateway as features see it: one object per session and run, bound to its ledger rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from futura.llm import admission, calls, media, stages, structured
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.ledger import Origin
from futura.llm.retries import Plan
from futura.llm.wires.shapes import ChatMessage, Prompt

__all__ = ["CancelToken", "Cancelled", "ChatMessage", "Llm"]

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True)
class Llm:
    """Calls to the model for one session and run.

    Every call may raise ModelUnavailable (the rules take over) or Cancelled (nothing takes over).
    A call inside `transaction.atomic` or of an unknown stage is a programming error and raises
    CalledInsideTransaction or KeyError. While a call waits, this thread holds no connection to
    the database.
    """

    session_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)

    @property
    def is_configured(self) -> bool:
        """Whether a key or an address of a server is set at all."""
        return admission.is_configured()

    def stream_text(
        self, stage: str, messages: Sequence[ChatMessage], *, prompt_version: str = ""
    ) -> Iterator[str]:
        """Text as it comes. A cut stream raises, it never ends as a short answer.

        The call starts with the first `next` and ends early when the iterator is closed.
        """
        plan = self._plan(stage)

        def prompt_for(model: str) -> Prompt:
            return Prompt(
                model=model,
                messages=messages,
                temperature=plan.stage.temperature,
                max_output_tokens=plan.stage.max_output_tokens,
                is_stream=True,
            )

        return calls.stream(plan, prompt_for, self._origin(prompt_version))

    def structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        prompt_version: str = "",
    ) -> ModelT:
        """One validated answer of the given schema."""
        return structured.ask(self._plan(stage), messages, schema, self._origin(prompt_version))

    def embed(
        self, texts: Sequence[str], *, model: str = "", dimensions: int | None = None
    ) -> npt.NDArray[np.float32]:
        """Vectors `(len(texts), d)` float32, unit length, in batches; stage `embedding`."""
        plan = self._plan("embedding", model)
        return media.embed(plan, texts, self._origin(""), dimensions=dimensions)

    def transcribe(self, audio: bytes, *, filename: str) -> str:
        """What was said in a recording; its kind is told by the file name."""
        return media.transcribe(self._plan("transcription"), audio, filename, self._origin(""))

    def _plan(self, stage: str, model: str = "") -> Plan:
        found = stages.stage(stage)
        admission.refuse_misuse()
        return Plan(found, self.cancel, model=model)

    def _origin(self, prompt_version: str) -> Origin:
        return Origin(self.session_id, self.run_id, prompt_version)
