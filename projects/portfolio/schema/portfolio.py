"""The fields of a portfolio as a whole: who speaks, in which field, under which address."""

from __future__ import annotations

import re
from typing import Annotated, Final

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import BeforeValidator

from projects.portfolio.models import Portfolio
from projects.portfolio.models.portfolio import VISITORS_OWN
from projects.portfolio.schema.entry import PRIVATE
from projects.portfolio.schema.shapes import Shape, choice, line, prose, wrong
from projects.portfolio.schema.tables import Field, values_model

_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _slug(value: object) -> str:
    text = str(value).strip()
    if text and not _SLUG.fullmatch(text):
        raise wrong(gettext("Use lower-case letters, digits and single hyphens."))
    return text


LANGUAGES: Final = {**dict(settings.LANGUAGES), VISITORS_OWN: _("Each visitor's own")}
FIELDS: Final = (
    Field("owner_name", line(200), _("Name"),
          _("Your name, or the name of your team or organisation."), is_required=True),
    Field("domain_label", line(120), _("Profession or field"),
          _("For example: software engineer, illustrator, research group."),
          is_required=True),
    Field("pronouns", line(60), _("Pronouns"), _("For example: she/her.")),
    Field("kind", choice({
        Portfolio.Kind.INDIVIDUAL: _("One person"),
        Portfolio.Kind.TEAM: _("A team"),
        Portfolio.Kind.ORGANIZATION: _("An organisation"),
    }), _("Owner"), _("Answers say “I” for a person, “we” for a team or an organisation.")),
    Field("slug", Shape(Annotated[str, BeforeValidator(_slug)], size=80),
          _("Address of the public page"),
          _("Lower-case letters, digits and hyphens. Leave empty to use the name.")),
    Field("language", choice(LANGUAGES), _("Language of the public page"),
          _("A visitor can choose another one.")),
)  # fmt: skip
NOTES: Final = Field("private_notes", prose(), _("Private notes"), PRIVATE)
PortfolioFields: Final = values_model("PortfolioFields", (*FIELDS, NOTES))
