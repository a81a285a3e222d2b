"""The pipeline without a model: tasks, statements and doubles by the rules of English.

The only module of this room that knows the rules (`futura.language`); it never sees what a
model said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from futura.language.duplicates import deduplicated, is_duplicate
from futura.language.task_phrases import phrases_of
from futura.language.wording import statement_of
from futura.text import content_overlap
from tasks.coding.records import Source, card_task, merged, told_task
from tasks.interview.analysis import without_cards
from tasks.interview.state import Card
from tasks.models import WorkTask

OVERLAP: Final = 0.8
"""Above it a card says what is on the list already (spec 1, part 7)."""


def new_tasks(source: Source) -> list[WorkTask]:
    """What is to be added to the list: tasks that were told, then picked cards."""
    extracted = source.undecided(extract(source))
    tasks = [task for task in _merged(extracted) if not _is_listed(task, source)]
    statements = [
        *(row.statement for row in source.listed),
        *(task.statement for task in tasks),
    ]
    cards = fresh_cards(source.new_cards, statements)
    return [*tasks, *(card_task(card, source) for card in cards)]


def extract(source: Source) -> list[WorkTask]:
    """The person's tasks (unsaved) by grammar; cards that a message names count as cards."""
    language, cards = source.state.basic_language, source.state.cards
    turns = [
        replace(turn, text=without_cards(turn.text, cards)[0]) if turn.is_person else turn
        for turn in source.turns
    ]
    return [
        told_task(
            task.raw,
            task.quote,
            turns[task.turn_index].message_id,
            statement=statement_of(task.raw, language=language) or task.raw.strip(),
        )
        for task in phrases_of(turns, language=language)
    ]


def _merged(tasks: Sequence[WorkTask]) -> list[WorkTask]:
    """Doubles put together, in the order of first mention."""
    results: list[WorkTask] = []
    for result in deduplicated([task.statement for task in tasks]):
        members = [tasks[place] for place in result.members]
        same = [task for task in members if task.statement == result.statement]
        chosen = (same or members)[0]
        results.append(merged(members, chosen, result.reason))
        chosen.statement = result.statement
    return results


def _is_listed(task: WorkTask, source: Source) -> bool:
    """Whether the list has the task already, be it reworded or deleted by the person."""
    for row in source.listed:
        existing = [row.statement, *(entry.get("statement", "") for entry in row.merged_from)]
        if row.raw:
            existing.append(statement_of(row.raw, language=source.state.basic_language))
        if any(is_duplicate(text, task.statement) for text in existing if text):
            return True
    return False


def fresh_cards(cards: Iterable[Card], statements: Sequence[str]) -> list[Card]:
    """Cards that double neither a statement nor a card before them.

    They do with the same text, or with more than 0.8 of the words shared.
    """
    taken = list(statements)
    fresh: list[Card] = []
    for card in cards:
        text = card.statement.casefold().strip()
        if not any(
            text == statement.casefold().strip()
            or content_overlap(card.statement, statement) > OVERLAP
            for statement in taken
        ):
            fresh.append(card)
            taken.append(card.statement)
    return fresh
