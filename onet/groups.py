"""The four top groups of O*NET's generalized work activities, and the levels of covering them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _


class ActivityGroup(models.TextChoices):
    """Values are the names the JSON API uses (spec 1, GWA categories)."""

    INFORMATION_INPUT = "informationInput", _("Information input")
    MENTAL_PROCESSES = "mentalProcesses", _("Mental processes")
    WORK_OUTPUT = "workOutput", _("Work output")
    INTERACTING = "interactingWithOthers", _("Interacting with others")


GROUP_OF_ELEMENT: Final = {
    "4.A.1": ActivityGroup.INFORMATION_INPUT,
    "4.A.2": ActivityGroup.MENTAL_PROCESSES,
    "4.A.3": ActivityGroup.WORK_OUTPUT,
    "4.A.4": ActivityGroup.INTERACTING,
}
"""Content Model element prefix → group (O*NET 30.x Content Model Reference)."""


def group_of(element_id: str) -> ActivityGroup:
    """Group of a work activity such as `4.A.2.b.1`; raises KeyError outside 4.A.1 to 4.A.4."""
    return GROUP_OF_ELEMENT[element_id[:5]]


def groups_of(element_ids: Iterable[str]) -> tuple[ActivityGroup, ...]:
    """Groups of work activities in the order of the activities, each once."""
    return tuple(dict.fromkeys(group_of(element_id) for element_id in element_ids))
