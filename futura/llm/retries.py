"""When to ask again, whom, and after how long."""

from __future__ import annotations

import random
import time

from django.conf import settings

from futura.errors import ModelUnavailable
from futura.llm import database
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.first_word import FirstWord
from futura.llm.outcomes import MODEL_RELATED, PASSING, CallFailed, Outcome
from futura.llm.stages import Stage

LONGEST_PAUSE_S = 4.0
# A person waits meanwhile: a server that asks for more than this is given up on.
LONGEST_RETRY_AFTER_S = 8.0
# A server that is not there at all is not there a second later either: asked again quickly.
ABSENT_SHARE = 0.25


class Plan:
    """The attempts of one call: at most `stage.attempts` per model, all within `total_s`.

    None is made or waited for once the turn's first word is late.
    """

    def __init__(
        self, stage: Stage, cancel: CancelToken, first_word: FirstWord, *, model: str = ""
    ) -> None:
        self.stage = stage
        self.cancel = cancel
        self.first_word = first_word
        self.models = [model or stage.model, *(stage.fallbacks if not model else ())]
        self.ends_at = time.monotonic() + stage.total_s
        self.number = 0
        self.is_final = False  # nothing may be made twice any more
        self._failures = 0

    @property
    def model(self) -> str:
        """The model to ask now."""
        return self.models[0]

    def renewed(self) -> Plan:
        """The same for the next call of a row of calls: fresh time, the model found to answer."""
        again = Plan(self.stage, self.cancel, self.first_word)
        again.models, again.is_final = list(self.models), self.is_final
        return again

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
                self._wait(pause_s, failure)
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

    def _wait(self, pause_s: float, failure: CallFailed) -> None:
        database.release_connections()
        if self.cancel.wait(pause_s):
            raise Cancelled from failure
