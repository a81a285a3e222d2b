"""Forms of the project pages: they keep what was typed; the commands judge it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from django import forms
from django.db.models import Manager, Model
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _, pgettext

from chat.operations.dialogs import TagsField
from chat.operations.registry import OperableModel
from futura.errors import FuturaError
from projects import dimensions, field_labels, from_survey
from projects.checks import DAYS
from projects.commands.todo_changes import before_words, repeat_words
from projects.models import Project, TaskFields

REPEATS: Final = (
    "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2",
    "FREQ=MONTHLY", "FREQ=YEARLY",
)  # fmt: skip
BEFORE: Final = ("0", "10", "60", "1440")  # minutes
PICKERS: Final[Mapping[type[forms.Field], tuple[str, str]]] = {
    forms.DateField: ("date", "%Y-%m-%d"),
    forms.TimeField: ("time", "%H:%M"),
    forms.DateTimeField: ("datetime-local", "%Y-%m-%dT%H:%M"),
}


class OpenChoiceField(forms.ChoiceField):
    """The usual values, and the one that stands there; the command judges what was sent."""

    def valid_value(self, value: str) -> bool:  # noqa: ARG002
        return True


def _field(
    name: str, kind: type[forms.Field] = forms.CharField, *, rows: int = 0, **more: Any
) -> forms.Field:
    options: dict[str, Any] = {"label": field_labels.FIELDS.get(name), "required": False, **more}
    if rows:
        options["widget"] = forms.Textarea(attrs={"rows": rows, "data-grow": True})
    if kind in PICKERS:
        picker, shape = PICKERS[kind]
        options["widget"] = forms.DateTimeInput(format=shape, attrs={"type": picker})
    return kind(**options)


def _tags() -> forms.Field:
    return _field("tags", TagsField, help_text=_("Separate tags with commas"))


def _days(name: str) -> forms.Field:
    return _field(name, forms.DecimalField, min_value=0, max_value=DAYS)


def _choice(name: str, words: Mapping[str, Any]) -> forms.ChoiceField:
    label = field_labels.FIELDS[name]
    return forms.ChoiceField(label=label, required=False, choices=list(words.items()))


class VersionedForm(forms.Form):
    """Base: `version` is the one that the row had when the form was opened; fields are named as the
    model's, but for those in `columns`.
    """

    columns: ClassVar[Mapping[str, str]] = {}

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def seen(self) -> int | None:
        """The version that was on the page; None when the page named none."""
        return self.cleaned_data.get("version")

    def renew(self, row: OperableModel, left: Collection[str] = ()) -> None:
        """A form that comes back after a clash saves over the row as it is, which it shows in the
        fields that were `left` alone.
        """
        self.data = data = self.data.copy()  # type: ignore[attr-defined]
        data[self.add_prefix("version")] = row.version
        for name, value in self.shown(row).items() if left else ():
            if self.columns.get(name, name) in left:
                is_many = isinstance(self.fields[name], forms.MultipleChoiceField)
                data.setlist(self.add_prefix(name), value if is_many else [value])

    def shown(self, row: Any) -> dict[str, Any]:  # noqa: ARG002
        """What the fields show of a row."""
        return {}

    def refuse(self, error: FuturaError) -> None:
        self.add_error(error.field if error.field in self.fields else None, str(error))


class RowForm(VersionedForm):
    """Base: fields of a row's."""

    @classmethod
    def of(cls, row: OperableModel, **more: Any) -> Self:
        """A form that shows a row as it is."""
        return cls(initial=cls.shown(row), **more)

    @classmethod
    def shown(cls, row: Any) -> dict[str, Any]:
        names = {name: cls.columns.get(name, name) for name in cls.base_fields}
        names |= {name: name for name in dimensions.FIELDS if hasattr(row, name)}
        return {name: _initial(getattr(row, column)) for name, column in names.items()
                if hasattr(row, column)}  # fmt: skip

    def values(self) -> dict[str, Any]:
        """What was sent of the row's fields. A choice that was left empty is null where there is
        an empty one to choose, and else was not sent. Call after `is_valid`.
        """
        sent = {name for name in self.fields if self.add_prefix(name) in self.data}
        sent |= {"depends_on"} & set(self.fields)
        values: dict[str, Any] = {}
        for name in (name for name in self.fields if name in sent - {"version", "todos"}):
            value, choices = self.cleaned_data[name], getattr(self.fields[name], "choices", ())
            if value == "" and choices:
                if "" not in dict(choices):
                    continue
                value = None
            values[self.columns.get(name, name)] = value
        return values

    def refuse(self, error: FuturaError) -> None:
        names = {column: name for name, column in self.columns.items()}
        field = names.get(error.field or "", error.field)
        self.add_error(field if field in self.fields else None, str(error))


def _phrase(words_of: Callable[[Any], str], value: Any, none: str) -> str:
    return none if value in (None, "") else capfirst(words_of(value))


def _initial(value: Any) -> Any:
    if isinstance(value, Manager):  # of rows that it waits for
        return [str(key) for key in value.values_list("pk", flat=True)]
    if isinstance(value, Model):
        return str(value.pk)
    return value


class ProjectForm(RowForm):
    """Name, description, dates, tags: the head of a project or draft."""

    name = _field("name", required=True)
    description = _field("description", rows=3)
    start_date = _field("start_date", forms.DateField)
    end_date = _field("end_date", forms.DateField)
    tags = _tags()


class EditProjectForm(ProjectForm):
    """The head of a project, and what was written around the dimensions."""

    status = _choice("status", field_labels.PROJECT_STATUS)
    executive_summary = _field("executive_summary", rows=3)
    context = _field("context", rows=4)


class WholeForm(ProjectForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {
            dimension.field: _field(
                dimension.field, rows=3, label=str(dimension.name), help_text=str(dimension.about)
            )
            for dimension in dimensions.DIMENSIONS
        }

    def dimension_rows(self) -> Sequence[forms.BoundField]:
        return [self[name] for name in dimensions.FIELDS]


class NewProjectForm(WholeForm):
    """A whole project on one page, what is known of it; to-dos one on each line."""

    todos = _field("todos", rows=3, label=_("First to-dos"), help_text=_("One per line"))

    def titles(self) -> list[str]:
        """The to-dos that were written, without marks of lists."""
        lines = str(self.cleaned_data.get("todos", "")).splitlines()
        return [title for line in lines if (title := line.strip().lstrip("-*•").strip())]


class DraftForm(WholeForm):
    name = _field("name")


class DimensionForm(VersionedForm):
    """The text of one dimension, and where it goes when something stands there."""

    content = _field("text", rows=6)
    merge = forms.ChoiceField(
        required=False,
        choices=[
            ("replace", _("Replace the text")),
            ("append", _("Add after the text")),
            ("prepend", _("Add before the text")),
        ],
    )

    def refuse(self, error: FuturaError) -> None:
        self.add_error("content", str(error))


class WaitingForm(RowForm):
    """Base: what the row waits for, chosen among `others`."""

    depends_on = forms.MultipleChoiceField(
        label=field_labels.FIELDS["depends_on"], required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, others: Iterable[TaskFields] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(str(row.pk), row.title) for row in others]
        self.fields["depends_on"].choices = named  # type: ignore[attr-defined]


class TodoForm(WaitingForm):
    """A to-do."""

    title = _field("title", required=True)
    details = _field("details", rows=3)
    status = _choice("status", field_labels.TASK_STATUS)
    priority = _choice("priority", field_labels.PRIORITY)
    start_date = _field("start_date", forms.DateField)
    due_date = _field("due_date", forms.DateField)
    due_time = _field("due_time", forms.TimeField)
    estimate_low_days = _days("estimate_low_days")
    estimate_high_days = _days("estimate_high_days")
    assignee = _field(
        "assignee", widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"})
    )
    tags = _tags()
    repeat = OpenChoiceField(label=field_labels.FIELDS["repeat"], required=False)
    remind_minutes = OpenChoiceField(label=field_labels.FIELDS["remind_minutes"], required=False)
    remind_at = _field("remind_at", forms.DateTimeField)
    project = forms.ChoiceField(label=_("Project"), required=False)

    def __init__(self, *args: Any, projects: Iterable[Project] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [(str(project.pk), project.name) for project in projects]
        self.fields["project"].choices = [("", _("No project")), *own]  # type: ignore[attr-defined]
        none = pgettext("repeat", "None")
        repeats = [(rule, _phrase(repeat_words, rule, none)) for rule in self._with("repeat")]
        self.fields["repeat"].choices = repeats  # type: ignore[attr-defined]
        none = pgettext("reminder", "None")
        self.fields["remind_minutes"].choices = [  # type: ignore[attr-defined]
            (key, _phrase(before_words, int(key) if key else None, none))
            for key in self._with("remind_minutes")
        ]

    def _with(self, name: str) -> list[str]:
        value = self[name].value()
        usual = ["", *(REPEATS if name == "repeat" else BEFORE)]
        there = "" if value is None else str(value)
        is_other = there not in usual and (name == "repeat" or there.isdigit())
        return [*usual, there] if is_other else usual


class DraftTaskForm(WaitingForm):
    title = TodoForm.base_fields["title"]
    details = TodoForm.base_fields["details"]
    due_date = TodoForm.base_fields["due_date"]
    due_time = TodoForm.base_fields["due_time"]
    assignee = TodoForm.base_fields["assignee"]


class NoteForm(RowForm):
    columns = {"content": "text"}

    title = _field("title")
    content = _field("text", rows=4, required=True)


class FinishForm(VersionedForm):
    """What is asked of a project that is completed: only what it has."""

    time_share = _field(
        "", label=_("Its share of your working time now, in percent"), required=True
    )
    open_todos = forms.ChoiceField(
        choices=[
            ("", _("Keep them open")),
            ("completed", _("Complete them")),
            ("dropped", _("Drop them")),
        ],
        required=False,
    )

    def __init__(self, *args: Any, project: Project, todos: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not project.survey_task:
            del self.fields["time_share"]
        if not todos:
            del self.fields["open_todos"]

    def values(self) -> dict[str, Any]:
        """What the command takes. Raises BadInput."""
        asked = self.cleaned_data
        values: dict[str, Any] = {"status": Project.Status.COMPLETED}
        if "time_share" in asked:
            values["time_share_after"] = from_survey.share_of(asked["time_share"])
        return values | {"open_todos": asked.get("open_todos") or None}
