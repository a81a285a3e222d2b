"""Answers to a question that stands open: “yes”, “the second one”, “both”, “neither”, “Friday”."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from futura.text import stems, words
from projects.concierge.calls import Call, CreateTask, RescheduleTask
from projects.concierge.understanding.hearing import clauses
from projects.concierge.understanding.moving import day_said
from projects.concierge.understanding.references import (
    Scene,
    bare,
    place_in,
    project_meant,
    stems_of,
    tasks_meant,
    unquoted,
)
from projects.concierge.understanding.said import PLACEHOLDER, Said, done
from projects.concierge.understanding.shapes import Option, Pending
from projects.language.quick import parse

_YES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|ya|sure|ok(?:ay)?|please(?:\s+do)?|do\s+(?:it|that"
    r"|so)|go\s+(?:ahead|for\s+it)|absolutely|definitely|of\s+course|sounds\s+good"
    r"|correct|right|exactly|that[’']?s\s+(?:it|right|the\s+one)|that\s+one"
    r"|add\s+(?:it|them|that)|y|👍)"
    r"(?:[\s,.!]+(?:please|do|do\s+(?:it|that|so)|thanks|thank\s+you|that|it"
    r"|add\s+(?:it|them|that)|go\s+ahead|exactly|all(?:\s+of\s+them)?|both"
    r"|the\s+(?:task|one)))*[\s,.!👍🙏]*$",
    re.IGNORECASE,
)
_YES_AND: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|ok(?:ay)?)(?:\s+please)?\s*[,.!–—-]+\s*(?:and\s+"
    r"|but\s+)?(?P<more>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NO: Final = re.compile(
    r"^\W*(?:no|nope|nah|neither|none(?:\s+of\s+(?:them|these|those))?|not\s+(?:now"
    r"|yet|really|that|those)|don[’']?t(?:\s+(?:bother|do\s+(?:it|that)))?|do\s+not"
    r"|leave\s+(?:it|them|that)|never\s*mind|nvm|forget\s+(?:it|that)|cancel|stop"
    r"|rather\s+not|n|nothing|skip(?:\s+it)?)\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ALL: Final = re.compile(
    r"^\W*(?:yes[\s,]+)?(?:both|all)(?:\s+(?:of\s+(?:them|these|those)|them|two"
    r"|three))?(?:[\s,]+please)?\W*$",
    re.IGNORECASE,
)


def answered(text: str, scene: Scene) -> Said | None:
    """What a message means as an answer; None when it is about something else."""
    pending = scene.memory.pending
    if pending is None:
        return None
    said = " ".join(text.split())
    refused = _NO.match(said)
    if refused and len(refused["rest"].split()) <= 6 and not _has_wish(refused["rest"]):
        return Said("declined", reply=_("All right, I leave that as it is."))
    if pending.kind == "offer":
        return done(*pending.calls) if _YES.match(said) or _ALL.match(said) else None
    if pending.kind == "choose":
        return _chosen(said, pending, scene)
    return _filled(said, pending, scene)


def goes_on(text: str, scene: Scene) -> str:
    """What follows a yes to an offer (“yes, and move it to Friday”); empty for none."""
    found = _YES_AND.match(" ".join(text.split()))
    pending = scene.memory.pending
    return found["more"] if found and pending is not None and pending.kind == "offer" else ""


def _has_wish(rest: str) -> bool:
    """“no, the other one”, “no, move it to Friday” go on with something."""
    return bool(
        re.search(
            r"\b(?:one|instead|rather|add|move|mark|rename|delete|the\s+\w+|first|second)\b",
            rest,
            re.IGNORECASE,
        )
    )


def _chosen(said: str, pending: Pending, scene: Scene) -> Said | None:
    options = _options_in(said, pending.options, scene)
    if not options:
        return None
    calls = [filled for one in options for filled in _with(pending, str(one.id))]
    named = [task for task in scene.known.tasks if task.id in {one.id for one in options}]
    return done(*calls, named=named)


def _options_in(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    plain = re.sub(
        r"^(?:no[,\s]+|i\s+mean(?:t)?\s+|it[’']?s\s+|that\s+would\s+be\s+|just\s+|only\s+)+",
        "",
        said.strip(" .!?"),
        flags=re.IGNORECASE,
    )
    plain = re.sub(r"[\s,]+(?:please|thanks|thank\s+you)$", "", plain, flags=re.IGNORECASE)
    if _ALL.match(said):
        return (
            list(options)
            if not re.search(r"\bboth\b", said, re.IGNORECASE) or len(options) == 2
            else []
        )
    place = place_in(plain, len(options))
    if place is not None:
        return [options[place]]
    if re.fullmatch(r"(?:the\s+)?(?:former|latter)", plain, re.IGNORECASE):
        return [options[0] if "former" in plain.lower() else options[-1]]
    exact = [one for one in options if one.label.casefold() == unquoted(plain).casefold()]
    if exact:
        return exact[:1]
    wanted = stems_of(bare(plain)) or frozenset(stems(words(bare(plain))))
    fitting = [one for one in options if wanted and wanted <= stems_of(one.label)]
    if (
        len(fitting) == 1
        and len(plain.split()) <= len(fitting[0].label.split()) + 4
        and not _is_wish(plain)
    ):
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
