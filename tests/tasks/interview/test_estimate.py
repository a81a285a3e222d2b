"""How much of a week is on the list: listed hours beside those not yet accounted for."""

import pytest

from onet.candidates import Candidate
from tasks.interview.gaps import unseen, week_percent
from tasks.interview.state import AskedQuestion, Card, Mention, SurveyState
from tests.tasks.interview.talking import with_tasks


def statement(number, kind="Core", importance=4.0, element="4.A.3.a.1"):
    return Candidate(
        f"s{number}", f"Do thing {number}.", "1", "Job", kind,
        importance=importance, activity_ids=(element,),
    )  # fmt: skip


REFERENCE = tuple(statement(n) for n in range(10))


def percent(tasks, covered=0, reference=REFERENCE, **more):
    ids = [f"s{n}" for n in range(covered)]
    return week_percent(
        SurveyState(mentioned_activities=with_tasks(tasks), covered_statements=ids, **more),
        reference,
    )


def test_nothing_is_said_without_an_occupation_or_with_too_little():
    assert percent(8, reference=()) is None
    assert percent(8, reference=REFERENCE[:4]) is None
    assert percent(2, covered=2) is None
    assert percent(3, covered=2) is not None


def test_the_share_is_what_is_listed_of_all_hours_that_are_likely():
    # five of ten at importance 4 beside five that are done with a chance of .8
    assert percent(5, covered=5) == 60  # 20 / (20 + 16)
    # tasks that the occupation does not have take hours, too
    assert percent(10, covered=5) == 70  # 40 / (40 + 16)
    assert percent(10, covered=10) == 90  # never everything
    assert percent(3) == 30  # 12 / (12 + 32)


def test_two_things_that_stand_for_one_statement_take_its_hours_once():
    mentions = [Mention(text=f"thing {n}", task_id=f"s{n // 2}") for n in range(10)]
    state = SurveyState(mentioned_activities=mentions)
    assert week_percent(state, REFERENCE) == percent(5, covered=5)


def test_unlikely_and_minor_statements_leave_less_unaccounted():
    minor = tuple(statement(n, "Supplemental", 2.0) for n in range(5, 10))
    reference = REFERENCE[:5] + minor
    assert percent(5, covered=5, reference=reference) == 80  # 20 / (20 + 4)


def test_what_was_asked_about_in_vain_counts_half():
    asked = [AskedQuestion(question="Which machines?", area="machines", element="4.A.3.a.1")]
    assert percent(5, covered=5, asked=asked) == 70  # 20 / (20 + 8)


def test_a_picked_card_of_the_catalogue_covers_its_statement():
    cards = [Card(id="card-1-1", statement="Do thing 0", group="workOutput", task_id="s0")]
    state = SurveyState(cards=cards, selected_suggestion_ids=["card-1-1"])
    assert [s.task_id for s, _ in unseen(state, REFERENCE)] == [f"s{n}" for n in range(1, 10)]


def test_the_heaviest_that_has_not_come_up_goes_first():
    rare = statement(11, "Supplemental", 5.0)
    main = statement(12, importance=4.9)
    reference = (*REFERENCE, rare, main)
    order = [s.task_id for s, _ in unseen(SurveyState(), reference)]
    assert (order[0], order[-1]) == ("s12", "s11")
    hours = [hours for _, hours in unseen(SurveyState(), reference)]
    assert hours[0] == pytest.approx(4.9 * 0.8)
