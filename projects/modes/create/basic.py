"""Creating a project without a model: what is written is kept word for word, nothing is guessed."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import get_language

from futura.language import quick_add
from futura.text import sentences, shortened
from projects.models import TaskFields
from projects.modes.create.reading import TITLE_CHARS, Extract, Message, TaskExtract
from projects.modes.rows import Snapshot

NAME_CHARS: Final = 60
_LINE: Final = re.compile(r"\s*[-*•]\s+(?P<text>\S.*)")
_OWNER: Final = re.compile(r"(?<!\S)@(?P<name>\w[\w.-]*)")


def read(message: Message, snapshot: Snapshot | None, today: dt.date) -> Extract:
    """The answer under what was asked; what nobody asked about is context, whole.

    Lines that begin with a dash are tasks: “- Paint the fence by Friday @Ana 2d”. The first words
    of all name the draft until it gets another name.
    """
    tasks = tasks_in(message.text, today)
    files = "\n\n".join(text for _name, text in message.files)
    if message.asked_about:
        text = without_tasks(message.text)
        dimensions = {message.asked_about: text} if text else {}
        return Extract(dimensions=dimensions, context=files, tasks=tasks)
    context = "\n\n".join(filter(None, [message.text, files]))
    return named(Extract(context=context, tasks=tasks), message.text, snapshot)


def named(extract: Extract, text: str, snapshot: Snapshot | None) -> Extract:
    """With the first words of a text as the draft's name, where it has none and gets none."""
    first = next(sentences(text), None)
    if extract.values.get("name") or first is None or (snapshot is not None and snapshot.row.name):
        return extract
    name = shortened(first.text.lstrip("-*•# ").rstrip(".!"), NAME_CHARS)
    return replace(extract, values={**extract.values, "name": name})


def tasks_in(text: str, today: dt.date) -> list[TaskExtract]:
    """What stands in lines that begin with a dash, as quick add reads it."""
    return [
        _task(match["text"], today) for line in text.splitlines() if (match := _LINE.match(line))
    ]


def without_tasks(text: str) -> str:
    """The other lines, as they are."""
    return "\n".join(line for line in text.splitlines() if not _LINE.match(line)).strip()


def _task(line: str, today: dt.date) -> TaskExtract:
    owners = " ".join(match[0] for match in _OWNER.finditer(line))
    language = quick_add.language_of(get_language() or "en")
    todo = quick_add.read(" ".join(_OWNER.sub(" ", line).split()), today=today, language=language)
    values: dict[str, Any] = {
        "start_date": todo.start_date,
        "due_date": todo.due_date,
        "due_time": todo.due_time,
        "priority": todo.priority or TaskFields.Priority.NORMAL,
        "estimate_low_days": todo.estimate_days,
        "estimate_high_days": todo.estimate_days,
        "details": owners,
    }
    given = {name: value for name, value in values.items() if value}
    return TaskExtract(todo.title[:TITLE_CHARS] or line[:TITLE_CHARS], given)
