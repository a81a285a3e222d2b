"""What reading asks of the model: sources in, fenced; out the fields of records, in its words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Final, get_origin

from pydantic import BaseModel, Field, create_model

from chat.assistant.delimiter import Delimiter
from futura.llm.client import ChatMessage
from projects.portfolio.intake.drafts import KINDS, readable
from projects.portfolio.schema import kinds
from projects.portfolio.schema.fields import Field as Row

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


class LinkAnswer(BaseModel):
    """A page of the owner elsewhere."""

    platform: str
    label: str
    url: str
    blurb: str | None


def _answer(name: str, fields: Iterable[Row], base: type[BaseModel] = Quoted) -> Any:
    """Every field of a table as a model may answer it, with null for nothing."""
    types: dict[str, Any] = {field.name: (_type(field), ...) for field in fields}
    return create_model(name, __base__=base, **types)


def _type(field: Row) -> Any:
    of = field.shape.type
    of = of.__origin__ if get_origin(of) is Annotated else of  # without its validator
    if of == list[dict[str, str]]:
        return list[LinkAnswer]
    return of if field.shape.choices or of in {bool, list[str]} else of | None


def _resume() -> Any:
    head = {"headline", "location", "about"}
    profile = _answer("head", [row for row in KINDS["profile"].fields if row.name in head])
    types: dict[str, Any] = {"profile": (profile | None, ...)}
    for slug in ("experience", "education", "awards", "credentials", "skills"):
        record = _answer(slug, readable(kinds.KINDS[slug].fields))
        types[slug] = (list[record], ...)  # type: ignore[valid-type]
    return create_model("Records", __base__=Answer, **types)


class ResumeAnswer(_resume()):  # type: ignore[misc]
    """A whole resume."""

    STAGE = "portfolio_resume"
    VERSION = "portfolio-resume-3"
    PROMPT = (
        "You read the text of a resume, in any language, and put it into records. Each record has "
        "a quote: the lines of the source that begin it, copied exactly. Everything else must "
        "stand in the source as well: copy names, titles, sentences, figures and dates exactly "
        "and leave empty (null, or an empty list) what it does not say; do not guess or complete. "
        "One record for each position, each degree, each award, each publication, each "
        "certificate, each spoken language, each skill of the lists; never two in one. Dates as "
        "YYYY-MM, or YYYY where only a year is told; is_current where the position goes on (ended "
        "is then null); experience_type volunteer where it is unpaid. One bullet per point, joined "
        "where a line was broken. skills of a position: tools, languages, methods and fields that "
        "its entry names. category of a skill: language, framework, tool or domain. profile: "
        "headline and place below the name, and the paragraphs of a summary; no mail addresses or "
        "telephone numbers."
    )


class ReadmeAnswer(_answer("entry", KINDS["entry"].fields, Answer)):  # type: ignore[misc]
    """A project as its README tells it."""

    STAGE = "portfolio_readme"
    VERSION = "portfolio-readme-4"
    PROMPT = (
        "You read the README of a repository, or the page of a project, and describe the project "
        f"it is about, in the language of that text.{{called}} {_GROUNDED} "
        "summary: one plain sentence. description: two to six sentences on what it "
        "is, for whom, how it works. bullets: what it does or what was achieved, each a short "
        "line. tech_stack: frameworks, services and tools by their usual names; languages: "
        "programming languages. tags: up to twelve short free phrases for fields (“AI”), "
        "techniques (“computer vision”) and architectures (“serverless”). Organization, role, "
        "started and ended (YYYY-MM, or YYYY) only where the text states them, no years of "
        "licences or versions; where one date is all that is told, both are that. A start without "
        "an end is shown as work that goes on."
    )


class ProfileAnswer(_answer("profile", KINDS["profile"].fields, Answer)):  # type: ignore[misc]
    """A profile."""

    STAGE = "portfolio_profile"
    VERSION = "portfolio-profile-1"
    PROMPT = (
        "You read the profile of {owner_name} and put it into one record. "
        f"{_GROUNDED} Keep the exact name, headline and addresses. about: the paragraphs in which "
        "they tell of themselves, in their own words. top_skills: tools, languages and fields they "
        "name. Leave out mail addresses, telephone numbers and street addresses."
    )


class PersonaAnswer(Answer):
    """How the owner speaks."""

    STAGE = "portfolio_persona"
    VERSION = "portfolio-persona-2"
    PROMPT = (
        "You describe how {owner_name}, {domain_label}, speaks to visitors of their portfolio. "
        "system_persona: at most 150 words, told to the model that will answer as them: who they "
        "are, what they do, what matters to them. short_about: one or two lines in the first "
        "person. style_guidelines: four to eight short rules on tone, length and habits of "
        f"speech, drawn from how they write. Write in the language that they write in. {_GROUNDED}"
    )

    system_persona: str
    short_about: str = Field(description="one or two lines, first person")
    style_guidelines: list[str]


def messages(schema: type[Answer], item: str, text: str, **values: str) -> list[ChatMessage]:
    """The text fenced as data, with the rule on what is fenced; `values` go into the prompt."""
    name = schema.STAGE.removeprefix("portfolio_")
    whole = 4 * len(text)  # reading has cut it already where it had to, and its page says so
    instructions = schema.PROMPT.format(**values)
    return Delimiter(f"{name} {item}").prompt(instructions, [(name, text)], budget=whole)
