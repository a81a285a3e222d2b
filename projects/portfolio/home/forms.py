"""Forms of a portfolio as a whole; they keep what was typed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.forms import RowForm
from projects.portfolio.models import Portfolio

SLUG = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
KINDS = [
    (Portfolio.Kind.INDIVIDUAL, _("One person")),
    (Portfolio.Kind.TEAM, _("A team")),
    (Portfolio.Kind.ORGANIZATION, _("An organisation")),
]


class PortfolioForm(RowForm):
    """Who speaks, in which field, under which address."""

    owner_name = forms.CharField(
        label=_("Whose work it shows"), max_length=200, help_text=_("A person, or a group.")
    )
    domain_label = forms.CharField(
        label=_("What you are"),
        max_length=120,
        help_text=_("In a few words, such as: software engineer, illustrator, research group."),
    )
    pronouns = forms.CharField(
        label=_("Pronouns"), max_length=60, required=False, help_text=_("Such as: she/her.")
    )
    kind = forms.ChoiceField(
        label=_("Who answers visitors"), choices=KINDS, help_text=_("As “I”, or as “we”.")
    )
    slug = forms.RegexField(
        SLUG,
        label=_("Address of the public page"),
        max_length=80,
        required=False,
        help_text=_("Lower-case letters, digits and hyphens. Left empty, it is made of the name."),
        error_messages={"invalid": _("Use lower-case letters, digits and single hyphens.")},
    )

    def values(self) -> dict[str, Any]:
        """Without an address when none was written."""
        values = super().values()
        if not values.get("slug"):
            values.pop("slug", None)
        return values


class SettingsForm(PortfolioForm):
    """The same of a portfolio that is there, and what only its owner reads."""

    private_notes = forms.CharField(
        label=_("Notes to yourself"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3, "data-grow": True}),
        help_text=_("Private: never shown, never searched, never sent to a model."),
    )
