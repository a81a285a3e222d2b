"""What came of a call: facts, for the model's next round and for answers in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.operations.models import OperationBatch
from projects.agent.apply import Applied
from projects.portfolio.builder.calls import Asked
from projects.portfolio.builder.state import Proposal
from projects.portfolio.entries.publishing import FailedRule


@dataclass(frozen=True)
class Written:
    """A change that was asked for: done, waiting for review, or failed.

    `values` are what it gives the entry, by field; `story` the parts of the story it adds to.
    """

    call: Asked
    applied: Applied
    values: Mapping[str, Any] = field(default_factory=dict)
    story: Sequence[str] = ()

    @property
    def batches(self) -> Sequence[OperationBatch]:
        """What the ledger has of it."""
        return self.applied.batches


@dataclass(frozen=True)
class Unchanged:
    """It is like that already."""

    call: Asked
    why: str = ""


@dataclass(frozen=True)
class Shown:
    """Something to see in the conversation: a field for pictures, the preview, a question."""

    call: Asked
    part: Mapping[str, Any]


@dataclass(frozen=True)
class Proposed:
    """A draft, a layout or a wording that is laid before the person."""

    call: Asked
    proposal: Proposal
    part: Mapping[str, Any]
    is_news: bool = True


@dataclass(frozen=True)
class Checked:
    """What stands against publishing, and what would make the entry better."""

    call: Asked
    failed: Sequence[FailedRule]
    tips: Sequence[str] = ()


@dataclass(frozen=True)
class TakenBack:
    """What was undone; `is_changed_since`: nothing was, a page has to decide."""

    call: Asked
    applied: Sequence[Applied] = ()
    title: str = ""
    is_changed_since: bool = False

    @property
    def batches(self) -> Sequence[OperationBatch]:
        """The undoing batches."""
        return [batch for one in self.applied for batch in one.batches]


Outcome = Written | Unchanged | Shown | Proposed | Checked | TakenBack
