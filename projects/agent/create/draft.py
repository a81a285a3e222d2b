"""What a message does to the draft: one batch each, and finally the project itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from chat.models import Session
from chat.operations.changes import Change, Create
from futura.limits import DIMENSION_CHARS
from futura.text import content_overlap
from projects.agent import proposals
from projects.agent.apply import Applied, brought_back
from projects.agent.create.reading import Heard
from projects.agent.toolbox import Picture, ToolBox
from projects.commands.drafts import draft_created, draft_finalised, draft_resumed
from projects.commands.texts import merged_text
from projects.models import DraftTask, ProjectDraft

ALIKE: Final = 0.7


def ensured(box: ToolBox) -> Picture:
    """The draft of the conversation, begun when there is none; an empty one is no change to review.

    One that was given up in the meantime is taken up again by talking on.
    """
    draft = box.draft()
    if draft is None:
        _begin(box)
    elif draft.status == ProjectDraft.Status.ABANDONED:
        back = draft_resumed(draft)
        box.apply([back], title=_("Took the draft up again"), tool_call_id="resume",
                  is_confirmed=True)  # fmt: skip
    return box.draft_picture()


def _begin(box: ToolBox) -> None:
    """A new draft; one of this conversation that an undo took away comes back instead."""
    session = Session.objects.get(pk=box.turn.session_id)
    lost = ProjectDraft.objects.filter(session_id=session.pk).first()
    title = _("Started a draft")
    if lost is not None:
        back = brought_back(box.turn, "draft", lost.pk, title)
        if back is not None:
            box.ledger.applied.append(back)
            box.state.draft_id = lost.pk
            return
    made = draft_created({}, session=session if lost is None else None)
    box.apply([made], title=title, tool_call_id="draft", is_confirmed=True)
    box.state.draft_id = made.id


def changes_for(heard: Heard, picture: Picture, questions: int) -> list[Change]:
    """What a message changes in the draft as it stands; empty for nothing."""
    values: dict[str, Any] = {
        field: merged_text(
            picture.dimension(field), text, "replace" if field in heard.replaces else "append"
        )[:DIMENSION_CHARS]
        for field, text in heard.dimensions.items()
    }
    for one in heard.corrections:
        values[one.field] = one.text
    if heard.rest:
        values["context"] = merged_text(picture.row.context, heard.rest, "append")[:DIMENSION_CHARS]
    values |= {
        name: told
        for name, told in (
            ("name", heard.name),
            ("description", heard.description),
            ("executive_summary", heard.summary),
            ("end_date", heard.end_date),
        )
        if told and told != getattr(picture.row, name)
    }
    told = {name: text for name, text in values.items() if text != getattr(picture.row, name)}
    proposed: list[Change] = []
    if told:
        proposed.append(proposals.update(picture, {**told, "question_count": questions}))
    return [*proposed, *_tasks(heard, picture)]


def _tasks(heard: Heard, picture: Picture) -> list[Change]:
    known = [task.title for task in picture.tasks]
    fresh = [one for one in heard.tasks if not any(_is_like(one.title, old) for old in known)]
    return [
        proposals.new_task(
            picture, one.title, {"due_date": one.due} if one.due else None, ahead=place
        )
        for place, one in enumerate(fresh)
    ]


def _is_like(title: str, known: str) -> bool:
    """Nearly the same words, and the same numbers: “chapter 4” is another than “chapter 3”."""
    numbers = [re.findall(r"\d+", one) for one in (title, known)]
    return numbers[0] == numbers[1] and content_overlap(title, known) >= ALIKE


def suggested(titles: Sequence[str], picture: Picture) -> list[Change]:
    """First steps that nobody has said, marked as such."""
    return [
        proposals.new_task(picture, title, {"is_suggested": True}, ahead=place)
        for place, title in enumerate(titles)
    ]


def mark_of(picture: Picture) -> str:
    """What a confirmation is bound to: the draft and its tasks as they were shown."""
    told = [f"{one.pk} {one.version}" for one in (picture.row, *picture.tasks)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def finalised(box: ToolBox, call_id: str, *, with_suggested: bool = True) -> Applied:
    """Makes the project of the draft, whole or not at all; its id is remembered.

    The person has just confirmed the preview of exactly this draft. Raises BadInput, Conflict.
    """
    picture = box.draft_picture()
    draft = picture.row
    if not isinstance(draft, ProjectDraft):
        raise TypeError("A draft was expected.")
    tasks = [
        one
        for one in picture.tasks
        if isinstance(one, DraftTask) and (with_suggested or not one.is_suggested)
    ]
    with transaction.atomic():
        told = draft_finalised(draft, tasks, name=draft.name or _("New project"))
        applied = box.apply(
            told, title=_("Made “%(name)s” a project") % {"name": draft.name}, tool_call_id=call_id,
            is_atomic=True, is_confirmed=True,
        )  # fmt: skip
    first = told[0]
    if applied.is_done and isinstance(first, Create):
        made = applied.batch.operations.get(entity="project")
        box.state.project_id = made.entity_id
    return applied
