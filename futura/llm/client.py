"""The gateway as features see it: one object per session and run, bound to its ledger rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from futura.errors import ModelUnavailable
from futura.llm.cancel import Cancelled, CancelToken

__all__ = ["CancelToken", "Cancelled", "ChatMessage", "Llm"]

ModelT = TypeVar("ModelT", bound=BaseModel)


class ChatMessage(TypedDict):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Llm:
    """Calls to the model for one session and run; every method may raise ModelUnavailable."""

    session_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)

    @property
    def is_configured(self) -> bool:
        """Whether a key or an address of a server is set at all."""
        return False

    def stream_text(
        self, stage: str, messages: Sequence[ChatMessage], *, prompt_version: str = ""
    ) -> Iterator[str]:
        """Text as it comes. A cut stream raises, it never ends as a short answer."""
        raise ModelUnavailable(reason="not_configured")

    def structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        prompt_version: str = "",
    ) -> ModelT:
        """One validated answer of the given schema."""
        raise ModelUnavailable(reason="not_configured")

    def embed(self, texts: Sequence[str], *, model: str) -> npt.NDArray[np.float32]:
        """Vectors `(len(texts), d)`, unit length."""
        raise ModelUnavailable(reason="not_configured")

    def transcribe(self, audio: bytes, *, filename: str) -> str:
        """What was said in a recording."""
        raise ModelUnavailable(reason="not_configured")
