"""A task's activities and group follow its match, whoever changes it, in the same batch."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from chat.operations.models import OperationBatch
from onet import queries
from onet.candidates import groups_of
from onet.matching import activities_for
from tasks import activities
from tasks.campaigns.models import Campaign
from tasks.coding.matching import match_responses
from tasks.commands.edit import AddTask
from tasks.commands.matches import ChooseMatch
from tasks.export import task_as_json
from tasks.models import TaskMatch, WorkTask
from tasks.simulation.invented import fill, invented_campaign
from tasks.staff.commands import CorrectTask, undo_correction
from tests.tasks import changing
from tests.tasks.pages.conftest import make_survey
from tests.tasks.staff.conftest import reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(alice, participant_of, starter):
    """A task of alice's, added by hand and looked up."""
    survey = make_survey(participant_of(alice))
    outcome = changing.act(AddTask, survey.response, statement="Train new colleagues on the till")
    added = WorkTask.objects.get(pk=outcome.created[0])
    match_responses(survey.response.pk)
    return survey.fresh(added)


def fresh(task: WorkTask) -> WorkTask:
    return WorkTask.objects.select_related("match").get(pk=task.pk)


def other_candidate(task: WorkTask) -> dict:
    """A candidate of other activities than the task has."""
    return next(
        candidate
        for candidate in task.match.candidates
        if candidate["activity_ids"] != task.activity_ids
    )


def test_a_task_says_its_activities_best_first_beside_its_group(task):
    told = task_as_json(task)
    assert told["activities"] == task.activity_ids
    assert told["activities"][0].startswith("4.A.")
    assert told["gwaCategory"] == groups_of(task.activity_ids)[0]


def test_a_lookup_that_says_the_same_leaves_the_task_as_it_was(task):
    assert task.version == 1
    assert task.match.status in {TaskMatch.Status.MATCHED, TaskMatch.Status.NONE}
    assert task.match.for_version == task.version


def test_activities_follow_a_match_that_the_person_chooses(task):
    chosen = other_candidate(task)
    changing.act(ChooseMatch, task.response, task=task.pk, candidate=chosen["task_id"])
    assert fresh(task).activity_ids == chosen["activity_ids"]
    assert fresh(task).groups == chosen["groups"]
    batch = OperationBatch.objects.latest("created_at")
    assert {operation.entity for operation in batch.operations.all()} == {"work_task", "task_match"}
    changing.act(ChooseMatch, task.response, task=task.pk, candidate="none")
    assert fresh(task).activity_ids == list(activities_for(task.statement))


def test_a_candidate_that_was_stored_without_activities_has_those_of_its_statement(task):
    chosen = other_candidate(task)
    assert activities.follow(task, {"task_id": chosen["task_id"]})
    assert task.activity_ids == chosen["activity_ids"]


def test_activities_follow_a_match_that_a_reviewer_chooses(task):
    chosen = other_candidate(task)
    session, rita = task.response.session, reviewer("rita")
    changing.correct(ChooseMatch, task.response, rita, task=task.pk, candidate=chosen["task_id"])
    assert fresh(task).activity_ids == chosen["activity_ids"]
    batch = OperationBatch.objects.latest("created_at")
    undo_correction(user=rita, session=session, batch_id=batch.pk)
    assert fresh(task).activity_ids == task.activity_ids


def test_stored_tasks_are_coded_anew_and_what_a_reviewer_set_stands(task):
    right = task.activity_ids
    changing.change(task, group="", groups=[], activity_ids=[])
    outcome = changing.act(AddTask, task.response, statement="Drive a bus along city routes")
    corrected = WorkTask.objects.get(pk=outcome.created[0])
    changing.correct(
        CorrectTask, task.response, reviewer("rita"), task=corrected.pk,
        statement=corrected.statement, group="informationInput",
    )  # fmt: skip
    out = io.StringIO()
    call_command("recode_tasks", stdout=out)
    assert fresh(task).activity_ids == right
    assert fresh(corrected).group == "informationInput"
    assert "tasks hold other activities now" in out.getvalue()
    again = io.StringIO()
    call_command("recode_tasks", stdout=again)
    assert again.getvalue().startswith("0 tasks")


@pytest.mark.thorough
def test_invented_people_are_coded_from_their_words_alone(starter):
    campaign = invented_campaign("Invented")
    assert fill(campaign, 8, seed=3) > 0
    rows = WorkTask.objects.filter(response__campaign=Campaign.objects.get(pk=campaign.pk))
    found = list(rows.select_related("match", "response"))
    for row in found:
        expected = queries.statements([row.match.onet_task_id]) if row.match.onet_task_id else {}
        assert row.match.candidates
        assert all(set(row.activity_ids) == set(item.activity_ids) for item in expected.values())
    assert any(row.match.status == TaskMatch.Status.MATCHED for row in found)
