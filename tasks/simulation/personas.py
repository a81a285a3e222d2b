"""Invented people to interview: a hidden list of tasks, and how each manner puts it into words.

The same persona with the same seed says the same. What a persona tells
carries the places of each task in the text, so that a result is judged by where its quote stands,
not by its wording.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, Field

from futura.text import content_stems
from onet.candidates import Candidate

FEWEST_TASKS: Final = 12
MOST_TASKS: Final = 20
OFF_TOPIC_EVERY: Final = 3

ASIDES: Final = (
    "Sorry, the printer next to me just started to howl.",
    "By the way, is this going to take long? My lunch is getting cold.",
    "It rained all week, so the yard is one big puddle.",
    "My nephew has a birthday on Saturday and I still have no present.",
)
CHATTY_OPENINGS: Final = (
    "Well, where do I start.",
    "That is a good question, actually.",
    "Oh, there is always something going on here.",
    "People never believe how much of this there is.",
)
CHATTY_ENDINGS: Final = (
    "and that eats a good part of the day",
    "which nobody sees from outside",
    "and honestly I rather like that part",
    "as I have for years now",
)
_ARTICLES: Final = frozenset({"a", "an", "the"})


class Manner(StrEnum):
    TERSE = "terse"
    CHATTY = "chatty"
    OFF_TOPIC = "off_topic"
    NON_NATIVE = "non_native"
    SEVERAL = "several"


TASKS_PER_ANSWER: Final = {
    Manner.TERSE: (1, 1),
    Manner.CHATTY: (1, 2),
    Manner.OFF_TOPIC: (1, 2),
    Manner.NON_NATIVE: (1, 2),
    Manner.SEVERAL: (3, 4),
}


class PersonaCase(BaseModel):
    """One line of the file: an occupation of the catalogue, a manner, a seed."""

    id: str
    occupation: str = Field(description="8-digit code; the starter catalogue has each of them too")
    job_title: str
    manner: Manner
    seed: int


@dataclass(frozen=True)
class HiddenTask:
    """A task that the persona does, and its words for it."""

    statement: Candidate
    words: str


@dataclass(frozen=True)
class MentionedTask:
    task_id: str
    start: int
    end: int


@dataclass(frozen=True)
class PersonaAnswer:
    """What the persona says to one question. With nothing left it says so, and `is_end` is set."""

    text: str
    mentioned: tuple[MentionedTask, ...] = ()
    is_end: bool = False


@dataclass
class Persona:
    """One person with what they have not said yet."""

    case: PersonaCase
    tasks: Sequence[HiddenTask]
    _dice: random.Random = field(init=False)
    untold: list[HiddenTask] = field(init=False)
    _answers: int = 0

    def __post_init__(self) -> None:
        self._dice = random.Random(self.case.seed)  # noqa: S311 (no secrets here)
        self.untold = list(self.tasks)

    def pick_cards(self, statement_ids: dict[str, str]) -> list[str]:
        """The ids of the cards that are on the hidden list; `statement_ids` is card → statement.

        What was picked is not told again.
        """
        own = {task.statement.task_id for task in self.untold}
        picked = [card for card, statement in statement_ids.items() if statement in own]
        taken = {statement_ids[card] for card in picked}
        self.untold = [task for task in self.untold if task.statement.task_id not in taken]
        return picked

    def answer(self, question: str) -> PersonaAnswer:
        """The next tasks, those first that the question seems to ask for."""
        self._answers += 1
        if not self.untold:
            return PersonaAnswer("No, that is all.", is_end=True)
        if self.case.manner is Manner.OFF_TOPIC and self._answers % OFF_TOPIC_EVERY == 0:
            return PersonaAnswer(self._dice.choice(ASIDES))
        fewest, most = TASKS_PER_ANSWER[self.case.manner]
        question_stems = content_stems(question)
        nearest = sorted(
            self.untold, key=lambda task: -len(question_stems & content_stems(task.statement.text))
        )
        mentioned = nearest[: self._dice.randint(fewest, most)]
        self.untold = [task for task in self.untold if task not in mentioned]
        return self._worded(mentioned)

    def _worded(self, tasks: Sequence[HiddenTask]) -> PersonaAnswer:
        """The sentences of one answer, with the place of each task in them."""
        manner, values = self.case.manner, list[MentionedTask]()
        text = f"{self._dice.choice(CHATTY_OPENINGS)} " if manner is Manner.CHATTY else ""
        for number, task in enumerate(tasks, start=1):
            is_last, words = number == len(tasks), task.words
            if manner is Manner.TERSE:
                words = words[:1].upper() + words[1:]
            elif manner is Manner.SEVERAL and number > 1:
                text += " and " if is_last else ", "
            else:
                text += "In my work I must " if manner is Manner.NON_NATIVE else "I "
            values.append(MentionedTask(task.statement.task_id, len(text), len(text) + len(words)))
            text += words
            if manner is Manner.CHATTY:
                text += f", {self._dice.choice(CHATTY_ENDINGS)}. "
            elif manner is not Manner.SEVERAL or is_last:
                text += ". "
        return PersonaAnswer(text.strip(), tuple(values))


def hidden_tasks(case: PersonaCase, statements: Sequence[Candidate]) -> list[HiddenTask]:
    """A hidden list out of an occupation's statements, important ones likelier.

    With fewer statements than FEWEST_TASKS it has them all.
    """
    dice = random.Random(case.seed)  # noqa: S311 (no secrets here)
    count = min(len(statements), dice.randint(FEWEST_TASKS, MOST_TASKS))
    weights = {statement.task_id: (statement.importance or 1.0) for statement in statements}
    chosen = sorted(statements, key=lambda row: -weights[row.task_id] * dice.random())[:count]
    return [HiddenTask(row, _words(row.text, case.manner)) for row in chosen]


def _words(statement: str, manner: Manner) -> str:
    """The statement's first clause as its person says it."""
    clause = statement.replace(";", ",").split(",")[0].strip().rstrip(".")
    if len(clause.split()) < 3:  # "Plan, direct, or coordinate …": the first clause says nothing
        clause = statement.strip().rstrip(".")
    text = clause[:1].lower() + clause[1:]
    if manner is Manner.NON_NATIVE:
        text = " ".join(word for word in text.split() if word not in _ARTICLES)
    return text
