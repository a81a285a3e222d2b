"""First tasks of a new project: by the model, or by rules from what is said and what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from futura.llm.client import Llm
from futura.text import content_overlap
from projects.agent.create import prompts
from projects.agent.create.reading import in_words
from projects.agent.fencing import Fence
from projects.agent.toolbox import Picture
from projects.dimensions import DIMENSIONS, FIELDS

TASKS: Final = 5
BY_RULES: Final = 3

_OPEN: Final[Mapping[str, str | Promise]] = {
    "core_integrity_ideals": _("Write down what counts as done"),
    "core_people_bonds": _("List who is involved and who must be told"),
    "core_goals_momentum": _("Put a first date in the calendar"),
    "core_meaning_identity": _("Note in two sentences why this is worth doing"),
    "core_reality_understanding": _("Describe how things stand today"),
    "core_trust_safeguards": _("Name the biggest risk and what to do about it"),
    "core_opportunity_freedom": _("Compare two ways of doing it"),
    "core_power_resources": _("Work out the budget and the hours"),
    "core_harmony_integration": _("Fix a weekly look at how it is going"),
}
_TOLD: Final[Mapping[str, str | Promise]] = {
    "core_goals_momentum": _("Put the dates into a calendar"),
    "core_people_bonds": _("Tell everybody involved that it begins"),
    "core_power_resources": _("Check what is there and what has to be got"),
    "core_trust_safeguards": _("Decide how to notice the biggest risk early"),
    "core_integrity_ideals": _("Break the goal down into three steps"),
}


def first_tasks_with_model(picture: Picture, llm: Llm, fence: Fence) -> list[str]:
    """Titles that bring the list to five (seven at most). Raises ModelUnavailable."""
    said = [task.title for task in picture.tasks]
    found = llm.structured(
        "initial_tasks",
        prompts.first_task_messages(in_words(picture), said, fence),
        prompts.FirstTasks,
        prompt_version=prompts.FirstTasks.VERSION,
    )
    titles = [" ".join(one.title.split())[:160] for one in found.tasks]
    return _new(titles, said)[: max(0, TASKS - len(said)) or BY_RULES - 1]


def first_tasks_by_rules(picture: Picture, later: Sequence[str]) -> list[str]:
    """Up to three likely first steps: what was left open first, then what follows from the rest."""
    said = [task.title for task in picture.tasks]
    forced = [one.field for one in DIMENSIONS if one.is_always_asked]
    is_open = [field for field in FIELDS if field in later]
    is_open += [field for field in forced if field not in {*picture.covered, *later}]
    titles = [str(_OPEN[field]) for field in is_open]
    titles += [str(words) for field, words in _TOLD.items() if field in picture.covered]
    room = max(0, TASKS - len(said))
    return _new(titles, said)[: min(room, BY_RULES)]


def _new(titles: Sequence[str], said: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for title in titles:
        known = [*said, *kept]
        if title and all(content_overlap(title, other) < 0.6 for other in known):
            kept.append(title)
    return kept
