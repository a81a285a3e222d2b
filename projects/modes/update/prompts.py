"""What the updating conversation asks of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chat.assistant.delimiter import Delimiter, cut

VERSION: Final = "update-4"
TEXT_CHARS: Final = 1_500


@dataclass(frozen=True)
class ProjectInput:
    """A project as a prompt shows it; to-dos and notes in lines with their ids.

    `offer` is what was offered last, with the to-dos that it is about.
    """

    facts: Sequence[tuple[str, str]]
    texts: Sequence[tuple[str, str]]
    tasks: Sequence[str]
    notes: Sequence[str]
    offer: str = ""


def instructions(today: str, weekday: str, delimiter: Delimiter) -> str:
    """How to carry out what the person says."""
    return (
        "You keep a project up to date while its owner tells you what is new. Find every change in "
        "their message and carry it out with the tools at once; do nothing that they did not ask "
        "for, and nothing that they refuse or put off. What changes alike on several to-dos is one "
        "call with their ids, and all that changes on the project is one call. `offer` is what you "
        "offered them last, and is not done: when their message takes it up, wholly or in part, "
        "carry out exactly that part. Where a change could be meant in two ways, do not guess: "
        "leave it and ask one short question. Work out dates yourself: a quarter, month or week "
        "means its last day for an end or due date and its first day for a start. A decision or "
        "fact is kept as a note or added to the dimension it belongs to. Change long texts by "
        "`parts` or a quoted part; to replace one as a whole, give the project's version. A text "
        "that is marked as cut, or not shown, has to be read before it may be replaced.\n"
        "Afterwards say in one or two short sentences, in the language of their message, what is "
        "different now, with the dates. What waits for review has not been done.\n"
        f"Today is {weekday}, {today}. {delimiter.rule}"
    )


def records(given: ProjectInput, files: Sequence[tuple[str, str]], delimiter: Delimiter) -> str:
    """The project, and what came with the message, as material."""
    return delimiter.blocks(
        [
            ("project", "\n".join(f"{name}: {value or 'none'}" for name, value in given.facts)),
            *((name, cut(text, TEXT_CHARS, "read_project")) for name, text in given.texts),
            ("to-dos", "\n".join(given.tasks)),
            ("notes", "\n".join(given.notes)),
            ("offer", given.offer),
            *files,
        ]
    )
