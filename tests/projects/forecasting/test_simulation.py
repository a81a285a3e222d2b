"""What the simulation makes of plans that one can check by hand."""

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest

from projects.forecasting.inputs import Inputs, TaskInput
from projects.forecasting.results import Declined, Result, forecast, score
from projects.forecasting.simulation import drawn, finishes, network, range_of, usual_range
from projects.forecasting.variants import Variant, compared, varied
from projects.forecasting.wording import explained
from tests.projects.forecasting.plans import TODAY, plan


def result(inputs: Inputs) -> Result:
    found = forecast(inputs)
    assert isinstance(found, Result)
    return found


def sure(*tasks: TaskInput, **changes: object) -> Inputs:
    """Tasks that take exactly what they say, but for the tails."""
    return Inputs(TODAY, tasks, spread="sure", **changes)  # type: ignore[arg-type]


def exact(key: str, days: float, *needs: str, **more: object) -> TaskInput:
    return TaskInput(key, key, low=days, high=days, depends_on=needs, **more)  # type: ignore[arg-type]


def test_one_person_works_through_the_list_and_several_share_it():
    tasks = exact("a", 4), exact("b", 4), exact("c", 4)
    alone, together = (np.median(finishes(network(sure(*tasks, hands=hands)))) for hands in (1, 3))
    assert alone == pytest.approx(12, rel=0.05)
    assert 4 <= together < 5.5


def test_a_chain_is_not_shortened_by_hands():
    tasks = exact("a", 4), exact("b", 4, "a"), exact("c", 4, "b")
    alone, together = (np.median(finishes(network(sure(*tasks, hands=hands)))) for hands in (1, 5))
    assert alone == pytest.approx(together)


def test_no_absence_makes_it_earlier_where_only_dates_are_known():
    days = [TODAY + dt.timedelta(days=number) for number in (40, 60, 80)]
    dated = sure(*(TaskInput(f"{day}", "x", due=day) for day in days))
    away = Variant(kind="away", first=TODAY, last=TODAY + dt.timedelta(days=18))
    before, after = result(dated).curve, result(varied(dated, away)).curve
    assert all(after[percent] >= day for percent, day in before.items())
    scenarios = explained(dated, result(dated)).scenarios
    assert not any("estimate" in factor for item in scenarios for factor in item.key_factors)


def test_half_a_person_takes_twice_as_long():
    tasks = exact("a", 4), exact("b", 2, "a"), exact("c", 1)
    whole, half = (finishes(network(sure(*tasks, hands=hands))) for hands in (1, 0.5))
    assert np.allclose(half, 2 * whole)


def test_a_task_waits_for_its_start_date_and_others_fill_the_gap():
    monday_after = TODAY + dt.timedelta(days=14)
    tasks = exact("a", 1, start=monday_after), exact("b", 5), exact("c", 4)
    assert np.median(finishes(network(sure(*tasks)))) == pytest.approx(11, abs=0.5)


def test_work_that_leads_to_a_span_counts_before_it():
    span = TaskInput(
        "d", "d", start=TODAY, due=TODAY + dt.timedelta(days=11), depends_on=("a", "b")
    )
    found = np.median(finishes(network(sure(exact("a", 5), exact("b", 5), exact("c", 1), span))))
    assert 10 + 8 <= found <= 10 + 13.5


def test_a_range_is_read_as_the_middle_eight_of_ten():
    lengths = drawn((2, 8), np.random.default_rng(1).standard_normal(100_000))
    assert np.quantile(lengths, [0.1, 0.5, 0.9]) == pytest.approx([2, 4, 8], rel=0.03)
    assert lengths.mean() > np.median(lengths)


def test_one_number_is_the_shorter_end():
    assert range_of(TaskInput("a", "a", low=5)) == (5, 8)
    assert range_of(TaskInput("a", "a", high=8)) == (5, 8)
    assert range_of(TaskInput("a", "a", high=0)) == (0.05, 0.05)


def test_a_task_without_estimate_takes_what_the_others_take():
    assert usual_range(plan().tasks) == (2, 6)
    assert usual_range([TaskInput("a", "a")]) == (1, 5)


def test_a_due_date_alone_is_worked_towards_and_slips_the_farther_it_is():
    def slipped(days: int) -> float:
        due = TODAY + dt.timedelta(days=days)
        tasks = [TaskInput(key, key, due=due) for key in "abc"]
        return float(np.median(finishes(network(sure(*tasks))))) - days * 5 / 7

    assert 0 <= slipped(14) < slipped(140)


def test_an_overdue_task_begins_now():
    late = TaskInput("a", "a", due=TODAY - dt.timedelta(days=30))
    found = result(sure(late, exact("b", 1), exact("c", 1)))
    assert found.overdue == ("a",)
    assert found.optimistic > TODAY


def test_a_blocked_task_waits_for_something_outside():
    free = plan()
    stuck = free.with_task(replace(free.tasks[0], status="blocked"))
    assert (finishes(network(stuck)) >= finishes(network(free))).all()
    assert result(stuck).realistic > result(free).realistic
    assert result(stuck).blocked == ("Agree on the columns",)


def test_done_and_dropped_tasks_count_as_there():
    done = plan().with_task(replace(plan().tasks[0], status="completed"))
    more = done.with_task(exact("d", 3))
    assert result(more).realistic < result(plan().with_task(exact("d", 3))).realistic


def test_it_declines_under_three_dated_or_estimated_tasks():
    two = replace(plan(), tasks=(*plan().tasks[:2], TaskInput("c", "Print bottle labels")))
    assert forecast(two) == Declined(usable=2, unestimated=("Print bottle labels",))
    dated = two.with_task(replace(two.tasks[2], due=TODAY + dt.timedelta(days=9)))
    assert isinstance(forecast(dated), Result)
    closed = dated.with_task(replace(dated.tasks[2], status="completed"))
    assert isinstance(forecast(closed), Declined)


def test_the_drivers_are_the_tasks_that_move_the_finish():
    tasks = (
        TaskInput("a", "Long and on the way", low=5, high=20),
        TaskInput("b", "After it", low=1, high=2, depends_on=("a",)),
        TaskInput("c", "Short and beside it", low=0.5, high=1),
    )
    found = result(Inputs(TODAY, tasks, hands=3)).drivers
    assert [item.title for item in found] == ["Long and on the way", "After it"]
    assert found[0].critical == 1
    assert found[0].link > 0.9 > found[1].link


def test_tasks_without_an_estimate_are_named():
    found = result(plan().with_task(TaskInput("d", "Train the relief technicians")))
    assert found.unestimated == ("Train the relief technicians",)


def test_unsure_estimates_widen_both_sides():
    usual, unsure = (
        result(plan()),
        result(varied(plan(), Variant(kind="sureness", spread="unsure"))),
    )
    assert unsure.optimistic <= usual.optimistic
    assert unsure.pessimistic > usual.pessimistic


def test_what_if_answers_compare_with_the_same_luck():
    base = result(plan())
    slip = compared(plan(), [Variant(kind="slip", task="b", days=10)], base)
    assert not isinstance(slip, Declined)
    assert slip.moved_days == pytest.approx(10, abs=1)
    assert (slip.result.on_time or 0) < (base.on_time or 0)
    for variant, sign in (
        (Variant(kind="hands", more=1), -1),
        (Variant(kind="drop", task="b"), -1),
        (Variant(kind="more", title="Training", days=4), 1),
        (Variant(kind="wait", task="c", day=dt.date(2026, 12, 21)), 1),
    ):
        if variant.kind == "drop":
            five = plan().with_task(exact("d", 1))
            found = compared(five, [variant], result(five))
        else:
            found = compared(plan(), [variant], base)
        assert not isinstance(found, Declined)
        assert found.moved_days * sign > 0, variant
    assert varied(plan(), Variant(kind="slip", task="nobody's", days=1)) == plan()


def test_a_forecast_is_scored_by_how_far_it_was_off_and_how_sure_it_was():
    found = result(plan())
    right, right_percent = score(found, found.realistic)
    wrong, wrong_percent = score(found, dt.date(2027, 3, 1))
    assert right < 2 < wrong
    assert right_percent in range(45, 70)
    assert wrong_percent == 95
    sharp = replace(found, curve=dict.fromkeys(found.curve, found.realistic))
    assert score(sharp, found.realistic)[0] == 0
    days, _percent = score(sharp, found.realistic + dt.timedelta(days=3))
    assert days == pytest.approx(3, rel=0.01)
