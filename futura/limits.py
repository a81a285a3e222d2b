"""Every size and rate that a person can run into, in one place (DECISIONS 22, DESIGN 10)."""

from __future__ import annotations

from typing import Final

from futura.errors import BadInput, TooLong

JOB_TITLE_CHARS: Final = 200
SURVEY_MESSAGE_CHARS: Final = 10_000
TASK_STATEMENT_CHARS: Final = 500
AI_TOOLS_CHARS: Final = 300
SOCKET_FRAME_BYTES: Final = 64 * 1024
REQUEST_BODY_BYTES: Final = 1024 * 1024
AUDIO_BYTES: Final = 20 * 1024 * 1024
MESSAGES_PER_MINUTE: Final = 30
RUNS_PER_PERSON: Final = 4


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot keep: NUL, and halves of surrogate pairs."""
    return text.replace("\x00", "").encode(errors="ignore").decode()


def required_text(text: object, *, limit: int, field: str) -> str:
    """The text without outer blanks.

    Raises BadInput when it is no text or empty, TooLong when over `limit` characters.
    """
    if not isinstance(text, str):
        raise BadInput("Text is expected here.", field=field)
    cleaned = storable(text).strip()
    if not cleaned:
        raise BadInput("Please write something first.", field=field)
    if len(cleaned) > limit:
        raise TooLong(limit=limit, length=len(cleaned), field=field)
    return cleaned
