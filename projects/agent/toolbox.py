"""What a tool of a creating or updating conversation may touch, and how it writes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from chat.commands.base import Command, NotInScope, RowT
from chat.operations.changes import Cause, Change
from chat.operations.models import OperationBatch
from futura.llm.tools import ToolRejected
from projects.agent.apply import Again, Applied, Ledger, apply
from projects.agent.closing import told
from projects.modes.rows import ProjectRows


@dataclass
class ToolBox(ProjectRows):
    """One turn's hands: applies changes, remembers what it did.

    `whole` are the long texts that the model has seen to their ends in this turn.
    """

    ledger: Ledger = field(default_factory=Ledger)
    whole: dict[tuple[uuid.UUID, str], str] = field(default_factory=dict)

    def has_seen(self, row_id: uuid.UUID, field: str, text: str) -> None:
        """Notes that the model was shown all of a text as it stands."""
        self.whole[row_id, field] = text

    def refuse_unseen(self, row_id: uuid.UUID, field: str, text: str, way: str) -> None:
        """Raises ToolRejected for replacing a text of which the model has not seen the whole.

        `way` says how it goes without.
        """
        if text.strip() and self.whole.get((row_id, field)) != text:
            raise ToolRejected(
                f"Not replaced: you have not seen all {len(text)} characters of {field} as it "
                f"stands. {way}, or read it whole with read_whole first and then replace it."
            )

    def get(self, model: type[RowT], key: uuid.UUID) -> RowT:
        """The owner's living row. Raises NotInScope."""
        return self.rows(model, [key])[0]

    def rows(self, model: type[RowT], keys: Sequence[uuid.UUID]) -> list[RowT]:
        """The owner's living rows, in this order. Raises NotInScope."""
        own = model._default_manager.filter(pk__in=keys, owner_id=self.owner_id, deleted_at=None)
        found = {row.pk: row for row in own}
        if found.keys() != set(keys):
            raise NotInScope
        return [found[key] for key in dict.fromkeys(keys)]

    def commit(
        self, command: Command, changes: Sequence[Change], cause: Cause | None = None
    ) -> OperationBatch:
        """Through the policy to the ledger."""
        call_id = cause.tool_call_id if cause else ""
        return self.apply(changes, title=command.ledger_title, tool_call_id=call_id).batches[-1]

    @property
    def owner_ids(self) -> Sequence[uuid.UUID]:
        """The owner of the conversation."""
        return (self.owner_id,)

    def apply(
        self,
        changes: Sequence[Change],
        *,
        title: str,
        tool_call_id: str,
        again: Again | None = None,
        is_atomic: bool = False,
        is_confirmed: bool = False,
    ) -> Applied:
        """`projects.agent.apply.apply` for this turn; what was recorded is remembered."""
        applied = apply(
            self.turn, changes, title=title, tool_call_id=tool_call_id, again=again,
            is_atomic=is_atomic, is_confirmed=is_confirmed,
        )  # fmt: skip
        self.ledger.applied.append(applied)
        return applied

    def words(self, applied: Applied) -> str:
        """What a model is told of it: only what the ledger shows."""
        said = told(applied.batches) or "Nothing had to change."
        if applied.is_waiting:
            return f"NOT DONE. It waits for the person's review; say so.\n{said}"
        return said
