"""The ledger's line under an answer: what the turn changed, what waits; and how it is shown."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, Q
from django.utils.translation import gettext as _, ngettext

from chat.models import Message, Session
from chat.operations import cards, notifications, queries
from chat.operations.models import Operation, OperationBatch
from chat.presenters import Rendered, presenter_for

TYPE: Final = "operations"
GESTURES: Final = 100  # batches of one conversation whose cards can stand in it
_CACHE: Final = "_assistant_gestures"


def ledger_part(run_id: uuid.UUID) -> dict[str, Any]:
    """What a turn did, for its answer: `{run, batches, done, waiting, undone}`, from the ledger.

    `batch` is the first of the batches, for those who look for one.
    """
    own = OperationBatch.objects.filter(run=run_id).order_by("created_at")
    batches = [str(item.pk) for item in own if item.undoes_id is None]
    counts = counted(run_id)
    run = str(run_id)
    part: dict[str, Any] = {"type": TYPE, "quiet": True, "run": run, "batches": batches, **counts}
    return part | ({"batch": batches[0]} if batches else {})


def counted(run_id: uuid.UUID) -> dict[str, int]:
    """Operations of a turn: `done`, `waiting`, `undone`. What a deletion took along counts once."""
    Status = Operation.Status  # noqa: N806 - an enum
    waits = Q(status=Status.PENDING, batch__status=OperationBatch.Status.REVIEW)
    own = Operation.objects.filter(batch__run=run_id, because_of=None)
    forth, back = Q(batch__undoes=None), Q(batch__undoes__isnull=False)
    return own.aggregate(
        done=Count("pk", filter=forth & Q(status=Status.COMPLETED)),
        waiting=Count("pk", filter=forth & waits),
        undone=Count("pk", filter=back & Q(status=Status.COMPLETED)),
    )


def in_words(part: Mapping[str, Any]) -> str:
    """The line in words, for exports: “3 changes, 2 wait”."""
    done, waiting, undone = (int(part.get(name, 0)) for name in ("done", "waiting", "undone"))
    values = []
    if done:
        values.append(ngettext("%(n)d change made", "%(n)d changes made", done) % {"n": done})
    if undone:
        values.append(
            ngettext("%(n)d change undone", "%(n)d changes undone", undone) % {"n": undone}
        )
    if waiting:
        values.append(
            ngettext("%(n)d waiting for review", "%(n)d waiting for review", waiting)
            % {"n": waiting}
        )
    return ", ".join(values) or _("No changes")


def rendered(part: Mapping[str, Any], session: Session) -> Rendered:
    """The line, and below it the cards of the batches as they stand now."""
    return Rendered("chat/assistant/_ledger.html", _context(part, session))


def line(part: Mapping[str, Any], session: Session) -> Rendered:
    """The line alone, where a panel beside the conversation shows the cards."""
    return Rendered("chat/assistant/_line.html", _context(part, session))


def waiting_in(batch_id: str, session: Session) -> Sequence[cards.Card]:
    """What still waits for the person of one of the newest batches of a conversation."""
    group = _groups(session).get(batch_id)
    return group.waiting if group else ()


def _context(part: Mapping[str, Any], session: Session) -> dict[str, Any]:
    existing = _groups(session)
    ids = [str(item) for item in part.get("batches") or [part.get("batch")] if item]
    groups = [existing[pk] for pk in ids if pk in existing]
    standing = sum(group.standing for group in groups)
    page_url = presenter_for(session.kind).page_url(session)
    return {
        "part": part,
        "groups": groups,
        "older": [pk for pk in ids if pk not in existing],
        "standing": standing,
        "undo": next((group for group in groups if group.standing), None),
        "waiting": sum(group.to_review for group in groups),
        "operations": {"session": session, "page_url": page_url},
    }


def answers(session_id: uuid.UUID, batch_ids: Sequence[str]) -> set[uuid.UUID]:
    """Ids of the answers that stand and whose line tells of these batches."""
    ids = [pk for pk in batch_ids if pk != notifications.POLICY]
    runs = OperationBatch.objects.filter(pk__in=ids, session=session_id).values("run")
    replies = Message.objects.filter(
        session=session_id, answered_by__in=runs, superseded_at__isnull=True
    )
    return {
        reply.pk
        for reply in replies.only("parts")
        if any(part.get("type") == TYPE for part in reply.parts)
    }


def _groups(session: Session) -> Mapping[str, cards.Group]:
    """The newest batches of a conversation: read once for all messages that are shown together."""
    stored: dict[str, cards.Group] | None = session.__dict__.get(_CACHE)
    if stored is None:
        own = OperationBatch.objects.filter(session=session.pk, undoes=None)
        page = queries.page_of(own, limit=GESTURES)
        stored = {str(group.batch.pk): group for group in cards.groups(page.gestures)}
        session.__dict__[_CACHE] = stored
    return stored
