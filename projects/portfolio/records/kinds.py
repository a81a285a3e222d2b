"""The kinds of records that a portfolio has: what each is called, kept and edited as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
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
from projects.portfolio.records.forms import (
    AwardForm,
    CredentialForm,
    EducationForm,
    ExperienceForm,
    PersonaForm,
    ProfileForm,
    RecordForm,
    SkillForm,
)

Text = str | Promise


@dataclass(frozen=True)
class Kind:
    """One kind. `prefix` begins the ids of its rows; empty where a portfolio has one row only."""

    slug: str
    entity: str
    model: type[Belonging]
    form: type[RecordForm]
    name: Text
    add: Text
    none: Text
    prefix: str = ""
    is_short: bool = False
    id_words: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda _values: ()

    @property
    def is_single(self) -> bool:
        """A portfolio has one row of it, or none."""
        return not self.prefix


def _year(values: Mapping[str, Any]) -> str:
    return str(values.get("started") or "")[:4]


KINDS: Final = {
    one.slug: one
    for one in (
        Kind(
            "profile",
            "portfolio_profile",
            Profile,
            ProfileForm,
            _("Profile"),
            _("Write your profile"),
            _("Nothing says who you are yet."),
        ),
        Kind(
            "experience",
            "portfolio_experience",
            Experience,
            ExperienceForm,
            _("Experience"),
            _("Add a position"),
            _("No position yet. They come with your resume, or you write them down here."),
            "exp",
            id_words=lambda values: (str(values.get("company", "")), _year(values)),
        ),
        Kind(
            "education",
            "portfolio_education",
            Education,
            EducationForm,
            _("Education"),
            _("Add a course of study"),
            _("No school yet. They come with your resume, or you write them down here."),
            "edu",
            id_words=lambda values: (
                str(values.get("institution", "")),
                str(values.get("degree", "")),
            ),
        ),
        Kind(
            "awards",
            "portfolio_award",
            Award,
            AwardForm,
            _("Awards"),
            _("Add an award"),
            _("No award yet."),
            "award",
            is_short=True,
            id_words=lambda values: (str(values.get("title", "")),),
        ),
        Kind(
            "credentials",
            "portfolio_credential",
            Credential,
            CredentialForm,
            _("Publications, certificates, languages"),
            _("Add one"),
            _("None yet. They come with your resume, or you write them down here."),
            "cred",
            is_short=True,
            id_words=lambda values: (str(values.get("title", "")),),
        ),
        Kind(
            "skills",
            "portfolio_skill",
            Skill,
            SkillForm,
            _("Skills"),
            _("Add a skill"),
            _("No skill yet. They come with your resume, or you write them down here."),
            "skill",
            is_short=True,
            id_words=lambda values: (str(values.get("name", "")),),
        ),
        Kind(
            "persona",
            "portfolio_persona",
            Persona,
            PersonaForm,
            _("Voice"),
            _("Write down how you speak"),
            _("Your voice is found when your profile was read."),
        ),
    )
}
BY_ENTITY: Final = {one.entity: one for one in KINDS.values()}
