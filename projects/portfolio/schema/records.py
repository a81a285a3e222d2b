"""The kinds of records that a portfolio has: what each is called, which fields it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

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
    Experience.Type.FULL_TIME: _("Employed"),
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


_SINCE: Final = _("Such as 2021-03, or 2021.")
_UNTIL: Final = _("Empty while it goes on.")
_EACH: Final = _("One thing on each line.")
_COMMAS: Final = _("Words between commas.")
_SPAN: Final = (
    Field("started", month(), _("From"), _SINCE),
    Field("ended", month(), _("Until"), _UNTIL),
)
PROFILE: Final = (
    Field("full_name", line(200), _("Full name"), is_required=True),
    Field("headline", line(300), _("Headline"), _("One line that says what you do.")),
    Field("location", line(200), _("Where you are")),
    Field("current_role", line(200), _("What you do now")),
    Field("about", paragraphs(), _("About"), _("Paragraphs, with an empty line between them.")),
    Field("top_skills", words(), _("Known for"), _COMMAS),
    Field("social_links", links(), _("Links"),
          _("One on each line: a name, the address, a remark if wanted.")),
    Field("private_contact", lines(), _("Mail addresses and telephone numbers"), PRIVATE,
          is_private=True),
)  # fmt: skip
EXPERIENCE: Final = (
    Field("company", line(200), _("Company or organisation"), is_required=True),
    Field("title", line(200), _("What you were there")),
    Field("location", line(200), _("Where")),
    *_SPAN,
    Field("is_current", tick(), _("It goes on")),
    Field("experience_type", choice(TYPES), _("Kind")),
    Field("summary", prose(), _("In short")),
    Field("bullets", lines(rows=5), _("What you did"), _EACH),
    Field("skills", words(), _("Skills used there"), _COMMAS),
    Field("impact", prose(rows=2), _("What came of it")),
    Field("size_or_scope", prose(rows=2), _("Size"),
          _("Such as: a team of four, nine countries.")),
    Field("linked_entries", rows(), _("Entries that were made there")),
    Field("private_notes", prose(rows=2), _("Notes to yourself"), PRIVATE, is_private=True),
)  # fmt: skip
EDUCATION: Final = (
    Field("institution", line(200), _("School or university"), is_required=True),
    Field("degree", line(200), _("Degree"), _("Such as: MSc.")),
    Field("field", line(200), _("In what"), _("Such as: ceramics.")),
    *_SPAN,
    Field("summary", prose(), _("In short")),
    Field("bullets", lines(), _("More about it"), _EACH),
    Field("skills", words(), _("What you learned"), _COMMAS),
)
AWARD: Final = (
    Field("title", line(200), _("Award"), is_required=True),
    Field("issuer", line(200), _("Given by")),
    Field("date", month(), _("When"), _SINCE),
    Field("summary", prose(), _("What for")),
    Field("bullets", lines(), _("More about it"), _EACH),
    Field("skills", words(), _("Skills it shows"), _COMMAS),
)
CREDENTIAL: Final = (
    Field("kind", choice(CREDENTIALS), _("Kind")),
    Field("title", line(400), _("Title or language"), is_required=True),
    Field("issuer", line(200), _("Published or given by")),
    Field("date", month(), _("When"), _SINCE),
    Field("level", line(60), _("Level"), _("Of a language, such as: native, C1.")),
    Field("summary", prose(rows=2), _("More about it")),
)
SKILL: Final = (
    Field("name", line(120), _("Skill"), is_required=True),
    Field("category", line(60), _("Kind"), _("Such as: language, tool, craft.")),
    Field("summary", prose(rows=2), _("How well, and since when")),
)
PERSONA: Final = (
    Field("short_about", line(400), _("How you introduce yourself"), _("One or two lines."),
          is_required=True),
    Field("system_persona", prose(rows=5), _("Who is speaking"),
          _("Told to the model before it answers."), is_required=True),
    Field("style_guidelines", lines(), _("How you write"), _EACH),
    Field("voice_examples", exchanges(), _("Examples of your voice"),
          _("USER: a question. CHATBOT: your answer, as you would say it.")),
)  # fmt: skip
_FROM_RESUME: Final = _("None yet. They come with your resume, or you write them down here.")
KINDS: Final[Mapping[str, Kind]] = {
    kind.slug: kind
    for kind in (
        Kind(
            "profile", "portfolio_profile", Profile,
            _("Profile"), _("Write your profile"), _("Nothing says who you are yet."),
            PROFILE, values_model("ProfileFields", PROFILE), ("full_name",),
        ),
        Kind(
            "experience", "portfolio_experience", Experience,
            _("Experience"), _("Add a position"), _FROM_RESUME,
            EXPERIENCE, values_model("ExperienceFields", EXPERIENCE), ("title", "company"),
            prefix="exp", names=("company", "started"),
        ),
        Kind(
            "education", "portfolio_education", Education,
            _("Education"), _("Add a course of study"), _FROM_RESUME,
            EDUCATION, values_model("EducationFields", EDUCATION), ("institution",),
            prefix="edu", names=("institution", "degree"),
        ),
        Kind(
            "awards", "portfolio_award", Award,
            _("Awards"), _("Add an award"), _FROM_RESUME,
            AWARD, values_model("AwardFields", AWARD), ("title",),
            prefix="award", names=("title",), is_short=True,
        ),
        Kind(
            "credentials", "portfolio_credential", Credential,
            _("Publications, certificates, languages"), _("Add one"), _FROM_RESUME,
            CREDENTIAL, values_model("CredentialFields", CREDENTIAL), ("title",),
            prefix="cred", names=("title",), is_short=True,
        ),
        Kind(
            "skills", "portfolio_skill", Skill,
            _("Skills"), _("Add a skill"), _FROM_RESUME,
            SKILL, values_model("SkillFields", SKILL), ("name",),
            prefix="skill", names=("name",), is_short=True,
        ),
        Kind(
            "persona", "portfolio_persona", Persona,
            _("Voice"), _("Write down how you speak"),
            _("Your voice is found when your profile was read."),
            PERSONA, values_model("PersonaFields", PERSONA), ("short_about",),
        ),
    )
}  # fmt: skip
BY_ENTITY: Final = {kind.entity: kind for kind in KINDS.values()}
