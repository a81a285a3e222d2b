"""Forms of the records of a portfolio; fields are named as the models'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from chat.operations.base import OperableModel
from projects.forms import VersionedForm
from projects.portfolio.models import Credential, Entry, Experience
from projects.portfolio.records.fields import (
    Exchanges,
    Lines,
    Links,
    Month,
    Paragraphs,
    Words,
    area,
    choices_of,
)

TYPES: Final = {
    Experience.Type.FULL_TIME: _("Employed"),
    Experience.Type.INTERNSHIP: _("Internship"),
    Experience.Type.CONTRACT: _("Contract"),
    Experience.Type.FREELANCE: _("Freelance"),
    Experience.Type.OTHER: _("Other, such as volunteering"),
}
CREDENTIALS: Final = {
    Credential.Kind.PUBLICATION: _("Publication"),
    Credential.Kind.CERTIFICATE: _("Certificate"),
    Credential.Kind.LANGUAGE: _("Language"),
}
PRIVATE: Final = _("Private: never shown, never searched, never sent to a model.")


def text(label: Any, size: int, **more: Any) -> forms.CharField:
    """One line."""
    return forms.CharField(label=label, max_length=size, **{"required": False, **more})


def prose(label: Any, rows: int = 3, **more: Any) -> forms.CharField:
    """Several lines."""
    return forms.CharField(
        label=label, max_length=20_000, widget=area(rows), **{"required": False, **more}
    )


class RecordForm(VersionedForm):
    """Base: shows a row as it is, gives its values back by the names of the model."""

    private: Sequence[str] = ()
    beside: Sequence[str] = ("ended", "field")

    @classmethod
    def of(cls, row: OperableModel | None, **more: Any) -> RecordForm:
        """A form that shows a row, or an empty one."""
        initial = {}
        if row is not None:
            initial = {
                name: getattr(row, name) for name in [*cls.base_fields] if name != "linked_entries"
            }
            if "linked_entries" in cls.base_fields:
                keys = row.linked_entries.values_list("pk", flat=True)  # type: ignore[attr-defined]
                initial["linked_entries"] = [str(one) for one in keys]
        return cls(initial=initial, **more)

    def values(self) -> dict[str, Any]:
        """What was sent of this form's fields. Call after `is_valid`."""
        ticked = {"is_current", "linked_entries"} & set(self.fields)
        sent = {name for name in self.fields if self.add_prefix(name) in self.data} | ticked
        return {
            name: self.cleaned_data[name]
            for name in self.fields
            if name in sent and name != "version"
        }

    def lines(self) -> list[list[forms.BoundField]]:
        """The fields as they stand below each other; the bounds of a span beside each other."""
        found: list[list[forms.BoundField]] = []
        for field in self:
            if field.name in self.beside and found:
                found[-1].append(field)
            else:
                found.append([field])
        return found


class ExperienceForm(RecordForm):
    """A position."""

    private = ("private_notes",)

    company = text(_("Company or organisation"), 200, required=True)
    title = text(_("What you were there"), 200)
    location = text(_("Where"), 200)
    started = Month(label=_("From"), help_text=_("Such as 2021-03, or 2021."))
    ended = Month(label=_("Until"), help_text=_("Empty while it goes on."))
    is_current = forms.BooleanField(label=_("It goes on"), required=False)
    experience_type = forms.ChoiceField(label=_("Kind"), choices=[*TYPES.items()], required=False)
    summary = prose(_("In short"))
    bullets = Lines(label=_("What you did"), help_text=_("One thing on each line."), rows=5)
    skills = Words(label=_("Skills used there"), help_text=_("Words between commas."))
    impact = prose(_("What came of it"), 2)
    size_or_scope = prose(_("Size"), 2, help_text=_("Such as: a team of four, nine countries."))
    linked_entries = forms.MultipleChoiceField(
        label=_("Entries that were made there"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "tick"}),
    )
    private_notes = prose(_("Notes to yourself"), 2, help_text=PRIVATE)

    def __init__(self, *args: Any, entries: Sequence[Entry] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if entries:
            self.fields["linked_entries"].choices = choices_of(entries)  # type: ignore[attr-defined]
        else:
            del self.fields["linked_entries"]

    def values(self) -> dict[str, Any]:
        """Without a kind when none was chosen."""
        values = super().values()
        if not values.get("experience_type"):
            values.pop("experience_type", None)
        return values

    def clean(self) -> dict[str, Any]:
        """The end does not lie before the start; what goes on has none."""
        told: dict[str, Any] = super().clean() or {}
        _check_span(self, told)
        if told.get("is_current") and told.get("ended"):
            self.add_error("ended", _("It goes on: leave the end empty, or take the tick away."))
        return told


class EducationForm(RecordForm):
    """A course of study."""

    institution = text(_("School or university"), 200, required=True)
    degree = text(_("Degree"), 200, help_text=_("Such as: MSc."))
    field = text(_("In what"), 200, help_text=_("Such as: ceramics."))
    started = Month(label=_("From"), help_text=_("Such as 2014-09, or 2014."))
    ended = Month(label=_("Until"), help_text=_("Empty while it goes on."))
    summary = prose(_("In short"))
    bullets = Lines(label=_("More about it"), help_text=_("One thing on each line."))
    skills = Words(label=_("What you learned"), help_text=_("Words between commas."))

    def clean(self) -> dict[str, Any]:
        """The end does not lie before the start."""
        told: dict[str, Any] = super().clean() or {}
        _check_span(self, told)
        return told


class AwardForm(RecordForm):
    """A prize."""

    title = text(_("Award"), 200, required=True)
    issuer = text(_("Given by"), 200)
    date = Month(label=_("When"), help_text=_("Such as 2019-05, or 2019."))
    summary = prose(_("What for"))
    bullets = Lines(label=_("More about it"), help_text=_("One thing on each line."))
    skills = Words(label=_("Skills it shows"), help_text=_("Words between commas."))


class CredentialForm(RecordForm):
    """A publication, a certificate or a language."""

    kind = forms.ChoiceField(label=_("Kind"), choices=[*CREDENTIALS.items()])
    title = text(_("Title or language"), 400, required=True)
    issuer = text(_("Published or given by"), 200)
    date = Month(label=_("When"), help_text=_("Such as 2019-05, or 2019."))
    level = text(_("Level"), 60, help_text=_("Of a language, such as: native, C1."))
    summary = prose(_("More about it"), 2)


class SkillForm(RecordForm):
    """A tool, a language, a field."""

    name = text(_("Skill"), 120, required=True)
    category = text(_("Kind"), 60, help_text=_("Such as: language, tool, craft."))
    summary = prose(_("How well, and since when"), 2)


class ProfileForm(RecordForm):
    """Who the owner is."""

    private = ("private_contact",)

    full_name = text(_("Full name"), 200, required=True)
    headline = text(_("Headline"), 300, help_text=_("One line that says what you do."))
    location = text(_("Where you are"), 200)
    current_role = text(_("What you do now"), 200)
    about = Paragraphs(
        label=_("About"), help_text=_("Paragraphs, with an empty line between them."), rows=6
    )
    top_skills = Words(label=_("Known for"), help_text=_("Words between commas."))
    social_links = Links(
        label=_("Links"), help_text=_("One on each line: a name, the address, a remark if wanted.")
    )
    private_contact = Lines(label=_("Mail addresses and telephone numbers"), help_text=PRIVATE)


class PersonaForm(RecordForm):
    """How the owner speaks."""

    short_about = text(
        _("How you introduce yourself"), 400, required=True, help_text=_("One or two lines.")
    )
    system_persona = prose(
        _("Who is speaking"), 5, required=True, help_text=_("Told to the model before it answers.")
    )
    style_guidelines = Lines(label=_("How you write"), help_text=_("One thing on each line."))
    voice_examples = Exchanges(
        label=_("Examples of your voice"),
        help_text=_("USER: a question. CHATBOT: your answer, as you would say it."),
        rows=6,
    )


def _check_span(form: forms.Form, told: dict[str, Any]) -> None:
    start, end = told.get("started") or "", told.get("ended") or ""
    if start and end and end[: len(start)] < start[: len(end)]:
        form.add_error("ended", _("The end lies before the start."))


def words_of(entity_form: type[RecordForm], name: str) -> str:
    """A field in words."""
    field = entity_form.base_fields.get(name)
    return str(field.label) if field is not None and field.label else str(capfirst(name))
