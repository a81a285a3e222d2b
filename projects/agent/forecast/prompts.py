"""What the forecasting conversation asks of the model: typed input in, messages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from futura.llm.client import ChatMessage
from projects.agent.fencing import Fence

TOOLS_VERSION: Final = "forecast-tools-1"


class ScenarioWords(BaseModel):
    """What is said about one of the three courses; its day and chance are computed."""

    outcome: str = Field(description="One or two sentences: what the result is like.")
    key_factors: list[str] = Field(max_length=4)
    warning_signs: list[str] = Field(max_length=4)


class ForecastWords(BaseModel):
    """Everything that is said about a computed forecast."""

    VERSION: ClassVar[str] = "forecast-words-1"

    optimistic: ScenarioWords
    realistic: ScenarioWords
    pessimistic: ScenarioWords
    decisions: list[str] = Field(
        max_length=4, description="For each day to look at, in order: what to decide then."
    )
    recommendations: list[str] = Field(max_length=4)


class WhatIf(BaseModel):
    """One thing to change in the plan, and the words that ask for it."""

    quote: str = Field(description="The person's words, copied exactly.")
    kind: Literal["slip", "wait", "hands", "drop", "more", "sureness"]
    task: str | None = Field(description="Short name of the task, such as t2.")
    days: float | None = Field(description="Working days; below zero when it gets shorter.")
    day: str | None = Field(description="YYYY-MM-DD, for a task that cannot begin before.")
    people: float | None = Field(description="People more, or below zero fewer.")
    title: str | None = None


class TaskEstimate(BaseModel):
    """A range that the person gave for one task, in working days."""

    quote: str
    task: str
    low: float = Field(ge=0, le=3650)
    high: float = Field(ge=0, le=3650)


class SituationReading(BaseModel):
    """What a message says for the computation; null and empty where it says nothing."""

    VERSION: ClassVar[str] = "forecast-reading-1"

    hands: float | None = Field(
        description="People working on it all day; 0.1 is half a day a week."
    )
    hands_quote: str | None
    spread: Literal["sure", "usual", "unsure"] | None = Field(
        description="How sure the estimates are."
    )
    estimates: list[TaskEstimate]
    what_ifs: list[WhatIf]
    is_question: bool = Field(description="Asks something that needs no new computation.")


@dataclass(frozen=True)
class WordsInput:
    """The computed figures as text, the plan, and what the person wants to know."""

    figures: str
    project: str
    situation: str
    days: Sequence[str]


@dataclass(frozen=True)
class ReadingInput:
    """A message, the question before it, and the open tasks with their short names."""

    message: str
    question: str
    tasks: str
    today: str


def words_messages(given: WordsInput, fence: Fence) -> list[ChatMessage]:
    """The computed forecast put into words."""
    instructions = (
        "You advise on how a project may unfold. A simulation has computed when it could be done; "
        "you say what that means. The three courses have their days and chances already: do not "
        "repeat the percentages, and name no day, chance or length of time that does not stand in "
        "the figures. For each course: what the result is like for the person's situation, which "
        "of the named tasks and conditions of this project lead there, and by what one notices it "
        "early. Speak of this project's own tasks, people, risks and limits, not of projects in "
        "general. Then, for each day to look at, what to decide, in the order given, and what "
        "would make a good end likelier. Short plain sentences. Nothing is promised, and nothing "
        f"was changed. {fence.rule}"
    )
    material = fence.blocks(
        [
            ("figures", given.figures),
            ("days to look at", "\n".join(given.days)),
            ("project", given.project),
            ("situation", given.situation),
        ]
    )
    return [{"role": "system", "content": instructions}, {"role": "user", "content": material}]


def reading_messages(given: ReadingInput, fence: Fence) -> list[ChatMessage]:
    """What a message changes in the computation."""
    instructions = (
        "Somebody talks about when a project will be done. Find what in their message bears on the "
        "computation: how many people work on it and for how much of their time, how sure they are "
        "of the estimates, ranges they give for tasks, and what they want to try out. A week is "
        "five working days, a month 21. Tasks go by their short names. Copy the words you rely on "
        "into the quotes, exactly; what has no words in the message is left out.\n"
        f"Today is {given.today}. {fence.rule}"
    )
    material = fence.blocks(
        [("tasks", given.tasks), ("question", given.question), ("message", given.message)]
    )
    return [{"role": "system", "content": instructions}, {"role": "user", "content": material}]


def question_instructions(fence: Fence) -> str:
    """How to answer a question about a forecast with reading tools."""
    return (
        "You advise on how a project may unfold, and answer one question about the forecast that "
        "was computed. Use the tools for figures; name no day, chance or length of time that they "
        "do not give. You cannot change anything: for changes, point to an update of the project. "
        f"At most five short sentences. {fence.rule}"
    )
