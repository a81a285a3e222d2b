"""What the updating conversation asks of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chat.assistant.delimiter import Delimiter

VERSION: Final = "update-3"
TEXT_CHARS: Final = 1_500


@dataclass(frozen=True)
class ProjectInput:
    """A project as a prompt shows it; tasks under the short names that tools take.

    `offer` is what was offered last, with the tasks that it is about.
    """

    facts: Sequence[tuple[str, str]]
    description: str
    dimensions: Sequence[tuple[str, str]]
    tasks: Sequence[str]
    notes: Sequence[str]
    offer: str = ""


def instructions(today: str, weekday: str, delimiter: Delimiter) -> str:
    """How to carry out what the person says."""
    return (
        "You keep a project up to date while its owner tells you what is new. Find every change in "
        "their message and carry it out with the tools at once, one call for each change; do "
        "nothing that they did not ask for, and nothing that they refuse or put off. `offer` is "
        "what you offered them last, and is not done: when their message takes it up, wholly or in "
        "part, carry out exactly that part. Where a change could be meant in two ways, do not "
        "guess: leave it and ask one short question. Work out dates yourself: a quarter, month or "
        "week means its last day for an end or due date and its first day for a start. A decision "
        "or fact is kept as a note or appended to the dimension it belongs to. Change long texts "
        "by appending or by replacing a quoted part. A text that is marked as cut, or not shown, "
        "has to be read with read_whole before it may be replaced.\n"
        "Afterwards say in one or two short sentences, in the language of their message, what is "
        "different now, with the dates. What waits for review has not been done.\n"
        f"Today is {weekday}, {today}. {delimiter.rule}"
    )


def records(given: ProjectInput, files: Sequence[tuple[str, str]], delimiter: Delimiter) -> str:
    """The project, and what came with the message, as material."""
    return delimiter.blocks(
        [
            ("project", "\n".join(f"{name}: {value or 'none'}" for name, value in given.facts)),
            ("description", _shown(given.description)),
            *((name, _shown(text)) for name, text in given.dimensions),
            ("tasks", "\n".join(given.tasks)),
            ("notes", "\n".join(given.notes)),
            ("offer", given.offer),
            *files,
        ]
    )


def _shown(text: str) -> str:
    """A text as the prompt shows it; what is cut is said to be."""
    if len(text) <= TEXT_CHARS:
        return text
    cut = f"[cut here: {TEXT_CHARS} of {len(text)} characters; read_whole shows all]"
    return f"{text[:TEXT_CHARS]}\n{cut}"
