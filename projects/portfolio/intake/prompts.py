"""What reading a resume asks of the model: one answer for all of it, each record with its quote."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter
from futura.llm.client import ChatMessage

VERSION: Final = "portfolio-resume-2"


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


class ResumeAnswer(BaseModel):
    """A whole resume."""

    VERSION: ClassVar[str] = VERSION

    profile: HeadAnswer | None
    experiences: list[ExperienceAnswer]
    education: list[EducationAnswer]
    awards: list[AwardAnswer]
    credentials: list[CredentialAnswer]
    skills: list[SkillAnswer]


def resume_messages(text: str) -> list[ChatMessage]:
    """A resume's text, to be told as records."""
    delimiter = Delimiter("resume")
    instructions = (
        "You read the text of a resume, in any language, and put it into records. Each record has "
        "a quote: the lines of the source that begin it, copied exactly. Everything else must "
        "stand in the source as well: copy names, titles, sentences, figures and dates exactly and "
        "leave empty (null, or an empty list) what it does not say; do not guess or complete. One "
        "record for each position, each degree, each award, each publication, each certificate, "
        "each spoken language, each skill of the lists; never two in one. Dates as YYYY-MM, or "
        "YYYY where only a year is told; is_current where the position goes on (its end is then "
        "null). One bullet per point, joined where a line was broken. skills of a position: tools, "
        "languages, methods and fields that its entry names. profile: headline and place below the "
        "name, and the paragraphs of a summary; no mail addresses or telephone numbers. "
        f"{delimiter.rule}"
    )
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": delimiter.around("resume", text)},
    ]
