"""The form of one to-do, wherever it belongs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.operations.base import OperableModel
from projects import words
from projects.forms import TaskForm
from projects.models import Project


class TodoForm(TaskForm):
    """All of a to-do, and the project it belongs to."""

    project = forms.ChoiceField(label=_("Project"), required=False)

    def __init__(self, *args: Any, projects: Iterable[Project] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [(str(one.pk), one.name) for one in projects]
        self.fields["project"].choices = [("", _("None")), *own]  # type: ignore[attr-defined]
        self.fields["priority"].choices = list(words.PRIORITY.items())  # type: ignore[attr-defined]

    @classmethod
    def of(cls, row: OperableModel, **more: Any) -> TodoForm:
        """A form that shows a to-do as it is."""
        project = str(row.project_id or "")  # type: ignore[attr-defined]
        return cls(initial={**cls.initial_of(row), "project": project}, **more)

    def values(self) -> dict[str, Any]:
        """With the project's id, None for none."""
        values = super().values()
        if "project" in values:
            values["project"] = values["project"] or None
        return values
