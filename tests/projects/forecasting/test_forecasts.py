"""Forecasts that are kept: from rows and back, told, shown, scored."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from chat.models import Participant
from projects.forecasting import actions as forecasting
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.pages import chart_of
from projects.forecasting.queries import inputs_of
from projects.forecasting.results import Result, forecast
from projects.forecasting.variants import Compared, Variant
from projects.forecasting.wording import explained, moved_words
from projects.queries import tasks_of
from tests import project_rows
from tests.projects.forecasting.plans import TODAY, plan

pytestmark = pytest.mark.django_db


def result_of(inputs: Inputs) -> Result:
    found = forecast(inputs, runs=500)
    assert isinstance(found, Result)
    return found


def test_the_rows_of_a_project_become_inputs(planned, django_assert_num_queries):
    tasks = tasks_of(planned)
    with django_assert_num_queries(1):
        read = inputs_of(planned, tasks, today=TODAY)
    by_title = {task.title: task for task in read.tasks}
    assert by_title["Build the sheet"].depends_on == (by_title["Agree on the columns"].id,)
    assert (by_title["Build the sheet"].low, by_title["Build the sheet"].high) == (4, 9)
    assert [item.title for item in read.unestimated] == ["Train the relief technicians"]
    assert str(read.end) == "2026-12-18"
    assert list(read.usual) == [2, 6]
    assert read == Inputs.from_json(read.as_json())


def test_the_words_name_days_drivers_gaps_and_assumptions(planned):
    inputs = inputs_of(planned, tasks_of(planned), today=TODAY)
    result = result_of(inputs)
    told = explained(inputs, result)
    assert [scenario.name for scenario in told.scenarios] == [
        "optimistic",
        "realistic",
        "pessimistic",
    ]
    assert [scenario.day for scenario in told.scenarios] == [
        result.optimistic, result.realistic, result.pessimistic,
    ]  # fmt: skip
    for one in told.scenarios:
        assert str(one.day.year) in one.outcome
        assert "the end date" in one.outcome
        assert one.key_factors
        assert one.warning_signs
    assert [decision_point.day for decision_point in told.decision_points] == sorted(
        o.day for o in told.decision_points
    )
    assert told.decision_points
    assert any("Train the relief technicians" in line for line in told.recommendations)
    assert any("One person" in line for line in told.assumptions)
    assert any("2 to 6 days" in line for line in told.assumptions)


def test_the_picture_has_the_marks_in_order_and_inside():
    found = chart_of(plan(), result_of(plan()))
    xs = [mark["x"] for mark in found["marks"]]
    assert xs == sorted(xs)
    assert all(0 <= x <= found["width"] for x in xs)
    assert found["end"]
    points = [tuple(map(float, item.split(","))) for item in found["line"].split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)


def test_a_run_that_is_done_twice_keeps_one_forecast(kept, planned):
    from chat.models import Run, Session

    session = Session.objects.create(participant_id=planned.owner_id, kind="project_forecast")
    run = Run.objects.create(session=session)
    first = kept(run_id=run.pk)
    assert kept(run_id=run.pk).pk == first.pk
    assert Forecast.objects.count() == 1


def test_a_completed_project_scores_its_forecasts_once(kept, actor, planned):
    before = kept()
    assert forecasting.score_finished() == 0
    project_rows.finish_project(actor=actor, project=planned)
    assert forecasting.score_finished() == 1
    before.refresh_from_db()
    assert before.actual_finish is not None
    assert before.score is not None
    assert before.score > 0
    assert before.fell_at in {0, *range(5, 100, 5)}
    assert forecasting.score_finished() == 0


def test_the_real_day_is_one_of_its_owner(kept, actor, planned, monkeypatch):
    made = kept()
    evening = dt.datetime(2026, 12, 1, 4, 30, tzinfo=dt.UTC)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    project_rows.finish_project(actor=actor, project=planned)
    Participant.objects.filter(pk=planned.owner_id).update(time_zone="America/New_York")
    forecasting.score_finished()
    made.refresh_from_db()
    assert made.actual_finish == dt.date(2026, 11, 30)


def test_the_page_shows_it_to_its_owner_only(kept, browser, alice, charlie):
    made = kept(situation="What if the <b>columns</b> take longer?")
    inputs, result = Inputs.from_json(made.inputs), Result.from_json(made.results)
    sheet = next(task.id for task in inputs.tasks if task.title == "Build the sheet")
    slip = Variant(kind="slip", task=sheet, days=10)
    branch = forecasting.add_branch(forecast=made, inputs=inputs, result=result, variants=[slip])
    assert isinstance(branch, Compared)
    assert 8 <= branch.moved_days <= 12  # the luck belongs to the project's id
    url = reverse("forecasts:forecast", args=[made.pk])
    page = browser(alice).get(url)
    assert page.status_code == 200
    text = page.content.decode()
    assert "What if the &lt;b&gt;columns" in text
    assert "Agree on the columns" in text
    assert moved_words(branch.moved_days) in text
    assert "style=" not in text
    assert browser(charlie).get(url).status_code == 404
    assert browser().get(url).status_code == 404


def test_the_page_costs_few_queries_and_says_what_happened(
    kept, browser, alice, actor, planned, django_assert_max_num_queries
):
    made = kept()
    project_rows.finish_project(actor=actor, project=planned)
    forecasting.score_finished()
    client = browser(alice)
    with django_assert_max_num_queries(7):  # one of them counts what is due, for the masthead
        page = client.get(reverse("forecasts:forecast", args=[made.pk]))
    assert "Completed on" in page.content.decode()


@pytest.mark.thorough
def test_the_list_on_a_project_costs_as_much_for_three_as_for_one(kept, browser, alice, planned):
    client = browser(alice)
    url = reverse("projects:project", args=[planned.pk])
    assert "/projects/forecasts/" not in client.get(url).content.decode()
    kept()
    with CaptureQueriesContext(connection) as first:
        client.get(url)
    kept()
    kept()
    with CaptureQueriesContext(connection) as later:
        page = client.get(url).content.decode()
    assert page.count("/projects/forecasts/") == 3
    assert len(later) == len(first)
