"""How long drafts live: offered again, given up, erased."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.replay import differences
from chat.operations.undo import undo
from futura.celery import app
from futura.errors import Conflict
from projects import jobs, queries
from projects.models import DraftTask, ProjectDraft
from tests import project_rows

pytestmark = pytest.mark.django_db


def test_a_draft_is_offered_again_for_a_day_after_its_last_edit(alice, identity_for, actor, draft):
    identity, now = identity_for(alice), timezone.now()
    assert queries.draft_to_resume(identity, now + timedelta(hours=23)) == draft
    assert queries.draft_to_resume(identity, now + timedelta(hours=25)) is None
    project_rows.abandon_draft(actor=actor, draft=draft)
    assert queries.draft_to_resume(identity, now) is None


def test_of_several_drafts_the_one_touched_last_is_offered(alice, identity_for, actor, draft):
    newer = project_rows.start_draft(actor=actor, values={"name": "Newer"}).row
    assert queries.draft_to_resume(identity_for(alice)) == newer
    project_rows.add_draft_task(actor=actor, draft=draft, values={"title": "One more"})
    assert queries.draft_to_resume(identity_for(alice)) == draft


def test_others_drafts_are_never_offered(bob, identity_for, draft):
    assert queries.draft_to_resume(identity_for(bob)) is None


def test_seven_days_untouched_end_a_draft_and_an_edit_of_a_todo_counts(actor, draft):
    now = timezone.now()
    assert jobs.abandon_untouched(now + timedelta(days=6, hours=23)) == 0
    task = queries.draft_tasks_of(draft)[0]
    project_rows.edit_draft_task(actor=actor, task=task, values={"title": "Sketch"})
    touched = DraftTask.objects.get(pk=task.pk).updated_at
    assert jobs.abandon_untouched(touched + timedelta(days=7)) == 0
    assert jobs.abandon_untouched(touched + timedelta(days=7, seconds=1)) == 1
    draft.refresh_from_db()
    assert draft.status == "abandoned"
    batch = OperationBatch.objects.latest("created_at")
    assert (batch.actor, batch.reason) == ("system", "Not edited for seven days.")
    assert jobs.abandon_untouched(touched + timedelta(days=8)) == 0


def test_what_became_a_project_is_not_given_up(actor, draft):
    project_rows.finalise_draft(actor=actor, draft=draft)
    assert jobs.abandon_untouched(timezone.now() + timedelta(days=60)) == 0


def test_thirty_days_after_that_nothing_of_its_words_is_left(actor, draft):
    gone = queries.draft_tasks_of(draft)[0]
    project_rows.delete_draft_task(actor=actor, task=gone)
    draft = project_rows.abandon_draft(actor=actor, draft=draft).row
    assert jobs.purge_abandoned(draft.updated_at + timedelta(days=30)) == 0
    assert jobs.purge_abandoned(draft.updated_at + timedelta(days=30, seconds=1)) == 1
    assert not ProjectDraft.objects.exists()
    assert not DraftTask.objects.exists()
    payloads = OperationPayload.objects.values_list("requested", "before", "after")
    assert set(payloads) == {(None, None, None)}
    assert "Fitness" not in str(list(OperationBatch.objects.values_list("title", "reason")))
    assert differences() == []


def test_what_was_erased_is_not_undone_and_says_why(actor, draft):
    draft = project_rows.abandon_draft(actor=actor, draft=draft).row
    jobs.purge_abandoned(draft.updated_at + timedelta(days=31))
    for one in Operation.objects.all():
        with pytest.raises(Conflict, match="permanently deleted"):
            undo(actor=actor, operations=[one])


def test_a_draft_taken_up_again_is_not_erased(actor, draft):
    draft = project_rows.abandon_draft(actor=actor, draft=draft).row
    project_rows.resume_draft(actor=actor, draft=draft)
    assert jobs.purge_abandoned(timezone.now() + timedelta(days=90)) == 0


def test_beat_runs_both_every_hour():
    app.loader.import_default_modules()
    app.finalize()
    due = {item["task"]: item["schedule"] for item in app.conf.beat_schedule.values()}
    for task in ("projects.abandon_drafts", "projects.purge_drafts"):
        assert due[task] == 3600.0
        app.tasks[task]()
