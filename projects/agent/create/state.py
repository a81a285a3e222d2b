"""What a creating conversation remembers."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from projects.agent.state import AgentState
from projects.agent.update.state import UpdateMemory

SIMPLE_AT_MOST: Final = 4  # relevant dimensions
QUESTIONS_SIMPLE: Final = 5
QUESTIONS_COMPLEX: Final = 10
SUGGEST_FINISH_FROM: Final = 5


class Asked(BaseModel):
    """A question that was put: about which dimension, in which words."""

    field: str
    text: str
    is_probe: bool = False


class CreateState(AgentState):
    """`current` is the dimension that the last question was about; `later` were left open.

    `wanted` are dimensions that the person asked to be asked about; `previewed` is the mark of the
    draft that was shown for confirmation.
    """

    asked: list[Asked] = Field(default_factory=list)
    current: str = ""
    later: list[str] = Field(default_factory=list)
    probed: list[str] = Field(default_factory=list)
    wanted: list[str] = Field(default_factory=list)
    has_asked_for_more: bool = False
    has_suggested_finish: bool = False
    has_first_tasks: bool = False
    previewed: str = ""
    is_extra: bool = False  # the open question was asked for; the preview comes after it
    update: UpdateMemory = Field(default_factory=UpdateMemory)

    @property
    def is_simple(self) -> bool:
        """Up to four relevant dimensions."""
        return len(self.dimensions_detected) <= SIMPLE_AT_MOST

    @property
    def question_limit(self) -> int:
        """How many questions may be asked without being asked for."""
        return QUESTIONS_SIMPLE if self.is_simple else QUESTIONS_COMPLEX
