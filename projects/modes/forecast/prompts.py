"""What the forecasting conversation asks of the model: typed input in, messages out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter
from futura.llm.client import ChatMessage

TOOLS_VERSION: Final = "forecast-tools-2"
Days = Field(ge=0, le=3650)
Records = Sequence[tuple[str, str]]  # blocks of a prompt: name and text


class ScenarioWords(BaseModel):
    """What is said about one of the three courses; its day and chance are computed."""

    outcome: str = Field(description="One or two sentences: what the result is like.")
    key_factors: list[str] = Field(max_length=4)
    warning_signs: list[str] = Field(max_length=4)


class ForecastWords(BaseModel):
    """Everything that is said about a computed forecast."""

    VERSION: ClassVar[str] = "forecast-words-2"

    optimistic: ScenarioWords
    realistic: ScenarioWords
    pessimistic: ScenarioWords
    decisions: list[str] = Field(
        max_length=4, description="For each day to look at, in order: what to decide then."
    )
    recommendations: list[str] = Field(max_length=4)


class WhatIf(BaseModel):
    """One thing to try out, and the words that ask for it."""

    quote: str = Field(description="The person's words, copied exactly.")
    kind: Literal[
        "slip", "wait", "hands", "drop", "more", "sureness", "takes", "hours", "away", "deadline"
    ]
    task: str | None = Field(None, description="Short name of the task, such as t2, or rest.")
    days: float | None = Field(
        None, description="For slip and more: working days; below zero when it gets shorter."
    )
    low: float | None = Field(None, description="For takes: working days at least.")
    high: float | None = Field(None, description="For takes: working days at most.")
    day: str | None = Field(None, description="YYYY-MM-DD: for wait and deadline, first day away.")
    last: str | None = Field(None, description="YYYY-MM-DD: last day away.")
    people: float | None = Field(
        None, description="For hands: people more, or below zero fewer; for away: how many."
    )
    hours: float | None = Field(None, description="Hours a week of each.")
    title: str | None = None


class TaskEstimate(BaseModel):
    """A range that the person gave, in working days."""

    quote: str
    task: str = Field(description="Short name; `rest` for everything without an estimate.")
    low: float = Days
    high: float = Days
    is_remaining: bool = Field(False, description="Said of what is left, not of the whole.")


class AbsenceSaid(BaseModel):
    """Days on which people do not work on it."""

    quote: str
    first: str = Field(description="YYYY-MM-DD")
    last: str = Field(description="YYYY-MM-DD, counted too")
    people: float | None = None


class DeadlineSaid(BaseModel):
    """A day by which something has to be done."""

    quote: str
    task: str | None = Field(None, description="Short name; null for the whole project.")
    day: str = Field(description="YYYY-MM-DD")


class SituationReading(BaseModel):
    """What a message says for the computation; null and empty where it says nothing."""

    VERSION: ClassVar[str] = "forecast-reading-2"

    hands: float | None = Field(description="How many people work on it; 0.5 is half of one.")
    hands_quote: str | None
    hours_a_week: float | None = Field(None, description="Hours a week that each has for it.")
    hours_quote: str | None = None
    spread: Literal["sure", "usual", "unsure"] | None = Field(
        description="How sure the estimates are."
    )
    estimates: list[TaskEstimate]
    absences: list[AbsenceSaid] = Field(default_factory=list)
    deadlines: list[DeadlineSaid] = Field(default_factory=list)
    what_ifs: list[WhatIf]
    withdrawn: list[str] = Field(
        default_factory=list, description="Short names of assumptions that no longer hold."
    )
    is_question: bool = Field(description="Asks something that needs no new computation.")


def words_messages(records: Records, delimiter: Delimiter) -> list[ChatMessage]:
    """The computed forecast put into words: figures, days to look at, project, situation."""
    instructions = (
        "You advise on how a project may unfold. A simulation has computed when it could be done; "
        "you say what that means. The three courses have their days and chances already: do not "
        "repeat the percentages, and write no number, day or length of time that does not stand in "
        "the material. For each course: what the result is like for the person's situation, which "
        "of the named tasks and conditions of this project lead there, and by what one notices it "
        "early. Speak of this project's own tasks, people, risks and limits, not of projects in "
        "general. Then, for each day to look at, what to decide, in the order given, and what "
        "would make a good end likelier. Short plain sentences, in the language of the situation, "
        "or else of the project. Nothing is promised, and nothing was changed. "
        f"{delimiter.rule}"
    )
    return _asking(instructions, delimiter.blocks(records))


def reading_messages(records: Records, today: str, delimiter: Delimiter) -> list[ChatMessage]:
    """What a message changes in the computation.

    `records` are the open tasks and what is assumed, both by short names, the answer before the
    message, and the message.
    """
    instructions = (
        "Somebody talks about when a project will be done, in any language. Find what in their "
        "message bears on the computation: how many people work on it and for how many hours a "
        "week, who is away when, deadlines, how sure they are of the estimates, how long tasks "
        "take or how much of them is left, and what they only want to try out (what if). Both can "
        "stand in one message. A week is five working days, a month 21. Tasks go by their short "
        "names; `rest` means everything that has no estimate. A correction gives the new figure; "
        "what it does not name stays. Copy the words you rely on into the quotes, exactly; what "
        f"has no words in the message is left out.\nToday is {today}. {delimiter.rule}"
    )
    return _asking(instructions, delimiter.blocks(records))


def _asking(instructions: str, material: str) -> list[ChatMessage]:
    return [{"role": "system", "content": instructions}, {"role": "user", "content": material}]


def question_instructions(delimiter: Delimiter) -> str:
    """How to answer a question about a forecast with reading tools."""
    return (
        "You advise on how a project may unfold, and answer one question about the forecast that "
        "was computed. Use the tools for figures; name no day, chance or length of time that they "
        "do not give. You cannot change anything: for changes, point to an update of the project. "
        "At most five short sentences, in the language of the person's last message. "
        f"{delimiter.rule}"
    )
