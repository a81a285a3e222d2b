"""The closing words of the model against the ledger: a deed needs an operation that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from chat.operations.models import Operation
from projects.agent.closing import Checker, Facts, facts_of
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.outcomes import TakenBack

_LISTED: Final = ("blocks", "tags", "materials", "techniques", "tech_stack", "languages")
_PUBLISHED: Final = re.compile(
    r"\b(?:is|are|it(?:'s|’s))\s+(?:now\s+|all\s+)*(?:live|online|public|published|visible\s+to\s+(?:everyone|everybody|visitors))\b"
    r"|\b(?:went|gone)\s+live\b|\bI(?:'ve|’ve|\s+have)?\s+(?:just\s+|now\s+)?published\b",
    re.IGNORECASE,
)
_UNDONE: Final = re.compile(
    r"\b(?:I|we)(?:'ve|’ve|\s+have)?\s+(?:now\s+|just\s+)?(?:undid|undone|reverted|took\s+(?:it|that|this)\s+back|taken\s+\w+\s+back)\b"
    r"|\b(?:is|was|has\s+been)\s+(?:now\s+)?(?:undone|reverted|taken\s+back)\b",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(
    r"\?\s*$|\b(?:not|n't|n’t|if|once|when|after|before|until|will|would|can|could|shall|wait\w*|approv\w*|to\s+be)\b",
    re.IGNORECASE,
)


class EntryFacts(Facts):
    """An entry is one row: a block more counts as made, one less as deleted."""

    @property
    def types(self) -> set[str]:
        """Types of what was done, blocks and lists seen through."""
        found = super().types
        for one in self.done:
            found |= _kinds(one)
        return found

    def count(self, noun: str) -> int:  # noqa: ARG002 - the same for any noun
        """How many things were changed: fields, blocks and pictures."""
        return sum(max(1, len(one.changed_fields)) for one in self.done) + sum(
            abs(_more(one, name)) for one in self.done for name in _LISTED
        )


def _kinds(one: Operation) -> set[str]:
    if one.type != Operation.Type.UPDATE:
        return set()
    more = [_more(one, name) for name in _LISTED]
    before, after = one.payload.before or {}, one.payload.after or {}
    filled = any(not before.get(name) and value for name, value in after.items())
    emptied = any(before.get(name) and not value for name, value in after.items())
    found = {str(Operation.Type.CREATE)} if filled or any(n > 0 for n in more) else set()
    return found | ({str(Operation.Type.DELETE)} if emptied or any(n < 0 for n in more) else set())


def _more(one: Operation, name: str) -> int:
    before, after = one.payload.before or {}, one.payload.after or {}
    return len(after[name] or ()) - len(before.get(name) or ()) if name in after else 0


def facts(desk: Desk) -> EntryFacts:
    """What the ledger says of this turn."""
    told = facts_of(desk.ledger.batches)
    return EntryFacts(told.done, told.waiting, told.failed)


class Claims(Checker):
    """Lets a sentence through once it is whole and claims nothing but what the ledger shows."""

    def __init__(self, desk: Desk, *, secret: str) -> None:
        super().__init__(lambda: facts(desk), secret=secret)
        self.desk = desk

    def _passed(self, sentence: str) -> Iterator[str]:
        if not _HEDGED.search(sentence.strip()) and self._is_unfounded(sentence):
            self.dropped.append(sentence.strip())
            return
        yield from super()._passed(sentence)

    def _is_unfounded(self, sentence: str) -> bool:
        if _PUBLISHED.search(sentence):
            return not self.desk.is_public()
        if _UNDONE.search(sentence):
            took: Sequence[TakenBack] = [
                one for one in self.desk.outcomes if isinstance(one, TakenBack)
            ]
            return not any(one.applied for one in took)
        return False
