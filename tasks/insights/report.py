"""What a campaign's answers add up to: the shape of a report, and how facts make one. Pure."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Final

from pydantic import BaseModel, Field

from onet.candidates import CatalogueKind, catalogue_of


@dataclass(frozen=True)
class VisibleLines:
    """The lines that may be seen, and how many lines with how many tasks stand behind the rest."""

    lines: tuple[Line, ...]
    hidden: int = 0
    hidden_tasks: int = 0


def is_too_small(report: Report, least: int) -> bool:
    """Whether nothing of a selection may be shown.

    Nor may it when a wider selection has so few people more that comparing both would tell of them.
    """
    return report.people < least or 0 < report.left_out < least


def visible(report: Report, least: int) -> Report:
    """The report without figures that fewer people than `least` stand behind, its lines aside.

    Everybody agreed, not everybody talked, made a list or said how they divide their time: what
    comes from so few is theirs alone, however many there are beside them.
    """
    spreads = {
        name: None
        for name in ("minutes", "tasks_each", "activities_each")
        if (entry := getattr(report, name)) is not None and entry.people < least
    }
    exposures = [item for item in report.exposures if item.people >= least]
    result = report.model_copy(update={**spreads, "exposures": exposures}, deep=True)
    if report.rated < least:
        for kind in SORTED_BY:
            lines = getattr(result, kind)
            for line in lines:
                line.share, line.rated, line.by_ai = 0.0, 0, {}
            lines.sort(key=lambda line: (not line.key, -line.people, line.name))
    return result


def suppressed(lines: Sequence[Line], least: int) -> VisibleLines:
    """Lines with at least so many people, and with as many, or none, whose time is in them.

    What is hidden could be found by subtracting the others from the whole: the smallest of the
    others go with it until that is more than one line, and of enough people.
    """

    def is_small(line: Line) -> bool:
        return line.people < least or _is_few(line.rated, least)

    seen = [line for line in lines if not is_small(line)]
    hidden = [line for line in lines if is_small(line)]
    while (
        hidden
        and seen
        and (
            len(hidden) == 1
            or sum(line.people for line in hidden) < least
            or _is_few(sum(line.rated for line in hidden), least)
        )
    ):
        smallest = min(seen, key=lambda line: line.people)
        seen.remove(smallest)
        hidden.append(smallest)
    return VisibleLines(tuple(seen), len(hidden), sum(line.tasks for line in hidden))


def _is_few(people: int, least: int) -> bool:
    return 0 < people < least


class Spread(BaseModel):
    """How a figure spreads over people: quartiles, in the figure's own unit."""

    people: int
    low: float
    middle: float
    high: float


class Step(BaseModel):
    """A step of the way through a survey, and how many got there."""

    name: str
    people: int


class Turn(BaseModel):
    """How many still talked at a turn, and how many stopped after it without sending a list."""

    number: int
    still: int
    left: int


class Line(BaseModel):
    """What people do that falls under one thing: a group, an activity, a statement, a job.

    Shares are percent of the working time of all people who said how they divide it, `rated` of
    whom give the line some; `by_ai` is the same by how AI is used (key empty: not said), its sum is
    `share`.
    """

    key: str
    name: str
    about: str = ""
    catalogue: CatalogueKind | None = Field(None, description="Of a statement; else null.")
    people: int = 0
    rated: int = 0
    tasks: int = 0
    share: float = 0.0
    by_ai: dict[str, float] = Field(default_factory=dict)
    scores: dict[str, float] = Field(default_factory=dict)


class Exposure(BaseModel):
    """An imported score over the tasks: its mean weighed by time."""

    name: str
    people: int = Field(0, description="Who have such tasks and said how they divide their time.")
    tasks: int
    share: float = Field(description="Percent of working time whose tasks have the score.")
    mean: float


class Report(BaseModel):
    """Everything a page of insights shows, for one selection of people.

    `people` agreed to take part; `rated` said how they divide their time; `others` are the people
    of the campaign outside the selection, `left_out` the fewest that a wider selection has more.
    """

    people: int = 0
    rated: int = 0
    others: int = 0
    left_out: int = 0
    tasks: int = 0
    funnel: list[Step] = Field(default_factory=list)
    turns: list[Turn] = Field(default_factory=list)
    minutes: Spread | None = None
    tasks_each: Spread | None = None
    activities_each: Spread | None = None
    groups: list[Line] = Field(default_factory=list)
    activities: list[Line] = Field(default_factory=list)
    statements: list[Line] = Field(default_factory=list)
    occupations: list[Line] = Field(default_factory=list)
    exposures: list[Exposure] = Field(default_factory=list)


def spread(values: Iterable[float]) -> Spread | None:
    """Quartiles by linear interpolation; None for nothing."""
    listed = list(values)
    if not listed:
        return None
    # the quartiles of one are itself
    quartiles = quantiles(listed if len(listed) > 1 else listed * 2, n=4, method="inclusive")
    low, middle, high = quartiles
    return Spread(people=len(listed), low=low, middle=middle, high=high)


SORTED_BY: Final = ("groups", "activities", "statements", "occupations")
NOT_SORTED: Final = ""
"""The key of tasks without a group, an activity or a match."""
Scores = Mapping[str, Mapping[str, float]]
"""Score name → statement id → value."""


@dataclass
class Person:
    """One participation: how far it went, how long it took. What was erased left its counts."""

    response: uuid.UUID | None
    occupation: str
    occupation_title: str
    started: bool
    sent: bool
    turns: int
    minutes: float | None
    tasks: int


@dataclass(frozen=True)
class Fact:
    """One task as the sums need it; `time` is the percent of working time as it was given."""

    response: uuid.UUID
    group: str
    activities: tuple[str, ...]
    time: float | None
    ai: str
    statement: str
    text: str
    occupation: str


@dataclass
class _Sum:
    """What gathers under one key; times are percent points over all people."""

    name: str = ""
    about: str = ""
    people: set[uuid.UUID] = field(default_factory=set)
    rated: set[uuid.UUID] = field(default_factory=set)
    tasks: int = 0
    time: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, fact: Fact, share: float, part: float = 1.0) -> None:
        self.people.add(fact.response)
        self.tasks += 1
        if share:
            self.time[fact.ai] += share * part
            self.rated.add(fact.response)

    def line(self, key: str, rated: int) -> Line:
        by_ai = {level: time / rated for level, time in self.time.items()}
        return Line(
            key=key,
            name=self.name,
            about=self.about,
            people=len(self.people),
            rated=len(self.rated),
            tasks=self.tasks,
            share=sum(by_ai.values()),
            by_ai=by_ai,
        )


def report_of(
    persons: Sequence[Person],
    facts: Iterable[Fact],
    *,
    scores: Scores,
    everybody: int,
    left_out: int = 0,
) -> Report:
    """The report of some people of a campaign that has `everybody`.

    Each person's shares of time are made to add up to 100; who gave none counts nowhere in time.
    A task under several activities gives each an equal part of its time, and counts in each.
    """
    by_person: dict[uuid.UUID, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_person[fact.response].append(fact)
    person_of = {person.response: person for person in persons if person.response is not None}
    shares = {key: _shares(own) for key, own in by_person.items()}
    rated = sum(own is not None for own in shares.values())
    sums: dict[str, dict[str, _Sum]] = {kind: defaultdict(_Sum) for kind in SORTED_BY}
    for key, own in by_person.items():
        for fact, share in zip(own, shares[key] or [0.0] * len(own), strict=True):
            _sort(sums, fact, share, person_of.get(key))
    listed = {key: len(own) for key, own in by_person.items()}
    report = Report(
        people=len(persons),
        rated=rated,
        others=everybody - len(persons),
        left_out=left_out,
        tasks=sum(listed.values()),
        funnel=_funnel(persons, listed),
        turns=_turns(persons),
        minutes=spread(
            person.minutes for person in persons if person.sent and person.minutes is not None
        ),
        tasks_each=spread(
            [*listed.values(), *(person.tasks for person in persons if person.tasks)]
        ),
        activities_each=spread(
            len({each for fact in own for each in fact.activities}) for own in by_person.values()
        ),
        **{
            kind: [entry.line(key, rated) for key, entry in some.items()]
            for kind, some in sums.items()
        },
    )
    for kind in SORTED_BY:  # the heaviest first; what is not sorted comes last
        getattr(report, kind).sort(
            key=lambda line: (not line.key, -line.share, -line.people, line.name)
        )
    for statement in report.statements:
        statement.catalogue = catalogue_of(statement.key) if statement.key else None
    dividing = {key for key, own in shares.items() if own is not None}
    behind = {key: entry.people & dividing for key, entry in sums["statements"].items()}
    report.exposures = _exposures(report.statements, scores, behind)
    return report


def _sort(
    sums: Mapping[str, dict[str, _Sum]], fact: Fact, share: float, person: Person | None
) -> None:
    sums["groups"][fact.group or NOT_SORTED].add(fact, share)
    under = fact.activities or (NOT_SORTED,)
    for activity in under:
        sums["activities"][activity].add(fact, share, 1 / len(under))
    statement = sums["statements"][fact.statement or NOT_SORTED]
    statement.name, statement.about = fact.text, fact.occupation
    statement.add(fact, share)
    if person is not None:
        occupation = sums["occupations"][person.occupation or NOT_SORTED]
        occupation.name = person.occupation_title
        occupation.add(fact, share)


def _shares(own: Sequence[Fact]) -> list[float] | None:
    """Percent of one person's time per task, adding up to 100; None when none was given."""
    shares = [fact.time or 0.0 for fact in own]
    total = sum(shares)
    return [100 * item / total for item in shares] if total else None


def _funnel(persons: Sequence[Person], listed: Mapping[uuid.UUID, int]) -> list[Step]:
    """How many got to each step; whoever got to a later one has been at those before."""
    reached = Counter[str]()
    for person in persons:
        has_list = person.sent or person.tasks > 0 or (person.response in listed)
        has_talked = has_list or person.turns > 0
        for name, there in (
            ("agreed", True),
            ("began", person.started or has_talked),
            ("talked", has_talked),
            ("listed", has_list),
            ("sent", person.sent),
        ):
            reached[name] += there
    return [Step(name=name, people=number) for name, number in reached.items()]


def _turns(persons: Sequence[Person]) -> list[Turn]:
    """For each turn of the talk: who got there, and who of them went away without sending."""
    talked = [person for person in persons if person.turns]
    last = max((item.turns for item in talked), default=0)
    at = Counter(item.turns for item in talked)
    left = Counter(item.turns for item in talked if not item.sent)
    still, turns = len(talked), []
    for number in range(1, last + 1):
        turns.append(Turn(number=number, still=still, left=left[number]))
        still -= at[number]
    return turns


def _exposures(
    statements: Sequence[Line], scores: Scores, behind: Mapping[str, set[uuid.UUID]]
) -> list[Exposure]:
    """Writes each score onto its statements, and its mean weighed by time.

    `behind` has the people of each statement who said how they divide their time.
    """
    matches = []
    for name, values in sorted(scores.items()):
        having = [statement for statement in statements if statement.key in values]
        for item in having:
            item.scores[name] = values[item.key]
        share = sum(item.share for item in having)
        if not share:
            continue
        mean = sum(item.share * values[item.key] for item in having) / share
        tasks = sum(item.tasks for item in having)
        people = len(set[uuid.UUID]().union(*(behind[item.key] for item in having)))
        matches.append(Exposure(name=name, people=people, tasks=tasks, share=share, mean=mean))
    return matches
