"""What a phrase such as “the launch” or “wireframes” means in a project: a task, or its dates."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _

from futura.text import content_stems

_DATE_WORDS: Final = re.compile(
    r"\b(?:(?:launch|end|finish|due|release|delivery|target|completion|go-?live|start|pilot|project)"
    r"\s*(?:-\s*)?dates?|deadline|kick-?\s?off|go-?live|timeline|end\s+of\s+the\s+project"
    r"|project\s+(?:end|start|deadline))\b",
    re.IGNORECASE,
)
_END_WORDS: Final = re.compile(
    r"^(?:the\s+|our\s+|my\s+)?(?:(?:whole\s+|entire\s+)?project|launch|release|delivery|go-?live|pilot|rollout"
    r"|roll-out|opening|end|finish|everything|start|publication|event|it\s+all)$",
    re.IGNORECASE,
)
_PROJECT_WORDS: Final = re.compile(
    r"^(?:the\s+|this\s+|our\s+|my\s+)?(?:whole\s+|entire\s+)?(?:project|it|this|everything|plan)$",
    re.IGNORECASE,
)
_DRESS: Final = re.compile(
    r"^(?:(?:the|our|my|this|that|a|an)\s+)?(?:tasks?|to-?dos?|steps?)?\s*(?:called|named)?\s*[\"'“”‘’]?|[\"'“”‘’]$"
    r"|\s+(?:task|to-?do|step)$|\s+(?:due\s+date|date)$",
    re.IGNORECASE,
)
FULL: Final = 1.0
ENOUGH: Final = 0.5


@dataclass(frozen=True)
class Thing:
    """A task as the grammar knows it; `needs` are ids of the tasks it waits for."""

    id: uuid.UUID
    title: str
    start: dt.date | None = None
    due: dt.date | None = None
    needs: Sequence[str] = ()
    is_open: bool = True


@dataclass(frozen=True)
class Known:
    """A project as the grammar knows it."""

    name: str = ""
    start: dt.date | None = None
    end: dt.date | None = None
    tasks: Sequence[Thing] = ()


@dataclass(frozen=True)
class Target:
    """What may be meant: the project (`id` None) or a task, with its dates."""

    kind: Literal["project", "task"]
    name: str
    id: uuid.UUID | None = None
    start: dt.date | None = None
    date: dt.date | None = None
    needs: Sequence[str] = ()


def targets_of(words: str, known: Known, *, dates_too: bool = True) -> list[Target]:
    """What a phrase may mean; several where it is not clear, none where it names nothing here.

    With `dates_too` words such as “launch” may stand for the project's own dates.
    """
    words = " ".join(words.split()).strip(" .,;:!?")
    if not words:
        return []
    tasks = _tasks(words, known)
    if not dates_too:
        return tasks or ([_project(known)] if _PROJECT_WORDS.match(words) else [])
    named_dates = _DATE_WORDS.search(words)
    if named_dates and not tasks:
        return [_project(known)]
    if named_dates and tasks:
        exact = [one for one in tasks if one.name.casefold() == _bare(words).casefold()]
        return exact or [_project(known)]
    if _END_WORDS.match(words):
        return [_project(known), *tasks] if tasks else [_project(known)]
    return tasks or ([_project(known)] if _PROJECT_WORDS.match(words) else [])


def _project(known: Known) -> Target:
    return Target("project", _("the project"), None, known.start, known.end)


def _tasks(words: str, known: Known) -> list[Target]:
    """The tasks whose titles share the most words with a phrase; open ones before closed ones."""
    bare = _bare(words)
    exact = [one for one in known.tasks if one.title.casefold() == bare.casefold()]
    if exact:
        return [_task(one) for one in exact]
    wanted = content_stems(bare)
    if not wanted:
        return []
    scores = {one.id: len(wanted & content_stems(one.title)) / len(wanted) for one in known.tasks}
    best = max(scores.values(), default=0.0)
    if best < ENOUGH or (best < FULL and len(wanted) < 2):
        return []
    found = [one for one in known.tasks if scores[one.id] == best]
    still_open = [one for one in found if one.is_open]
    return [_task(one) for one in still_open or found]


def _task(one: Thing) -> Target:
    return Target("task", one.title, one.id, one.start, one.due, one.needs)


def _bare(words: str) -> str:
    before = ""
    while before != words:
        before, words = words, _DRESS.sub("", words).strip()
    return words
