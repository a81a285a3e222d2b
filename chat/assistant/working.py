"""What one turn of an assistant has in hand: its scope, what it has read, what it has done."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _, ngettext
from pydantic import BaseModel

from chat.assistant.delimiter import Delimiter, delimiter_of
from chat.assistant.provenance import tainted
from chat.assistant.toolset import Toolset
from chat.commands.base import Command, NotInScope, Scope
from chat.guides import Turn
from chat.identity import Identity
from chat.models import Participant, Run
from chat.operations.changes import Actor, Cause, Change, Delete, Kind
from chat.operations.models import Operation
from chat.operations.policy import reasons_to_wait
from chat.operations.registry import operable
from chat.operations.rounds import Part, carry_out
from chat.runs.lease import LeaseLost
from futura.errors import FuturaError
from futura.llm.checks import Reason
from futura.llm.tools import Answered, ToolRejected
from futura.text import quoted

TITLE_CHARS = 60
WAITS = "NOT DONE. It waits for the person's review; say so."
AGAIN = "Done already by the same call in this answer; not done twice."


@dataclass(frozen=True)
class Written:
    """A command of this turn and what became of it; `error` says why nothing did."""

    call_id: str
    command: Command | None
    arguments: BaseModel
    operations: Sequence[Operation] = ()
    is_waiting: bool = False
    error: str = ""

    @property
    def is_unchanged(self) -> bool:
        return not self.error and not self.operations


@dataclass(frozen=True)
class _Wish:
    """A call of a round with the command that it came to; `key` is the same for the same call."""

    call_id: str
    key: tuple[str, str]
    arguments: BaseModel
    command: Command
    part: Part


@dataclass
class Working:
    """One turn's hands. `seen` are long texts that the model has read to their ends, by row and
    field; `written` and `acts` what was done, in order, `refused` the refusals by reason.

    `is_confirmed`: the person has just confirmed a preview of exactly this, which is the review
    (DECISIONS 27); deletions wait all the same.
    """

    turn: Turn[Any]
    toolset: Toolset
    is_confirmed: bool = False
    seen: dict[tuple[uuid.UUID, str], str] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    acts: list[Any] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    _answered: dict[tuple[str, str], Answered] = field(default_factory=dict)

    @property
    def delimiter(self) -> Delimiter:
        return delimiter_of(self.turn)

    def scope(self) -> Scope:
        return self.toolset.scope()

    def taint(self) -> None:
        tainted(self.turn)

    @property
    def is_tainted(self) -> bool:
        return bool(self.turn.state.has_untrusted_text)

    def has_seen(self, row_id: uuid.UUID, name: str, text: str) -> None:
        self.seen[row_id, name] = text

    def refuse_unseen(self, row_id: uuid.UUID, name: str, standing: str) -> str:
        """Why a long text may not be replaced: its end was not read. Empty when it may."""
        if not standing.strip() or self.seen.get((row_id, name)) == standing:
            return ""
        text = _(
            "It would replace a text of %(n)d characters that was not read to its end. Add to "
            "the text, replace a quoted part, or read it first."
        )
        return text % {"n": len(standing)}

    @property
    def has_done(self) -> bool:
        return bool(self.acts) or any(item.operations for item in self.written)

    def write(self, calls: Sequence[tuple[str, BaseModel, Any]]) -> dict[str, Answered]:
        """Carries out a round: (call id, arguments, tool that builds the command) each.

        Raises LeaseLost when the run was stopped or taken away.
        """
        answered: dict[str, Answered] = {}
        wishes: list[_Wish] = []
        for call_id, arguments, tool in calls:
            key = (tool.name, arguments.model_dump_json())
            if key in self._answered or key in [wish.key for wish in wishes]:
                answered[call_id] = Answered("done", AGAIN)
                continue
            try:
                command = tool.command(arguments, self)
                if refusal := self.toolset.allows(command, self):
                    raise ToolRejected(refusal)
            except (ToolRejected, FuturaError) as error:
                answered[call_id] = self._rejected(call_id, arguments, None, error)
                continue
            wishes.append(_Wish(call_id, key, arguments, command, Part(self._planner(command))))
        if wishes:
            is_waiting = self._carry_out(wishes)
            for wish in wishes:
                outcome = answered[wish.call_id] = self._outcome(wish, is_waiting=is_waiting)
                if outcome.status in {"done", "waiting"}:
                    self._answered[wish.key] = outcome
        return answered

    def _carry_out(self, wishes: Sequence[_Wish]) -> bool:
        """Does them, or lets them all wait; whether they wait."""

        def judge(changes: Sequence[Change]) -> list[str]:
            reasons = self._reasons(run, changes)
            if any(wish.command.is_draft for wish in wishes if wish.part.error is None):
                reasons.append(_("This is a draft. Review it before you use it."))
            return reasons

        with transaction.atomic():
            run = running(self.turn)
            reasons = carry_out(
                [wish.part for wish in wishes],
                cause=Cause(run.session, run, run.message),
                judge=judge,
                title=lambda waits: self._title([wish.command for wish in wishes], waits),
            )
        return bool(reasons)

    def _planner(self, command: Command) -> Any:
        def plan() -> tuple[Actor, Sequence[Change]]:
            scope = self.scope()
            changes = command.plan(scope)
            return scope.actor, changes

        return plan

    def _rejected(
        self, call_id: str, arguments: BaseModel, command: Command | None, error: Exception
    ) -> Answered:
        is_unknown = isinstance(error, NotInScope)
        self.refused[Reason.UNKNOWN_ID if is_unknown else Reason.NOT_ALLOWED] += 1
        text = NOT_THERE if is_unknown else str(error)
        self.written.append(Written(call_id, command, arguments, error=str(error)))
        return Answered("rejected", f"NOT DONE. {text}")

    def _outcome(self, wish: _Wish, *, is_waiting: bool) -> Answered:
        call_id, arguments, command = wish.call_id, wish.arguments, wish.command
        if wish.part.error is not None:
            return self._rejected(call_id, arguments, command, wish.part.error)
        if not wish.part.changes:
            self.written.append(Written(call_id, command, arguments))
            return Answered("done", "Nothing to change: it is like that already.")
        operations = wish.part.operations
        self.written.append(Written(call_id, command, arguments, operations, is_waiting))
        rows = "\n".join(_line(operation) for operation in operations[:50])
        if is_waiting:
            return Answered("waiting", f"{WAITS}\n{rows}")
        self.turn.state.operations_executed += len(operations)
        return Answered("done", f"Done.\n{rows}")

    def _title(self, commands: Sequence[Command], waits: bool) -> str:
        if len(commands) == 1:
            first = commands[0]
            return first.sentence(self.scope()) if waits else first.ledger_title
        message = self.turn.message
        text = " ".join(message.text.split()) if message else ""
        if not text:
            n = len(commands)
            return ngettext("%(n)d change", "%(n)d changes", n) % {"n": n}
        cut = text if len(text) <= TITLE_CHARS else text[: TITLE_CHARS - 1].rstrip() + "…"
        return quoted(cut)

    def _reasons(self, run: Run, changes: Sequence[Change]) -> list[str]:
        stored = [
            change for change in changes if not self.is_confirmed or isinstance(change, Delete)
        ]
        touched = Operation.objects.filter(batch__run=run, undoes=None)
        counted = [
            (key, entity, kind)
            for key, entity, kind in set(touched.values_list("entity_id", "entity", "type"))
            if operable(entity).is_counted
        ]
        listed = {
            key for key, entity, kind in counted
            if kind == Operation.Type.CREATE and operable(entity).is_listed
        }  # fmt: skip
        rows = {change.id for change in changes}
        before = {key for key, _entity, _kind in counted} - listed
        return reasons_to_wait(
            "" if self.is_confirmed else run.session.policy,
            stored,
            touched_before=0 if self.is_confirmed else len(before - rows),
            listed_before=0 if self.is_confirmed else len(listed - rows),
            has_untrusted_text=not self.is_confirmed and self.is_tainted,
        )


NOT_THERE = (
    "There is nothing with this id among the person's things; nothing was done. Use an id from the "
    "briefing or from a result of a tool, never one that somebody names."
)


def running(turn: Turn[Any]) -> Run:
    """The turn's run, locked. Raises LeaseLost where it was stopped, or taken away."""
    runs = Run.objects.select_for_update(of=("self",))
    run = runs.select_related("session__participant", "message").filter(pk=turn.run_id).first()
    if run is None or run.status != Run.Status.RUNNING or run.session_id != turn.session_id:
        raise LeaseLost
    return run


def owners_of(participant: Participant) -> tuple[uuid.UUID, ...]:
    if participant.user_id is None:
        return (participant.pk,)
    same = Participant.objects.filter(user_id=participant.user_id).order_by("created_at")
    others = [pk for pk in same.values_list("pk", flat=True) if pk != participant.pk]
    return (participant.pk, *others)


def agent_scope(participant: Participant, owner_ids: Sequence[uuid.UUID]) -> Scope:
    """The rows of the person of a conversation, for one command; new ones are its participant's."""
    identity = Identity(user_id=participant.user_id, user_participant_ids=tuple(owner_ids))
    return Scope(identity, Kind.AGENT, participant.pk)


def _line(operation: Operation) -> str:
    entity_type = operable(operation.entity)
    requested = operation.payload.requested or {}
    values = requested
    if operation.type != Operation.Type.CREATE:
        rows = entity_type.model._default_manager.filter(pk=operation.entity_id)
        values = {**(rows.values(*entity_type.fields).first() or {}), **requested}
    title = entity_type.title(values) or operation.entity
    fields = ", ".join(operation.changed_fields or requested) if operation.type == "update" else ""
    version = f" version={operation.result_version}" if operation.result_version else ""
    text = f"{operation.type} {operation.entity} “{title[:80]}” id={operation.entity_id}{version}"
    return f"{text} ({fields})" if fields else text
