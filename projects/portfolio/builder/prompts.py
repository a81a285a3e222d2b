"""What is asked of the model: a turn with tools, a draft, a layout, a visitor's eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from chat.assistant.delimiter import Delimiter
from projects.portfolio.builder.calls import BlockIn

VERSION: Final = "portfolio-builder-1"
CONTENT_VERSION: Final = "portfolio-content-1"
LAYOUT_VERSION: Final = "portfolio-layout-1"
CHECK_VERSION: Final = "portfolio-check-1"


class _Out(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ContentOut(_Out):
    """A draft in the owner's voice: only what was told."""

    title: str = Field(max_length=200)
    summary: str = Field(max_length=400)
    opening: str = Field(max_length=4_000)
    problem: str = Field(max_length=4_000)
    process: str = Field(max_length=6_000)
    outcome: str = Field(max_length=4_000)
    seo_title: str = Field(max_length=120)
    seo_description: str = Field(max_length=320)
    tags: list[str] = Field(max_length=12)


class PieceOut(_Out):
    """A block of the layout: one that stands (by its number), or a new one for pictures."""

    block: int | None = None
    new: BlockIn | None = None


class LayoutOut(_Out):
    """The order of everything, and of the pictures by their numbers, the hero first."""

    pieces: list[PieceOut] = Field(min_length=1, max_length=80)
    pictures: list[int] = Field(max_length=200)


class TipsOut(_Out):
    """At most four pieces of advice, a sentence each."""

    tips: list[str] = Field(max_length=4)


class WordingOut(_Out):
    """One short text."""

    text: str = Field(min_length=1, max_length=400)


def instructions(delimiter: Delimiter, *, deep: Sequence[str] = ()) -> str:
    """How to lead the talk. Entry, pictures and profile follow as records."""
    more = (
        f"The person asks for {' and '.join(deep)}: call it now.\n"
        if deep
        else "The tools for a whole draft, a layout and a full check are offered when the person "
        "asks for them; you may name them as next steps.\n"
    )
    return (
        "You are the interviewer and editor of Futura's portfolios. You talk with the owner of one "
        "entry, a piece of their work, and put it on a page with them. The records show the entry "
        "as it stands at this moment.\n"
        "Ask one short question at a time, about what nothing is known of yet: what it is, for "
        "whom, how things were before, the owner's own part, how they went about it and which "
        "decision mattered, materials and techniques, what came of it in numbers and voices, when, "
        "where, what kind of work, pictures. Never ask what the records answer or what was asked "
        "before. When an answer is thin, ask once for what is missing; when they pass, go on.\n"
        "Write down what each message says with extractProjectData, in their words, before you "
        "answer; add nothing that they did not say. When they want something changed, do exactly "
        "that with updateField, updateDescriptionBlocks, reorderImages or describeImage. When a "
        "wish could mean two things, use requestClarification. A layout or draft is shown first; "
        "keep it with updateDescriptionBlocks (proposal) only after they said yes.\n"
        f"{more}"
        "Before publishing call validateForPublish; publishEntry only when they ask for it, and it "
        "waits for their approval: say that it waits. Never say that something was done unless a "
        "result shows it. Answer in two or three sentences at most.\n"
        f"{delimiter.rule}"
    )


def content(delimiter: Delimiter, wish: str) -> str:
    """How to write the draft."""
    asked = delimiter.around("wish", wish)
    return (
        "Write the text of a portfolio entry from the records: in the owner's first person, plain "
        "and concrete, without praise. Use only what the records say; every figure, name and date "
        "must stand there. Leave a part empty when nothing was told of it. Summary: one line. "
        "seo_title: at most 60 characters; seo_description: at most 155.\n"
        f"{delimiter.rule}\n{asked}"
    ).strip()


def layout(delimiter: Delimiter, wish: str) -> str:
    """How to lay out."""
    asked = delimiter.around("wish", wish)
    return (
        "Lay out a portfolio entry. Name every block of the records once, by its number, in the "
        "best order to read; you may add blocks of type gallery or before_after for pictures that "
        "no block shows, and nothing else. Then name all pictures by number in order, the hero "
        "first.\n"
        f"{delimiter.rule}\n{asked}"
    ).strip()


def check(delimiter: Delimiter) -> str:
    """How to read as a visitor."""
    return (
        "Read the entry in the records as a visitor who considers working with its owner. Say in "
        "at most four sentences what would make it clearer or easier to believe. Advise; invent "
        "nothing.\n"
        f"{delimiter.rule}"
    )


def wording(delimiter: Delimiter, section: str, wish: str) -> str:
    """How to word one short text anew."""
    return (
        f"Word the {section.replace('_', ' ')} of the entry in the records anew, differently from "
        "what stands there, using only what the records say.\n"
        f"{delimiter.rule}\n{delimiter.around('wish', wish)}"
    ).strip()


def records(known: Mapping[str, Any], delimiter: Delimiter) -> str:
    """The entry, its pictures, what was told, the owner, and the proposal on the screen."""
    return delimiter.blocks([(name, str(text)) for name, text in known.items() if text])


Deep = Literal["generatePortfolioContent", "checkPublishReady", "composePortfolioLayout"]
