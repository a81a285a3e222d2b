"""What the JSON doors to a person's rows have in common: whose a row is, what a change answers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from ninja import Schema

from chat.commands.api import scope_of
from chat.commands.base import Command
from chat.commands.run import run_by_program
from chat.identity import Identity, identity_of


class DeletedOut(Schema):
    """The batch whose undo brings everything back."""

    batch_id: uuid.UUID


class OfProject(Schema):
    """Whose rows: the id of a project."""

    project: uuid.UUID


def changed(
    name: str,
    door: Callable[[Identity, uuid.UUID], Any],
    out: Callable[[Any], Any],
    request: HttpRequest,
    command: Command,
    key: uuid.UUID | None = None,
) -> dict[str, Any]:
    """Carries a change out: the row as it is now, the new one without `key`, and the batch."""
    outcome = run_by_program(scope_of(request), command)
    row = door(identity_of(request), key or outcome.created[0])
    return {name: out(row), "batch_id": outcome.batch.pk}


def deleted(request: HttpRequest, command: Command) -> dict[str, uuid.UUID]:
    """Carries a deletion out, in the shape of `DeletedOut`."""
    return {"batch_id": run_by_program(scope_of(request), command).batch.pk}
