"""One call and its attempts: when to ask again, whom, and after how long."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from futura.errors import ModelUnavailable
from futura.llm import database
from futura.llm.cancel import Cancelled, CancelToken, FirstWord
from futura.llm.outcomes import MODEL_RELATED, PASSING, CallFailed, Outcome
from futura.llm.protocols.shapes import Answer, ChatMessage, Prompt
from futura.llm.stages import Stage

LONGEST_PAUSE_S: Final = 4.0
# A person waits meanwhile: a server that asks for more than this is given up on.
LONGEST_RETRY_AFTER_S: Final = 8.0
# A server that is not there at all is not there a second later either: asked again quickly.
ABSENT_SHARE: Final = 0.25


@dataclass(frozen=True)
class Origin:
    """Whose call it is."""

    session_id: UUID | None = None
    run_id: UUID | None = None
    prompt_version: str = ""


class Plan:
    """The attempts of one call: at most `stage.attempts` per model, all within `total_s`.

    None is made or waited for once the turn's first word is late. `model` takes the place of the
    stage's models; `answer` is what has come of the present attempt.
    """

    def __init__(
        self,
        stage: Stage,
        cancel: CancelToken,
        first_word: FirstWord,
        origin: Origin = Origin(),
        *,
        model: str = "",
    ) -> None:
        self.stage = stage
        self.cancel = cancel
        self.first_word = first_word
        self.origin = origin
        self.models = [model] if model else [stage.model, *stage.fallbacks]
        self.answer = Answer()
        self.is_final = False  # nothing may be made twice any more
        self.renew()

    def renew(self) -> None:
        """Begins the next call of a row of calls: fresh time, the model that was seen to answer."""
        self.ends_at = time.monotonic() + self.stage.total_s
        self.number = self._failures = 0

    @property
    def model(self) -> str:
        """The model to ask now."""
        return self.models[0]

    def prompt(self, messages: Sequence[ChatMessage], *, is_stream: bool, **parts: Any) -> Prompt:
        """A prompt with the stage's values; `parts` are further fields of it."""
        origin = self.origin
        place = f"{self.stage.name} {origin.session_id or ''} {origin.prompt_version}"
        return Prompt(
            messages=messages,
            temperature=self.stage.temperature,
            max_output_tokens=self.stage.max_output_tokens,
            is_stream=is_stream,
            cache_key=hashlib.sha256(place.encode()).hexdigest()[:32],
            **parts,
        )

    def begin(self) -> int:
        """The number of the attempt that begins. Raises Cancelled, ModelUnavailable."""
        self.cancel.raise_if_cancelled()
        if self.first_word.is_late:
            raise ModelUnavailable(reason=Outcome.FIRST_TOKEN_TIMEOUT.value)
        self.number += 1
        return self.number

    def after(self, failure: CallFailed) -> None:
        """Returns when another attempt may be made; else raises ModelUnavailable or Cancelled."""
        if failure.outcome is Outcome.UNSUPPORTED:
            return
        if self.is_final:
            raise failure.broken_off from failure
        self._failures += 1
        if failure.outcome in PASSING and self._failures < self.stage.attempts:
            pause_s = self._pause(failure)
            if pause_s is not None:
                database.release_connections()
                if self.cancel.wait(pause_s):
                    raise Cancelled from failure
                return
        if failure.outcome in MODEL_RELATED and len(self.models) > 1 and self._left_s() > 0:
            self.models.pop(0)
            self._failures = 0
            return
        raise failure.unavailable from failure

    def _left_s(self) -> float:
        left_s, first_word_s = self.ends_at - time.monotonic(), self.first_word.left_s
        return left_s if first_word_s is None else min(left_s, first_word_s)

    def _pause(self, failure: CallFailed) -> float | None:
        """Seconds to wait; None when it is not worth waiting."""
        if failure.outcome is Outcome.UNREACHABLE and failure.took_long:
            return None
        backoff_s = min(settings.LLM_BACKOFF_S * 2 ** (self._failures - 1), LONGEST_PAUSE_S)
        if failure.outcome is Outcome.UNREACHABLE:
            backoff_s *= ABSENT_SHARE
        pause_s = backoff_s * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries, no secret
        if failure.retry_after_s is not None:
            if failure.retry_after_s > LONGEST_RETRY_AFTER_S:
                return None
            pause_s = max(pause_s, failure.retry_after_s)
        return pause_s if pause_s < self._left_s() else None
