"""Invents participants out of the catalogue's statements; the same seed gives the same people.

Pure: nothing is read or written here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from onet.candidates import Candidate
from tasks.models import WorkTask

OPENING: Final = "What did your last working day look like?"
QUESTIONS: Final = (
    "What else belongs to your week?",
    "Whom do you work with, and on what?",
    "What do you do less often, once a month perhaps?",
    "What do you write, build or hand over?",
    "What do you have to decide or work out?",
)
STARTS: Final = ("I ", "Then I ", "Most mornings I ", "Every week I ", "Now and then I ")
LOST: Final = 0.18  # of those who begin go away before sending
SILENT: Final = 0.06  # of those who agree never begin
AI_ODDS: Final[Mapping[str, tuple[float, float]]] = {
    "informationInput": (0.32, 0.12),
    "mentalProcesses": (0.38, 0.16),
    "workOutput": (0.18, 0.06),
    "interactingWithOthers": (0.14, 0.04),
}
"""Group → odds of some and of significant use of AI."""
NO_GROUP: Final = (0.15, 0.05)


@dataclass(frozen=True)
class Job:
    """An occupation with the statements that its invented people choose from."""

    code: str
    title: str
    statements: Sequence[Candidate]


@dataclass(frozen=True)
class InventedTask:
    """A task as a person told it; which statement it was made from is not told."""

    statement: str
    quote: str
    turn: int
    time: float
    ai: str


@dataclass(frozen=True)
class Invented:
    """One person: who never began has no turns, who went away sent nothing."""

    job: Job
    turns: tuple[str, ...]
    tasks: tuple[InventedTask, ...]
    minutes: int
    sent: bool


def invent(number: int, *, seed: int, jobs: Sequence[Job]) -> Iterator[Invented]:
    """So many people, whose jobs are as unequally common as real ones."""
    dice = random.Random(seed)  # noqa: S311 (no secrets here)
    weights = [1 / (place + 1) ** 0.7 for place in range(len(jobs))]
    for job in dice.choices(jobs, weights, k=number):
        yield _person(dice, job, jobs)


def _person(dice: random.Random, job: Job, jobs: Sequence[Job]) -> Invented:
    if dice.random() < SILENT:
        return Invented(job, (), (), 0, sent=False)
    sent = dice.random() >= LOST
    chosen = _statements(dice, job, jobs, most=16 if sent else 7)
    per_turn = dice.choice((1, 2, 2, 3))
    times = _times(dice, len(chosen))
    tasks = tuple(
        _task(dice, one, place // per_turn, time)
        for place, (one, time) in enumerate(zip(chosen, times, strict=True))
    )
    turns = tuple(
        " ".join(task.quote + "." for task in tasks if task.turn == turn)
        for turn in range(tasks[-1].turn + 1)
    )
    return Invented(job, turns, tasks, 2 + len(turns) * dice.randint(1, 3), sent=sent)


def _statements(
    dice: random.Random, job: Job, jobs: Sequence[Job], *, most: int
) -> list[Candidate]:
    """Mostly of the own occupation, and a few that others do as well."""
    wanted = dice.randint(min(4, most), most)
    own = list(job.statements)
    chosen = dice.sample(own, min(wanted, len(own)))
    for place in range(len(chosen)):
        if dice.random() < 0.12:
            chosen[place] = dice.choice(dice.choice(jobs).statements)
    return list({one.task_id: one for one in chosen}.values())


def _task(dice: random.Random, statement: Candidate, turn: int, time: float) -> InventedTask:
    group = statement.groups[0].value if statement.groups else ""
    some, much = AI_ODDS.get(group, NO_GROUP)
    roll = dice.random()
    level = WorkTask.AiLevel.SIGNIFICANT if roll < much else WorkTask.AiLevel.SOME
    ai = level if roll < much + some else WorkTask.AiLevel.NONE
    words = statement.text.split(",")[0].rstrip(". ")
    quote = dice.choice(STARTS) + words[:1].lower() + words[1:]
    return InventedTask(words, quote, turn, time, ai.value)


def _times(dice: random.Random, number: int) -> list[float]:
    """Percents with two decimals that add up to 100; a few tasks take most of the time."""
    weights = [dice.gammavariate(1.3, 1.0) + 0.05 for _ in range(number)]
    total = sum(weights)
    times = [round(100 * one / total, 2) for one in weights]
    times[times.index(max(times))] += round(100 - sum(times), 2)
    return [round(one, 2) for one in times]
