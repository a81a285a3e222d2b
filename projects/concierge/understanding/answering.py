"""Answers to a question that stands open: “yes”, “the second one”, “both”, “neither”, “Friday”."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from futura.text import words
from projects.concierge.calls import Call, CreateTask, RescheduleTask
from projects.concierge.understanding import numbers
from projects.concierge.understanding.hearing import clauses
from projects.concierge.understanding.moving import day_said
from projects.concierge.understanding.references import (
    Scene,
    place_in,
    project_meant,
    stems_of,
    tasks_meant,
    unquoted,
)
from projects.concierge.understanding.said import PLACEHOLDER, Said, done
from projects.concierge.understanding.shapes import Option, Pending
from projects.language import replies
from projects.language.quick import parse

_TURNED: Final = re.compile(
    r"\b(?:not|no|nor|neither|except|but|without|never)\b|n[’']t\b", re.IGNORECASE
)
_NUMBERS: Final = re.compile(r"(?:\d{1,3}(?:\s*(?:,|&|-|–|and|to|through)\s*)*)+\W*", re.IGNORECASE)
_FILL: Final = frozenset("the a an one ones task to-do i mean meant it is please and".split())


def answered(text: str, scene: Scene) -> Said | None:
    """What a message means as an answer; None when it is about something else."""
    pending = scene.memory.pending
    if pending is None:
        return None
    said = " ".join(text.split())
    if replies.is_no(said):
        return Said("declined", reply=_("All right, I leave that as it is."))
    if pending.kind == "offer":
        is_taken = replies.is_yes(said) or (len(pending.calls) > 1 and replies.is_all(said))
        return done(*pending.calls) if is_taken else None
    if pending.kind == "tick":
        return _picked(said, pending)
    if pending.kind == "choose":
        return _chosen(said, pending, scene)
    return _filled(said, pending, scene)


def ticked(ids: Sequence[str], pending: Pending) -> Said:
    """The calls of the rows that were ticked, and of no others."""
    calls = [call for call in pending.calls if getattr(call, "task", None) in set(ids)]
    if not calls:
        return Said("declined", reply=_("All right, I leave everything as it is."))
    return done(*calls)


def _picked(said: str, pending: Pending) -> Said | None:
    """“1, 3 and 4” or “all” of the list that was shown."""
    ids = [str(one.id) for one in pending.options]
    if replies.is_all(said):
        return ticked(ids, pending)
    places = numbers.numbers_in(said.strip(" .!")) if _NUMBERS.fullmatch(said) else []
    places = places or [one + 1 for one in numbers.places(said.strip(" .!"), len(ids))]
    if not places or not all(0 < one <= len(ids) for one in places):
        return None
    return ticked([ids[one - 1] for one in places], pending)


def _chosen(said: str, pending: Pending, scene: Scene) -> Said | None:
    options = _options_in(said, pending.options, scene)
    if not options:
        return None
    calls = [filled for one in options for filled in _with(pending, str(one.id))]
    named = [task for task in scene.known.tasks if task.id in {one.id for one in options}]
    return done(*calls, named=named)


def _options_in(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    exact = [one for one in options if one.label.casefold() == unquoted(said).casefold()]
    if exact:
        return exact[:1]
    if replies.is_all(said):
        return list(options) if "both" not in said.lower() or len(options) == 2 else []
    if _TURNED.search(said):  # “not the first”: no rule knows which one then
        return []
    plain = said.strip(" .!?")
    place = place_in(plain, len(options))
    if place is not None:
        return [options[place]]
    if re.fullmatch(r"(?:the\s+)?(?:former|latter)", plain, re.IGNORECASE):
        return [options[0] if "former" in plain.lower() else options[-1]]
    named = stems_of(" ".join(one for one in words(plain) if one not in _FILL))
    fitting = [one for one in options if named and named <= stems_of(one.label)]
    if len(fitting) == 1 and not _is_wish(plain):
        return fitting
    return _as_reference(plain, options, scene)


def _as_reference(plain: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """Another task of the person than those offered, where only its name is said."""
    if _is_wish(plain) or len(plain.split()) > 8:
        return []
    is_one = {one.id for one in options} & {one.id for one in scene.known.projects}
    rows: Sequence[tuple[uuid.UUID, str]] = (
        [(one.id, one.name) for one in project_meant(plain, scene).rows]
        if is_one
        else [(one.id, one.title) for one in tasks_meant(plain, scene).rows]
    )
    return [Option(id=row, label=label) for row, label in rows] if len(rows) == 1 else []


def _is_wish(words: str) -> bool:
    return any(
        re.match(
            r"^(?:add|create|move|delete|rename|remind|show|list|mark|what|undo|set|make)\b",
            one.text,
            re.IGNORECASE,
        )
        for one in clauses(words)
    )


def _with(pending: Pending, value: str) -> list[Call]:
    """The calls of a question with its gap filled."""
    return [
        call.model_copy(update={pending.slot: value})
        if getattr(call, pending.slot, None) == PLACEHOLDER
        else call
        for call in pending.calls
    ]


def _filled(said: str, pending: Pending, scene: Scene) -> Said | None:
    if pending.slot == "due":
        day = day_said(said, scene)
        if day is None:
            return None
        calls = [
            one.model_copy(update={"due": day[0], "due_time": day[1]})
            for one in pending.calls
            if isinstance(one, RescheduleTask)
        ]
        return done(*calls)
    if pending.slot == "words":
        if said.endswith("?") or len(said) > 200 or _is_wish(said):
            return None
        task = parse(
            said, now=scene.now, projects=[(one.id, one.name) for one in scene.known.projects]
        )
        project = str(task.project) if task.project else None
        call = CreateTask(
            title=unquoted(task.title),
            due=task.due,
            due_time=task.due_time,
            start=task.start,
            priority=task.priority,
            project=project,
        )
        return done(call)
    if _is_wish(said) or len(said.split()) > 10:
        return None
    found = tasks_meant(said, scene)
    if len(found.rows) == 1:
        return done(*_with(pending, str(found.rows[0].id)), named=found.rows)
    return None
