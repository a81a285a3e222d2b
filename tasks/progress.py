"""What the margin of the talk shows: tasks of ten, parts of the work touched, words noted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from onet.groups import ActivityGroup
from tasks.interview.state import LEVELS, SurveyState

GOAL: Final = 10
"""Tasks that make a full picture (spec 1, exit conditions)."""


@dataclass(frozen=True)
class GroupProgress:
    """One group: its name, three ticks, the word for them."""

    label: str
    ticks: tuple[bool, ...]
    word: str


@dataclass(frozen=True)
class Progress:
    """The margin."""

    count: int
    ticks: tuple[bool, ...]
    groups: tuple[GroupProgress, ...]
    noted: tuple[str, ...]
    is_complete: bool

    @property
    def goal(self) -> int:
        """Tasks that make a full picture."""
        return GOAL


def progress_of(state: Mapping[str, Any]) -> Progress:
    """From a survey session's state as it is stored."""
    kept = SurveyState.model_validate(state)
    count = kept.estimated_task_count
    words = {"none": _("not yet"), "low": _("a little"), "medium": _("partly"), "high": _("well")}
    groups = []
    for group in ActivityGroup:
        level = kept.gwa_coverage.get(group, "none")
        on = LEVELS.index(level)
        groups.append(
            GroupProgress(str(group.label), tuple(p < on for p in range(3)), words[level])
        )
    return Progress(
        count=count,
        ticks=tuple(place < count for place in range(GOAL)),
        groups=tuple(groups),
        noted=tuple(kept.said),
        is_complete=kept.is_complete,
    )
