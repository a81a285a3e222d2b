"""“Undo that”: takes back what the last answer of the conversation changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from chat.operations.models import Operation, OperationBatch
from chat.operations.undo import UndoConflict
from futura.errors import Conflict
from futura.llm.tools import ToolRejected
from projects.agent.apply import taken_back
from projects.portfolio.builder.calls import Undo
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.outcomes import Outcome, TakenBack, Unchanged


def undo_last(call: Undo, desk: Desk, call_id: str) -> Outcome:
    """Undoes all that one answer did, or drops what it proposed. Raises ToolRejected."""
    batches = last_of(desk.session.pk, besides=desk.turn.run_id)
    if not batches:
        return Unchanged(call, "nothing")
    try:
        done = taken_back(desk.turn, batches, tool_call_id=call_id, title=_("Took it back"))
    except UndoConflict:
        return TakenBack(call, title=batches[0].title, is_changed_since=True)
    except Conflict as error:
        raise ToolRejected(f"Not undone: {error}") from error
    desk.ledger.applied += done
    return TakenBack(call, done, ", ".join(dict.fromkeys(one.title for one in batches)))


def last_of(session_id: uuid.UUID, *, besides: uuid.UUID | None = None) -> Sequence[OperationBatch]:
    """What stands or waits of the newest answer that changed something, the last change first."""
    counts = Operation.objects.filter(batch=OuterRef("pk")).filter(
        Q(status=Operation.Status.COMPLETED)
        | Q(status=Operation.Status.PENDING, batch__status=OperationBatch.Status.REVIEW)
    )
    of_talk = OperationBatch.objects.filter(Exists(counts), session=session_id, undoes=None)
    if besides is not None:
        of_talk = of_talk.exclude(run=besides)
    of_talk = of_talk.order_by("-created_at")
    newest = of_talk.first()
    if newest is None:
        return ()
    return list(of_talk.filter(run=newest.run_id)) if newest.run_id else [newest]
