"""The door of forms: a page's caller runs a command on their own rows."""

from __future__ import annotations

from django.http import HttpRequest

from chat.commands.base import Command
from chat.commands.run import run
from chat.commands.scope import OwnScope
from chat.identity import identity_of
from chat.operations.models import OperationBatch


def run_for(request: HttpRequest, command: Command) -> OperationBatch:
    """Carries out what a person asked for on a page; the batch can be undone whole.

    Raises NotInScope, Rejected, BadInput, TooLong, Conflict.
    """
    return run(command, OwnScope(identity_of(request))).batch
