"""What a creating conversation remembers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from projects.modes.state import AgentState
from projects.modes.update.state import UpdateMemory


class Asked(BaseModel):
    """A question that was put: about which dimension, in which words."""

    field: str
    text: str
    is_probe: bool = False


class CreateState(AgentState):
    """`current` is the dimension that the last question was about; `later` were left open.

    `requested` are dimensions that the person asked to be asked about; `previewed` is the mark of
    the draft that was shown for confirmation.
    """

    asked: list[Asked] = Field(default_factory=list)
    current: str = ""
    later: list[str] = Field(default_factory=list)
    probed: list[str] = Field(default_factory=list)
    requested: list[str] = Field(default_factory=list)
    has_asked_for_more: bool = False
    has_first_tasks: bool = False
    previewed: str = ""
    is_extra: bool = False  # the open question was asked for; the preview comes after it
    update: UpdateMemory = Field(default_factory=UpdateMemory)
