"""Adds facts up to a report. Pure: nothing is read here and nothing kept."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tasks.insights.facts import Fact, Person
from tasks.insights.report import Exposure, Line, Report, Step, Turn, spread

NOT_SORTED: Final = ""
"""The key of tasks without a group, an activity or a match."""
Scores = Mapping[str, Mapping[str, float]]
"""Score name → statement id → value."""


@dataclass
class _Sum:
    """What gathers under one key; times are percent points over all people."""

    name: str = ""
    about: str = ""
    people: set[uuid.UUID] = field(default_factory=set)
    tasks: int = 0
    time: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    by_ai: Counter[str] = field(default_factory=Counter)

    def add(self, fact: Fact, share: float, part: float = 1.0) -> None:
        self.people.add(fact.response)
        self.tasks += 1
        self.by_ai[fact.ai] += 1
        self.time[fact.ai] += share * part

    def line(self, key: str, rated: int) -> Line:
        by_ai = {level: time / rated for level, time in self.time.items() if time and rated}
        return Line(
            key=key,
            name=self.name,
            about=self.about,
            people=len(self.people),
            tasks=self.tasks,
            share=sum(by_ai.values()),
            by_ai=by_ai,
            tasks_by_ai=dict(self.by_ai),
        )


def report_of(
    persons: Sequence[Person], facts: Iterable[Fact], *, scores: Scores, everybody: int
) -> Report:
    """The report of some people of a campaign that has `everybody`.

    Each person's shares of time are made to add up to 100; who gave none counts nowhere in time.
    A task under several activities gives each an equal part of its time, and counts in each.
    """
    by_person: dict[uuid.UUID, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_person[fact.response].append(fact)
    known = {one.response: one for one in persons if one.response is not None}
    shares = {key: _shares(own) for key, own in by_person.items()}
    rated = sum(1 for own in shares.values() if own is not None)
    sums = _Sums()
    for key, own in by_person.items():
        times = shares[key] or [0.0] * len(own)
        for fact, share in zip(own, times, strict=True):
            sums.add(fact, share, known.get(key))
    listed = {key: len(own) for key, own in by_person.items()}
    made = Report(
        people=len(persons),
        rated=rated,
        others=everybody - len(persons),
        tasks=sum(listed.values()),
        funnel=_funnel(persons, listed, shares),
        turns=_turns(persons),
        minutes=spread(one.minutes for one in persons if one.sent and one.minutes is not None),
        tasks_each=spread([*listed.values(), *(one.tasks for one in persons if one.tasks)]),
        activities_each=spread(
            len({each for fact in own for each in fact.activities}) for own in by_person.values()
        ),
        groups=sums.lines(sums.groups, rated),
        activities=sums.lines(sums.activities, rated),
        statements=sums.lines(sums.statements, rated),
        occupations=sums.lines(sums.occupations, rated),
    )
    made.exposures = _exposures(made.statements, scores)
    return made


class _Sums:
    def __init__(self) -> None:
        self.groups: dict[str, _Sum] = defaultdict(_Sum)
        self.activities: dict[str, _Sum] = defaultdict(_Sum)
        self.statements: dict[str, _Sum] = defaultdict(_Sum)
        self.occupations: dict[str, _Sum] = defaultdict(_Sum)

    def add(self, fact: Fact, share: float, person: Person | None) -> None:
        self.groups[fact.group or NOT_SORTED].add(fact, share)
        under = fact.activities or (NOT_SORTED,)
        for one in under:
            self.activities[one].add(fact, share, 1 / len(under))
        statement = self.statements[fact.statement or NOT_SORTED]
        statement.name, statement.about = fact.text, fact.occupation
        statement.add(fact, share)
        if person is not None:
            job = self.occupations[person.occupation or NOT_SORTED]
            job.name = person.occupation_title
            job.add(fact, share)

    @staticmethod
    def lines(sums: Mapping[str, _Sum], rated: int) -> list[Line]:
        """The heaviest first; what is not sorted comes last."""
        lines = [one.line(key, rated) for key, one in sums.items()]
        return sorted(lines, key=lambda one: (not one.key, -one.share, -one.people, one.name))


def _shares(own: Sequence[Fact]) -> list[float] | None:
    """Percent of one person's time per task, adding up to 100; None when none was given."""
    given = [fact.time or 0.0 for fact in own]
    total = sum(given)
    return [100 * one / total for one in given] if total else None


def _funnel(
    persons: Sequence[Person],
    listed: Mapping[uuid.UUID, int],
    shares: Mapping[uuid.UUID, object],
) -> list[Step]:
    """How many got to each step; whoever got to a later one has been at those before."""
    reached = Counter[str]()
    for one in persons:
        has_list = one.sent or one.tasks > 0 or (one.response in listed)
        rated = one.sent or (one.response is not None and shares.get(one.response) is not None)
        said = has_list or rated or one.turns > 0
        for name, there in (
            ("agreed", True),
            ("began", one.started or said),
            ("talked", said),
            ("listed", has_list or rated),
            ("rated", rated),
            ("sent", one.sent),
        ):
            reached[name] += there
    return [Step(name=name, people=number) for name, number in reached.items()]


def _turns(persons: Sequence[Person]) -> list[Turn]:
    """For each turn of the talk: who got there, and who of them went away without sending."""
    talked = [one for one in persons if one.turns]
    last = max((one.turns for one in talked), default=0)
    at, left = Counter(one.turns for one in talked), Counter(
        one.turns for one in talked if not one.sent
    )  # fmt: skip
    still, turns = len(talked), []
    for number in range(1, last + 1):
        turns.append(Turn(number=number, still=still, left=left[number]))
        still -= at[number]
    return turns


def _exposures(statements: Sequence[Line], scores: Scores) -> list[Exposure]:
    """Writes each score onto its statements, and its mean weighed by time."""
    found = []
    for name, values in sorted(scores.items()):
        having = [one for one in statements if one.key in values]
        for one in having:
            one.scores[name] = values[one.key]
        share = sum(one.share for one in having)
        if not share:
            continue
        by_ai: dict[str, float] = {}
        for level in {each for one in having for each in one.by_ai}:
            weight = sum(one.by_ai.get(level, 0.0) for one in having)
            total = sum(one.by_ai.get(level, 0.0) * values[one.key] for one in having)
            by_ai[level] = total / weight
        mean = sum(one.share * values[one.key] for one in having) / share
        tasks = sum(one.tasks for one in having)
        found.append(Exposure(name=name, tasks=tasks, share=share, mean=mean, by_ai=by_ai))
    return found
