"""The key facts of a conversation: as a model notes them, bounded, stored as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from chat.memory.prompts import KeyFact, Line, fact_line
from chat.memory.shapes import FACTS_TOKENS, Fact
from chat.memory.tokens import count, opening
from futura.llm.checks import Reason

REPLACED_MAX: Final = 120
"""Replaced facts that are remembered as such."""

FACT_CHARS: Final = 400
SENTENCES_TOKENS: Final = 60
"""Without a model, what is kept of a message: the first sentences within so many tokens."""


def with_noted(
    facts: Sequence[Fact], noted: Iterable[KeyFact], lines: Sequence[Line]
) -> tuple[list[Fact], Counter[str]]:
    """The facts with those that a model noted, and why others were refused.

    What a model replaces it names by its number among the facts that hold.
    """
    existing = holding(facts)
    stored = list(facts)
    messages = {line.seq: line.message_id for line in lines if line.is_person}
    refused: Counter[str] = Counter()
    for item in sorted(noted, key=lambda item: item.message):
        reason = _refusal(item, messages, existing)
        if reason:
            refused[reason] += 1
            continue
        message_id = messages[item.message]
        gone = [existing[number - 1] for number in item.replaces]
        stored = [
            replace(fact, superseded_by=message_id, superseded_seq=item.message)
            if fact in gone and fact.holds and fact.seq < item.message
            else fact
            for fact in stored
        ]
        if not item.is_withdrawal:
            text = " ".join(item.text.split())
            _add(stored, Fact(text, item.kind, message_id, item.message, by="model"))
    return bounded(stored), refused


def _refusal(item: KeyFact, messages: Mapping[int, str], existing: Sequence[Fact]) -> Reason | None:
    if item.message not in messages:
        return Reason.NOT_THE_PERSONS_MESSAGE
    if any(not 0 < number <= len(existing) for number in item.replaces):
        return Reason.UNKNOWN_ID
    if not item.text.strip() and not item.is_withdrawal:
        return Reason.EMPTY
    return Reason.TOO_LONG if len(item.text) > FACT_CHARS else None


def with_sentences(facts: Sequence[Fact], lines: Sequence[Line]) -> list[Fact]:
    stored = list(facts)
    for line in lines:
        text = opening(line.text, SENTENCES_TOKENS) if line.is_person else ""
        if text:
            _add(stored, Fact(" ".join(text.split()), "statement", line.message_id, line.seq))
    return bounded(stored)


def _add(stored: list[Fact], fact: Fact) -> None:
    """Adds a fact, unless the same is stored of that message: it may be read twice."""
    same = (item for item in stored if (item.message_id, item.text) == (fact.message_id, fact.text))
    if next(same, None) is None:
        stored.append(fact)


def bounded(facts: Sequence[Fact], *, tokens: int = FACTS_TOKENS) -> list[Fact]:
    """The newest facts that fit, in the order of the talk."""
    stored: list[Fact] = []
    for fact in sorted(holding(facts), key=lambda fact: -fact.seq):
        tokens -= count(fact_line(fact)) + 1
        if tokens < 0:
            break
        stored.append(fact)
    replaced = sorted((fact for fact in facts if not fact.holds), key=lambda f: -f.superseded_seq)
    return sorted([*stored, *replaced[:REPLACED_MAX]], key=lambda fact: fact.seq)


def cost(facts: Iterable[Fact]) -> int:
    return count("\n".join(fact_line(fact) for fact in facts))


def standing(facts: Iterable[Fact], message_ids: Collection[str]) -> list[Fact]:
    """Without the facts of messages that were replaced or erased; what those took back holds."""
    return [
        fact
        if not fact.superseded_by or fact.superseded_by in message_ids
        else replace(fact, superseded_by="", superseded_seq=0)
        for fact in facts
        if fact.message_id in message_ids
    ]


def holding(facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.holds]


def to_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    return [asdict(fact) for fact in facts]


def from_json(rows: Iterable[Mapping[str, Any]]) -> list[Fact]:
    return [Fact(**row) for row in rows]
