"""The pages of drafts: looked over, edited, given up, taken up again, made a project."""

from __future__ import annotations

import pytest

from chat.operations.models import OperationBatch
from projects import queries
from projects.models import Project, ProjectDraft
from tests import project_rows
from tests.projects.pages.test_pages import url, words

pytestmark = pytest.mark.django_db


def test_a_draft_is_looked_over_and_made_a_project(client, draft):
    page = words(client.get(url("draft", draft.pk)))
    assert "2 of 9 dimensions covered" in page
    assert "Design wireframes" in page
    after = client.post(url("draft_finalise", draft.pk))
    project = Project.objects.get()
    assert after.url.startswith(url("project", project.pk))
    assert "Design wireframes" in words(client.get(after.url))
    batch = OperationBatch.objects.latest("created_at")
    back = client.post(url("undo", batch.pk), {"next": url("project", project.pk)})
    assert back.url.startswith(url("draft", draft.pk))
    assert "Create the project" in words(client.get(back.url))


def test_a_draft_that_changed_elsewhere_is_looked_over_again(client, draft, actor):
    seen = draft.version
    assert f'name="version" value="{seen}"' in client.get(url("draft", draft.pk)).text
    project_rows.edit_draft(actor=actor, draft=draft, values={"name": "Ship"})
    refused = client.post(url("draft_finalise", draft.pk), {"version": str(seen)})
    assert refused.status_code == 422
    assert "Ship" in words(refused)
    assert not Project.objects.exists()


def test_a_draft_without_a_name_asks_for_it(client, actor):
    nameless = project_rows.start_draft(actor=actor).row
    refused = client.post(url("draft_finalise", nameless.pk))
    assert refused.status_code == 422
    assert "Enter a name for the project." in words(refused)
    client.post(url("draft_finalise", nameless.pk), {"name": "Now named"})
    assert Project.objects.get().name == "Now named"


def test_a_recent_draft_is_offered_before_a_new_one(client, draft):
    page = words(client.get(url("new")))
    assert "Continue your draft?" in page
    assert "2 of 9 dimensions covered" in page
    assert "Launch in spring." in page
    assert "Go on with" not in words(client.get(url("new") + "?fresh=1"))
    # starting fresh keeps it
    assert "Fitness app" in words(client.get(url("drafts")))


def test_a_to_do_of_a_draft_waits_for_another_of_its_list(client, draft):
    first, second = queries.draft_tasks_of(draft)[:2]
    form = words(client.get(url("draft_task_edit", draft.pk, second.pk)))
    assert "Waiting for" in form
    assert first.title in form
    sent = {"title": second.title, "depends_on": [str(first.pk)], "version": "1"}
    client.post(url("draft_task_edit", draft.pk, second.pk), sent)
    assert list(queries.draft_tasks_of(draft)[1].depends_on.all()) == [first]
    assert f"after “{first.title}”" in words(client.get(url("draft", draft.pk)))


def test_a_draft_is_edited_given_up_and_taken_up_again(client, draft):
    sent = {"name": "Fit", "core_trust_safeguards": "Rain.", "version": str(draft.version)}
    client.post(url("draft_edit", draft.pk), sent)
    client.post(url("draft_task_add", draft.pk), {"title": "Third"})
    task = queries.draft_tasks_of(draft)[2]
    client.post(
        url("draft_task_edit", draft.pk, task.pk), {"title": "Third, better", "version": "1"}
    )
    client.post(url("draft_task_delete", draft.pk, queries.draft_tasks_of(draft)[0].pk))
    page = words(client.get(url("draft", draft.pk)))
    assert "Third, better" in page
    assert "Design wireframes" not in page
    client.post(url("draft_abandon", draft.pk))
    assert "Discarded" in words(client.get(url("drafts")))
    client.post(url("draft_resume", draft.pk))
    assert ProjectDraft.objects.get().status == "in_progress"
    assert ProjectDraft.objects.get().core_trust_safeguards == "Rain."
