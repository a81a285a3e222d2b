"""The model's tools: what it may call, who decides whether it may, and the loop that does it."""

from futura.llm.tools.events import (
    Answered,
    Call,
    CallDrafted,
    CallFinished,
    CallStarted,
    CallStatus,
    Finished,
    TextDelta,
    ToolEvent,
)
from futura.llm.tools.kinds import (
    AwaitReview,
    Decision,
    Job,
    Policy,
    Refuse,
    Run,
    Tool,
    ToolRejected,
    Writer,
    run_all,
)

__all__ = [
    "Answered",
    "AwaitReview",
    "Call",
    "CallDrafted",
    "CallFinished",
    "CallStarted",
    "CallStatus",
    "Decision",
    "Finished",
    "Job",
    "Policy",
    "Refuse",
    "Run",
    "TextDelta",
    "Tool",
    "ToolEvent",
    "ToolRejected",
    "Writer",
    "run_all",
]
