"""How actions of portfolios write: through the ledger, whole or not at all; what they give back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction

from chat.identity import Identity
from chat.operations.base import OperableModel
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch

Row = TypeVar("Row", bound=OperableModel)


@dataclass(frozen=True)
class Done(Generic[Row]):
    """What an action did: the row as it stands now, and the batch that undo takes."""

    row: Row
    batch: OperationBatch


def person(identity: Identity, row: OperableModel) -> Actor:
    """The caller as the one who changes this row or what belongs to it."""
    return Actor(row.owner_id, Kind.PERSON, identity.user_id)


def newcomer(identity: Identity) -> Actor:
    """The caller as the owner of something new; may make a participant (see `Identity`)."""
    return Actor(identity.participant().pk, Kind.PERSON, identity.user_id)


def perform(
    changes: Sequence[Change], *, actor: Actor, title: str, cause: Cause | None = None
) -> OperationBatch:
    """Executes changes as one atomic batch. Raises Conflict with the reason when one fails.

    A person's failed try leaves no trace; an agent's stays in the ledger, marked failed.
    """
    with transaction.atomic():
        batch = execute(actor=actor, changes=changes, cause=cause, title=title, is_atomic=True)
        if actor.kind != Kind.AGENT:
            return raise_if_failed(batch)
    return raise_if_failed(batch)
