"""The pipeline without a model: tasks, statements and doubles by the rules of English.

The only module of this room that knows the rules (`futura.language`); it never sees what a
model said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from futura.language.duplicates import deduplicated, is_duplicate
from futura.language.task_phrases import TaskPhrase, phrases_of
from futura.language.wording import statement_of
from futura.text import content_overlap
from tasks.coding.records import Source, SourceTurn, card_task, merged, told_task
from tasks.interview.analysis import without_cards
from tasks.interview.basic import Short
from tasks.interview.state import Card, Mention
from tasks.models import WorkTask
from tasks.stretches import is_same, place_of

OVERLAP: Final = 0.8
"""Above it a card says what is on the list already (spec 1, part 7)."""


def new_tasks(source: Source) -> list[WorkTask]:
    """What is to be added to the list: tasks that were told, then picked cards."""
    extracted = source.undecided(extract(source))
    merged_tasks = _merged(extracted, source.state.basic_language)
    tasks = [task for task in merged_tasks if not _is_listed(task, source)]
    statements = [
        *(row.statement for row in source.listed),
        *(task.statement for task in tasks),
    ]
    cards = fresh_cards(source.new_cards, statements)
    return [*tasks, *(card_task(card, source) for card in cards)]


def extract(source: Source) -> list[WorkTask]:
    """The person's tasks (unsaved): what the talk noted, and what grammar finds beside that.

    Cards that a message names count as cards.
    """
    language, cards = source.state.basic_language, source.state.cards
    turns = [
        replace(turn, text=_readable(turn.text, language, cards)) if turn.is_person else turn
        for turn in source.turns
    ]
    phrases = phrases_of(turns, language=language)
    tasks: list[WorkTask] = []
    for index, turn in enumerate(source.turns):
        if turn.is_person:
            read = [phrase for phrase in phrases if phrase.turn_index == index]
            tasks += [
                told_task(
                    raw,
                    quote,
                    turn.message_id,
                    statement=statement_of(raw, language=language) or raw.strip(),
                )
                for raw, quote in _told(turn, _noted(turn, source), read)
            ]
    return tasks


def _readable(text: str, language: str, cards: Sequence[Card]) -> str:
    """A message without the cards that it names; nothing of one that is a short reply."""
    own = without_cards(text, cards)[0]
    is_english = language.lower().startswith("en")  # there a reply takes what a question offered
    return own if is_english or not Short.of(own, language).is_whole else ""


def _noted(turn: SourceTurn, source: Source) -> list[Mention]:
    """What the talk noted of a message, save what the person added: that is listed by itself."""
    key = str(turn.message_id)
    mentions = source.state.mentioned_activities
    return [mention for mention in mentions if mention.message_id == key and not mention.by_hand]


def _told(
    turn: SourceTurn, noted: Sequence[Mention], read: Sequence[TaskPhrase]
) -> list[tuple[str, str]]:
    """The tasks of a message with their quotes.

    What has no place, as what was confirmed by a yes, comes first and quotes the whole message.
    """
    placed = [(place, mention) for mention in noted if (place := place_of(mention))]
    stretches = [(place, mention.text) for place, mention in placed]
    stretches += [
        ((phrase.start, phrase.end), phrase.raw)
        for phrase in read
        if not any(is_same((phrase.start, phrase.end), place) for place, _mention in placed)
    ]
    return [
        *((mention.text, turn.text.strip()) for mention in noted if not place_of(mention)),
        *((raw, turn.text[slice(*place)]) for place, raw in sorted(stretches, key=itemgetter(0))),
    ]


def _merged(tasks: Sequence[WorkTask], language: str) -> list[WorkTask]:
    """Doubles put together, in the order of first mention."""
    results: list[WorkTask] = []
    for result in deduplicated([task.statement for task in tasks], language=language):
        members = [tasks[place] for place in result.members]
        same = [task for task in members if task.statement == result.statement]
        chosen = (same or members)[0]
        results.append(merged(members, chosen, result.reason))
        chosen.statement = result.statement
    return results


def _is_listed(task: WorkTask, source: Source) -> bool:
    """Whether the list has the task already, be it reworded or deleted by the person."""
    language = source.state.basic_language
    for row in source.listed:
        existing = [row.statement, *(entry.get("statement", "") for entry in row.merged_from)]
        if row.raw:
            existing.append(statement_of(row.raw, language=language))
        if any(is_duplicate(text, task.statement, language=language) for text in existing if text):
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
