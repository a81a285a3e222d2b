"""Every command by name, and running one: it plans, the scope executes or proposes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat import rates
from chat.commands.base import Act, Command, NotInScope, Query, Scope, build
from chat.commands.undo import Undo
from chat.identity import identity_of
from chat.operations.changes import Cause
from chat.operations.models import Operation, OperationBatch
from futura import limits, locks, parameters
from futura.errors import BadInput

_commands: dict[str, type[Command]] = {Undo.name: Undo}


def register(*kinds: type[Command]) -> None:
    """Adds commands; two of one name are a programming error (ValueError)."""
    for kind in kinds:
        if _commands.setdefault(kind.name, kind) is not kind:
            raise ValueError(f"There already is a command called {kind.name!r}.")


def command_kind(name: str) -> type[Command]:
    """The command of that name. Raises BadInput."""
    try:
        return _commands[name]
    except KeyError:
        text = _("There is no command called “%(name)s”.") % {"name": name[:40]}
        raise BadInput(text, field="name") from None


def all_commands() -> Sequence[type[Command]]:
    return [_commands[name] for name in sorted(_commands)]


@cache
def description(kind: type[Command]) -> Mapping[str, Any]:
    """What programs are told of a command: name, version, meaning, schema of its arguments."""
    return {
        "name": kind.name,
        "version": kind.schema_version,
        "area": kind.area,
        "scope": kind.token_scope(),
        "writes": kind.writes,
        "description": cleandoc(kind.__doc__ or ""),
        "arguments": kind.model_json_schema(),
    }


@dataclass(frozen=True)
class Outcome:
    batch: OperationBatch

    @property
    def is_waiting(self) -> bool:
        return self.batch.status == OperationBatch.Status.REVIEW

    @property
    def batch_id(self) -> uuid.UUID | None:
        """What undoes it; None where nothing had to change and nothing was recorded."""
        is_recorded = self.batch.finished_at or self.is_waiting
        return self.batch.pk if is_recorded else None

    @property
    def created(self) -> list[uuid.UUID]:
        """The ids of new rows, in order. One query."""
        new = self.batch.operations.filter(type=Operation.Type.CREATE).order_by("sequence")
        return list(new.values_list("entity_id", flat=True))


def run(command: Command, scope: Scope, *, cause: Cause | None = None) -> Outcome:
    """Carries a command out, whole or not at all, or lets it wait for its owner.

    Raises NotInScope, Rejected, BadInput, TooLong, and Conflict where the ledger refuses.
    """
    with _named(command), transaction.atomic():
        return Outcome(command.carry_out(scope, cause))


@contextmanager
def _named(command: Command) -> Iterator[None]:
    """Says of a row that is not there which argument names it."""
    try:
        yield
    except NotInScope as error:
        for name, value in command:
            keys = value if isinstance(value, tuple) else (value,)
            if any(key in error.missing for key in keys):
                error.field = name
        raise


def run_for(request: HttpRequest, command: Command) -> OperationBatch:
    """Carries out what a person asked for on a page; the batch can be undone whole.

    A form with a `client_id` that is sent again, with the same in it, gives the batch of the first
    time, as long as what that made was not touched since.

    Raises NotInScope, Rejected, BadInput, TooLong, Conflict.
    """
    scope = Scope(identity_of(request))
    key = parameters.key(request.POST.get("client_id"))
    with transaction.atomic():
        batch_id = made_id(scope, command, str(key or ""))
        first = _first_of(batch_id)
        if first is not None:
            row = Operation.objects.filter(entity=first.entity, entity_id=first.entity_id)
            if row.latest("created_at").batch_id == batch_id:
                return first.batch
            batch_id = None
        return run(command, scope, cause=_cause(scope, batch_id)).batch


def run_by_program(scope: Scope, command: Command) -> Outcome:
    """Carries out what a program asked for; what it sends again with the same key in the header
    `Idempotency-Key` and the same in it gives the batch of the first time.

    Raises what `run` raises, and TooMany for newcomers.
    """
    is_new = not scope.identity.is_known
    with transaction.atomic():  # what is refused leaves no participant behind
        batch_id = made_id(scope, command, scope.key)
        first = _first_of(batch_id)
        if first is not None:
            return Outcome(first.batch)
        outcome = run(command, scope, cause=_cause(scope, batch_id))
        if is_new:
            rates.check(limits.START, scope.identity)
    return outcome


def made_id(scope: Scope, command: Command, key: str) -> uuid.UUID | None:
    """The id of what this command makes under a key; no one else works on it until the transaction
    ends. None without a key, and for newcomers, whom nothing knows again.
    """
    if not key or not scope.identity.is_known:
        return None
    caller = scope.identity.user_id or scope.identity.cookie_participant_id
    return locks.id_under(key, f"{caller} {command.name} {command.model_dump_json()}")


def _first_of(batch_id: uuid.UUID | None) -> Operation | None:
    return Operation.objects.filter(batch=batch_id, sequence=1).first() if batch_id else None


def _cause(scope: Scope, batch_id: uuid.UUID | None) -> Cause | None:
    return Cause(reason=scope.identity.reason, batch_id=batch_id) if batch_id else None


@dataclass(frozen=True)
class Answer:
    sentence: str = ""
    result: dict[str, Any] | None = None
    outcome: Outcome | None = None


def answer(
    kind: type[Command], values: Mapping[str, Any], scope: Scope, require: Callable[[str], None]
) -> Answer:
    """Reads, acts or changes for a program; `require` refuses scopes that its token lacks."""
    require(kind.token_scope())
    command = build(kind, values)
    for needed in sorted(command.scopes()):
        require(needed)
    if isinstance(command, Query):
        with _named(command):
            return Answer(result=command.read(scope).model_dump(mode="json"))
    with _named(command):
        sentence = command.sentence(scope)
    if isinstance(command, Act):
        rates.check(limits.START, scope.identity)
        return Answer(sentence, command.act(scope).model_dump(mode="json"))
    return Answer(sentence, outcome=run_by_program(scope, command))
