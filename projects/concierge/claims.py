"""The concierge's closing words against the facts: deeds need an operation, states a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from projects.agent.closing import Checker, facts_of
from projects.concierge.desk import Desk
from projects.concierge.outcomes import TakenBack

_UNDONE: Final = re.compile(
    r"\b(?:I|we)(?:'ve|’ve|\s+have)?\s+(?:now\s+|just\s+)?"
    r"(?:undid|undone|reverted|restored|took\s+(?:it|that|this)\s+back|taken\s+\w+\s+back)\b"
    r"|\b(?:is|was|has\s+been|have\s+been)\s+(?:now\s+)?(?:undone|reverted|restored|taken\s+back)\b"
    r"|^\W*(?:undone|reverted|restored)\b",
    re.IGNORECASE,
)
_OPENED: Final = re.compile(
    r"\b(?:I|we)(?:'ve|’ve|\s+have)?\s+(?:now\s+|just\s+)?(?:started|opened|begun|launched|kicked\s+off)\b"
    r"|^\W*(?:started|opened)\b",
    re.IGNORECASE,
)
_STATES: Final = {
    "completed": re.compile(r"\b(?:is|are|was|were)\s+(?:already\s+|now\s+)*"
                            r"(?:completed|finished|closed|done|marked)\b", re.IGNORECASE),
    "dropped": re.compile(r"\b(?:is|are|was|were)\s+(?:already\s+)*"
                          r"(?:dropped|cancell?ed|marked)\b", re.IGNORECASE),
}  # fmt: skip
_SET: Final = re.compile(r"\b(?:is|are|was|were)\s+(?:\w+\s+)?(?:marked|set)\b", re.IGNORECASE)
_ASKS: Final = re.compile(r"\?\s*$")
_MANY: Final = 12


class Claims(Checker):
    """Lets a sentence through once it is whole and claims nothing but what the desk shows.

    Words of titles do not count as claims, nor does a state that a named task really has.
    """

    def __init__(self, desk: Desk, *, secret: str) -> None:
        super().__init__(lambda: facts_of(desk.ledger.batches), secret=secret)
        self.desk = desk

    def _passed(self, sentence: str) -> Iterator[str]:
        if self._is_unfounded(sentence):
            self.dropped.append(sentence.strip())
            return
        named = self._named(sentence)
        masked, names = sentence, {}
        for number, title in enumerate(named):
            mark = f"\ue000{number}\ue001"
            masked, names[mark] = masked.replace(title, mark), title
        if self._is_state(masked, sentence):
            self.has_said = True
            yield sentence
            return
        before = len(self.dropped)
        for said in super()._passed(masked):
            yield _with(said, names)
        self.dropped[before:] = [_with(one, names) for one in self.dropped[before:]]

    def _is_unfounded(self, sentence: str) -> bool:
        if _ASKS.search(sentence.strip()):
            return False
        if _UNDONE.search(sentence):
            took = [one for one in self.desk.outcomes if isinstance(one, TakenBack)]
            return not any(one.applied or (one.titles and not one.is_changed_since) for one in took)
        return bool(_OPENED.search(sentence)) and not self.desk.opened

    def _named(self, sentence: str) -> list[str]:
        titles = {one.title for one in self.desk.seen.values() if len(one.title) > 3}
        titles |= {one.name for one in self.desk.briefing.projects if len(one.name) > 3}
        found = [one for one in titles if one in sentence]
        return sorted(found, key=len, reverse=True)[:_MANY]

    def _is_state(self, masked: str, sentence: str) -> bool:
        """Says of tasks that are known what their rows say, too."""
        about = [one for one in self.desk.seen.values() if one.title in sentence]
        if not about or re.search(r"\b(?:I|we)\b|\bbeen\b", masked):
            return False
        for status, pattern in _STATES.items():
            if pattern.search(masked) and all(one.status == status for one in about):
                return True
        words = {one.priority for one in about} | {one.status for one in about}
        return bool(_SET.search(masked)) and any(one in masked.lower() for one in words)


def _with(text: str, names: dict[str, str]) -> str:
    for mark, title in names.items():
        text = text.replace(mark, title)
    return text
