"""“Undo that”: takes back what the last answer of the conversation changed, or a named batch."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict
from futura.errors import Conflict
from futura.llm.tools import ToolRejected
from projects.agent.apply import taken_back
from projects.concierge.calls import Undo
from projects.concierge.desk import Desk, Gone
from projects.concierge.outcomes import TakenBack
from projects.models import Task

NAMES: Final = 6
NO_BATCH: Final = "There is no such change of this person's; nothing was undone."


def undo_last(call: Undo, desk: Desk, call_id: str) -> TakenBack:
    """Undoes all that one answer did, or drops what it proposed. Raises Gone, ToolRejected."""
    batches = [_named(call.batch, desk)] if call.batch else _last(desk)
    if not batches:
        return TakenBack(call)
    titles = [one.title for one in batches]
    try:
        done = taken_back(desk.turn, batches, tool_call_id=call_id, title=_("Took it back"))
    except UndoConflict:
        return TakenBack(call, titles=titles, is_changed_since=True, batch_id=batches[0].pk)
    except Conflict as error:
        raise ToolRejected(f"Not undone: {error}") from error
    desk.ledger.applied += done
    return TakenBack(call, done, titles, _names(batches, desk), batch_id=batches[0].pk)


def _names(batches: Sequence[OperationBatch], desk: Desk) -> list[str]:
    """What the tasks are called that some batches changed; those of others are not looked at."""
    changed = Operation.objects.filter(batch__in=batches, entity="task").values("entity_id")
    own = Task.objects.filter(pk__in=changed, owner_id__in=desk.owner_ids)
    return list(own.order_by("created_at").values_list("title", flat=True)[:NAMES])


def _named(ref: str, desk: Desk) -> OperationBatch:
    try:
        key = uuid.UUID(ref.strip())
    except ValueError:
        raise Gone(NO_BATCH) from None
    found = OperationBatch.objects.filter(pk=key, owner_id__in=desk.owner_ids).first()
    if found is None:
        raise Gone(NO_BATCH)
    return found


def _last(desk: Desk) -> Sequence[OperationBatch]:
    """What stands or waits of the newest answer that changed something, the last change first.

    What this very answer has done is no part of it.
    """
    counts = Operation.objects.filter(batch=OuterRef("pk")).filter(
        Q(status=Operation.Status.COMPLETED)
        | Q(status=Operation.Status.PENDING, batch__status=OperationBatch.Status.REVIEW)
    )
    of_talk = (
        OperationBatch.objects.filter(Exists(counts), session=desk.session, undoes=None)
        .filter(owner_id__in=desk.owner_ids)
        .exclude(run=desk.turn.run_id)
        .order_by("-created_at")
    )
    newest = of_talk.first()
    if newest is None:
        return ()
    return list(of_talk.filter(run=newest.run_id)) if newest.run_id else [newest]
