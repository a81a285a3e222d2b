"""A message as a line of commands: calls, rows to tick, a question, or an offer to keep it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _

from chat import replies
from futura.language import row_words
from futura.language.calendar_words import Language
from futura.language.commands import CommandLine
from projects.concierge.state import Memory, Option, Pending
from projects.concierge.toolset import (
    Call,
    FindProjects,
    ListTasks,
    StartConversation,
    task_ids,
)
from projects.todos import basic
from projects.todos.basic import LINE_CHARS, LineContext, LineReading, NameableRows

MOST_TICKS: Final = 50
OFFERED: Final = 20
_ITEM: Final = re.compile(r"\s*(?:[-*+•–]|\d{1,2}[.)])\s+(?P<text>\S.*)")
_LISTS: Final[dict[str, dict[str, str]]] = {
    "": {},
    **{name: {"due": name} for name in ("today", "overdue", "tomorrow", "week", "none")},
    **{name: {"status": name} for name in ("blocked", "inbox", "completed", "dropped")},
    **{name: {"priority": name} for name in ("critical", "high", "normal", "low")},
}


@dataclass(frozen=True)
class Understanding:
    """What a line means.

    `calls` are to be done in their order; ids in them are those of rows in `NameableRows`.
    `pending` is what has to be asked, `reply` an answer that needs no data. `did_you_mean` are
    messages to tap. `is_answer`: the line took up the question that stood open, `is_picked`: by
    picking rows of its list.
    """

    kind: Literal["calls", "question", "greet", "focus", "help", "unknown"]
    calls: tuple[Call, ...] = ()
    reply: str = ""
    did_you_mean: tuple[str, ...] = ()
    pending: Pending | None = None
    is_answer: bool = False
    is_picked: bool = False


def understand(
    text: str,
    *,
    now: dt.datetime,
    briefing: NameableRows,
    earlier: Memory,
    language: Language = "en",
) -> Understanding:
    """What a message is without a model. `now` is aware and in the person's zone."""
    context = LineContext(briefing, now, earlier.listed, language)
    line = text.strip()
    if earlier.pending is None and not earlier.listed:  # the number of a suggestion says it
        place = row_words.place_in(line, len(earlier.suggestions))
        line = earlier.suggestions[place] if place is not None else line
    answer = _answered(line, earlier.pending) if earlier.pending else None
    if answer is not None:
        return answer
    command, reading = basic.read_line(line, context)
    is_todo = (  # “update the slides” is something to do
        command is not None
        and command.verb == "start"
        and command.kind in {"audit", "forecast", "update"}
        and bool(command.rows)
        and not basic.projects_named(command.rows, context)
    )
    if command is not None and not is_todo:
        return _VERBS[command.verb](command, context) if reading is None else _changing(reading)
    if earlier.pending is not None and earlier.pending.question:
        unread = _("This does not answer the question, so nothing was changed.")
        return _asking(earlier.pending, unread)
    return _unread(line, context)


def taken(key: str, ids: Sequence[str], earlier: Memory) -> Understanding:
    """What was ticked in the list of that key; one that is not open any more changes nothing."""
    pending = earlier.pending
    if pending is None or pending.kind != "tick" or pending.key != key:
        return _left(_("That list is out of date, so nothing was changed."))
    return _ticked(ids, pending)


# Answers to what was asked --------------------------------------------------------------------
def _answered(text: str, pending: Pending) -> Understanding | None:
    if replies.is_no(text):
        return _left(_("OK, nothing was changed."))
    if pending.kind == "offer":
        is_taken = replies.is_yes(text) or (len(pending.calls) > 1 and replies.is_all(text))
        done = Understanding(kind="calls", calls=tuple(pending.calls), is_answer=True)
        return done if is_taken else None
    ids = [str(option.id) for option in pending.options]
    if replies.is_all(text):
        return _ticked(ids, pending)
    places = row_words.places_in(text, len(ids))
    return _ticked([ids[place] for place in places], pending) if places else None


def _ticked(ids: Sequence[str], pending: Pending) -> Understanding:
    """The calls of the rows that were ticked, and of no others."""
    chosen = set(ids)
    picked = tuple(call for call in pending.calls if chosen & {str(key) for key in task_ids(call)})
    if not picked:
        return _left(_("OK, nothing was changed."))
    return Understanding(kind="calls", calls=picked, is_answer=True, is_picked=True)


def _left(reply: str) -> Understanding:
    return Understanding(kind="unknown", reply=reply, is_answer=True)


# What is no command ---------------------------------------------------------------------------
def _unread(line: str, context: LineContext) -> Understanding:
    """Greets, or offers to keep the words as a to-do; nothing is done."""
    if row_words.is_greeting(line):
        return Understanding(kind="greet")
    if line.endswith("?"):
        reply = _(
            "I cannot answer that in basic mode. I can list, search and change your to-dos "
            "and projects by short commands."
        )
        return _reply(reply, _("What can you do?"))
    if named := basic.titled(line, context.nameable.tasks) if len(line) <= LINE_CHARS else []:
        title = {"t": named[0].title}
        taps = _("Mark “%(t)s” as done") % title, _("Show to-dos about “%(t)s”") % title
        return _reply(_nothing_read(), *taps)
    return _offered(line, context)


def _nothing_read() -> str:
    return _(
        "This is not a command, so nothing was changed. Basic mode reads short commands such "
        "as “add …”, “mark … done” or “move … to Friday”."
    )


def _offered(line: str, context: LineContext) -> Understanding:
    """An offer to add what was written, or the items of a list."""
    lines = [part for part in line.splitlines() if part.strip()]
    items = [match["text"] for part in lines if (match := _ITEM.fullmatch(part))]
    is_list = len(items) > 1 and len(items) >= len(lines) - 1
    texts = items[:OFFERED] if is_list else lines
    is_long = any(len(text) > LINE_CHARS for text in texts)
    if not texts or is_long or (not is_list and len(lines) > 1):
        return _reply(_nothing_read())
    todos = [basic.new_todo(text, context) for text in texts]
    if is_list:
        question = _("Add these %(n)d to-dos?") % {"n": len(todos)}
    else:
        question = _("Add “%(title)s” to your to-dos?") % {"title": todos[0].title}
    unread = _("This is not a command, so nothing was changed.")
    return _asking(Pending(kind="offer", calls=list(todos), question=question), unread)


def _calls(*done: Call) -> Understanding:
    return Understanding(kind="calls", calls=done)


def _reply(reply: str, *taps: str) -> Understanding:
    return Understanding(kind="unknown", reply=reply, did_you_mean=taps)


def _asking(pending: Pending, reply: str = "") -> Understanding:
    return Understanding(kind="question", reply=reply, pending=pending)


# Commands -------------------------------------------------------------------------------------
def _changing(reading: LineReading) -> Understanding:
    """What a line that changes rows comes to; rows that may be meant are shown to be ticked."""
    if not reading.commands:
        return _reply(reading.reply or _nothing_read())
    if not reading.question:
        return _calls(*reading.commands)
    calls, question = list(reading.commands[:MOST_TICKS]), reading.question
    if len(reading.commands) > MOST_TICKS:
        question += " " + _("These are the first %(n)d.") % {"n": MOST_TICKS}
    rows = reading.named.rows[:MOST_TICKS]
    options = [Option(id=task.pk, label=basic.labelled(task)) for task in rows]
    is_ticked = reading.named.asks == "set"
    return _asking(
        Pending(kind="tick", calls=calls, options=options, is_ticked=is_ticked, question=question)
    )


def _undo(line: CommandLine, _context: LineContext) -> Understanding:
    if line.value:
        return _reply(
            _("I can undo the last changes of this conversation. All other changes are in the "
              "history.")
        )  # fmt: skip
    return _calls(basic.undo_of(line))


def _show(line: CommandLine, context: LineContext) -> Understanding:
    words = line.value.strip(" .!?")
    named = row_words.list_named(words, context.language)
    if named == "projects":
        return _calls(FindProjects())
    if about := row_words.titles_asked(words, context.language):
        return _calls(ListTasks(query=row_words.unquoted(about)))
    if named is not None:
        return _calls(ListTasks.model_validate(_LISTS[named]))
    projects = basic.projects_named(row_words.project_asked(words, context.language), context)
    if len(projects) == 1:
        return _calls(ListTasks(project=projects[0].pk))
    return _calls(ListTasks(query=row_words.unquoted(words)[: basic.TITLE_CHARS]))


def _start(line: CommandLine, context: LineContext) -> Understanding:
    kind = line.kind.split()[-1] if line.kind == "new project" else line.kind.split()[0]
    if kind == "survey":
        return _calls(StartConversation(kind="survey"))
    projects = basic.projects_named(line.rows, context) if line.rows else context.nameable.projects
    key = projects[0].pk if len(projects) == 1 else None
    if kind == "project":
        return _calls(StartConversation(kind="project_create", says=line.rows or None))
    if kind == "portfolio":
        named = key if line.rows else None
        says = None if named else line.rows or None
        return _calls(StartConversation(kind="portfolio_builder", project=named, says=says))
    if key is None:
        requested = {
            "update": _("Update the project “%(name)s”"),
            "forecast": _("Forecast “%(name)s”"),
            "audit": _("Audit “%(name)s”"),
        }
        taps = [
            requested[kind] % {"name": project.name} for project in context.nameable.projects[:5]
        ]
        return _reply(_("Which project?"), *taps)
    fields = {"kind": f"project_{kind}", "project": key}
    return _calls(StartConversation.model_validate(fields))


_VERBS: Final[dict[str, Callable[[CommandLine, LineContext], Understanding]]] = {
    "find": lambda line, _scene: _calls(
        ListTasks(query=row_words.unquoted(line.value)[: basic.TITLE_CHARS])
    ),
    "show": _show,
    "undo": _undo,
    "start": _start,
    "focus": lambda _line, _scene: Understanding(kind="focus"),
    "help": lambda _line, _scene: Understanding(kind="help"),
}
"""The verbs that change no rows."""
