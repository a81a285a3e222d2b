"""Forms of intake: what an owner gives to be read, and the fields of a draft by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.forms import VersionedForm
from projects.portfolio.intake import periods
from projects.portfolio.intake.drafts import KINDS, LABELS, LISTS, MONTHS, TEXTS, Draft
from projects.portfolio.intake.pdf import CHARS
from projects.portfolio.schema.forms import ShapeField, area
from projects.portfolio.schema.shapes import words

UNKNOWN = gettext_lazy("Not recognised")


def kind_choices() -> list[tuple[str, Any]]:
    """What a draft can be."""
    return [(name, kind.name) for name, kind in KINDS.items()]


class DraftForm(forms.Form):
    """One draft. `kind` first; the fields are those of the kind that it has now."""

    kind = forms.ChoiceField(label=gettext_lazy("What it is"))

    def __init__(self, draft: Draft, data: Any = None) -> None:
        initial = {name: _shown(value) for name, value in draft.values.items()}
        super().__init__(data, initial={**initial, "kind": draft.kind}, auto_id=f"{draft.key}_%s")
        choices = kind_choices()
        self.fields["kind"].choices = choices if draft.kind else [("", UNKNOWN), *choices]  # type: ignore[attr-defined]
        self.fields["kind"].required = False
        for name in KINDS[draft.kind].fields if draft.kind in KINDS else ():
            self.fields[name] = _field(name, draft)

    def values(self) -> dict[str, Any]:
        """What was typed, by the names of the draft's values. Call after `is_valid`."""
        return {name: value for name, value in self.cleaned_data.items() if name != "kind"}

    def clean(self) -> dict[str, Any]:
        """Lists from lines, months from words; the end does not lie before the start."""
        told: dict[str, Any] = super().clean() or {}
        for name in set(told) & LISTS:
            told[name] = [line.strip() for line in told[name].splitlines() if line.strip()]
        for name in set(told) & MONTHS:
            month = periods.normalised(told[name]) or ""
            if told[name] and not month:
                self.add_error(name, _("Write a month as 2024-06, or a year as 2024."))
            told[name] = month
        start, end = told.get("started") or "", told.get("ended") or ""
        if start and end and end[: len(start)] < start[: len(end)]:
            self.add_error("ended", _("The end lies before the start."))
        return told


def _shown(value: Any) -> Any:
    return "\n".join(value) if isinstance(value, list) else value


def _field(name: str, draft: Draft) -> forms.Field:
    if name == "is_current":
        return forms.BooleanField(label=str(LABELS[name]), required=False)
    size = 20_000 if name in TEXTS else 400 if name in {"title", "live_url"} else 200
    field = forms.CharField(label=str(LABELS[name]), required=False, max_length=size)
    if name in TEXTS:
        rows = 1 if name == "summary" else 3
        field.widget = forms.Textarea(attrs={"rows": rows, "data-grow": True})
    if name in KINDS[draft.kind].required:
        field.needed = _("needed")  # type: ignore[attr-defined]
    if name in draft.unsure:
        field.help_text = _("Not sure: look at the source.")
    return field


README_CHARS: Final = 100_000


class FileInput(forms.ClearableFileInput):
    """A file, without the box that takes one away."""

    template_name = "django/forms/widgets/file.html"


class _Giving(VersionedForm):
    """Base: nothing here has a version."""

    version = None  # type: ignore[assignment]


class TextOrFileForm(_Giving):
    """A resume or a profile: a file, or its text."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        widget=FileInput(attrs={"accept": ".pdf,.docx,.md,.txt,application/pdf,text/*"}),
        help_text=gettext_lazy("A PDF, a Word document (.docx) or a plain text, up to 10 MB."),
    )
    address = forms.CharField(
        label=gettext_lazy("Or the address of its page"), required=False, max_length=400
    )
    text = forms.CharField(
        label=gettext_lazy("Or its text"), required=False, max_length=CHARS, widget=area(5)
    )


class VoiceForm(_Giving):
    """Examples of how the owner talks."""

    text = forms.CharField(
        label=gettext_lazy("Examples"),
        max_length=CHARS,
        widget=area(6),
        help_text=gettext_lazy(
            "USER: a question a visitor may ask. CHATBOT: what you would say to them."
        ),
    )


class RepositoryForm(_Giving):
    """One repository: its address, or its README."""

    address = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Such as https://github.com/mara/kiln, or mara/kiln."),
    )
    text = forms.CharField(
        label=gettext_lazy("Or its README"), required=False, max_length=README_CHARS, widget=area(4)
    )
    name = forms.CharField(
        label=gettext_lazy("What the entry is called"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Left empty, the README says."),
    )
    branch = forms.CharField(label=gettext_lazy("Branch"), required=False, max_length=200)
    companies = ShapeField(
        words(),
        label=gettext_lazy("Made at"),
        help_text=gettext_lazy("Companies, as your resume names them."),
    )


class ListForm(_Giving):
    """Several repositories at once."""

    text = forms.CharField(
        label=gettext_lazy("Repositories"),
        required=False,
        max_length=CHARS,
        widget=area(4),
        help_text=gettext_lazy("One on each line: owner/name or an address. Or the list as JSON."),
    )
    address = forms.CharField(
        label=gettext_lazy("Or the address of a list"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("A gist, or JSON anywhere on the web."),
    )


class ChangedTextForm(_Giving):
    """The text that was read, put right."""

    text = forms.CharField(label=gettext_lazy("Text"), max_length=CHARS, widget=area(12))


FORMS: Final[Mapping[str, type[_Giving]]] = {
    "resume": TextOrFileForm,
    "profile": TextOrFileForm,
    "repository": RepositoryForm,
    "list": ListForm,
    "voice": VoiceForm,
}


def empty_forms() -> dict[str, Any]:
    """One of each, with ids that do not meet."""
    return {name: form(auto_id=f"{name}_%s") for name, form in FORMS.items()}


def sent_form(name: str, data: Any, files: Any) -> Any:
    """The form that was sent."""
    return FORMS[name](data, files, auto_id=f"{name}_%s")
