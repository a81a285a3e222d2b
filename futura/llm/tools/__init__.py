"""The model's tools: what it may call, and the loop in which they answer."""

from futura.llm.tools.kinds import (
    Answered,
    Call,
    CallDrafted,
    CallFinished,
    CallStatus,
    Job,
    TextDelta,
    Tool,
    ToolEvent,
    ToolRejected,
    Writer,
)

__all__ = [
    "Answered",
    "Call",
    "CallDrafted",
    "CallFinished",
    "CallStatus",
    "Job",
    "TextDelta",
    "Tool",
    "ToolEvent",
    "ToolRejected",
    "Writer",
]
