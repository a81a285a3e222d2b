"""Forms of what an owner gives to be read; they keep what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.forms import VersionedForm
from projects.portfolio.intake.pdf import CHARS
from projects.portfolio.schema.forms import ShapeField, area
from projects.portfolio.schema.shapes import words

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
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=FileInput(attrs={"accept": ".pdf,.docx,.md,.txt,application/pdf,text/*"}),
        help_text=_("A PDF, a Word document (.docx) or a plain text, up to 10 MB."),
    )
    text = forms.CharField(label=_("Or its text"), required=False, max_length=CHARS, widget=area(5))


class VoiceForm(_Giving):
    """Examples of how the owner talks."""

    text = forms.CharField(
        label=_("Examples"),
        max_length=CHARS,
        widget=area(6),
        help_text=_("USER: a question a visitor may ask. CHATBOT: what you would say to them."),
    )


class RepositoryForm(_Giving):
    """One repository: its address, or its README."""

    address = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=400,
        help_text=_("Such as https://github.com/mara/kiln, or mara/kiln."),
    )
    text = forms.CharField(
        label=_("Or its README"), required=False, max_length=README_CHARS, widget=area(4)
    )
    name = forms.CharField(
        label=_("What the entry is called"),
        required=False,
        max_length=200,
        help_text=_("Left empty, the README says."),
    )
    branch = forms.CharField(label=_("Branch"), required=False, max_length=200)
    companies = ShapeField(
        words(), label=_("Made at"), help_text=_("Companies, as your resume names them.")
    )


class ListForm(_Giving):
    """Several repositories at once."""

    text = forms.CharField(
        label=_("Repositories"),
        required=False,
        max_length=CHARS,
        widget=area(4),
        help_text=_("One on each line: owner/name or an address. Or the list as JSON."),
    )
    address = forms.CharField(
        label=_("Or the address of a list"),
        required=False,
        max_length=400,
        help_text=_("A gist, or JSON anywhere on the web."),
    )


class ChangedTextForm(_Giving):
    """The text that was read, put right."""

    text = forms.CharField(label=_("Text"), max_length=CHARS, widget=area(12))


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
