"""Writes what a reviewer corrects in a list: through the ledger, with a reason, sent or not.

What the person said and wrote stays in the ledger and on the page; each correction can be undone.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from chat.models import Message, Session
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from chat.operations.queries import standing
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, NotFound
from futura.given import whole
from futura.limits import TASK_STATEMENT_CHARS, required_text
from onet.groups import ActivityGroup
from onet.search import search
from tasks import activities, positions
from tasks.actions import matching
from tasks.actions.editing import Desk, living_task, match_of
from tasks.actions.listing import MERGED_FIELDS, absorb
from tasks.actions.matching import NONE_OF_THESE, candidate_among, none_taken, taken
from tasks.models import SurveyResponse, TaskMatch, WorkTask

REASON_CHARS: Final = 500
FOUND: Final = 8
Staff = AbstractBaseUser | AnonymousUser


@contextmanager
def correcting(session: Session, user: Staff, *, title: str, reason: str) -> Iterator[Desk]:
    """Holds the list; what is put on the desk is done as one batch of staff, with the reason.

    Raises NotFound when there is no list, Conflict when somebody was faster.
    """
    with transaction.atomic():
        rows = SurveyResponse.objects.select_related("session").select_for_update(of=("self",))
        response = rows.filter(pk=session.pk).first()
        if response is None:
            raise NotFound
        desk = Desk(response)
        yield desk
        if desk.changes:
            made = execute(
                actor=_actor(session, user),
                changes=desk.changes,
                cause=Cause(session=session, reason=reason),
                title=title,
                is_atomic=True,
            )
            if made.status == OperationBatch.Status.FAILED:
                raise_if_failed(made)


def _actor(session: Session, user: Staff) -> Actor:
    return Actor(session.participant_id, kind=Kind.STAFF, user_id=user.pk)


def reason_in(given: object, otherwise: str = "") -> str:
    """The reason as it was given, or the usual one. Raises BadInput when there is neither."""
    words = given.replace("\x00", "").strip() if isinstance(given, str) else ""
    if not words and not otherwise:
        raise BadInput(_("Say why; the person can read it."), field="reason")
    return required_text(words or otherwise, limit=REASON_CHARS, field="reason")


def choose(
    *,
    user: Staff,
    session: Session,
    task_id: uuid.UUID,
    candidate: object,
    words: object = "",
    version: int | None = None,
    reason: object = "",
) -> WorkTask:
    """Takes another statement of the catalogue for a task, or `none`; its activities follow.

    One of the candidates, or of what a search for `words` finds. `version` is the match's as it
    was shown. Raises BadInput, Conflict, NotFound.
    """
    is_none = candidate == NONE_OF_THESE
    usual = _("None of the statements says it.") if is_none else _("This statement says it better.")
    why = reason_in(reason, usual)
    with correcting(session, user, title=_("Corrected a match"), reason=why) as desk:
        task = living_task(desk.response, task_id)
        match = match_of(task)
        if version is not None and version != match.version:
            raise Conflict(_("This match was changed meanwhile. Look again."))
        chosen: Mapping[str, Any] | None = None
        if is_none:
            values = none_taken(why)
        else:
            chosen = _candidate(desk.response, match, candidate, words)
            values = _chosen(match, chosen, why)
        matching.choose(desk, task, {**values, "method": TaskMatch.Method.STAFF}, chosen)
        return task


def _candidate(
    response: SurveyResponse, match: TaskMatch, wanted: object, words: object
) -> Mapping[str, Any]:
    """The candidate of that id. Raises BadInput."""
    known: list[dict[str, Any]] = list(match.candidates)
    if isinstance(words, str) and words.strip():
        known += found_for(response, words)
    return candidate_among(known, wanted)


def found_for(response: SurveyResponse, words: str) -> list[dict[str, Any]]:
    """What the catalogue has for other words, best first, as candidates of a match."""
    cleaned = " ".join(words.replace("\x00", "").split())[:TASK_STATEMENT_CHARS]
    if not cleaned:
        return []
    found = search(cleaned, occupation_code=response.occupation_code, limit=FOUND)
    return [one.as_json() for one in found.candidates]


def _chosen(match: TaskMatch, found: Mapping[str, Any], why: str) -> dict[str, Any]:
    """What the match holds then; a statement that was searched for joins the candidates."""
    known = {one.get("task_id") for one in match.candidates}
    more = {} if found["task_id"] in known else {"candidates": [*match.candidates, found]}
    return {**taken(found, why), **more}


def reword(
    *,
    user: Staff,
    session: Session,
    task_id: uuid.UUID,
    statement: object,
    group: object = "",
    version: int | None = None,
    reason: object = "",
) -> WorkTask:
    """Other words, another group, or both; the match stays as it is. Raises BadInput, Conflict."""
    given = required_text(statement, limit=TASK_STATEMENT_CHARS, field="statement")
    text = " ".join(given.split())
    if group and group not in ActivityGroup.values:
        raise BadInput(_("Choose one of the groups."), field="group")
    why = reason_in(reason)
    with correcting(session, user, title=_("Corrected a task"), reason=why) as desk:
        task = living_task(desk.response, task_id, version=version)
        if text != task.statement:
            task.statement, task.english = text, ""
            desk.put(task, "statement", "english")
        if group and group != task.group:
            task.group = str(group)
            task.groups = [task.group, *(one for one in task.groups if one != task.group)]
            desk.put(task, "group", "groups")
        return task


def merge(
    *,
    user: Staff,
    session: Session,
    task_id: uuid.UUID,
    others: Sequence[uuid.UUID],
    version: int | None = None,
    reason: object = "",
) -> WorkTask:
    """Puts other tasks into one: it takes their time, tools and quotes. Raises BadInput."""
    why = reason_in(reason)
    with correcting(session, user, title=_("Put tasks together"), reason=why) as desk:
        task = living_task(desk.response, task_id, version=version)
        absorbed = [living_task(desk.response, one) for one in dict.fromkeys(others)]
        if not absorbed or task in absorbed:
            raise BadInput(_("Choose at least one other task to put together."), field="others")
        for other in absorbed:
            absorb(task, other)
            desk.take_off(other)
        desk.put(task, *MERGED_FIELDS)
        return task


def take_out(
    *,
    user: Staff,
    session: Session,
    task_id: uuid.UUID,
    place: object,
    version: int | None = None,
    reason: object = "",
) -> WorkTask:
    """Makes a task of its own again of what was put into another one, looked up anew.

    `place` counts from 0 among what was put in. Time and tools stay where they are: what was the
    one's and what the other's is not known any more. Raises BadInput, Conflict.
    """
    why = reason_in(reason, _("These are two pieces of work."))
    with correcting(session, user, title=_("Took a task out of another"), reason=why) as desk:
        task = living_task(desk.response, task_id, version=version)
        held, at = list(task.merged_from), whole(place, digits=3)
        if at is None or at >= len(held):
            raise BadInput(_("Choose what to take out."), field="place")
        entry = held.pop(at)
        task.merged_from = held
        desk.put(task, "merged_from")
        made = _own_task(desk.response, task, entry)
        desk.make(made)
        return made


def _own_task(response: SurveyResponse, held: WorkTask, entry: dict[str, Any]) -> WorkTask:
    """A task (unsaved) of what was put into `held`, right after it, or at the end."""
    following = response.tasks.filter(position__gt=held.position).order_by("position")
    right = following.values_list("position", flat=True).first()
    last = response.tasks.aggregate(last=Max("position"))["last"] or 0
    found = positions.between(held.position, right) or positions.after(last, 1)
    said = Message.objects.filter(session=response.pk, pk=entry.get("message_id") or uuid.uuid4())
    made = WorkTask(
        response=response,
        position=found[0],
        statement=str(entry.get("statement") or held.statement),
        raw=str(entry.get("quote") or entry.get("statement") or ""),
        quote=str(entry.get("quote") or ""),
        message=said.first(),
        source=held.source,
    )
    activities.code([made], response.occupation_code)
    return made


def take_back(*, user: Staff, session: Session, batch_id: uuid.UUID) -> OperationBatch:
    """Undoes a correction; taking that back does it again. Raises Conflict, NotFound."""
    with transaction.atomic():
        corrections = OperationBatch.objects.filter(session=session, actor=Kind.STAFF)
        batch = corrections.filter(pk=batch_id).first()
        if batch is None:
            raise NotFound
        operations = standing(batch)
        if not operations:
            raise Conflict(_("Nothing of this stands any more."))
        redone = all(one.undoes_id for one in operations)
        return undo(
            actor=_actor(session, user),
            operations=operations,
            cause=Cause(session=session, reason=_("The correction was taken back.")),
            title=_("Did it again") if redone else _("Took a correction back"),
        )
