"""Forms of intake: what an owner gives to be read, and the fields of a draft by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from futura.errors import BadInput
from projects.portfolio.intake.drafts import KINDS, Draft
from projects.portfolio.intake.extract import CHARS
from projects.portfolio.intake.fetch import ADDRESS_CHARS
from projects.portfolio.models import Experience, Source
from projects.portfolio.schema.fields import check_span, tidied
from projects.portfolio.schema.forms import SchemaForm, area

README_CHARS: Final = 100_000
UNKNOWN = gettext_lazy("Not recognised")


def kind_choices() -> list[tuple[str, Any]]:
    """What a draft can be."""
    return [(name, kind.name) for name, kind in KINDS.items()]


class DraftForm(SchemaForm):
    """One draft. `kind` first; the fields are those of the kind that it has now."""

    def __init__(self, draft: Draft, data: Any = None) -> None:
        self.table = KINDS.get(draft.kind)
        fields = self.table.fields if self.table else ()
        initial = {
            field.name: field.shape.input_value(draft.values[field.name])
            for field in fields
            if field.name in draft.values
        }
        unsaid = {"experience_type": Experience.Type.OTHER}  # not the first of the list
        super().__init__(fields, data, initial={**unsaid, **initial, "kind": draft.kind})
        self.auto_id = f"{draft.key}_%s"
        choices = kind_choices() if draft.kind else [("", UNKNOWN), *kind_choices()]
        label = gettext_lazy("Kind")
        own = {name: field for name, field in self.fields.items() if name != "version"}
        self.fields = {"kind": forms.ChoiceField(label=label, choices=choices), **own}
        for name, field in self.fields.items():
            field.required = False
            if self.table and name in self.table.required:
                field.needed = _("required")  # type: ignore[attr-defined]
            if name in draft.unsure:
                field.help_text = _("Not certain: compare with the source.")

    def checked(self) -> dict[str, Any] | None:
        """What was typed, as the draft keeps it; None where it comes back with its faults."""
        if not self.is_valid():
            return None
        if self.table is None:
            return {}
        try:
            values = tidied(self.table.values, self.values())
            check_span(values)
        except BadInput as error:
            self.refuse(error)
            return None
        return values


def _field(label: Any, size: int = 200, hint: Any = "", *, rows: int = 0) -> forms.CharField:
    """A text that may be empty; on one line without `rows`."""
    widget = area(rows) if rows else None
    return forms.CharField(
        label=label, required=False, max_length=size, help_text=hint, widget=widget
    )


class GivenForm(forms.Form):
    """Base: `instead` is the source that could not be read, which what is given replaces."""

    instead = forms.UUIDField(required=False, widget=forms.HiddenInput)

    @classmethod
    def again(cls, source: Source) -> GivenForm:
        """The form for another try, with the address or the text as it was given."""
        initial: dict[str, Any] = {"instead": source.pk}
        if source.place.startswith("https://"):
            initial["address"] = source.place
        elif not source.place:  # it was pasted
            initial["text"] = source.text
        return cls(initial=initial)


class TextOrFileForm(GivenForm):
    """A resume or a profile: a file, the address of one or of a page, or its text."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".pdf,.docx,.md,.txt,application/pdf,text/*"}),
        help_text=gettext_lazy("PDF, Word document (.docx) or plain text, up to 10 MB."),
    )
    address = _field(
        gettext_lazy("Web address"),
        ADDRESS_CHARS,
        gettext_lazy("A web page, a PDF or a Word document on the web."),
    )
    text = _field(gettext_lazy("Text"), CHARS, rows=5)


class RepositoryForm(GivenForm):
    """A project: its address, or its README."""

    address = _field(
        gettext_lazy("Address"),
        ADDRESS_CHARS,
        gettext_lazy("A repository, for example mara/kiln, or a page about a project."),
    )
    text = _field(gettext_lazy("README"), README_CHARS, rows=4)


FORMS: Final[Mapping[str, type[GivenForm]]] = {
    "resume": TextOrFileForm,
    "profile": TextOrFileForm,
    "repository": RepositoryForm,
}
