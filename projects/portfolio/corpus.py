"""The corpus of a portfolio in the spec's form (section 3): what is read, checked and written out.

Names in files and model answers are camelCase, as the spec has them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Month = Annotated[str, StringConstraints(pattern=r"^\d{4}(-(0[1-9]|1[0-2]))?$")]
ContextType = Literal["personal", "work", "oss", "academic", "other"]
ExperienceType = Literal["full_time", "internship", "contract", "freelance", "volunteer", "other"]


class Shape(BaseModel):
    """What all have in common: camelCase outside, unknown fields passed over."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, str_strip_whitespace=True
    )


class Dates(Shape):
    """A span of months; no end where it goes on, or where none is told."""

    start: Month | None = None
    end: Month | None = None


class ProjectContext(Shape):
    """Where a project belongs, as far as its source says."""

    type: ContextType = "other"
    organization: str | None = None
    role: str | None = None
    timeframe: Dates | None = None


class ProjectDoc(Shape):
    """One repository, one project."""

    id: str
    slug: str
    name: str
    one_liner: str = ""
    description: str = ""
    impact_summary: str | None = None
    size_or_scope: str | None = None
    tech_stack: list[str] = Field(default_factory=list)
    languages: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    context: ProjectContext = Field(default_factory=ProjectContext)
    bullets: list[str] = Field(default_factory=list)
    github_url: str | None = None
    live_url: str | None = None


class ExperienceRecord(Shape):
    """A position."""

    kind: Literal["experience"] = "experience"
    id: str
    company: str
    title: str
    location: str | None = None
    dates: Dates | None = None
    is_current: bool = False
    experience_type: ExperienceType = "other"
    summary: str | None = None
    bullets: list[str] = Field(default_factory=list)
    skills: list[str] = Field(default_factory=list)
    linked_projects: list[str] = Field(default_factory=list)
    months_of_experience: int | None = None
    impact_summary: str | None = None
    size_or_scope: str | None = None


class EducationRecord(Shape):
    """A course of study."""

    kind: Literal["education"] = "education"
    id: str
    institution: str
    degree: str | None = None
    field: str | None = None
    dates: Dates | None = None
    summary: str | None = None
    bullets: list[str] = Field(default_factory=list)
    skills: list[str] = Field(default_factory=list)


class AwardRecord(Shape):
    """A prize."""

    kind: Literal["award"] = "award"
    id: str
    title: str
    issuer: str | None = None
    date: Month | None = None
    summary: str | None = None
    bullets: list[str] = Field(default_factory=list)
    skills: list[str] = Field(default_factory=list)


class CredentialRecord(Shape):
    """A publication, a certificate or a language."""

    kind: Literal["credential"] = "credential"
    id: str
    type: Literal["publication", "certificate", "language"]
    title: str
    issuer: str | None = None
    date: Month | None = None
    level: str | None = None
    summary: str | None = None


class SkillRecord(Shape):
    """A tool, a language, a field."""

    kind: Literal["skill"] = "skill"
    id: str
    name: str
    category: str | None = None
    summary: str | None = None


ResumeDoc = ExperienceRecord | EducationRecord | AwardRecord | CredentialRecord | SkillRecord


class SocialLink(Shape):
    """A page of the owner elsewhere."""

    platform: str
    label: str
    url: str
    blurb: str | None = None


class ProfileDoc(Shape):
    """Who the owner is."""

    id: str = "profile"
    full_name: str
    headline: str | None = None
    location: str | None = None
    current_role: str | None = None
    about: list[str] = Field(default_factory=list)
    top_skills: list[str] = Field(default_factory=list)
    featured_experiences: list[str] = Field(default_factory=list)
    social_links: list[SocialLink] = Field(default_factory=list)


class PersonaSummary(Shape):
    """How the owner speaks."""

    system_persona: str
    short_about: str
    style_guidelines: list[str] = Field(default_factory=list)
    voice_examples: list[str] = Field(default_factory=list)
    generated_at: dt.datetime | None = None


@dataclass
class Corpus:
    """Everything that one run has read. `hidden` are ids of projects kept from the chat."""

    projects: list[ProjectDoc] = field(default_factory=list)
    resume: list[ResumeDoc] = field(default_factory=list)
    profile: ProfileDoc | None = None
    persona: PersonaSummary | None = None
    private_contact: list[str] = field(default_factory=list)

    @property
    def experiences(self) -> Iterator[ExperienceRecord]:
        """The positions, in the order of the resume."""
        return (one for one in self.resume if isinstance(one, ExperienceRecord))


def months_between(
    start: str | None, end: str | None, *, today: dt.date, is_current: bool
) -> int | None:
    """Months from one month to another; the present month closes what goes on.

    None where a bound is missing or names only a year (ambiguous), or the end lies before.
    """
    last = f"{today:%Y-%m}" if is_current and not end else end
    if not start or not last or len(start) < 7 or len(last) < 7:
        return None
    difference = 12 * (int(last[:4]) - int(start[:4])) + int(last[5:]) - int(start[5:])
    return difference if difference >= 0 else None
