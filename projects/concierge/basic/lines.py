"""A message as a line of commands: calls, rows to tick, a question, or an offer to keep it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils import formats
from django.utils.translation import gettext as _

from futura.language import quick_add
from futura.language.calendar_words import Language
from futura.language.commands import CHANGES, CommandLine, command_in
from projects.concierge import calls
from projects.concierge.basic import answers
from projects.concierge.basic.rows import (
    Rows,
    Scene,
    fitting_words,
    is_project,
    place_in,
    projects_named,
    rows_named,
    unquoted,
)
from projects.concierge.basic.shapes import (
    PLACEHOLDER,
    Known,
    KnownTask,
    Memory,
    Option,
    Pending,
    Ticked,
    Understanding,
)

LONGEST: Final = 500
MOST_TICKS: Final = 50
OFFERED: Final = 20
_ITEM: Final = re.compile(r"\s*(?:[-*+•–]|\d{1,2}[.)])\s+(?P<text>\S.*)")
_IN_PROJECT: Final = re.compile(
    r"(?P<title>.+?)\s+(?:to|in|into|under)\s+(?:the\s+)?(?P<name>project\s+.+|.+\s+project)",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening))\W*", re.IGNORECASE
)
_THANKS: Final = re.compile(
    r"(?:thanks|thank you)(?: (?:a lot|very much|so much))?\W*", re.IGNORECASE
)
_STATUSES: Final = {"reopen": "available", "drop": "dropped", "block": "blocked"}
_LISTS: Final[dict[str, dict[str, str]]] = {
    **{key: {} for key in ("", "all", "everything", "open")},
    **{key: {"due": "today"} for key in ("today", "for today")},
    **{key: {"due": "overdue"} for key in ("overdue", "late")},
    "tomorrow": {"due": "tomorrow"},
    **{key: {"due": "week"} for key in ("this week", "week", "the week")},
    **{key: {"due": "none"} for key in ("without date", "without a date", "undated")},
    **{key: {"status": "blocked"} for key in ("waiting", "blocked")},
    **{key: {"status": "inbox"} for key in ("inbox", "in inbox")},
    **{key: {"status": "completed"} for key in ("done", "completed", "finished")},
    "dropped": {"status": "dropped"},
    **{name: {"priority": name} for name in ("critical", "high", "normal", "low")},
}
_LIST_FILLER: Final = re.compile(
    r"\b(?:all\s+(?=\S)|my|the|open|tasks?|to-?dos?|due|that|are|is|priority|things?)\b",
    re.IGNORECASE,
)


def understand(
    text: str, *, now: dt.datetime, briefing: Known, earlier: Memory, language: Language = "en"
) -> Understanding:
    """What a message is without a model. `now` is aware and in the person's zone."""
    scene = Scene(briefing, earlier, now, language)
    line = _suggested(text.strip(), earlier)
    answer = answers.answered(line, scene)
    if answer is not None:
        return answer
    command = command_in(line, language) if len(line) <= LONGEST and "\n" not in line else None
    if command is not None and command.verb == "start" and _is_about_nothing(command, scene):
        command = None  # “update the slides” is something to do
    is_title = any(task.title.casefold() == line.casefold() for task in briefing.tasks)
    if command is not None and not (is_title and command.verb != "help"):
        return _VERBS[command.verb](command, scene)
    if earlier.pending is not None and earlier.pending.question:
        return _put_again(earlier.pending)
    return _unread(line, scene)


def taken(given: Ticked, earlier: Memory) -> Understanding:
    """What was ticked in the list that stands open; another list changes nothing."""
    pending = earlier.pending
    if pending is None or pending.kind != "tick" or pending.key != given.key:
        gone = _("That list is not the current one any more, so nothing was changed.")
        return answers.declined(gone)
    return answers.ticked(given.ids, pending)


def _suggested(text: str, earlier: Memory) -> str:
    """What a numbered suggestion says, where only its number is said."""
    if earlier.pending is not None or earlier.listed:
        return text
    place = place_in(text, len(earlier.suggestions))
    return earlier.suggestions[place] if place is not None else text


def _put_again(pending: Pending) -> Understanding:
    unread = _("I did not read that as an answer, so nothing was changed.")
    return Understanding(kind="question", reply=unread, question=pending.question, pending=pending)


# What is no command ---------------------------------------------------------------------------
def _unread(line: str, scene: Scene) -> Understanding:
    """Greets, or offers to keep the words as a to-do; nothing is done."""
    if _GREETING.fullmatch(line):
        return Understanding(kind="greet")
    if _THANKS.fullmatch(line):
        return Understanding(kind="thanks", reply=_("You are welcome."))
    if line.endswith("?"):
        reply = _(
            "I cannot answer that without a model. I can list and search your to-dos and "
            "projects, and change them by short commands."
        )
        return Understanding(kind="unknown", reply=reply, did_you_mean=(_("What can you do?"),))
    rows = rows_named(line, scene) if len(line) <= LONGEST else Rows()
    if rows.rows and not rows.is_set:
        title = rows.rows[0].title
        taps = (
            _("Mark “%(t)s” as done") % {"t": title},
            _("Show tasks about “%(t)s”") % {"t": title},
        )
        return Understanding(kind="unknown", reply=_nothing_read(), did_you_mean=taps)
    return _offered(line, scene)


def _nothing_read() -> str:
    return _(
        "I did not read that as a command, so nothing was changed. Without a model I read short "
        "commands such as “add …”, “mark … done” or “move … to Friday”."
    )


def _offered(line: str, scene: Scene) -> Understanding:
    """An offer to add what was written, or the items of a list."""
    lines = [part for part in line.splitlines() if part.strip()]
    items = [match["text"] for part in lines if (match := _ITEM.fullmatch(part))]
    is_list = len(items) > 1 and len(items) >= len(lines) - 1
    texts = items[:OFFERED] if is_list else lines
    if not texts or (not is_list and len(lines) > 1) or any(len(one) > LONGEST for one in texts):
        return Understanding(kind="unknown", reply=_nothing_read())
    made = [_todo(text, scene) for text in texts]
    if is_list:
        question = _("Shall I add these %(n)d to-dos?") % {"n": len(made)}
    else:
        question = _("Shall I add “%(title)s” to your to-dos?") % {"title": made[0].title}
    pending = Pending(kind="offer", calls=list(made), question=question)
    unread = _("I did not read that as a command, so nothing was changed.")
    return Understanding(kind="offer", reply=unread, question=question, pending=pending)


def _todo(text: str, scene: Scene) -> calls.CreateTask:
    """The call that quick add makes of a line."""
    todo = quick_add.read(
        text,
        today=scene.today,
        clock=scene.now.time(),
        language=scene.language,
        projects=[(project.id, project.name) for project in scene.known.projects],
        people=scene.known.people,
        tags=scene.known.tags,
    )
    if unquoted(text) != text:  # what is quoted is only a title
        return calls.CreateTask(title=_capital(unquoted(text))[: calls.TITLE_CHARS])
    return calls.CreateTask(
        title=todo.title[: calls.TITLE_CHARS],
        due=todo.due_date,
        due_time=todo.due_time,
        start=todo.start_date,
        priority=todo.priority,
        project=str(todo.project) if todo.project else None,
        repeat=todo.repeat or None,
        assignee=todo.assignee or None,
        tags=list(todo.tags) or None,
        estimate_days=todo.estimate_days,
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# Commands -------------------------------------------------------------------------------------
def _add(line: CommandLine, scene: Scene) -> Understanding:
    inside = _IN_PROJECT.fullmatch(line.value)
    projects = projects_named(inside["name"], scene) if inside else []
    if inside and len(projects) == 1:
        made = _todo(inside["title"], scene)
        return _calls(made.model_copy(update={"project": str(projects[0].id)}))
    return _calls(_todo(line.value, scene))


def _calls(*made: calls.Call, named: Sequence[KnownTask] = ()) -> Understanding:
    return Understanding(kind="calls", calls=tuple(made), named=tuple(task.id for task in named))


def _said(reply: str, *taps: str) -> Understanding:
    return Understanding(kind="unknown", reply=reply, did_you_mean=taps)


def _change(line: CommandLine, scene: Scene) -> Understanding:
    """A change of the rows that the line names: done, ticked first, or asked about."""
    if is_project(line.rows, scene):
        return _change_project(line, scene)
    values = _values(line, scene)
    if isinstance(values, Understanding):
        return values
    make = _maker(line.verb, values)
    rows = rows_named(line.rows, scene)
    if rows.is_set:
        shown = rows.rows or rows.candidates
        if not shown:
            return _said(_("No open to-do is like that, so nothing was changed."))
        return _ticks(shown, make, is_ticked=bool(rows.rows))
    if rows.wrong_day and len(rows.rows) == 1:
        return _not_due(rows, make)
    if rows.rows:
        made = [make(str(task.id)) for task in rows.rows]
        return _calls(*made, named=rows.rows)
    if not rows.candidates:
        words = unquoted(line.rows)
        return _said(
            _("No to-do of yours is called “%(words)s”, so nothing was changed.") % {"words": words}
        )
    if _is_choice(line.rows, rows):
        return _choose(rows.candidates, make)
    return _ticks(rows.candidates, make, is_ticked=False)


def _is_choice(words: str, rows: Rows) -> bool:
    """Whether the words fit several rows alike, of which one is meant."""
    return 1 < len(rows.candidates) <= 9 and all(
        fitting_words(words, task.title) for task in rows.candidates
    )


def _values(line: CommandLine, scene: Scene) -> dict[str, Any] | Understanding:
    """What the rows get; an answer where the line does not say it exactly."""
    if line.verb == "move":
        day = quick_add.find_day(line.value, today=scene.today, language=scene.language)
        if day:
            return {"due": day[0], "due_time": day[1]}
        projects = projects_named(line.value, scene)
        if len(projects) == 1:
            return {"project": str(projects[0].id)}
        return _said(
            _("“%(words)s” is no day that I can read for sure, so nothing was changed.")
            % {"words": line.value}
        )
    if line.verb == "into":
        projects = projects_named(line.value, scene)
        if len(projects) != 1:
            return _said(
                _("You have no single project called “%(words)s”, so nothing was changed.")
                % {"words": unquoted(line.value)}
            )
        return {"project": str(projects[0].id)}
    if line.verb == "rename":
        return {"title": _capital(unquoted(line.value))[: calls.TITLE_CHARS]}
    if line.verb == "priority":
        word = line.value.lower().split()[0]
        return {"priority": {"urgent": "critical", "medium": "normal"}.get(word, word)}
    if line.verb == "append":
        return {"append_notes": line.value}
    return {"status": _STATUSES[line.verb]} if line.verb in _STATUSES else {}


def _maker(verb: str, values: dict[str, Any]) -> Callable[[str], calls.Call]:
    """Makes the call for one to-do, given its id."""
    if verb == "done":
        return lambda task: calls.CompleteTask(task=task)
    if verb == "delete":
        return lambda task: calls.DeleteTask(task=task)
    if verb == "undate":
        return lambda task: calls.RescheduleTask(task=task, clear=["due"])
    if "due" in values:
        return lambda task: calls.RescheduleTask(task=task, **values)
    return lambda task: calls.UpdateTask(task=task, **values)


def _ticks(
    rows: Sequence[KnownTask], make: Callable[[str], calls.Call], *, is_ticked: bool
) -> Understanding:
    """The rows with boxes; nothing is done before some are ticked."""
    shown = rows[:MOST_TICKS]
    question = _("Nothing was changed yet. Which of these do you mean?")
    if len(rows) > MOST_TICKS:
        question += " " + _("These are the first %(n)d.") % {"n": MOST_TICKS}
    pending = Pending(
        kind="tick",
        calls=[make(str(task.id)) for task in shown],
        options=[Option(id=task.id, label=_labelled(task)) for task in shown],
        is_ticked=is_ticked,
        question=question,
    )
    return Understanding(kind="question", question=question, pending=pending)


def _labelled(task: KnownTask) -> str:
    if task.due is None:
        return task.title
    due = formats.date_format(task.due, "l j F Y")
    return _("%(title)s, due %(day)s") % {"title": task.title, "day": due}


def _choose(rows: Sequence[KnownTask], make: Callable[[str], calls.Call]) -> Understanding:
    titles = _(" or ").join(f"“{task.title}”" for task in rows)
    question = _("Which one do you mean: %(titles)s?") % {"titles": titles}
    pending = Pending(
        kind="choose",
        calls=[make(PLACEHOLDER)],
        options=[Option(id=task.id, label=task.title) for task in rows],
        question=question,
    )
    return Understanding(
        kind="question", question=question, pending=pending,
        did_you_mean=tuple(task.title for task in rows[:5]),
    )  # fmt: skip


def _not_due(rows: Rows, make: Callable[[str], calls.Call]) -> Understanding:
    task = rows.rows[0]
    question = _("“%(title)s” is not due then. Shall I change it all the same?") % {
        "title": task.title
    }
    pending = Pending(kind="offer", calls=[make(str(task.id))], question=question)
    return Understanding(kind="offer", question=question, pending=pending)


def _change_project(line: CommandLine, scene: Scene) -> Understanding:
    projects = projects_named(line.rows, scene)
    if len(projects) != 1:
        return _which_project(line.rows)
    key = str(projects[0].id)
    if line.verb == "delete":
        return _calls(calls.DeleteProject(project=key))
    if line.verb == "rename":
        return _calls(calls.UpdateProject(project=key, name=_capital(unquoted(line.value))))
    statuses = {"done": "completed", "reopen": "active", "drop": "archived", "block": "paused"}
    if line.verb in statuses:
        return _calls(
            calls.UpdateProject.model_validate({"project": key, "status": statuses[line.verb]})
        )
    return _said(_nothing_read())


def _is_about_nothing(line: CommandLine, scene: Scene) -> bool:
    is_of_project = line.kind in {"audit", "forecast", "update"}
    return is_of_project and bool(line.rows) and not projects_named(line.rows, scene)


def _which_project(words: str) -> Understanding:
    return _said(
        _("Which project is that? You have no single one called “%(words)s”.")
        % {"words": unquoted(words)}
    )


def _project_status(line: CommandLine, scene: Scene) -> Understanding:
    projects = projects_named(line.rows, scene)
    if len(projects) != 1:
        return _which_project(line.rows)
    call = {"project": str(projects[0].id), "status": line.kind}
    return _calls(calls.UpdateProject.model_validate(call))


def _note(line: CommandLine, scene: Scene) -> Understanding:
    projects = projects_named(line.rows, scene)
    if len(projects) != 1:
        return _which_project(line.rows)
    return _calls(calls.AddNote(project=str(projects[0].id), text=line.value))


def _restore(line: CommandLine, scene: Scene) -> Understanding:
    gone = [task for task in scene.known.gone if fitting_words(line.rows, task.title)]
    if len(gone) == 1:
        return _calls(calls.Undo(task=str(gone[0].id)))
    reply = _("No single to-do like that was deleted in the last two weeks.")
    return Understanding(kind="unknown", reply=reply)


def _undo(line: CommandLine, scene: Scene) -> Understanding:
    if line.value:
        return _said(
            _("I take back the last changes of this conversation, or those of one to-do. The "
              "history has all others.")
        )  # fmt: skip
    if line.rows:
        rows = rows_named(line.rows, scene)
        if len(rows.rows) != 1:
            return _said(_("Which to-do is that? Nothing was taken back."))
        return _calls(calls.Undo(task=str(rows.rows[0].id)))
    if line.is_before:
        return _calls(calls.Undo(steps_back=1))
    return _calls(calls.Undo(last=min(line.count, 20)) if line.count else calls.Undo())


def _show(line: CommandLine, scene: Scene) -> Understanding:
    words = line.value.strip(" .!?")
    if re.fullmatch(r"(?:all\s+)?(?:my\s+|the\s+)?projects", words, re.IGNORECASE):
        return _calls(calls.FindProjects())
    about = re.fullmatch(r"(?:tasks?|to-?dos?)\s+about\s+(?P<words>.+)", words, re.IGNORECASE)
    if about:
        return _calls(calls.ListTasks(query=unquoted(about["words"])))
    inside = re.fullmatch(r"(?:.*?\s)?(?:in|of)\s+(?!my\s+inbox)(?P<name>.+)", words, re.IGNORECASE)
    projects = projects_named(inside["name"] if inside else words, scene)
    plain = " ".join(_LIST_FILLER.sub(" ", words.lower()).split())
    if plain in _LISTS:
        return _calls(calls.ListTasks.model_validate(_LISTS[plain]))
    if len(projects) == 1:
        return _calls(calls.ListTasks(project=str(projects[0].id)))
    return _calls(calls.ListTasks(query=unquoted(words)[: calls.TITLE_CHARS]))


def _find(line: CommandLine, _scene: Scene) -> Understanding:
    return _calls(calls.ListTasks(query=unquoted(line.value)[: calls.TITLE_CHARS]))


def _start(line: CommandLine, scene: Scene) -> Understanding:
    kind = line.kind.split()[-1] if line.kind == "new project" else line.kind.split()[0]
    if kind == "survey":
        return _calls(calls.StartConversation(kind="survey"))
    projects = projects_named(line.rows, scene) if line.rows else []
    if kind == "project":
        return _calls(calls.StartConversation(kind="project_create", says=line.rows or None))
    if kind == "portfolio":
        key = str(projects[0].id) if len(projects) == 1 else None
        says = line.rows if line.rows and not key else None
        return _calls(calls.StartConversation(kind="portfolio_builder", project=key, says=says))
    if not line.rows and len(scene.known.projects) == 1:
        projects = list(scene.known.projects)
    if len(projects) != 1:
        return _which_project(line.rows) if line.rows else _name_project(kind, scene)
    return _calls(
        calls.StartConversation.model_validate(
            {"kind": f"project_{kind}", "project": str(projects[0].id)}
        )
    )


def _name_project(kind: str, scene: Scene) -> Understanding:
    taps = [f"{kind.capitalize()} “{project.name}”" for project in scene.known.projects[:5]]
    return _said(_("Which project?"), *taps)


def _publish(line: CommandLine, scene: Scene) -> Understanding:
    projects = projects_named(line.rows, scene)
    if len(projects) != 1:
        return _which_project(line.rows)
    key = str(projects[0].id)
    return _calls(calls.StartConversation(kind="portfolio_builder", project=key))


_VERBS: Final[dict[str, Callable[[CommandLine, Scene], Understanding]]] = {
    **dict.fromkeys(CHANGES, _change),
    "add": _add,
    "note": _note,
    "restore": _restore,
    "find": _find,
    "show": _show,
    "undo": _undo,
    "start": _start,
    "publish": _publish,
    "status": _project_status,
    "focus": lambda _line, _scene: Understanding(kind="focus"),
    "help": lambda _line, _scene: Understanding(kind="help"),
}
