"""Every way in which preprocessing fails or passes over something: a code, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from futura.errors import BadInput


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
    INVALID_LINKS = "PREPROCESS_INVALID_LINKS"
    INCOMPLETE_EMBEDDINGS = "PREPROCESS_INCOMPLETE_EMBEDDINGS"

    # not in the spec
    CONFIG_INVALID = "PREPROCESS_CONFIG_INVALID"
    GIST_INVALID = "PREPROCESS_GIST_INVALID"
    VOICE_INVALID = "PREPROCESS_VOICE_INVALID"
    ADDRESS_REFUSED = "PREPROCESS_ADDRESS_REFUSED"
    LLM_UNAVAILABLE = "PREPROCESS_LLM_UNAVAILABLE"
    LLM_UNGROUNDED = "PREPROCESS_LLM_UNGROUNDED"
    EMBED_UNAVAILABLE = "PREPROCESS_EMBED_UNAVAILABLE"
    COMPANY_NOT_FOUND = "PREPROCESS_COMPANY_NOT_FOUND"
    RESUME_UNREAD = "PREPROCESS_RESUME_UNREAD"
    TOO_MANY = "PREPROCESS_TOO_MANY"


class PreprocessError(BadInput):
    """Ends the run; nothing of it is kept. `retry_helps` where the cause lies outside."""

    def __init__(self, code: Code, message: str, *, retry_helps: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.failure = code
        self.reason = message
        self.retry_helps = retry_helps


class Skipped(Exception):
    """One item is left out, with a warning; the run goes on."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.failure = code
        self.reason = message


@dataclass(frozen=True)
class Warned:
    """What was left out, cut or not found, and of which item."""

    code: Code
    item: str
    message: str

    def __str__(self) -> str:
        return f"{self.code} ({self.item}): {self.message}"
