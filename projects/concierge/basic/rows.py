"""Which of the person's rows the words of a command name: one, several to choose from, or a set."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from futura.language.calendar_words import Language
from futura.language.commands import number_of
from futura.language.quick_add import find_day
from futura.text import content_stems
from projects.concierge.basic.shapes import Known, KnownProject, KnownTask, Memory

_QUOTES: Final = re.compile(r"[\"“„«'‘](?P<text>.+)[\"”“»'’]")
_FILLER: Final = re.compile(
    r"^(?:(?:the|my|this|that|a|an)\s+)+(?=\S+\s*\S)|\s+(?:tasks?|to-?dos?|things?|ones?|please)$",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"(?:everything|(?:all|every|each)(?:\s+of)?(?:\s+(?:my|the|these|those))?"
    r"(?:\s+(?P<before>[\w-]+))?\s+(?:open\s+)?(?:tasks?|to-?dos?|things?|one)|all(?:\s+of\s+them)?"
    r"|my\s+(?P<own>overdue|blocked|late|low|high|critical)\s+(?:tasks?|to-?dos?))"
    r"(?:\s+(?P<after>.+))?",
    re.IGNORECASE,
)
_ON_DAY: Final = re.compile(
    r"(?:that\s+(?:is|are)\s+)?(?:(?:due\s+)?(?:from|on|for)|due)\s+(?P<day>.+)", re.IGNORECASE
)
_IN_PROJECT: Final = re.compile(
    r"(?:in|of|from)\s+(?:the\s+)?(?:project\s+)?(?P<name>.+?)(?:\s+project)?", re.IGNORECASE
)
_FROM_DAY: Final = re.compile(r"(?P<name>.+?)\s+from\s+(?P<day>.+)", re.IGNORECASE)
_PLACES: Final = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_MANY: Final = re.compile(r"\s*(?:,|;|&|\band\b)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Scene:
    """What a message can refer to: the person's rows, the conversation, the moment."""

    known: Known
    memory: Memory
    now: dt.datetime
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

    rows: Sequence[KnownTask] = ()
    candidates: Sequence[KnownTask] = ()
    is_set: bool = False
    wrong_day: dt.date | None = field(default=None)


def rows_named(words: str, scene: Scene) -> Rows:
    """The rows that words name, by title, by place in the last list, as “it”, or by condition."""
    open_rows = [task for task in scene.known.tasks if task.is_open]
    closed = [task for task in scene.known.tasks if not task.is_open]
    for some in (open_rows, closed):
        if exact := _titled(words, some):
            return _one_of(exact)
    referred = _referred(words, scene)
    if referred is not None:
        return Rows(rows=referred)
    if chosen := _set_in(words, open_rows, scene):
        return chosen
    for some in (open_rows, closed):
        fitting = _fitting(words, some)
        if fitting:
            return _one_of(fitting)
    dated = _FROM_DAY.fullmatch(words)
    day = find_day(dated["day"], today=scene.today, language=scene.language) if dated else None
    if dated and day:
        named = rows_named(dated["name"], scene)
        is_due = all(task.due == day[0] for task in named.rows)
        return named if is_due else Rows(named.rows, named.candidates, wrong_day=day[0])
    return Rows(candidates=_near(words, open_rows))


def projects_named(words: str, scene: Scene) -> list[KnownProject]:
    """The projects that words name: by the whole name, else by all of the words."""
    plain = unquoted(
        re.sub(r"^(?:the\s+|my\s+)?(?:project\s+)?", "", words.strip(), flags=re.IGNORECASE)
    )
    plain = unquoted(re.sub(r"\s+project$", "", plain, flags=re.IGNORECASE)).casefold()
    exact = [one for one in scene.known.projects if one.name.casefold() == plain]
    wanted = content_stems(plain)
    fitting = [one for one in scene.known.projects if wanted and wanted <= content_stems(one.name)]
    return exact or fitting


def is_project(words: str, scene: Scene) -> bool:
    """Whether words name a project and say so, or are its name and no to-do's."""
    if re.search(r"^(?:the\s+|my\s+)?project\s+\S|\S\s+project$", words.strip(), re.IGNORECASE):
        return True
    is_name = any(one.name.casefold() == unquoted(words).casefold() for one in scene.known.projects)
    return is_name and not rows_named(words, scene).rows


def unquoted(words: str) -> str:
    """Without quotation marks around the whole."""
    match = _QUOTES.fullmatch(words.strip())
    return match["text"] if match else words.strip()


def place_in(words: str, length: int) -> int | None:
    """The index that “2”, “number two”, “the second one” or “the last” names in a list."""
    plain = re.sub(r"^(?:the|number|no\.?|#)\s*", "", words.lower().strip(" .!"))
    plain = re.sub(r"\s+(?:ones?|task|to-?do)$", "", plain)
    place = length if plain == "last" else number_of(plain)
    place = _PLACES.index(plain) + 1 if plain in _PLACES else place
    return place - 1 if 0 < place <= length else None


def places_in(words: str, length: int) -> list[int]:
    """The indexes of “1, 3 and 4”; empty when one of them is no place."""
    places = [place_in(word, length) for word in _MANY.split(words.strip(" .!")) if word]
    return [place for place in places if place is not None] if None not in places else []


def fitting_words(words: str, text: str) -> bool:
    """Whether all words but articles are words of a text."""
    plain = _bare(words)
    tokens = {one.casefold() for one in re.findall(r"\w+", plain)}
    stems = content_stems(plain)
    own = {one.casefold() for one in re.findall(r"\w+", text)}
    return bool(tokens) and (tokens <= own or (bool(stems) and len(stems) == len(tokens)
                                               and stems <= content_stems(text)))  # fmt: skip


def _bare(words: str) -> str:
    plain, before = unquoted(words), ""
    while plain != before:
        before, plain = plain, _FILLER.sub("", plain).strip()
    return unquoted(plain)


def _titled(words: str, tasks: Iterable[KnownTask]) -> list[KnownTask]:
    forms = {words.strip().casefold(), unquoted(words).casefold(), _bare(words).casefold()}
    return [task for task in tasks if task.title.casefold() in forms]


def _one_of(tasks: Sequence[KnownTask]) -> Rows:
    return Rows(rows=tasks) if len(tasks) == 1 else Rows(candidates=tasks)


def _fitting(words: str, tasks: Iterable[KnownTask]) -> list[KnownTask]:
    return [task for task in tasks if fitting_words(words, task.title)]


def _near(words: str, tasks: Iterable[KnownTask]) -> list[KnownTask]:
    """Rows that share words, to be shown."""
    wanted = content_stems(words)
    shared = [(len(wanted & content_stems(task.title)), task) for task in tasks]
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return [task for _n, task in best[:20]]


def _referred(words: str, scene: Scene) -> list[KnownTask] | None:
    """“it”, “them”, “2”, “the second one”; None when the words are no such reference."""
    plain = words.lower().strip(" .!")
    if plain in {"it", "that", "this", "them", "those", "these", "both"}:
        focus = _by_ids(scene.memory.focus, scene)
        is_one = plain in {"it", "that", "this"}
        return focus if focus and (not is_one or len(focus) == 1) else []
    places = places_in(plain, len(scene.memory.listed))
    if places:
        return _by_ids([scene.memory.listed[place] for place in places], scene)
    found = re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", plain)
    return _by_ids([uuid.UUID(plain)], scene) if found else None


def _by_ids(ids: Sequence[uuid.UUID], scene: Scene) -> list[KnownTask]:
    rows = {task.id: task for task in scene.known.tasks}
    return [rows[one] for one in ids if one in rows]


def _set_in(words: str, tasks: Sequence[KnownTask], scene: Scene) -> Rows | None:
    match = _ALL.fullmatch(words.strip())
    if match is None:
        return None
    told = " ".join(filter(None, (match["before"] or match["own"], match["after"])))
    if not told:
        return Rows(rows=tasks, is_set=True)
    chosen = condition(told, tasks, scene)
    if chosen is None:
        return Rows(candidates=tasks, is_set=True)
    return Rows(rows=chosen, is_set=True)


def condition(words: str, tasks: Sequence[KnownTask], scene: Scene) -> list[KnownTask] | None:
    """The rows of a condition that is read exactly; None for any other."""
    plain = re.sub(r"^(?:that\s+(?:is|are)\s+)", "", words.strip().lower())
    plain = re.sub(r"\s+priority$", "", plain)
    if plain in {"critical", "high", "low"}:
        return [task for task in tasks if task.priority == plain]
    if plain in {"overdue", "late"}:
        return [task for task in tasks if task.due is not None and task.due < scene.today]
    status = {"blocked": "blocked", "waiting": "blocked", "inbox": "inbox"}.get(
        re.sub(r"^in\s+(?:my|the)\s+", "", plain)
    )
    if status:
        return [task for task in tasks if task.status == status]
    dated = _ON_DAY.fullmatch(words.strip())
    day = find_day(dated["day"] if dated else words, today=scene.today, language=scene.language)
    if day:
        return [task for task in tasks if task.due == day[0]]
    inside = _IN_PROJECT.fullmatch(words.strip())
    projects = projects_named(inside["name"], scene) if inside else []
    if len(projects) == 1:
        return [task for task in tasks if task.project == projects[0].id]
    return None
