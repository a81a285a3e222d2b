"""Adding up, and keeping small groups out of sight; no database."""

from __future__ import annotations

import uuid

import pytest

from tasks.insights.page import curve, sections, way
from tasks.insights.report import (
    Fact,
    Line,
    Person,
    Report,
    is_too_small,
    report_of,
    spread,
    suppressed,
)

ANN, BEN = uuid.uuid4(), uuid.uuid4()


def person(response=None, **told) -> Person:
    values = {
        "occupation": "11-1.00", "occupation_title": "Baker", "started": True, "sent": True,
        "turns": 3, "minutes": 9.0, "tasks": 0, **told,
    }  # fmt: skip
    return Person(response=response, **values)


def fact(response, **told) -> Fact:
    values = {
        "group": "workOutput", "activities": ("4.A.3.a.1",), "time": 50.0, "ai": "none",
        "statement": "1", "text": "Bake bread.", "occupation": "Bakers", **told,
    }  # fmt: skip
    return Fact(response=response, **values)


def counted(persons, facts, **more) -> Report:
    return report_of(persons, facts, scores={}, everybody=len(persons), **more)


def by_key(lines: list[Line]) -> dict[str, Line]:
    return {line.key: line for line in lines}


def test_each_persons_shares_are_made_to_add_up_before_the_mean_is_taken():
    facts = [
        fact(ANN, time=30.0),
        fact(ANN, time=10.0, group="mentalProcesses", ai="some"),
        fact(BEN, time=100.0),
    ]
    groups = by_key(counted([person(ANN), person(BEN)], facts).groups)
    assert groups["workOutput"].share == pytest.approx((75 + 100) / 2)
    assert groups["mentalProcesses"].by_ai == {"some": pytest.approx(12.5)}
    assert sum(group.share for group in groups.values()) == pytest.approx(100)


def test_who_gave_no_shares_counts_as_a_person_and_nowhere_in_time():
    report = counted([person(ANN), person(BEN)], [fact(ANN), fact(BEN, time=None)])
    assert (report.people, report.rated) == (2, 1)
    line = by_key(report.groups)["workOutput"]
    assert (line.people, line.tasks) == (2, 2)
    assert line.share == pytest.approx(100)


def test_a_task_under_two_activities_gives_each_half_of_its_time():
    report = counted([person(ANN)], [fact(ANN, activities=("4.A.1.a.1", "4.A.3.a.1"))])
    lines = by_key(report.activities)
    assert [lines[key].share for key in sorted(lines)] == [50, 50]
    assert [lines[key].tasks for key in sorted(lines)] == [1, 1]


def test_the_unsorted_stand_last_whatever_their_weight():
    facts = [fact(ANN, statement="", text="", time=90.0), fact(ANN, time=10.0)]
    assert [statement.key for statement in counted([person(ANN)], facts).statements] == ["1", ""]


def test_the_way_counts_everybody_who_got_there_and_says_where_they_were_lost():
    people = [
        person(ANN),
        person(BEN, sent=False),
        person(None, started=False, sent=False, turns=0, minutes=None),
        person(None, sent=True, tasks=4),  # erased since
    ]
    steps = way(counted(people, [fact(ANN), fact(BEN, time=None)]))
    assert [step.people for step in steps] == [4, 3, 3, 3, 2]
    assert [step.lost for step in steps] == [0, 1, 0, 0, 1]


def test_the_curve_of_turns_falls_as_people_go():
    people = [person(sent=False, turns=1), person(turns=2), person(turns=2)]
    report = counted(people, [])
    assert [(turn.number, turn.still, turn.left) for turn in report.turns] == [(1, 3, 1), (2, 2, 0)]
    assert curve(report) == "0.00,0.00 100.00,13.33"


def test_scores_are_weighed_by_time_and_written_onto_their_statements():
    facts = [fact(ANN, time=75.0), fact(ANN, time=25.0, statement="2", ai="some")]
    scores = {"exposure": {"1": 0.2, "2": 1.0}, "other": {"9": 1.0}}
    report = report_of([person(ANN)], facts, scores=scores, everybody=1)
    (exposure,) = report.exposures
    assert exposure.mean == pytest.approx(0.75 * 0.2 + 0.25)
    assert by_key(report.statements)["2"].scores == {"exposure": 1.0}


def test_quartiles_lie_between_the_values():
    found = spread([4, 1, 3, 2])
    assert found is not None
    assert (found.low, found.middle, found.high) == (1.75, 2.5, 3.25)
    assert spread([]) is None


def lines(*people: int) -> list[Line]:
    return [Line(key=str(n), name=str(n), people=each, tasks=each) for n, each in enumerate(people)]


def test_lines_of_too_few_people_are_not_shown():
    told = suppressed(lines(9, 4, 7, 2), 5)
    assert [line.people for line in told.lines] == [9, 7]
    assert (told.hidden, told.hidden_tasks) == (2, 6)


def test_one_hidden_line_takes_the_smallest_of_the_others_along():
    told = suppressed(lines(9, 4, 7), 5)
    assert [line.people for line in told.lines] == [9]
    assert told.hidden == 2


def test_hidden_lines_are_together_of_enough_people():
    told = suppressed(lines(9, 1, 7, 1), 5)
    assert [line.people for line in told.lines] == [9]
    assert told.hidden == 3


@pytest.mark.parametrize(
    ("people", "left_out", "hidden"), [(4, 0, True), (5, 0, False), (20, 3, True), (20, 5, False)]
)
def test_nothing_is_shown_that_would_tell_of_too_few(people, left_out, hidden):
    assert is_too_small(Report(people=people, left_out=left_out), 5) is hidden


def test_a_long_section_is_cut_and_shown_whole_on_request():
    report = Report(people=50, statements=lines(*[9] * 40))
    cut, whole = (
        next(
            section for section in sections(report, 5, whole=wanted) if section.key == "statements"
        )
        for wanted in ("", "statements")
    )
    assert (len(cut.rows), cut.beyond) == (25, 15)
    assert (len(whole.rows), whole.beyond) == (40, 0)
