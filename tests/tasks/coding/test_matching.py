"""Matches are looked up once per task, for its present words, and never over a person's choice."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from chat.operations.changes import Actor, Cause
from chat.operations.models import Operation, OperationBatch
from chat.operations.replay import differences
from chat.operations.steps import open_ledger
from chat.operations.undo import UndoConflict, undo
from futura import durable
from tasks.actions import start_pipeline
from tasks.coding import matching, run
from tasks.coding.queue import sweep
from tasks.commands.edit import DeleteTasks, EditTask
from tasks.commands.matches import ChooseMatch
from tasks.commands.undo import undo_batch
from tasks.jobs import match_response
from tasks.models import Lookup, SurveyResponse, TaskMatch
from tests.tasks import changing

Status = TaskMatch.Status
pytestmark = pytest.mark.django_db


@pytest.fixture
def task(survey, starter):
    response = survey([("user", "I prepare quarterly tax returns for clients.")])
    run.process(response.pk)
    return response.tasks.get()


def test_a_task_gets_candidates_and_a_verdict(task):
    assert matching.match_responses(task.response_id) == 1
    match = TaskMatch.objects.get(task=task)
    assert match.status in {Status.MATCHED, Status.NONE}
    assert match.method == TaskMatch.Method.RULES
    assert match.candidates
    assert match.reason
    assert match.catalogue
    assert match.for_version == task.version
    assert not Lookup.objects.exists()


def test_the_job_run_twice_changes_nothing(task):
    match_response(str(task.response_id))
    before = TaskMatch.objects.values().get(task=task)
    match_response(str(task.response_id))
    match_response(str(uuid.uuid4()))
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
    written, found = OperationBatch.objects.filter(session=response.pk).order_by("created_at")
    assert (written.actor, written.operations.count()) == ("agent", 8)
    assert (found.actor, found.operations.count()) == ("system", 4)
    assert differences() == []


def test_edited_words_are_matched_again(task, drain):
    drain()
    old = TaskMatch.objects.get(task=task)
    changing.act(EditTask, task.response, task=task.pk, statement="Drive a bus along city routes")
    drain()
    new = TaskMatch.objects.get(task=task)
    task.refresh_from_db()
    assert new.version > old.version
    assert new.for_version == task.version
    assert new.candidates != old.candidates


def test_undoing_an_edit_brings_the_match_back_that_a_lookup_replaced(task, drain):
    drain()
    chosen = TaskMatch.objects.get(task=task).candidates[-1]["task_id"]
    changing.act(ChooseMatch, task.response, task=task.pk, candidate=chosen)
    changing.act(EditTask, task.response, task=task.pk, statement="Bake bread in the oven")
    drain()
    edit = OperationBatch.objects.get(title="Edited a task")
    undo_batch(changing.scope_of(task.response), task.response.pk, edit)
    drain()
    match = TaskMatch.objects.select_related("task").get(task=task)
    assert match.task.statement == task.statement
    assert (match.method, match.onet_task_id) == (TaskMatch.Method.PERSON, chosen)
    assert differences() == []


def test_a_choice_after_an_edit_is_a_conflict_for_its_undo(task, drain):
    drain()
    changing.act(EditTask, task.response, task=task.pk, statement="Prepare tax returns")
    drain()
    changing.act(ChooseMatch, task.response, task=task.pk, candidate="none")
    edit = OperationBatch.objects.get(title="Edited a task")
    with pytest.raises(UndoConflict) as caught:
        undo_batch(changing.scope_of(task.response), task.response.pk, edit)
    assert {conflict.entity for conflict in caught.value.plan.conflicts} == {"task_match"}


def test_words_taken_back_without_their_match_are_looked_up_again(task, drain):
    drain()
    changing.act(EditTask, task.response, task=task.pk, statement="Bake bread in the oven")
    drain()
    one = Operation.objects.get(batch__title="Edited a task", entity="work_task")
    baked = TaskMatch.objects.get(task=task)
    undo(
        actor=Actor(one.batch.owner_id),
        operations=[one],
        cause=Cause(session=task.response.session),
    )
    drain()
    match = TaskMatch.objects.get(task=task)
    assert match.candidates != baked.candidates
    assert match.status != Status.PENDING


def test_a_result_for_words_that_changed_meanwhile_is_thrown_away(task):
    work = matching._Work(task.response)
    (taken,) = work.take()
    changing.act(EditTask, task.response, task=task.pk, statement="Bake bread")
    assert work.look_up([taken]) == 0
    assert TaskMatch.objects.get(task=task).status == Status.PENDING
    assert matching.match_responses(task.response_id) == 1


def test_a_persons_choice_is_never_overwritten(task, drain):
    drain()
    chosen = TaskMatch.objects.get(task=task).candidates[-1]["task_id"]
    changing.act(ChooseMatch, task.response, task=task.pk, candidate=chosen)
    assert matching.match_responses(task.response_id) == 0
    start_pipeline(task.response_id)
    drain()
    match = TaskMatch.objects.get(task=task)
    assert match.method == TaskMatch.Method.PERSON
    assert match.onet_task_id == chosen


def test_a_choice_while_a_lookup_runs_wins(task):
    matching.match_responses(task.response_id)
    match = TaskMatch.objects.get(task=task)
    changing.change(match, status=Status.PENDING)
    work = matching._Work(task.response)
    taken = work.take()
    changing.act(ChooseMatch, task.response, task=task.pk, candidate="none")
    assert work.look_up(taken) == 0
    assert TaskMatch.objects.get(task=task).method == TaskMatch.Method.PERSON


def test_a_match_held_by_a_living_worker_is_left_alone_and_a_dead_ones_taken_over(task):
    match = TaskMatch.objects.get(task=task)
    Lookup.objects.create(match=match, lease=uuid.uuid4(), seen_at=timezone.now())
    assert matching.match_responses(task.response_id) == 0
    silent = timezone.now() - durable.SILENT_FOR - timedelta(seconds=1)
    Lookup.objects.update(seen_at=silent)
    assert matching.match_responses(task.response_id) == 1


def test_a_deleted_task_is_not_looked_up_until_it_is_put_back(task, drain):
    deletion = changing.act(DeleteTasks, task.response, tasks=[task.pk]).batch
    drain()
    assert TaskMatch.objects.get(task=task).status == Status.PENDING
    undo_batch(changing.scope_of(task.response), task.response.pk, deletion)
    drain()
    assert TaskMatch.objects.get(task=task).status != Status.PENDING


def test_a_failed_match_is_tried_again_when_the_list_is_written_again(task, drain):
    changing.change(TaskMatch.objects.get(task=task), status=Status.FAILED, error="away")
    start_pipeline(task.response_id)
    drain()
    match = TaskMatch.objects.get(task=task)
    assert match.status != Status.FAILED
    assert match.error == ""


def test_the_sweep_finds_matches_that_nobody_makes(task, drain):
    assert sweep() == 0
    open_ledger()
    TaskMatch.objects.filter(task=task).update(updated_at=timezone.now() - timedelta(minutes=1))
    assert sweep() == 1
    drain()
    assert TaskMatch.objects.get(task=task).status != Status.PENDING
    assert sweep() == 0


def test_without_any_catalogue_a_task_has_no_good_match(survey):
    response = survey([("user", "I mend shoes.")])
    run.process(response.pk)
    task = response.tasks.get()
    matching.match_responses(response.pk)
    assert TaskMatch.objects.get(task=task).status == Status.NONE


def test_many_tasks_are_looked_up_in_one_batch(survey, starter):
    verbs = ["bake", "weld", "sew", "plant", "sell", "pack", "paint", "mop", "iron", "count"]
    said = ", ".join(f"{verb} {verb}er parts" for verb in verbs)
    response = survey([("user", f"I {said}.")])
    run.process(response.pk)
    count = response.tasks.count()
    assert matching.match_responses(response.pk) == count
    (found,) = OperationBatch.objects.filter(session=response.pk, actor="system")
    assert found.operations.count() == count
    assert differences() == []
