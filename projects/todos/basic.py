"""Which of the person's rows the words of a command name: one, several to choose from, or a set."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from futura.language.calendar_words import Language
from futura.language.commands import CommandLine, number_of
from futura.language.quick_add import find_day
from futura.text import content_stems
from projects.models import Project, Task

_QUOTES = re.compile(r"[\"“„«'‘](?P<text>.+)[\"”“»'’]")
_FILLER = re.compile(
    r"^(?:(?:the|my|this|that|a|an)\s+)+(?=\S+\s*\S)|\s+(?:tasks?|to-?dos?|things?|ones?|please)$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:everything|(?:all|every|each)(?:\s+of)?(?:\s+(?:my|the|these|those))?"
    r"(?:\s+(?P<before>[\w-]+))?\s+(?:open\s+)?(?:tasks?|to-?dos?|things?|one)|all(?:\s+of\s+them)?"
    r"|my\s+(?P<own>overdue|blocked|late|low|high|critical)\s+(?:tasks?|to-?dos?))"
    r"(?:\s+(?P<after>.+))?",
    re.IGNORECASE,
)
_ON_DAY = re.compile(
    r"(?:that\s+(?:is|are)\s+)?(?:(?:due\s+)?(?:from|on|for)|due)\s+(?P<day>.+)", re.IGNORECASE
)
_IN_PROJECT = re.compile(
    r"(?:in|of|from)\s+(?:the\s+)?(?:project\s+)?(?P<name>.+?)(?:\s+project)?", re.IGNORECASE
)
_FROM_DAY = re.compile(r"(?P<name>.+?)\s+from\s+(?P<day>.+)", re.IGNORECASE)
_PROJECT = re.compile(r"^(?:the\s+|my\s+)?project\s+(?=\S)|(?<=\S)\s+project$", re.IGNORECASE)
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_MANY = re.compile(r"\s*(?:,|;|&|\band\b)\s*", re.IGNORECASE)


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
        """The person's day."""
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
    if chosen := _set_in(words, open_rows, scene):
        return chosen
    if fitting := _fitting(words, open_rows) or _fitting(words, closed):
        return _alone(fitting)
    dated = _FROM_DAY.fullmatch(words)
    day = find_day(dated["day"], today=scene.today, language=scene.language) if dated else None
    if dated and day:
        named = rows_named(dated["name"], scene)
        is_due = all(task.due_date == day[0] for task in named.rows)
        return named if is_due else Rows(named.rows, named.candidates, wrong_day=True)
    return Rows(candidates=_near(words, open_rows))


_STATUSES = {"done": "completed", "reopen": "available", "drop": "dropped", "block": "blocked"}
_PRIORITIES = {"urgent": "critical", "medium": "normal"}
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
            word = line.value.lower().split()[0]
            return {"priority": _PRIORITIES.get(word, word)}
        case "append":
            return {"append_details": line.value}
        case "undate":
            return {"clear": ("due_date",)}
    return {"status": _STATUSES[line.verb]} if line.verb in _STATUSES else {}


def capital(text: str) -> str:
    """With a capital at its beginning, as titles have."""
    return text[:1].upper() + text[1:]


def titled(words: str, tasks: Iterable[Task]) -> list[Task]:
    """The to-dos with exactly that title, articles and quotation marks aside."""
    forms = {words.strip().casefold(), unquoted(words).casefold(), _bare(words).casefold()}
    return [task for task in tasks if task.title.casefold() in forms]


def projects_named(words: str, scene: Scene) -> list[Project]:
    """The projects that words name: by the whole name, else by all of the words."""
    plain = unquoted(_PROJECT.sub("", words.strip())).casefold()
    exact = [one for one in scene.known.projects if one.name.casefold() == plain]
    stems = content_stems(plain)
    return exact or [
        one for one in scene.known.projects if stems and stems <= content_stems(one.name)
    ]


def is_project(words: str, scene: Scene) -> bool:
    """Whether words name a project and say so, or are its name and no to-do's."""
    if _PROJECT.search(words.strip()):
        return True
    is_name = any(one.name.casefold() == unquoted(words).casefold() for one in scene.known.projects)
    return is_name and not rows_named(words, scene).rows


def unquoted(words: str) -> str:
    """Without quotation marks around the whole."""
    match = _QUOTES.fullmatch(words.strip())
    return (match["text"] if match else words).strip()


def place_in(words: str, length: int) -> int | None:
    """The index that “2”, “number two”, “the second one” or “the last” names in a list."""
    plain = re.sub(r"^(?:the|number|no\.?|#)\s*", "", words.lower().strip(" .!"))
    plain = re.sub(r"\s+(?:ones?|task|to-?do)$", "", plain)
    place = _PLACES.index(plain) + 1 if plain in _PLACES else number_of(plain)
    place = length if plain == "last" else place
    return place - 1 if 0 < place <= length else None


def places_in(words: str, length: int) -> list[int]:
    """The indexes of “1, 3 and 4”; empty when one of them is no place."""
    places = [place_in(word, length) for word in _MANY.split(words.strip(" .!")) if word]
    return [place for place in places if place is not None] if None not in places else []


def fitting_words(words: str, text: str) -> bool:
    """Whether all words but articles are words of a text."""
    plain = _bare(words)
    tokens = {one.casefold() for one in re.findall(r"\w+", plain)}
    own = {one.casefold() for one in re.findall(r"\w+", text)}
    stems = content_stems(plain)
    has_stems = bool(stems) and len(stems) == len(tokens) and stems <= content_stems(text)
    return bool(tokens) and (tokens <= own or has_stems)


def _bare(words: str) -> str:
    plain, before = unquoted(words), ""
    while plain != before:
        before, plain = plain, _FILLER.sub("", plain).strip()
    return unquoted(plain)


def _alone(tasks: Sequence[Task]) -> Rows:
    return Rows(rows=tasks) if len(tasks) == 1 else Rows(candidates=tasks)


def _fitting(words: str, tasks: Iterable[Task]) -> list[Task]:
    return [task for task in tasks if fitting_words(words, task.title)]


def _near(words: str, tasks: Iterable[Task]) -> list[Task]:
    """Rows that share words, to be shown."""
    stems = content_stems(words)
    shared = [(len(stems & content_stems(task.title)), task) for task in tasks]
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return [task for _count, task in best[:20]]


def _set_in(words: str, tasks: Sequence[Task], scene: Scene) -> Rows | None:
    match = _ALL.fullmatch(words.strip())
    if match is None:
        return None
    condition = " ".join(filter(None, (match["before"] or match["own"], match["after"])))
    chosen = _fulfilling(condition, tasks, scene) if condition else tasks
    return Rows(candidates=tasks, is_set=True) if chosen is None else Rows(chosen, is_set=True)


def _fulfilling(condition: str, tasks: Sequence[Task], scene: Scene) -> list[Task] | None:
    """The rows of a condition that is read exactly; None for any other."""
    plain = re.sub(r"^that\s+(?:is|are)\s+|\s+priority$", "", condition.strip().lower())
    if plain in {"critical", "high", "low"}:
        return [task for task in tasks if task.priority == plain]
    if plain in {"overdue", "late"}:
        return [task for task in tasks if task.due_date and task.due_date < scene.today]
    place = re.sub(r"^in\s+(?:my|the)\s+", "", plain)
    if status := {"blocked": "blocked", "waiting": "blocked", "inbox": "inbox"}.get(place):
        return [task for task in tasks if task.status == status]
    dated = _ON_DAY.fullmatch(condition.strip())
    words = dated["day"] if dated else condition
    if day := find_day(words, today=scene.today, language=scene.language):
        return [task for task in tasks if task.due_date == day[0]]
    inside = _IN_PROJECT.fullmatch(condition.strip())
    projects = projects_named(inside["name"], scene) if inside else []
    if len(projects) == 1:
        return [task for task in tasks if task.project_id == projects[0].pk]
    return None
