"""Wishes that stand already: told instead of written once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from projects.agent.closing import FIELDS, value_in_words
from projects.agent.doubles import same_title
from projects.agent.toolbox import Picture
from projects.language.changes import ProposedChange
from projects.models import DraftTask, Project, ProjectDraft, Task


def without_standing(
    found: Sequence[ProposedChange], picture: Picture
) -> tuple[list[ProposedChange], list[str]]:
    """What is really new, and in words what stands already."""
    fresh, told = [], []
    for one in found:
        words = _standing(one, picture)
        if words:
            told.append(words)
        else:
            fresh.append(one)
    return fresh, told


def _standing(one: ProposedChange, picture: Picture) -> str:
    if one.kind == "new_task":
        title = str(one.values.get("title", ""))
        same = next((task for task in picture.tasks if _is_same(title, task)), None)
        return _("“%(title)s” is on the list already.") % {"title": same.title} if same else ""
    if one.kind == "project":
        return _as_it_is(picture.row, one.values, _("The project"))
    task = next((task for task in picture.tasks if task.pk == one.id), None)
    if one.kind == "task" and task is not None:
        return _as_it_is(task, one.values, f"“{task.title}”")
    return ""


def _is_same(title: str, task: Task | DraftTask) -> bool:
    is_open = not isinstance(task, Task) or task.status in Task.ACTIVE
    return is_open and same_title(title, task.title)


def _as_it_is(
    row: Project | ProjectDraft | Task | DraftTask, values: Mapping[str, Any], name: str
) -> str:
    """“The project: end date is 30 September already.”"""
    plain = {key: value for key, value in values.items() if key in FIELDS and key != "depends_on"}
    if not plain or len(plain) != len(values):
        return ""
    if any(str(getattr(row, key, None)) != str(value) for key, value in plain.items()):
        return ""
    told = ", ".join(f"{FIELDS[key]} {value_in_words(value)}" for key, value in plain.items())
    return _("%(name)s has that already: %(what)s.") % {"name": name, "what": told}
