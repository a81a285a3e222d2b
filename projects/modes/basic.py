"""Basic mode of the conversations about projects: short replies, and lines that are to-dos or
commands.

A button sends its own part with its words. Without a model the words typed out do the same, as a
whole message (DECISIONS 48); with one they are the model's to understand. All else that is written
is stored word for word or left; nothing is guessed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from django.utils import timezone
from django.utils.translation import get_language, gettext as _

from chat import replies
from chat.assistant.undo import Undo
from chat.assistant.working import owners_of
from chat.commands.base import Command
from chat.guides import Utterance
from futura.language import quick_add as grammar
from futura.language.commands import command_in
from futura.language.marks import PERSON
from futura.language.quick_add import language_of
from futura.language.row_words import list_named
from futura.text import quoted, sentences, shortened
from projects.commands.wording import TextPart
from projects.models import Task
from projects.modes.create.reading import ASSIGNEE_CHARS, TITLE_CHARS, Extract, TaskExtract
from projects.modes.rows import ProjectRows, Snapshot
from projects.todos.basic import (
    LINE_CHARS,
    LineContext,
    LineReading,
    fitting_words,
    labelled,
    nameable_rows,
    of_list,
    read_line,
    undo_of,
    values_of,
)

PART: Final = "tap"
NAME_CHARS: Final = 60
_LINE: Final = re.compile(r"\s*[-*•]\s+(?P<text>\S.*)")


class Tap(StrEnum):
    """What a button says."""

    YES = "yes"
    NO = "no"
    LATER = "later"
    FINISH = "finish"
    AGAIN = "again"


_REPLIES: Final = {
    Tap.YES: replies.is_yes,
    Tap.NO: replies.is_no,
    Tap.FINISH: replies.is_finish,
    Tap.LATER: replies.is_later,
}


def taps_of(message: Utterance, *, has_model: bool) -> frozenset[Tap]:
    """The buttons that a message stands for; some words stand for two of them.

    A message that was reworded is no button any more.
    """
    tapped = {
        str(part.get("tap"))
        for part in message.parts
        if part.get("type") == PART and str(part.get("text", "")).strip() == message.text.strip()
    }
    if tapped or has_model:
        return frozenset(tap for tap in Tap if tap in tapped)
    return taps_in(message.text)


def taps_in(text: str) -> frozenset[Tap]:
    """The buttons whose words a text is as a whole."""
    return frozenset(tap for tap, is_meant in _REPLIES.items() if is_meant(text))


def undo_in(text: str) -> Undo | None:
    """What a whole message asks to take back of the latest changes; None for all else."""
    language = language_of(get_language() or "en")
    line = command_in(text, language) if len(text) <= LINE_CHARS else None
    is_undo = line is not None and line.verb == "undo" and not (line.rows or line.value)
    return undo_of(line) if line is not None and is_undo else None


def read(
    text: str,
    files: Sequence[tuple[str, str]],
    asked_about: str,
    snapshot: Snapshot | None,
    today: dt.date,
) -> Extract:
    """The answer under what was asked; what nobody asked about is context, whole.

    Lines that begin with a dash are tasks: “- Paint the fence by Friday @Ana 2d”. The first words
    of all name the draft until it gets another name.
    """
    lines = [line for line in text.splitlines() if not _LINE.match(line)]
    texts = [
        (asked_about or "context", "\n".join(lines).strip() if asked_about else text),
        ("context", "\n\n".join(file for _name, file in files)),
    ]
    parts = [TextPart.model_validate({"field": name, "text": part}) for name, part in texts if part]
    extract = Extract(parts=tuple(parts), tasks=tasks_in(text, today))
    return extract if asked_about else named(extract, text, snapshot)


def named(extract: Extract, text: str, snapshot: Snapshot | None) -> Extract:
    """With the first words of a text as the draft's name, where it has none and gets none."""
    first = next(sentences(text), None)
    if extract.fields.get("name") or first is None or (snapshot is not None and snapshot.row.name):
        return extract
    name = shortened(first.text.lstrip("-*•# ").rstrip(".!"), NAME_CHARS)
    return extract.model_copy(update={"fields": {**extract.fields, "name": name}})


def tasks_in(text: str, today: dt.date) -> tuple[TaskExtract, ...]:
    """What stands in lines that begin with a dash, as quick add reads it."""
    matches = (_LINE.match(line) for line in text.splitlines())
    return tuple(_task(match["text"], today) for match in matches if match)


def _task(line: str, today: dt.date) -> TaskExtract:
    language = language_of(get_language() or "en")
    people = PERSON.findall(line)
    todo = grammar.read(line, today=today, language=language, people=people)
    values = values_of(todo) | {
        "title": (todo.title or line)[:TITLE_CHARS],
        "assignee": todo.assignee[:ASSIGNEE_CHARS] or None,
    }
    taken = {name: value for name, value in values.items() if name in TaskExtract.model_fields}
    return TaskExtract(**taken)


# The command line of an updating conversation -----------------------------------------------------
TAPS: Final = 8


@dataclass(frozen=True)
class Line:
    """What a message is: commands, an answer with buttons (label and message), or unread."""

    commands: Sequence[Command] = ()
    reply: str = ""
    taps: Mapping[str, str] = field(default_factory=dict)
    is_unread: bool = False


def understood(text: str, rows: ProjectRows) -> Line:
    """Reads a message as the composer of the home page does, among the to-dos of the project:
    exactly or not at all; nothing that it does not say for sure is changed.

    Several lines are several commands, where each is one; then they are done together.
    """
    context = _context_of(rows)
    lines = [line for row in text.splitlines() if (line := row.strip().removeprefix("- "))]
    read = [_line(line, context) for line in lines]
    if len(read) == 1:
        return read[0]
    if read and all(line.commands for line in read):
        return Line([command for line in read for command in line.commands])
    return Line(is_unread=True)


def _line(text: str, context: LineContext) -> Line:
    command, reading = read_line(text, context)
    if command is None:
        return Line(reply=_state(context)) if text.endswith("?") else Line(is_unread=True)
    if command.verb in {"show", "find"}:
        return Line(reply=_state(context, command.value))
    if command.verb == "undo":
        return Line(reply=_("Every change can be undone under Changes."))
    reading = reading or LineReading()
    if reading.question:
        before = text[: command.rows_start]
        after = text[command.rows_start + len(command.rows) :]
        taps = {
            labelled(task): f"{before}{quoted(task.title)}{after}"
            for task in reading.named.rows[:TAPS]
        }
        return Line(reply=reading.question, taps=taps)
    if not reading.commands:
        return Line(reply=reading.reply or help_text())
    return Line(reading.commands)


def help_text() -> str:
    return _(
        "Basic mode reads short commands: “add call the printer by Friday”, “done: …”, “move "
        "… to Monday”, “rename … to …”, “make … high priority”, “drop …”, “delete …”, “show "
        "open”."
    )


def _context_of(rows: ProjectRows) -> LineContext:
    now = dt.datetime.combine(rows.today, timezone.localtime().timetz())
    plan = rows.plan()
    nameable = replace(nameable_rows(owners_of(rows.participant), now), tasks=plan.tasks)
    return LineContext(
        nameable, now, language=language_of(get_language() or "en"), project=plan.row
    )


def _state(context: LineContext, words: str = "") -> str:
    """The open to-dos: all, those of a list, or those with the words in their titles; and what can
    be typed.
    """
    words = words.strip(" .!?")
    open_tasks = [task for task in context.nameable.tasks if task.status in Task.ACTIVE]
    tasks = of_list(list_named(words, context.language), open_tasks, context.today)
    if tasks is None:
        tasks = [task for task in open_tasks if fitting_words(words, task.title)]
    lines = [f"- {labelled(task)}" for task in tasks]
    heading = _("Open to-dos:") if lines else _("No open to-do matches.")
    return "\n\n".join(["\n".join([heading, "", *lines]), help_text()])
