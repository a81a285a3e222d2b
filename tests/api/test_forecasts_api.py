"""Forecasts by JSON: made with assumptions and what-if, listed, read, deleted; and as commands."""

from __future__ import annotations

import pytest

from projects.forecasting.models import Forecast
from projects.models import Task
from tests import todos

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(actor, project):
    """Three estimated to-dos, and one without an estimate."""
    for title, low, high in (("Sow", 2, 4), ("Water", 3, 6), ("Weed", 1, 2), ("Sell", None, None)):
        values = {"title": title, "estimate_low_days": low, "estimate_high_days": high}
        todos.add(actor=actor, project=project, values=values)
    return {task.title: str(task.pk) for task in project.tasks.all()}


def test_a_forecast_is_made_listed_read_and_deleted(call, project, plan):
    sell = {"kind": "takes", "task": plan["Sell"], "low": 10, "high": 20}
    sent = {
        "project": str(project.pk),
        "situation": "When can I sell?",
        "assumptions": [sell, {"kind": "hours", "hours": 20}],
        "what_if": [{"kind": "drop", "task": plan["Sell"]}],
    }
    made = call("post", "/forecasts", sent, expect=201)
    assert made["situation"] == "When can I sell?"
    curve = made["results"]["curve"]
    assert curve["20"] < curve["50"] < curve["80"]
    assert made["results"]["unestimated"] == []
    assert "“Sell” takes 10 to 20 days." in made["told"]["assumptions"]
    assert made["variants"][0]["title"] == "“Sell” is left out"
    assert made["variants"][0]["moved_days"] < 0
    assert Task.objects.get(pk=plan["Sell"]).estimate_low_days is None
    listed = call("get", f"/forecasts?project={project.pk}")["forecasts"]
    assert [item["id"] for item in listed] == [made["id"]]
    assert listed[0]["realistic"] == curve["50"]
    assert call("get", f"/forecasts/{made['id']}") == made
    call("delete", f"/forecasts/{made['id']}", expect=204)
    call("get", f"/forecasts/{made['id']}", expect=404)
    assert call("get", f"/forecasts?project={project.pk}")["forecasts"] == []
    assert not Forecast.objects.exists()
    assert call("post", f"/forecasts/{made['id']}/restore") == made
    assert call("get", f"/forecasts/{made['id']}") == made


def test_what_is_sent_again_under_one_key_is_made_once(call, project, plan):
    sent = {"project": str(project.pk), "what_if": [{"kind": "hands", "more": 1}]}
    first, again = (
        call("post", "/forecasts", sent, expect=201, headers={"Idempotency-Key": "monday"})
        for _ in range(2)
    )
    assert again == first
    # the first answer is that of the key, whatever has become of the plan since
    Task.objects.filter(pk=plan["Sell"]).update(estimate_low_days=50, estimate_high_days=90)
    monday = {"headers": {"Idempotency-Key": "monday"}}
    assert call("post", "/forecasts", sent, expect=201, **monday) == first
    assert call("get", f"/forecasts/{first['id']}") == first
    project.tasks.update(status="completed")
    assert call("post", "/forecasts", sent, expect=201, **monday) == first
    project.tasks.update(status="available")
    other = call("post", "/forecasts", sent, expect=201, headers={"Idempotency-Key": "tuesday"})
    assert other["id"] != first["id"]
    assert Forecast.objects.count() == 2


def test_the_commands_do_the_same(call, project, plan):
    arguments = {"project": str(project.pk), "what_if": [{"kind": "hands", "more": 1}]}
    made = call("post", "/commands", {"name": "make_forecast", "arguments": arguments})["result"]
    assert made["variants"][0]["title"] == "One more person works on it full time"
    read = {"name": "read_forecast", "arguments": {"id": made["id"]}}
    assert call("post", "/commands", read)["result"] == made
    newest = {"name": "read_forecast", "arguments": {"project": str(project.pk)}}
    assert call("post", "/commands", newest)["result"] == made
    elsewhere = {"name": "list_forecasts", "arguments": {"project": made["id"]}}
    refused = call("post", "/commands", elsewhere, expect=404)
    assert refused["error"]["field"] == "project"


WRONG = (
    ({"kind": "takes", "task": "rest"}, 422),
    ({"kind": "takes", "task": "rest", "low": 5, "high": 2}, 422),
    ({"kind": "takes", "task": "rest", "low": 1, "high": 4_000}, 422),
    ({"kind": "slip", "task": "rest", "days": 2}, 422),
    ({"kind": "away", "first": "2026-12-05", "last": "2026-12-01"}, 422),
    ({"kind": "deadline", "day": "soon"}, 422),
    ({"kind": "magic"}, 422),
    ({"kind": "drop", "task": "00000000-0000-4000-8000-000000000000"}, 404),
)


def test_what_does_not_fit_makes_none(call, project, plan):
    for change, status in WRONG:
        sent = {"project": str(project.pk), "assumptions": [change]}
        call("post", "/forecasts", sent, expect=status)
        assert not Forecast.objects.exists(), (change, status)


def test_too_little_is_said_to_be_too_little(call, project):
    refused = call("post", "/forecasts", {"project": str(project.pk)}, expect=409)
    assert "nothing to forecast" in refused["error"]["message"]
