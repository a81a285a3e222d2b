"""The engine's doors over HTTP, for forms and scripts alike."""

from chat.views.messages import edit, rate, remove, reword
from chat.views.turns import (
    claim,
    continue_run,
    draft,
    regenerate,
    retry_run,
    send,
    stop,
    stop_run,
    transcribe,
)

__all__ = [
    "claim",
    "continue_run",
    "draft",
    "edit",
    "rate",
    "regenerate",
    "remove",
    "retry_run",
    "reword",
    "send",
    "stop",
    "stop_run",
    "transcribe",
]
