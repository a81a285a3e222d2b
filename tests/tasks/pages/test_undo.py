"""Taking back what was done to a list, how its tasks came to be, and what the ledger keeps."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from chat.actions import delete_session, purge_sessions
from chat.models import Session
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.replay import differences
from futura.errors import Conflict
from tasks.commands.edit import DeleteTasks
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.extent import some
from tests.tasks import changing


def html_of(answer) -> str:
    return answer.content.decode()


def gestures() -> list[tuple[str, str]]:
    own = OperationBatch.objects.filter(actor="person").order_by("created_at")
    return list(own.values_list("title", "status"))


@pytest.mark.parametrize(
    ("name", "sent"),
    some(
        [
            ("edit", {"statement": "Scrub data"}),
            ("split", {"statements": "Collect data\nCheck data"}),
            ("merge", {"others": "{second}", "statement": "Clean data and report"}),
            ("move", {"to": "2"}),
            ("delete", {}),
            ("rate", {"time_share": "12,5", "ai_level": "some", "ai_tools": "Excel"}),
            ("match", {"candidate": "c2"}),
        ],
        3,
    ),
)
def test_every_gesture_is_taken_back_and_done_again(survey, page, htmx, name, sent):
    sent = {key: value.replace("{second}", str(survey.tasks[1].pk)) for key, value in sent.items()}
    before = _living()
    page.post(survey.url(name, survey.tasks[0]), sent, headers=htmx)
    done = _living()
    assert done != before
    assert "redo-last" in html_of(page.post(survey.url("undo"), headers=htmx))
    assert _living() == before
    _done, undone = OperationBatch.objects.filter(actor="person").order_by("created_at")
    page.post(survey.url("undo"), {"batch": str(undone.pk)}, headers=htmx)
    assert _living() == done
    assert differences() == []


def test_what_a_program_did_last_is_offered_and_taken_back(survey, page, htmx):
    before = _living()
    changing.change(survey.tasks[0], kind="program", statement="Scrub data")
    assert "undo-last" in html_of(page.get(survey.url("tasks")))
    page.post(survey.url("undo"), headers=htmx)
    assert _living() == before


def _living() -> list[dict]:
    hidden = {"version", "updated_at", "created_at", "deleted_at"}
    return [
        {key: value for key, value in row.items() if key not in hidden}
        for table in (WorkTask, TaskMatch)
        for row in table._default_manager.filter(deleted_at=None).order_by("pk").values()
    ]


def test_who_did_it_is_kept_and_the_page_offers_to_take_it_back(survey, page, alice):
    assert "undo-last" not in html_of(page.get(survey.url("tasks")))
    page.post(survey.url("delete", survey.tasks[0]))
    batch = OperationBatch.objects.get(title="Deleted a task")
    assert (batch.actor, batch.user, batch.session_id) == ("person", alice, survey.response.pk)
    assert [operation.entity for operation in batch.operations.all()] == ["task_match", "work_task"]
    assert "Last change: Deleted a task." in html_of(page.get(survey.url("tasks")))


def test_what_was_changed_since_is_asked_about_on_a_page_of_its_own(survey, page, htmx):
    url = survey.url("edit", survey.tasks[0])
    page.post(url, {"statement": "Scrub data"})
    first = OperationBatch.objects.get(title="Edited a task")
    page.post(url, {"statement": "Wash data"})
    answer = page.post(survey.url("undo"), {"batch": str(first.pk)}, headers=htmx)
    where = reverse("operations:undo_all", args=[first.pk])
    assert answer.headers["HX-Redirect"] == where
    assert page.post(survey.url("undo"), {"batch": str(first.pk)}).headers["Location"] == where
    html = html_of(page.get(where))
    assert "Wash data" in html
    assert "Clean data" in html
    assert survey.statements()[0] == "Wash data"
    one = first.operations.get(entity="work_task")
    digest = html.split('name="digest" value="')[1].split('"')[0]
    page.post(where, {"digest": digest, f"choice-{one.pk}-statement": "restore"})
    assert survey.statements()[0] == "Clean data"
    panel = html_of(page.get(reverse("operations:panel", args=[survey.response.pk])))
    assert "Work task updated" in panel
    assert "Review first" not in panel


def test_nothing_to_take_back_and_what_is_another_lists_is_refused(survey, page, browser, bob):
    assert page.post(survey.url("undo")).status_code == 409
    assert page.post(survey.url("undo"), {"batch": "x"}).status_code == 404
    page.post(survey.url("delete", survey.tasks[0]))
    batch = OperationBatch.objects.get(title="Deleted a task")
    assert browser(bob).post(survey.url("undo"), {"batch": str(batch.pk)}).status_code == 404
    page.post(survey.url("undo"), {"batch": str(batch.pk)})
    assert page.post(survey.url("undo"), {"batch": str(batch.pk)}).status_code == 409


def test_a_list_that_was_sent_is_not_changed_through_its_changes(survey, page, browser, stan):
    page.post(survey.url("edit", survey.tasks[0]), {"statement": "Scrub data"})
    batch = OperationBatch.objects.get(title="Edited a task")
    one = batch.operations.get(entity="work_task")
    SurveyResponse.objects.update(submitted_at=timezone.now())
    assert page.post(survey.url("undo"), {"batch": str(batch.pk)}).status_code == 409
    answer = page.get(reverse("operations:undo_all", args=[batch.pk]))
    assert answer.status_code == 409
    assert "no longer be changed" in html_of(answer)
    amend = reverse("operations:amend", args=[batch.pk, one.pk])
    assert page.post(amend, {"statement": "Wash data"}).status_code in {409, 422}
    staff = reverse("staff_operations:batch", args=[batch.pk])
    answer = browser(stan).post(staff, {"digest": "x", "reason": "Asked."})
    assert answer.status_code == 409
    assert "no longer be changed" in html_of(answer)
    assert survey.statements()[0] == "Scrub data"


def test_a_correction_among_the_changes_is_followed_by_groups_and_match(
    survey, page, drain, starter
):
    page.post(survey.url("edit", survey.tasks[0]), {"statement": "Scrub data"})
    one = Operation.objects.get(batch__title="Edited a task", entity="work_task")
    changing.change(survey.fresh(survey.tasks[0]).match, status="none")
    drain()
    amend = reverse("operations:amend", args=[one.batch_id, one.pk])
    version = str(survey.fresh(survey.tasks[0]).version)
    page.post(amend, {"statement": "Train new colleagues", "version": version})
    assert survey.statements()[0] == "Train new colleagues"
    drain()
    task = survey.fresh(survey.tasks[0])
    assert task.group == "interactingWithOthers"
    assert OperationBatch.objects.filter(title="Updated the match", actor="system").exists()
    assert differences() == []


def test_the_menu_of_a_task_leads_to_its_changes_with_undo(survey, page):
    first = survey.tasks[0]
    page.post(survey.url("edit", first), {"statement": "Scrub data"})
    page.post(survey.url("rate", first), {"time_share": "40"})
    changes = reverse("operations:history", args=["work_task", first.pk])
    assert changes in html_of(page.get(survey.url("tasks")))
    html = html_of(page.get(changes))
    assert "Clean data" in html
    edit = Operation.objects.get(batch__title="Edited a task", entity="work_task")
    assert reverse("operations:undo", args=[edit.batch_id, edit.pk]) in html


def test_staff_find_changes_and_undo_on_behalf(survey, page, browser, stan):
    page.post(survey.url("edit", survey.tasks[0]), {"statement": "Scrub data"})
    batch = OperationBatch.objects.get(title="Edited a task")
    staff = browser(stan)
    where = reverse("staff_operations:batch", args=[batch.pk])
    digest = html_of(staff.get(where)).split('name="digest" value="')[1].split('"')[0]
    answer = staff.post(where, {"digest": digest, "reason": "Asked by phone."})
    assert answer.status_code == 303
    assert survey.statements()[0] == "Clean data"
    changes = reverse("operations:history", args=["work_task", survey.tasks[0].pk])
    assert "Undone by staff" in html_of(page.get(changes))


@pytest.mark.thorough
def test_the_tasks_of_a_long_list_cost_staff_no_more_queries(survey, page, browser, stan):
    staff, url = browser(stan), reverse("staff:session", args=[survey.response.pk])
    staff.get(url)
    with CaptureQueriesContext(connection) as few:
        staff.get(url)
    for task in survey.tasks:
        page.post(survey.url("edit", task), {"statement": f"{task.statement} well"})
    with CaptureQueriesContext(connection) as many:
        staff.get(url)
    assert len(many) == len(few)


def test_deleting_the_answers_leaves_no_word_of_them_in_the_ledger(survey, page):
    page.post(survey.url("edit", survey.tasks[0]), {"statement": "Scrub secret data"})
    page.post(survey.url("delete", survey.tasks[1]))
    page.post(survey.url("delete_answers"))
    assert not WorkTask.objects.exists()
    assert not TaskMatch.objects.exists()
    _is_forgotten()


def test_a_purged_conversation_takes_its_list_out_of_the_ledger(survey, identity_for, alice):
    delete_session(identity=identity_for(alice), session_id=survey.response.pk)
    assert WorkTask.objects.count() == 3
    assert purge_sessions(now=timezone.now() + dt.timedelta(days=400)) == 1
    assert not Session.objects.exists()
    _is_forgotten()


def _is_forgotten() -> None:
    payloads = OperationPayload.objects.all()
    assert payloads.exists()
    assert not payloads.filter(erased_at=None).exists()
    words = ["requested", "before", "after"]
    assert set(payloads.values_list(*words)) == {(None, None, None)}
    assert set(OperationBatch.objects.values_list("title", flat=True)) == {""}
    assert differences() == []


@pytest.mark.parametrize("table", ["tasks_worktask", "tasks_taskmatch"])
@pytest.mark.parametrize("sql", ["UPDATE {} SET version = 9", "DELETE FROM {}"])
def test_nothing_else_writes_tasks_and_matches(survey, table, sql):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', '', true)")  # a transaction of its own
        with pytest.raises(ProgrammingError, match="operations only"), transaction.atomic():
            cursor.execute(sql.format(table))


def test_a_gesture_that_fails_leaves_no_trace(survey):
    before = OperationBatch.objects.count()
    SurveyResponse.objects.update(submitted_at=timezone.now())
    with pytest.raises(Conflict):
        changing.act(DeleteTasks, survey.response, tasks=[survey.tasks[0].pk])
    assert OperationBatch.objects.count() == before


@pytest.mark.parametrize("name", some(["rate", "edit", "delete"], 3))
def test_what_a_gesture_costs(survey, page, htmx, name):
    sent = {"time_share": "5", "statement": "Scrub data"}
    page.post(survey.url("add"), {"statement": "Order paper"}, headers=htmx)
    with CaptureQueriesContext(connection) as asked:
        page.post(survey.url(name, survey.tasks[0]), sent, headers=htmx)
    count = sum("SAVEPOINT" not in item["sql"] for item in asked)
    assert count <= 29, count
