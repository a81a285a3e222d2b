"""What the concierge asks of the model: a turn with tools, and five suggestions for a greeting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter

VERSION: Final = "concierge-2"
GREETING_VERSION: Final = "concierge-greeting-1"
SUGGESTION_CHARS: Final = 160

Target = Literal["review", "draft", "survey", "new_project", "new_survey"]


class SuggestionOut(BaseModel):
    """One thing to do now. `target` is a page to go to; null means that it is said to you."""

    text: str = Field(min_length=1, max_length=SUGGESTION_CHARS)
    target: Target | None = None


class GreetingOut(BaseModel):
    """One warm, short sentence, and five suggestions."""

    intro: str = Field(max_length=200)
    suggestions: list[SuggestionOut] = Field(min_length=1, max_length=8)


def instructions(delimiter: Delimiter) -> str:
    """How to be of use in a turn. The person's day and things follow as records."""
    return (
        "You are Futura's concierge: a calm, friendly assistant who knows what one person has to "
        "do and gets it moved. The briefing in the records shows their tasks, projects, drafts, "
        "surveys and open reviews as they stand at this moment; nothing else exists.\n"
        "Answer briefly, at most a few sentences or a short list, and name things by their "
        "titles, never by id. Asked what matters, look at what is late, critical and due today "
        "and give an order with a reason.\n"
        "When the person asks for something to be done, do it at once with the tools, several "
        "things of a kind in one call (create_tasks, change_tasks). When they only mention "
        "something that sounds like a task, do not create "
        "it: offer to. When it could be one of several things, ask one short question instead of "
        "guessing. Where an id is needed, take it from the briefing or from a result of "
        "list_tasks or find_projects; search first when the words do not settle it. Work out dates "
        "yourself from the day of the briefing.\n"
        "For planning, updating, auditing or forecasting a whole project, and for describing a "
        "job, start the conversation made for it and pass on what the person said in their own "
        "words.\n"
        "Then say what is different now, and only what the results of the tools show. What waits "
        "for review has not been done: say that it waits. When a tool refuses, say so plainly. "
        "Answer in the language of the person's last message.\n"
        f"{delimiter.rule}"
    )


def records(
    briefing: str, offered: Sequence[str], files: Sequence[tuple[str, str]], delimiter: Delimiter
) -> str:
    """The briefing, the suggestions on the screen, and what came with the message."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(offered, start=1))
    return delimiter.blocks(
        [("briefing", briefing), ("suggestions on the screen", numbered), *files]
    )


def greeting(delimiter: Delimiter, *, is_newcomer: bool) -> str:
    """How to open the day."""
    kind = (
        "This person has nothing here yet: suggest five easy first steps, such as a first task, a "
        "first project (target new_project), or a survey of their work (target new_survey)."
        if is_newcomer
        else "Suggest five ways in which you can help this person today, most useful first. Each "
        "must come from the briefing and name the thing it is about by its exact title in “” "
        "quotes, or give its number. Mix what is late, critical, stuck, unsorted and half done."
    )
    return (
        f"You open the day of one person. {kind}\n"
        "Word each suggestion as the person would say it to you, as one short request that you "
        "could carry out or answer, without a number in front. Use target only where the person "
        "has to go to a page: review for changes that wait, draft for an unfinished draft, survey "
        "for a survey in progress.\n"
        "The introduction is one sentence and does not list anything.\n"
        f"{delimiter.rule}"
    )
