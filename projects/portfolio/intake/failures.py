"""Every way in which reading a source fails or passes over something: a code, and what to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from futura.errors import BadInput, ModelUnavailable, Unavailable


class Code(StrEnum):
    """The codes of spec 3, section 3.6, and below the line those that it leaves out."""

    EMPTY_README = "PREPROCESS_EMPTY_README"
    README_TRUNCATED = "PREPROCESS_README_TRUNCATED"
    PDF_UNREADABLE = "PREPROCESS_PDF_UNREADABLE"
    PDF_EMPTY = "PREPROCESS_PDF_EMPTY"
    PROFILE_REQUIRED = "PREPROCESS_PROFILE_REQUIRED"
    GIST_UNAVAILABLE = "PREPROCESS_GIST_UNAVAILABLE"
    REPO_NOT_FOUND = "PREPROCESS_REPO_NOT_FOUND"

    LLM_RATE_LIMIT = "PREPROCESS_LLM_RATE_LIMIT"
    LLM_TIMEOUT = "PREPROCESS_LLM_TIMEOUT"
    LLM_INVALID_RESPONSE = "PREPROCESS_LLM_INVALID_RESPONSE"
    LLM_REFUSED = "PREPROCESS_LLM_REFUSED"

    EMBED_RATE_LIMIT = "PREPROCESS_EMBED_RATE_LIMIT"
    EMBED_TIMEOUT = "PREPROCESS_EMBED_TIMEOUT"
    EMBED_DIMENSION_MISMATCH = "PREPROCESS_EMBED_DIMENSION_MISMATCH"

    NO_PROJECTS = "PREPROCESS_NO_PROJECTS"
    NO_RESUME = "PREPROCESS_NO_RESUME"
    INCOMPLETE_EMBEDDINGS = "PREPROCESS_INCOMPLETE_EMBEDDINGS"

    # not in the spec
    CONFIG_INVALID = "PREPROCESS_CONFIG_INVALID"
    GIST_INVALID = "PREPROCESS_GIST_INVALID"
    VOICE_INVALID = "PREPROCESS_VOICE_INVALID"
    ADDRESS_REFUSED = "PREPROCESS_ADDRESS_REFUSED"
    LLM_UNAVAILABLE = "PREPROCESS_LLM_UNAVAILABLE"
    LLM_UNGROUNDED = "PREPROCESS_LLM_UNGROUNDED"
    EMBED_UNAVAILABLE = "PREPROCESS_EMBED_UNAVAILABLE"
    PAGE_UNAVAILABLE = "PREPROCESS_PAGE_UNAVAILABLE"
    COMPANY_NOT_FOUND = "PREPROCESS_COMPANY_NOT_FOUND"
    RESUME_UNREAD = "PREPROCESS_RESUME_UNREAD"
    PARTLY_READ = "PREPROCESS_PARTLY_READ"
    TOO_MANY = "PREPROCESS_TOO_MANY"


class PreprocessError(BadInput):
    """A source that cannot be read; it ends a run of the command, and nothing of that is stored.

    `retry_helps` where the cause lies outside.
    """

    def __init__(self, code: Code, message: str, *, retry_helps: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.failure = code
        self.reason = message
        self.retry_helps = retry_helps


class Skipped(PreprocessError):
    """One item that a run of the command leaves out, with a warning, and goes on."""


@dataclass(frozen=True)
class Warned:
    """What was left out, cut or not found, and of which item."""

    code: Code
    item: str
    message: str

    def __str__(self) -> str:
        return f"{self.code} ({self.item}): {self.message}"


class Retries(BaseModel):
    """How often and after how long a failed call is made again."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)

    max_retries: int = Field(3, ge=0, le=10)
    retry_delay_ms: int = Field(1000, ge=0, le=60_000)
    retry_backoff_multiplier: float = Field(2, ge=1, le=10)


T = TypeVar("T")

TIMEOUTS: Final = frozenset({"first_token_timeout", "idle_timeout", "total_timeout"})
# the gateway has had it repaired once by then, which is the one retry of the spec
INVALID: Final = frozenset({"wrong_schema", "malformed", "empty", "truncated", "too_large"})
# a server that limits the rate, is not there, or in trouble, may be back in a moment
PASSING: Final = TIMEOUTS | {
    *("rate_limited", "unreachable", "server_error", "cut", "failed", "circuit_open")
}
Stage = Literal["LLM", "EMBED"]


def answered(what: str, call: Callable[[], T], retries: Retries, stage: Stage = "LLM") -> T:
    """A model's answer, asked for again where that may help; `stage` begins the code of a failure.

    Raises Skipped when it refused, PreprocessError when there is none.
    """
    pause_s, left = retries.retry_delay_ms / 1000, retries.max_retries
    while True:
        try:
            return call()
        except ModelUnavailable as error:
            if not left or error.reason not in PASSING:
                raise _unanswered(what, error.reason, stage) from error
        except Unavailable as error:
            raise PreprocessError(Code[f"{stage}_UNAVAILABLE"], str(error)) from error
        time.sleep(pause_s)
        pause_s, left = pause_s * retries.retry_backoff_multiplier, left - 1


def _unanswered(what: str, reason: str, stage: Stage) -> PreprocessError:
    values = {"what": what, "reason": reason}
    if reason == "refused":
        return Skipped(Code.LLM_REFUSED, _("%(what)s: the model refused to read it.") % values)
    if reason in INVALID and stage == "LLM":
        message = _("%(what)s: the model's answer could not be used.")
        return PreprocessError(Code.LLM_INVALID_RESPONSE, message % values)
    if reason == "rate_limited":
        code = "RATE_LIMIT"
        message = _("%(what)s: the model's provider limits the rate. Try again later.")
    elif reason in TIMEOUTS:
        code, message = "TIMEOUT", _("%(what)s: the model did not answer in time. Try again later.")
    else:
        code = "UNAVAILABLE"
        message = _("%(what)s: the model cannot be used (%(reason)s). Try again later.")
    return PreprocessError(Code[f"{stage}_{code}"], message % values, retry_helps=True)
