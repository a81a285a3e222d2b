"""The kinds of records that a portfolio has: what each is called, which fields it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Experience,
    Persona,
    Profile,
    Skill,
)
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.entry import PRIVATE
from projects.portfolio.schema.shapes import (
    choice,
    exchanges,
    line,
    lines,
    links,
    month,
    paragraphs,
    prose,
    rows,
    tick,
    words,
)
from projects.portfolio.schema.tables import Field, Text, Values, values_model

TYPES: Final[Mapping[str, Any]] = {
    Experience.Type.FULL_TIME: _("Employment"),
    Experience.Type.INTERNSHIP: _("Internship"),
    Experience.Type.CONTRACT: _("Contract"),
    Experience.Type.FREELANCE: _("Freelance"),
    Experience.Type.VOLUNTEER: _("Volunteering"),
    Experience.Type.OTHER: _("Other"),
}
CREDENTIALS: Final[Mapping[str, Any]] = {
    Credential.Kind.PUBLICATION: _("Publication"),
    Credential.Kind.CERTIFICATE: _("Certificate"),
    Credential.Kind.LANGUAGE: _("Language"),
}


@dataclass(frozen=True)
class Kind:
    """One kind. `prefix` begins the ids of its rows, which are made of `names`; without one a
    portfolio has a single row of it.
    """

    slug: str
    entity: str
    model: type[Belonging]
    name: Text
    add: Text
    none: Text
    fields: tuple[Field, ...]
    values: type[Values]
    titles: tuple[str, ...]  # fields that name a row
    prefix: str = ""
    names: tuple[str, ...] = ()
    is_short: bool = False

    @property
    def is_single(self) -> bool:
        """A portfolio has one row of it, or none."""
        return not self.prefix


_SINCE: Final = _("For example 2021-03 or 2021.")
_UNTIL: Final = _("Leave empty if it is current.")
_EACH: Final = _("One per line.")
_COMMAS: Final = _("Separate with commas.")
_SPAN: Final = (
    Field("started", month(), pgettext_lazy("date", "Start"), _SINCE),
    Field("ended", month(), _("End"), _UNTIL),
)
PROFILE: Final = (
    Field("full_name", line(200), _("Full name"), is_required=True),
    Field("headline", line(300), _("Headline"), _("One line about what you do.")),
    Field("location", line(200), _("Location")),
    Field("current_role", line(200), _("Current role")),
    Field("about", paragraphs(), _("About"), _("Separate paragraphs with an empty line.")),
    Field("top_skills", words(), _("Top skills"), _COMMAS),
    Field("social_links", links(), _("Links"),
          _("One per line: name, address and an optional note.")),
    Field("private_contact", lines(), _("Email addresses and phone numbers"), PRIVATE,
          is_private=True),
)  # fmt: skip
EXPERIENCE: Final = (
    Field("company", line(200), _("Company or organisation"), is_required=True),
    Field("title", line(200), _("Position")),
    Field("location", line(200), _("Location")),
    *_SPAN,
    Field("is_current", tick(), _("Current position")),
    Field("experience_type", choice(TYPES), _("Kind")),
    Field("summary", prose(), _("Summary")),
    Field("bullets", lines(rows=5), _("Highlights"), _EACH),
    Field("skills", words(), _("Skills"), _COMMAS),
    Field("impact", prose(rows=2), _("Outcome")),
    Field("size_or_scope", prose(rows=2), _("Size"),
          _("For example: a team of four, nine countries.")),
    Field("linked_entries", rows(), _("Related entries")),
    Field("private_notes", prose(rows=2), _("Private notes"), PRIVATE, is_private=True),
)  # fmt: skip
EDUCATION: Final = (
    Field("institution", line(200), _("School or university"), is_required=True),
    Field("degree", line(200), _("Degree"), _("For example: MSc.")),
    Field("field", line(200), _("Subject"), _("For example: ceramics.")),
    *_SPAN,
    Field("summary", prose(), _("Summary")),
    Field("bullets", lines(), _("Details"), _EACH),
    Field("skills", words(), _("Skills"), _COMMAS),
)
AWARD: Final = (
    Field("title", line(200), _("Award"), is_required=True),
    Field("issuer", line(200), _("Awarded by")),
    Field("date", month(), _("Date"), _SINCE),
    Field("summary", prose(), _("Description")),
    Field("bullets", lines(), _("Details"), _EACH),
    Field("skills", words(), _("Skills"), _COMMAS),
)
CREDENTIAL: Final = (
    Field("kind", choice(CREDENTIALS), _("Kind")),
    Field("title", line(400), _("Title or language"), is_required=True),
    Field("issuer", line(200), _("Publisher or issuer")),
    Field("date", month(), _("Date"), _SINCE),
    Field("level", line(60), _("Level"), _("For languages, for example: native, C1.")),
    Field("summary", prose(rows=2), _("Details")),
)
SKILL: Final = (
    Field("name", line(120), _("Skill"), is_required=True),
    Field("category", line(60), _("Kind"), _("For example: language, tool, craft.")),
    Field("summary", prose(rows=2), _("Level and experience")),
)
PERSONA: Final = (
    Field("short_about", line(400), _("Introduction"), _("One or two lines."),
          is_required=True),
    Field("system_persona", prose(rows=5), _("Description of the speaker"),
          _("The model reads this before every answer."), is_required=True),
    Field("style_guidelines", lines(), _("Writing style"), _EACH),
    Field("voice_examples", exchanges(), _("Voice examples"),
          _("One question and one answer each, as “USER: …” and “CHATBOT: …”.")),
)  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = {
    kind.slug: kind
    for kind in (
        Kind(
            "profile", "portfolio_profile", Profile,
            _("Profile"), _("Add profile"),
            _("No profile yet. It tells visitors who you are and what you do."),
            PROFILE, values_model("ProfileFields", PROFILE), ("full_name",),
        ),
        Kind(
            "experience", "portfolio_experience", Experience,
            _("Experience"), _("Add position"),
            _("No positions yet. Add them from a resume or one by one."),
            EXPERIENCE, values_model("ExperienceFields", EXPERIENCE), ("title", "company"),
            prefix="exp", names=("company", "started"),
        ),
        Kind(
            "education", "portfolio_education", Education,
            _("Education"), _("Add education"),
            _("No education yet. Add it from a resume or one by one."),
            EDUCATION, values_model("EducationFields", EDUCATION), ("institution",),
            prefix="edu", names=("institution", "degree"),
        ),
        Kind(
            "awards", "portfolio_award", Award,
            _("Awards"), _("Add award"),
            _("No awards yet. Add them from a resume or one by one."),
            AWARD, values_model("AwardFields", AWARD), ("title",),
            prefix="award", names=("title",), is_short=True,
        ),
        Kind(
            "credentials", "portfolio_credential", Credential,
            _("Publications, certificates, languages"),
            _("Add publication, certificate or language"),
            _("No publications, certificates or languages yet. "
              "Add them from a resume or one by one."),
            CREDENTIAL, values_model("CredentialFields", CREDENTIAL), ("title",),
            prefix="cred", names=("title",), is_short=True,
        ),
        Kind(
            "skills", "portfolio_skill", Skill,
            _("Skills"), _("Add skill"),
            _("No skills yet. Add them from a resume or one by one."),
            SKILL, values_model("SkillFields", SKILL), ("name",),
            prefix="skill", names=("name",), is_short=True,
        ),
        Kind(
            "persona", "portfolio_persona", Persona,
            _("Voice"), _("Describe your voice"),
            _("No voice yet. It is created from your profile, or you describe it yourself."),
            PERSONA, values_model("PersonaFields", PERSONA), ("short_about",),
        ),
    )
}  # fmt: skip
BY_ENTITY: Final = {kind.entity: kind for kind in KINDS.values()}
