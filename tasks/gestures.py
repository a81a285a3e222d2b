"""What a person did to a list last, and can take back or do again with one press."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chat.operations.models import OperationBatch
from tasks.campaigns.closing import fixed_words
from tasks.models import SurveyResponse

LOOKED_AT: Final = 10  # gestures back; further ones are among all changes


@dataclass(frozen=True)
class Last:
    """The last gesture that stands, and the last undo when nothing was done since."""

    done: OperationBatch | None = None
    undone: OperationBatch | None = None


def last_of(response: SurveyResponse) -> Last:
    """One query; nothing once the list can only be read."""
    if fixed_words(response):
        return Last()
    own = OperationBatch.objects.filter(
        session=response.pk,
        actor=OperationBatch.Actor.PERSON,
        status=OperationBatch.Status.COMPLETED,
    )
    newest = list(own.order_by("-created_at", "-pk")[:LOOKED_AT])
    done = next((one for one in newest if one.undoes_id is None), None)
    undone = newest[0] if newest and newest[0].undoes_id else None
    return Last(done, undone)
