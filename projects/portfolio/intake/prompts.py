"""What reading asks of the model: sources in, fenced; typed records out, in the source's words."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter
from futura.llm.client import ChatMessage

_GROUNDED: Final = (
    "Everything you write must stand in the source. Copy names, titles, figures and dates exactly; "
    "leave empty (null, or an empty list) what it does not say. Do not guess, praise or complete."
)


class Answer(BaseModel):
    """A structured answer, with the stage that gives it, its prompt and the prompt's version."""

    STAGE: ClassVar[str]
    VERSION: ClassVar[str]
    PROMPT: ClassVar[str]


class Quoted(BaseModel):
    """What every record has: its own first words in the source."""

    quote: str = Field(description="the lines that begin this record, copied letter by letter")


class DatesAnswer(BaseModel):
    """Months as YYYY-MM (or YYYY); null where the source does not say."""

    start: str | None
    end: str | None


class ExperienceAnswer(Quoted):
    """A position, paid or voluntary."""

    company: str
    title: str
    location: str | None
    dates: DatesAnswer | None
    is_current: bool
    is_voluntary: bool
    experience_type: Literal["full_time", "internship", "contract", "freelance", "other"]
    summary: str | None
    bullets: list[str]
    skills: list[str]


class EducationAnswer(Quoted):
    """One degree or course of study."""

    institution: str
    degree: str | None
    field: str | None
    dates: DatesAnswer | None
    summary: str | None
    bullets: list[str]


class AwardAnswer(Quoted):
    """One prize or honour."""

    title: str
    issuer: str | None
    date: str | None
    summary: str | None


class CredentialAnswer(Quoted):
    """One publication, certificate or spoken language."""

    kind: Literal["publication", "certificate", "language"]
    title: str
    issuer: str | None
    date: str | None
    level: str | None


class SkillAnswer(Quoted):
    """A skill that the resume lists."""

    name: str
    category: Literal["language", "framework", "tool", "domain"] | None


class HeadAnswer(Quoted):
    """Who the owner is, from the head and the summary."""

    headline: str | None
    location: str | None
    about: list[str] = Field(description="paragraphs")


class ResumeAnswer(Answer):
    """A whole resume."""

    STAGE = "portfolio_resume"
    VERSION = "portfolio-resume-2"
    PROMPT = (
        "You read the text of a resume, in any language, and put it into records. Each record has "
        "a quote: the lines of the source that begin it, copied exactly. Everything else must "
        "stand in the source as well: copy names, titles, sentences, figures and dates exactly "
        "and leave empty (null, or an empty list) what it does not say; do not guess or complete. "
        "One record for each position, each degree, each award, each publication, each "
        "certificate, each spoken language, each skill of the lists; never two in one. Dates as "
        "YYYY-MM, or YYYY where only a year is told; is_current where the position goes on (its "
        "end is then null). One bullet per point, joined where a line was broken. skills of a "
        "position: tools, languages, methods and fields that its entry names. profile: headline "
        "and place below the name, and the paragraphs of a summary; no mail addresses or "
        "telephone numbers."
    )

    profile: HeadAnswer | None
    experiences: list[ExperienceAnswer]
    education: list[EducationAnswer]
    awards: list[AwardAnswer]
    credentials: list[CredentialAnswer]
    skills: list[SkillAnswer]


class ReadmeAnswer(Answer):
    """A project as its README tells it."""

    STAGE = "portfolio_readme"
    VERSION = "portfolio-readme-1"
    PROMPT = (
        "You read the README of one repository and describe the project it is about.{called} "
        f"{_GROUNDED} one_liner: one plain sentence. description: two to six sentences on what it "
        "is, for whom, how it works. bullets: what it does or what was achieved, each a short "
        "line. tech_stack: frameworks, services and tools by their usual names; languages: "
        "programming languages. tags: up to twelve short free phrases for fields (“AI”), "
        "techniques (“computer vision”) and architectures (“serverless”). Organisation, role and "
        "timeframe only where the README states them."
    )

    name: str
    one_liner: str
    description: str
    impact_summary: str | None
    size_or_scope: str | None
    tech_stack: list[str]
    languages: list[str]
    tags: list[str]
    context_type: Literal["personal", "work", "oss", "academic", "other"]
    organization: str | None
    role: str | None
    timeframe: DatesAnswer | None
    bullets: list[str]
    live_url: str | None


class LinkAnswer(BaseModel):
    """A page of the owner elsewhere."""

    platform: str
    label: str
    url: str
    blurb: str | None


class ProfileAnswer(Answer):
    """A profile."""

    STAGE = "portfolio_profile"
    VERSION = "portfolio-profile-1"
    PROMPT = (
        "You read the profile of {owner_name} and put it into one record. "
        f"{_GROUNDED} Keep the exact name, headline and addresses. about: the paragraphs in which "
        "they tell of themselves, in their own words. top_skills: tools, languages and fields they "
        "name. Leave out mail addresses, telephone numbers and street addresses."
    )

    full_name: str
    headline: str | None
    location: str | None
    current_role: str | None
    about: list[str] = Field(description="paragraphs")
    top_skills: list[str]
    social_links: list[LinkAnswer]


class PersonaAnswer(Answer):
    """How the owner speaks."""

    STAGE = "portfolio_persona"
    VERSION = "portfolio-persona-1"
    PROMPT = (
        "You describe how {owner_name}, {domain_label}, speaks to visitors of their portfolio. "
        "system_persona: at most 150 words, told to the model that will answer as them: who they "
        "are, what they do, what matters to them. short_about: one or two lines in the first "
        "person. style_guidelines: four to eight short rules on tone, length and habits of "
        f"speech, drawn from how they write. {_GROUNDED}"
    )

    system_persona: str
    short_about: str = Field(description="one or two lines, first person")
    style_guidelines: list[str]


def messages(schema: type[Answer], item: str, text: str, **values: str) -> list[ChatMessage]:
    """The text fenced as data, with the rule on what is fenced; `values` go into the prompt."""
    name = schema.STAGE.removeprefix("portfolio_")
    return Delimiter(f"{name} {item}").prompt(schema.PROMPT.format(**values), [(name, text)])
