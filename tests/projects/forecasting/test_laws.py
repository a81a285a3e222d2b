"""Laws that a simulated finish must keep, over random plans."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings, strategies as st

from projects.forecasting.inputs import Inputs, TaskInput
from projects.forecasting.results import PERCENTS, Result, forecast
from projects.forecasting.simulation import finishes, network, ordered
from tests.extent import examples
from tests.projects.forecasting.plans import RUNS, plans

laws = settings(max_examples=examples(30), deadline=None)


def runs_of(inputs: Inputs) -> np.ndarray:
    return finishes(network(inputs, runs=RUNS))


def never_earlier(more: Inputs, less: Inputs) -> bool:
    return bool((runs_of(more) >= runs_of(less) - 1e-6).all())


def changed(inputs: Inputs, number: int, **values: object) -> Inputs:
    task = inputs.tasks[number % len(inputs.tasks)]
    return inputs.with_task(replace(task, **values))  # type: ignore[arg-type]


@laws
@given(plans(), st.integers(0, 11), st.floats(1, 5), st.floats(1, 5))
def test_a_longer_estimate_never_finishes_earlier_in_any_run(inputs, number, longer, wider):
    task = inputs.tasks[number % len(inputs.tasks)]
    low, high = task.low or 1.0, task.high or 2.0
    less = changed(inputs, number, low=low, high=high)
    more = changed(inputs, number, low=low * longer, high=high * longer * wider)
    assert never_earlier(more, less)


@laws
@given(plans(), st.floats(0.1, 10), st.floats(1, 3), st.booleans())
def test_one_task_more_never_finishes_earlier_in_any_run(inputs, low, wider, is_first):
    new = TaskInput("new", "New", low=low, high=low * wider)
    tasks = (new, *inputs.tasks) if is_first else (*inputs.tasks, new)
    assert never_earlier(replace(inputs, tasks=tasks), inputs)


@laws
@given(plans(), st.data())
def test_one_dependency_more_never_finishes_earlier_in_any_run(inputs, data):
    later = data.draw(st.integers(1, len(inputs.tasks) - 1))
    earlier = data.draw(st.integers(0, later - 1))
    task = inputs.tasks[later]
    needs = (*task.depends_on, inputs.tasks[earlier].id)
    assert never_earlier(changed(inputs, later, depends_on=needs), inputs)


@laws
@given(plans(), st.floats(0.1, 3))
def test_more_hands_never_finish_later_in_any_run(inputs, more):
    assert never_earlier(inputs, replace(inputs, hands=inputs.hands + more))


@laws
@given(plans())
def test_the_same_seed_gives_the_same_and_what_is_stored_computes_it_again(inputs):
    found = forecast(inputs, runs=RUNS)
    assert isinstance(found, Result)
    assert forecast(Inputs.from_json(inputs.as_json()), runs=RUNS) == found
    assert Result.from_json(found.as_json()) == found


@laws
@given(plans())
def test_percentiles_are_in_order_and_chances_are_at_least_their_percentage(inputs):
    found = forecast(inputs, runs=RUNS)
    assert isinstance(found, Result)
    days = [found.curve[percent] for percent in PERCENTS]
    assert days == sorted(days)
    assert found.first <= days[0] <= days[-1] <= found.last
    assert all(chance >= percent / 100 for percent, chance in found.chances.items())
    assert found.on_time is not None
    assert 0 <= found.on_time <= 1
    assert (found.on_time >= 0.5) == (inputs.end >= found.realistic)


@laws
@given(plans())
def test_no_finish_lies_on_a_weekend_or_before_today(inputs):
    found = forecast(inputs, runs=RUNS)
    assert isinstance(found, Result)
    for day in found.curve.values():
        assert day.weekday() < 5
        assert day >= inputs.today


@laws
@given(plans(), st.data())
def test_circles_of_dependencies_are_opened(inputs, data):
    first, *_, last = inputs.open_tasks
    circular = inputs.with_task(replace(first, depends_on=(last.id,)))
    circular = circular.with_task(replace(last, depends_on=(first.id,)))
    tasks, needs, before = ordered(circular)
    assert sorted(task.id for task in tasks) == sorted(task.id for task in circular.open_tasks)
    assert all(place not in needed for place, needed in enumerate(needs))
    assert not before.diagonal().any()
