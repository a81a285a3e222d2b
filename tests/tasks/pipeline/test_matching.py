"""Matches are looked up once per task, for its present words, and never over a person's choice."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from tasks.actions import choose_match, edit_statement, start_pipeline
from tasks.jobs import match_task
from tasks.models import SurveyResponse, TaskMatch
from tasks.pipeline import heart, matching, run
from tasks.pipeline.sweep import sweep

Status = TaskMatch.Status
pytestmark = pytest.mark.django_db


@pytest.fixture
def task(survey, starter):
    response = survey([("user", "I prepare quarterly tax returns for clients.")])
    run.process(response.pk)
    return response.tasks.get()


def test_a_task_gets_candidates_and_a_verdict(task):
    assert matching.match_task(task.pk) is True
    match = TaskMatch.objects.get(task=task)
    assert match.status in {Status.MATCHED, Status.NONE}
    assert match.method == TaskMatch.Method.RULES
    assert match.candidates
    assert match.reason
    assert match.catalogue
    assert match.for_version == task.version
    assert match.lease is None


def test_the_job_run_twice_changes_nothing(task):
    match_task(str(task.pk))
    before = TaskMatch.objects.values().get(task=task)
    match_task(str(task.pk))
    assert TaskMatch.objects.values().get(task=task) == before


def test_the_whole_way_from_start_to_matches_by_the_real_jobs(survey, starter, drain):
    response = survey(step=SurveyResponse.Step.IDLE)
    assert start_pipeline(response.pk) is True
    assert start_pipeline(response.pk) is False
    drain()
    response.refresh_from_db()
    assert response.step == SurveyResponse.Step.DONE
    matches = TaskMatch.objects.filter(task__response=response)
    assert matches.count() == 4
    assert not matches.filter(status=Status.PENDING).exists()


def test_edited_words_are_matched_again(task, drain):
    drain()
    old = TaskMatch.objects.get(task=task)
    edit_statement(
        response=task.response, task_id=task.pk, statement="Drive a bus along city routes"
    )
    drain()
    new = TaskMatch.objects.get(task=task)
    task.refresh_from_db()
    assert new.version > old.version
    assert new.for_version == task.version
    assert new.candidates != old.candidates


def test_a_result_for_words_that_changed_meanwhile_is_thrown_away(task):
    lease = uuid.uuid4()
    assert matching._claim(task.pk, lease)
    row = TaskMatch.objects.select_related("task").get(task=task)
    edit_statement(response=task.response, task_id=task.pk, statement="Bake bread")
    assert matching._save(row, lease, {"status": Status.NONE}) is False
    assert TaskMatch.objects.get(task=task).status == Status.PENDING


def test_a_persons_choice_is_never_overwritten(task, drain):
    drain()
    chosen = TaskMatch.objects.get(task=task).candidates[-1]["task_id"]
    choose_match(response=task.response, task_id=task.pk, candidate_id=chosen)
    assert matching.match_task(task.pk) is False
    start_pipeline(task.response_id)
    drain()
    match = TaskMatch.objects.get(task=task)
    assert match.method == TaskMatch.Method.PERSON
    assert match.onet_task_id == chosen


def test_a_match_held_by_a_living_worker_is_left_alone_and_a_dead_ones_taken_over(task):
    TaskMatch.objects.filter(task=task).update(lease=uuid.uuid4(), heartbeat_at=timezone.now())
    assert matching.match_task(task.pk) is False
    TaskMatch.objects.filter(task=task).update(
        heartbeat_at=timezone.now() - heart.SILENT_FOR - timedelta(seconds=1)
    )
    assert matching.match_task(task.pk) is True


def test_a_deleted_task_is_not_looked_up(task):
    task.deleted_at = timezone.now()
    task.save()
    assert matching.match_task(task.pk) is False


def test_a_failed_match_is_tried_again_when_the_list_is_written_again(task, drain):
    TaskMatch.objects.filter(task=task).update(status=Status.FAILED, error="away")
    start_pipeline(task.response_id)
    drain()
    match = TaskMatch.objects.get(task=task)
    assert match.status != Status.FAILED
    assert match.error == ""


def test_the_sweep_finds_matches_that_nobody_makes(task, drain):
    TaskMatch.objects.filter(task=task).update(updated_at=timezone.now() - timedelta(minutes=1))
    assert sweep() == 1
    drain()
    assert TaskMatch.objects.get(task=task).status != Status.PENDING


def test_without_any_catalogue_a_task_has_no_good_match(survey):
    response = survey([("user", "I mend shoes.")])
    run.process(response.pk)
    task = response.tasks.get()
    matching.match_task(task.pk)
    assert TaskMatch.objects.get(task=task).status == Status.NONE
