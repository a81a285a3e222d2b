"""What the margin of the talk shows: how much of a week is told, which parts, words noted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from onet.groups import ActivityGroup
from tasks.interview.state import LEVELS, SurveyState

TICKS: Final = 10


@dataclass(frozen=True)
class GroupProgress:
    """One group: its name, three ticks, the word for them."""

    label: str
    ticks: tuple[bool, ...]
    word: str


@dataclass(frozen=True)
class Progress:
    """The margin; `week_percent` is None, and there are no ticks, where nothing can be said."""

    count: int
    week_percent: int | None
    ticks: tuple[bool, ...]
    groups: tuple[GroupProgress, ...]
    noted: tuple[str, ...]
    is_complete: bool


def progress_of(state: Mapping[str, Any]) -> Progress:
    """From a survey session's state as it is stored."""
    stored = SurveyState.model_validate(state)
    percent = stored.week_percent
    words = {"none": _("not yet"), "low": _("a little"), "medium": _("partly"), "high": _("well")}
    groups = []
    for group in ActivityGroup:
        level = stored.gwa_coverage.get(group, "none")
        on = LEVELS.index(level)
        groups.append(
            GroupProgress(str(group.label), tuple(p < on for p in range(3)), words[level])
        )
    return Progress(
        count=stored.estimated_task_count,
        week_percent=percent,
        ticks=() if percent is None else tuple(n * TICKS < percent for n in range(TICKS)),
        groups=tuple(groups),
        noted=tuple(stored.said),
        is_complete=stored.is_complete,
    )
