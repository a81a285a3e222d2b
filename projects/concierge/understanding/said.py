"""What one rule makes of one clause, and the questions that several rules ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _

from projects.concierge.calls import Call
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import Found, Scene, project_meant, tasks_meant
from projects.concierge.understanding.shapes import (
    Kind,
    KnownProject,
    KnownTask,
    Option,
    Pending,
    Slot,
)

MOST_TICKS = 50
AT_ONCE = 5  # rows of an exact condition; more are shown to be ticked
PLACEHOLDER = "?"
"""Stands in a call's slot until the question about it is answered."""


@dataclass(frozen=True)
class Said:
    """The meaning of one clause."""

    kind: Kind
    calls: tuple[Call, ...] = ()
    question: str = ""
    reply: str = ""
    did_you_mean: tuple[str, ...] = ()
    pending: Pending | None = None
    named: tuple[KnownTask, ...] = ()


Rule = Callable[[Scene, Clause], Said | None]
ForTask = Callable[[str], Sequence[Call]]
"""Makes the calls for one task, given its id."""


def done(*calls: Call, named: Sequence[KnownTask] = (), reply: str = "") -> Said:
    """Calls to be carried out."""
    return Said("calls", calls, reply=reply, named=tuple(named))


def about_tasks(
    words: str, scene: Scene, make: ForTask, *, verb: str, example: str = "", is_risky: bool = False
) -> Said:
    """The calls for the tasks that words mean, or the question which ones are meant.

    `verb` says what is to be done (“mark as done”); `example` is a sentence with `%s` for a title.
    What is `is_risky` or not surely meant is not done to many tasks: they are shown to be ticked.
    """
    found = tasks_meant(words, scene)
    if (
        found.rows
        and found.is_set
        and (found.is_by_day or len(found.rows) > (1 if is_risky else AT_ONCE))
    ):
        return ticks(found.rows, make, verb, is_ticked=True)
    if found.rows:
        calls = [call for one in found.rows for call in make(str(one.id))]
        return done(*calls, named=found.rows)
    return which_task(found, make, verb=verb, example=example)


def ticks(rows: Sequence[KnownTask], make: ForTask, verb: str, *, is_ticked: bool = False) -> Said:
    """The rows to tick (`is_ticked`: the condition was read exactly); nothing is done before."""
    shown_rows = rows[:MOST_TICKS]
    calls = [call for one in shown_rows for call in make(str(one.id))]
    question = _("Nothing was changed yet. Which of these shall I %(verb)s?") % {"verb": verb}
    if len(rows) > MOST_TICKS:
        question += " " + _("These are the first %(n)d.") % {"n": MOST_TICKS}
    options = [Option(id=one.id, label=_labelled(one)) for one in shown_rows]
    pending = Pending(kind="tick", calls=calls, options=options, is_ticked=is_ticked)
    return Said("question", question=question, pending=pending)


def _labelled(task: KnownTask) -> str:
    if task.due is None:
        return task.title
    due = formats.date_format(task.due, "l j F Y")
    return _("%(title)s, due %(day)s") % {"title": task.title, "day": due}


def which_task(found: Found[KnownTask], make: ForTask, *, verb: str, example: str = "") -> Said:
    """Asks which task is meant, naming those that may be."""
    if found.is_set and found.candidates:
        return ticks(found.candidates, make, verb)
    rows = found.candidates or found.near
    example = example or "%s"
    if not rows:
        asked = (
            _("Which task do you mean?")
            if found.is_pronoun or not found.words
            else _("I find no task like “%(words)s”. Which one do you mean?")
            % {"words": shown(found.words)}
        )
        return Said("question", question=asked, pending=_open(make, "task", ()))
    if len(rows) == 1:
        question = _("Do you mean “%(title)s”? Shall I %(verb)s it?") % {
            "title": rows[0].title,
            "verb": verb,
        }
        offer = Pending(kind="offer", calls=list(make(str(rows[0].id))))
        return Said(
            "question",
            question=question,
            pending=offer,
            did_you_mean=_taps(rows, example),
            named=tuple(rows),
        )
    names = listed([one.title for one in rows])
    question = _("Which one shall I %(verb)s: %(names)s?") % {"verb": verb, "names": names}
    return Said(
        "question",
        question=question,
        pending=_open(make, "task", rows),
        did_you_mean=_taps(rows, example),
    )


def _taps(rows: Sequence[KnownTask], example: str) -> tuple[str, ...]:
    return tuple(example % f"“{one.title}”" for one in rows[:5]) if "%s" in example else ()


def _open(make: ForTask, slot: Slot, rows: Sequence[KnownTask]) -> Pending | None:
    options = [Option(id=one.id, label=one.title) for one in rows]
    kind = "choose" if options else "fill"
    return Pending(
        kind="choose" if kind == "choose" else "fill",
        calls=list(make(PLACEHOLDER)),
        slot=slot,
        options=options,
    )


def about_project(words: str, scene: Scene, make: ForTask, *, verb: str) -> Said:
    """The calls for the project that words mean, or the question which one is meant."""
    found = project_meant(words, scene)
    if len(found.rows) == 1:
        return done(*make(str(found.rows[0].id)))
    return which_project(found, make, scene, verb=verb)


def which_project(found: Found[KnownProject], make: ForTask, scene: Scene, *, verb: str) -> Said:
    """Asks which project is meant."""
    rows = found.candidates or found.near
    current = [one for one in scene.known.projects if one.status == "active"]
    if not rows and not current:
        return Said("question", question=_("You have no project yet. Shall we start one?"))
    if len(rows) == 1:
        question = _("Do you mean the project “%(name)s”?") % {"name": rows[0].name}
        return Said(
            "question",
            question=question,
            pending=Pending(kind="offer", calls=list(make(str(rows[0].id)))),
        )
    options = rows or current[:6]
    names = listed([one.name for one in options])
    question = _("Which project shall I %(verb)s: %(names)s?") % {"verb": verb, "names": names}
    asked = [Option(id=one.id, label=one.name) for one in options]
    return Said(
        "question",
        question=question,
        pending=Pending(
            kind="choose", calls=list(make(PLACEHOLDER)), slot="project", options=asked
        ),
    )


def listed(names: Sequence[str]) -> str:
    """“A”, “B” or “C”."""
    quoted = [f"“{one}”" for one in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return _("%(first)s or %(last)s") % {"first": ", ".join(quoted[:-1]), "last": quoted[-1]}


def shown(words: str, limit: int = 60) -> str:
    """Words of the person as a question repeats them."""
    line = " ".join(words.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
