"""The four steps in the masthead: which is here, which are behind, where they lead."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.models import SurveyResponse


@dataclass(frozen=True)
class Step:
    label: str
    done: bool
    current: bool
    url: str = ""


def steps(current: int, response: SurveyResponse | None = None) -> list[Step]:
    """The steps with `current` (0 to 3) marked; those behind it lead back once there is a talk."""
    labels = [_("Job title"), _("Questions"), _("Task list"), _("Submit")]
    urls = [""] * 4
    if response is not None:
        urls[1:] = [
            reverse(f"survey:{name}", args=[response.pk]) for name in ("chat", "tasks", "complete")
        ]
    return [
        Step(label, number < current, number == current, urls[number] if number < current else "")
        for number, label in enumerate(labels)
    ]
