"""The specification's own example conversations, in all four modes, with the model and by rules."""

from __future__ import annotations

import datetime as dt

import pytest

from projects.forecasting.models import Forecast
from projects.models import Project, Task
from projects.modes.starting import start
from tests import todos
from tests.projects.agent.conftest import Talk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["rules", "model"])
def by(request: pytest.FixtureRequest) -> str:
    """Both ways: the scripted server plays the model, or nobody does."""
    if request.param == "model":
        request.getfixturevalue("scripted").default_agent()
    return str(request.param)


def test_a_fitness_app_from_the_first_word_to_its_tasks_and_back(by, create):
    talk = create(has_opening=True)
    assert talk.reply
    if by == "rules":
        assert "?" not in talk.say("Building a fitness app")  # listened to, not questioned
    reply = talk.say(
        "Building a fitness app for tracking workouts. I need to sketch the screens. Nobody who "
        "trains at home wants ads.\n- Sketch the screens"
    )
    assert talk.state["phase"] == "clarifying"
    assert reply.count("?") == 1
    asked = talk.state["asked"][-1]["field"]
    assert asked == "core_integrity_ideals"
    talk.say("Get 1000 users in first 3 months")
    assert "1000 users" in talk.draft.core_integrity_ideals
    before = talk.state["current"]
    talk.say("I don't know")
    assert before in talk.state["later"]
    talk.say("let's create it")
    assert talk.state["phase"] == "finalizing"
    assert any(task["title"] == "Sketch the screens" for task in talk.preview()["tasks"])
    if by == "model":
        talk.say("ask me about the people")
        assert talk.state["current"] == "core_people_bonds"
        talk.say("Just me for now")
        assert talk.state["phase"] == "finalizing"
        assert talk.draft.core_people_bonds == "Just me for now"
    talk.say("Yes!")
    assert talk.state["phase"] == "completed"
    project = talk.project
    assert len(talk.tasks) >= (5 if by == "model" else 1)
    assert talk.parts("operations")[0]["done"] > len(talk.tasks)
    batch = talk.of_last_message()[0]
    first = next(operation for operation in batch.operations.all() if operation.entity == "task")
    talk.undo(first)
    assert first.entity_id not in {task.pk for task in talk.tasks}
    talk.undo(*batch.operations.filter(status="completed"))
    project.refresh_from_db()
    assert project.deleted_at is not None
    assert not talk.tasks


def test_the_launch_moves_to_the_third_quarter_and_a_mobile_app_comes(by, made, update, today):
    project = made(end_date=dt.date(2025, 6, 30), tasks=[("Design", dt.date(2025, 4, 1))])
    talk = update(project, has_opening=True)
    assert "Fitness app" in talk.reply
    if by == "model":
        reply = talk.say("We decided to push the launch date to Q3 and add a mobile app")
    else:
        reply = talk.say("- add mobile app\n- move the project to 30 September 2025")
    project.refresh_from_db()
    assert project.end_date == dt.date(2025, 9, 30)
    assert Task.objects.filter(title="Mobile app").exists()
    assert talk.parts("operations")[0]["done"] == 2
    assert ("30 September 2025" in reply) is (by == "rules")
    assert "Move “Design” as well (92 days later)?" in reply
    talk.say("yes")
    assert Task.objects.get(title="Design").due_date == dt.date(2025, 7, 2)


@pytest.fixture
def planned(made) -> Project:
    project = made(
        core_goals_momentum="Launch in March with 1000 users, then grow fast in every city.",
        core_power_resources="No budget, two evenings a week.",
        core_trust_safeguards="Nobody may use it. The server could fail.",
        end_date=dt.date(2025, 6, 30),
    )
    from chat.operations.changes import Actor

    actor = Actor(project.owner_id)
    for title in ("Sketch the screens", "Build the timer", "Ask ten members"):
        values = {"title": title, "estimate_low_days": 2, "estimate_high_days": 6}
        todos.add(actor=actor, project=project, values=values)
    return project


def test_an_audit_names_gaps_with_evidence_and_ends_constructively(
    by, planned, owner, me, drain, today
):
    first = "I am worried about the budget"
    session = start(participant=owner, project=planned, mode="audit", first_text=first)
    talk = Talk(session, me, drain)
    reply = talk.reply
    assert "What works" in reply
    if by == "model":
        assert "Launch in March with 1000 users" in reply
    assert "computed" in reply
    assert "What if" in reply or "?" in reply
    assert reply.index("What works") < reply.index("What I found")
    assert "None of these findings stops" in reply
    assert not talk.batches
    assert Task.objects.count() == 3


def test_a_forecast_tells_three_scenarios_and_when_to_decide(by, planned, owner, me, drain, today):
    first = "Should we launch in March or wait?"
    session = start(participant=owner, project=planned, mode="forecast", first_text=first)
    talk = Talk(session, me, drain)
    reply = talk.reply
    assert "?" in reply
    for name in ("Optimistic", "Realistic", "Pessimistic", "Warning signs"):
        assert name in reply
    assert "of 100 runs" in reply
    kept = Forecast.objects.get()
    assert kept.situation == first
    assert (talk.stages().get("agent_tools") == "model") is (by == "model")
    assert not talk.batches
