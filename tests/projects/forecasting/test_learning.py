"""Forecasts learn how far apart their days lie from the person's own scored ones."""

import datetime as dt

import pytest
from django.utils import timezone

from projects.forecasting.models import Forecast
from projects.forecasting.queries import widening_for
from projects.forecasting.results import Result, forecast, standardised, widening_from
from tests.projects.forecasting.plans import plan


def test_a_past_that_was_too_sure_widens_and_a_needlessly_wide_one_narrows():
    sure, fitting, wide = ([[miss] for miss in misses] for misses in (
        (2.5, -2.0, 3.0, 2.2, -2.8), (0.5, -1.2, 0.9, 1.1, -0.8), (0.1, -0.1, 0.2, 0.0, 0.1),
    ))  # fmt: skip
    assert widening_from([]) == 1
    assert widening_from(sure) > 1.5
    assert widening_from(fitting) == pytest.approx(1, abs=0.1)
    assert widening_from(wide) < 0.85
    assert widening_from([[3.0]]) < widening_from([[3.0]] * 5)  # one surprise does not decide
    assert widening_from([[6.0]] * 50) == 3


def test_a_widened_forecast_keeps_its_middle_and_spreads_around_it():
    usual, wide = forecast(plan()), forecast(plan(widening=2.0))
    assert isinstance(usual, Result)
    assert isinstance(wide, Result)
    assert abs((wide.realistic - usual.realistic).days) <= 1
    assert wide.optimistic < usual.optimistic
    assert wide.pessimistic > usual.pessimistic
    narrow = forecast(plan(widening=0.6))
    assert isinstance(narrow, Result)
    assert narrow.pessimistic < usual.pessimistic


def test_over_invented_pasts_the_learned_spread_holds_more_of_what_came():
    """Ten people whose work varies twice as much as their estimates say, five projects each."""
    import numpy as np

    rng = np.random.default_rng(7)
    result = forecast(plan())
    assert isinstance(result, Result)
    deviation = (result.pessimistic - result.optimistic).days / 1.6832
    held = {"before": 0, "after": 0}
    for _person in range(40):
        past = [result.realistic + dt.timedelta(days=round(2 * deviation * z))
                for z in rng.standard_normal(5)]  # fmt: skip
        widening = widening_from([[standardised(result, day)] for day in past])
        learned = forecast(plan(widening=widening), runs=500)
        assert isinstance(learned, Result)
        coming = result.realistic + dt.timedelta(days=round(2 * deviation * rng.standard_normal()))
        held["before"] += result.optimistic <= coming <= result.pessimistic
        held["after"] += learned.optimistic <= coming <= learned.pessimistic
    assert held["after"] > held["before"]


@pytest.mark.django_db
def test_only_the_persons_own_scored_forecasts_count(kept, planned, participant_of, bob):
    made = kept()
    assert widening_for(planned.owner_id) == 1.0
    late = Result.from_json(made.results).pessimistic + dt.timedelta(days=60)
    Forecast.objects.filter(pk=made.pk).update(
        scored_at=timezone.now(), actual_finish=late, score=9, fell_at=95
    )
    assert widening_for(planned.owner_id) > 1.5
    assert widening_for(participant_of(bob).pk) == 1.0
