"""Which of the person's rows the words of a command name: one, several to choose from, or a set."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from futura.language.calendar_words import Language
from futura.language.commands import CommandLine
from futura.language.quick_add import find_day, priority_of
from futura.language.row_words import (
    bare,
    dated_row,
    day_in,
    list_named,
    places_in,
    project_in,
    set_named,
    unquoted,
    without_project,
)
from futura.text import content_stems
from projects.models import Project, Task


@dataclass(frozen=True)
class Known:
    """Everything a line may refer to: open to-dos, lately closed or deleted (`gone`) ones.

    What is not in here cannot be named; nothing of other people is ever in here.
    """

    tasks: Sequence[Task] = ()
    projects: Sequence[Project] = ()
    gone: Sequence[Task] = ()
    people: Sequence[str] = ()
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class Scene:
    """What a line can refer to: the person's rows, the to-dos `listed` last, the moment."""

    known: Known
    now: dt.datetime
    listed: Sequence[uuid.UUID] = ()
    language: Language = "en"

    @property
    def today(self) -> dt.date:
        return self.now.date()


@dataclass(frozen=True)
class Rows:
    """What words name. `rows` are surely meant; `candidates` may be, and are shown.

    `is_set`: a condition, so the rows are shown to be ticked; `wrong_day`: the row is not due on
    the day that the words say.
    """

    rows: Sequence[Task] = ()
    candidates: Sequence[Task] = ()
    is_set: bool = False
    wrong_day: bool = False


def rows_named(words: str, scene: Scene) -> Rows:
    """The rows that words name: by title, by place in the last list, or by condition."""
    open_rows = [task for task in scene.known.tasks if task.status in Task.ACTIVE]
    closed = [task for task in scene.known.tasks if task.status not in Task.ACTIVE]
    if exact := titled(words, open_rows) or titled(words, closed):
        return _alone(exact)
    if places := places_in(words, len(scene.listed)):
        ids = [scene.listed[place] for place in places]
        return Rows(rows=[task for task in scene.known.tasks if task.pk in ids])
    if re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", words.strip()):
        key = uuid.UUID(words.strip())
        return Rows(rows=[task for task in scene.known.tasks if task.pk == key])
    condition = set_named(words, scene.language)
    if condition is not None:
        chosen = _fulfilling(condition, open_rows, scene) if condition else open_rows
        if chosen is None:
            return Rows(candidates=open_rows, is_set=True)
        return Rows(chosen, is_set=True)
    if fitting := _fitting(words, open_rows) or _fitting(words, closed):
        return _alone(fitting)
    dated = dated_row(words, scene.language)
    day = find_day(dated["day"], today=scene.today, language=scene.language) if dated else None
    if dated and day:
        named = rows_named(dated["name"], scene)
        is_due = all(task.due_date == day[0] for task in named.rows)
        return named if is_due else Rows(named.rows, named.candidates, wrong_day=True)
    stems = content_stems(words)
    shared = [(len(stems & content_stems(task.title)), task) for task in open_rows]
    near = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return Rows(candidates=[task for _count, task in near[:20]])


_STATUSES = {"done": "completed", "reopen": "available", "drop": "dropped", "block": "blocked"}
TITLE_CHARS = 200


def changed_values(line: CommandLine, scene: Scene) -> dict[str, Any] | None:
    """What a line that changes to-dos gives them, as fields of the command; nothing for a deletion.

    None where it names no day, or no single project, that can be read for sure.
    """
    match line.verb:
        case "move" | "into":
            day = find_day(line.value, today=scene.today, language=scene.language)
            if line.verb == "move" and day:
                return {"due_date": day[0], "due_time": day[1]}
            projects = projects_named(line.value, scene)
            return {"project": projects[0].pk} if len(projects) == 1 else None
        case "rename":
            return {"title": capital(unquoted(line.value))[:TITLE_CHARS]}
        case "priority":
            return {"priority": priority_of(line.value.split()[0])}
        case "append":
            return {"append_details": line.value}
        case "undate":
            return {"clear": ("due_date",)}
    return {"status": _STATUSES[line.verb]} if line.verb in _STATUSES else {}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def titled(words: str, tasks: Iterable[Task]) -> list[Task]:
    """The to-dos with exactly that title, articles and quotation marks aside."""
    forms = {words.strip().casefold(), unquoted(words).casefold(), bare(words).casefold()}
    return [task for task in tasks if task.title.casefold() in forms]


def projects_named(words: str, scene: Scene) -> list[Project]:
    """The projects that words name: by the whole name, else by all of the words."""
    named = without_project(words)
    text = unquoted(words if named is None else named).casefold()
    exact = [project for project in scene.known.projects if project.name.casefold() == text]
    stems = content_stems(text)
    return exact or [
        project
        for project in scene.known.projects
        if stems and stems <= content_stems(project.name)
    ]


def is_project(words: str, scene: Scene) -> bool:
    """Whether words name a project and say so, or are its name and no to-do's."""
    if without_project(words) is not None:
        return True
    is_name = any(
        project.name.casefold() == unquoted(words).casefold() for project in scene.known.projects
    )
    return is_name and not rows_named(words, scene).rows


def fitting_words(words: str, text: str) -> bool:
    """Whether all words but articles are words of a text."""
    normalized = bare(words)
    tokens = {item.casefold() for item in re.findall(r"\w+", normalized)}
    own = {item.casefold() for item in re.findall(r"\w+", text)}
    stems = content_stems(normalized)
    has_stems = bool(stems) and len(stems) == len(tokens) and stems <= content_stems(text)
    return bool(tokens) and (tokens <= own or has_stems)


def _alone(tasks: Sequence[Task]) -> Rows:
    return Rows(rows=tasks) if len(tasks) == 1 else Rows(candidates=tasks)


def _fitting(words: str, tasks: Iterable[Task]) -> list[Task]:
    return [task for task in tasks if fitting_words(words, task.title)]


def _fulfilling(condition: str, tasks: Sequence[Task], scene: Scene) -> list[Task] | None:
    """The rows of a condition that is read exactly; None for any other."""
    named = list_named(condition, scene.language)
    if named in {"critical", "high", "low"}:
        return [task for task in tasks if task.priority == named]
    if named == "overdue":
        return [task for task in tasks if task.due_date and task.due_date < scene.today]
    if named in {"blocked", "inbox"}:
        return [task for task in tasks if task.status == named]
    day = day_in(condition.strip(), scene.language)
    if found := find_day(day, today=scene.today, language=scene.language):
        return [task for task in tasks if task.due_date == found[0]]
    inside = project_in(condition, scene.language)
    projects = projects_named(inside, scene) if inside else []
    if len(projects) == 1:
        return [task for task in tasks if task.project_id == projects[0].pk]
    return None
