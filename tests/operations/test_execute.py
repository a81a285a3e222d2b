"""Changes are executed in order, recorded whole, and nothing else may write the tables."""

from __future__ import annotations

import uuid
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from chat.models import Run, Session
from chat.operations.changes import Cause, Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.replay import differences
from futura.errors import BadInput
from projects.models import Note, Project, Task

pytestmark = pytest.mark.django_db
NOBODY = uuid.UUID(int=0)


def only(batch: OperationBatch) -> Operation:
    return batch.operations.select_related("payload").get()


def test_an_update_keeps_what_was_there_and_what_is_there_now(actor, project):
    batch = execute(
        actor=actor,
        changes=[Update("project", project.pk, {"name": "Fitness", "slug": "fitness-app"})],
    )
    project.refresh_from_db()
    done = only(batch)
    assert (project.name, project.version) == ("Fitness", 2)
    assert done.changed_fields == ["name"]
    assert (done.payload.before, done.payload.after) == (
        {"name": "Fitness app"},
        {"name": "Fitness"},
    )
    assert (done.base_version, done.result_version, done.status) == (1, 2, "completed")


def test_a_version_that_has_moved_on_fails_and_says_so(actor, project):
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "A"}, version=1)])
    batch = execute(actor=actor, changes=[Update("project", project.pk, {"name": "B"}, version=1)])
    assert batch.status == "failed"
    assert "meanwhile" in only(batch).error
    project.refresh_from_db()
    assert project.name == "A"


def test_a_failure_keeps_what_was_done_and_leaves_the_rest_pending(actor, project):
    changes = [
        Update("project", project.pk, {"name": "First"}),
        Update("project", uuid.uuid4(), {"name": "Nobody"}),
        Update("project", project.pk, {"name": "Third"}),
    ]
    batch = execute(actor=actor, changes=changes)
    assert [operation.status for operation in batch.operations.all()] == [
        "completed",
        "failed",
        "pending",
    ]
    project.refresh_from_db()
    assert project.name == "First"


def test_an_atomic_batch_does_all_or_nothing(actor, project):
    changes: list[Change] = [
        Update("project", project.pk, {"name": "First"}),
        Create("task", {"title": "Draw", "project": str(uuid.uuid4())}),
    ]
    batch = execute(actor=actor, changes=changes, is_atomic=True)
    assert [operation.status for operation in batch.operations.all()] == ["pending", "failed"]
    project.refresh_from_db()
    assert (project.name, project.version) == ("Fitness app", 1)
    assert differences() == []


def test_deleting_a_project_takes_along_what_hangs_on_it(actor, project, make):
    task = make("task", title="Draw", project=str(project.pk))
    note = make("note", text="Blue", project=str(project.pk))
    batch = execute(actor=actor, changes=[Delete("project", project.pk)])
    kinds = [(operation.entity, operation.because_of_id) for operation in batch.operations.all()]
    root = batch.operations.get(entity="project").pk
    assert kinds == [("task", root), ("note", root), ("project", None)]
    assert Task.objects.get(pk=task.pk).deleted_at
    assert Note.objects.get(pk=note.pk).deleted_at


def test_a_strangers_row_is_not_there(other, project):
    wanted: list[Change] = [Update("project", project.pk, {"name": "Mine"})]
    for change in [*wanted, Delete("project", project.pk)]:
        batch = execute(actor=other, changes=[change])
        assert batch.status == "failed"
        assert "no longer exists" in only(batch).error
    project.refresh_from_db()
    assert project.version == 1


def test_a_task_cannot_be_put_into_a_strangers_project(other, project):
    batch = execute(
        actor=other, changes=[Create("task", {"title": "Spy", "project": str(project.pk)})]
    )
    assert batch.status == "failed"
    assert not Task.objects.exists()


def test_the_same_short_name_twice_is_told_in_words(actor, project):
    batch = execute(
        actor=actor, changes=[Create("project", {"name": "Again", "slug": "fitness-app"})]
    )
    assert only(batch).error == "Another of your projects has this short name."
    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    "values",
    [
        {"version": 7},
        {"owner": str(NOBODY)},
        {"name": "x" * 201},
        {"status": "won"},
        {"start_date": "soon"},
        {"deleted_at": None},
    ],
    ids=lambda values: next(iter(values)),
)
def test_fields_that_are_not_declared_or_of_a_wrong_form_are_refused(actor, project, values):
    with pytest.raises(BadInput) as told:
        execute(actor=actor, changes=[Update("project", project.pk, values)])
    assert told.value.field == next(iter(values))


def test_links_between_tasks_are_kept_and_compared_as_sets(actor, project, make):
    first = make("task", title="Draw", project=str(project.pk))
    second = make("task", title="Build", project=str(project.pk), depends_on=[str(first.pk)])
    assert list(second.depends_on.all()) == [first]
    batch = execute(actor=actor, changes=[Update("task", second.pk, {"depends_on": []})])
    assert only(batch).payload.before == {"depends_on": [str(first.pk)]}
    assert differences() == []


def test_a_change_to_what_is_there_already_changes_nothing(actor, project):
    done = only(execute(actor=actor, changes=[Update("project", project.pk, {"tags": []})]))
    project.refresh_from_db()
    assert (done.status, done.changed_fields, project.version) == ("completed", [], 1)


def test_a_tool_call_played_again_finds_what_it_did(actor, alice, participant_of):
    session = Session.objects.create(participant=participant_of(alice), kind="survey")
    run = Run.objects.create(session=session)
    cause = Cause(session=session, run=run, tool_call_id="call_1")
    changes = [Create("project", {"name": "Once", "slug": "once"})]
    first = execute(actor=actor, changes=changes, cause=cause)
    again = execute(actor=actor, changes=changes, cause=cause)
    assert first == again
    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    "write",
    [
        "UPDATE projects_project SET name = 'Mine'",
        "DELETE FROM projects_project",
        "DELETE FROM projects_task_depends_on",
    ],
)
def test_the_database_refuses_writers_outside_the_ledger(project, write):
    # the ledger's mark of the fixture ends with its transaction, which a test never ends
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', '', true)")
    with pytest.raises(DatabaseError, match="through operations only"), transaction.atomic():
        connection.cursor().execute(write)


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (Operation, {"entity": "task"}),
        (Operation, {"changed_fields": ["tags"]}),
        (Operation, {"result_version": 9}),
        (OperationBatch, {"actor": "staff"}),
        (OperationBatch, {"owner_id": NOBODY}),
        (OperationPayload, {"after": {"name": "Other"}}),
        (OperationPayload, {"before": {}}),
    ],
    ids=str,
)
def test_facts_cannot_be_changed(project, model, change):
    with pytest.raises(DatabaseError, match="fact"), transaction.atomic():
        model.objects.update(**change)


@pytest.mark.parametrize("model", [OperationPayload, Operation, OperationBatch])
def test_facts_cannot_be_deleted(project, model):
    with pytest.raises(DatabaseError, match=r"facts|stays"), transaction.atomic():
        model.objects.all()._raw_delete("default")


def test_a_change_costs_six_queries(actor, project):
    """The mark, the lock, the row, and an insert each for batch, operation and values."""
    with CaptureQueriesContext(connection) as asked:
        execute(actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})])
    savepoints = [item for item in asked if "SAVEPOINT" in item["sql"]]
    assert len(asked) - len(savepoints) == 6


def test_one_row_changed_several_times_in_a_batch_is_written_as_it_ends(actor, project):
    key = uuid.uuid4()
    batch = execute(
        actor=actor,
        changes=[
            Create("task", {"title": "Draw", "project": str(project.pk)}, id=key),
            Update("task", key, {"title": "Draw twice"}),
            Update("task", key, {"title": "Paint"}),
        ],
    )
    assert [operation.result_version for operation in batch.operations.all()] == [1, 2, 3]
    assert (Task.objects.get(pk=key).title, Task.objects.get(pk=key).version) == ("Paint", 3)
    assert differences() == []


def test_a_short_name_that_one_project_gives_up_another_takes_in_the_same_batch(actor, project):
    changes: list[Change] = [
        Update("project", project.pk, {"slug": "old"}),
        Create("project", {"name": "New", "slug": "fitness-app"}),
    ]
    assert execute(actor=actor, changes=changes).status == "completed"
    batch = execute(actor=actor, changes=changes[::-1], is_atomic=True)
    assert [operation.status for operation in batch.operations.all()] == ["failed", "pending"]
    assert sorted(Project.objects.values_list("slug", flat=True)) == ["fitness-app", "old"]
    assert differences() == []


def test_the_change_that_clashes_is_named_whatever_was_written_with_it(actor, project):
    changes: list[Change] = [
        Update("project", project.pk, {"name": "First"}),
        Create("project", {"name": "Other", "slug": "other"}),
        Create("project", {"name": "Again", "slug": "fitness-app"}),
        Create("project", {"name": "Last", "slug": "last"}),
    ]
    batch = execute(actor=actor, changes=changes)
    states = [operation.status for operation in batch.operations.all()]
    assert states == ["completed", "completed", "failed", "pending"]
    assert "short name" in batch.operations.get(status="failed").error
    assert sorted(Project.objects.values_list("name", flat=True)) == ["First", "Other"]
    assert differences() == []


def test_what_postgresql_cannot_keep_is_left_out_of_values_within_json(actor, project):
    batch = execute(
        actor=actor,
        changes=[Update("project", project.pk, {"tags": ["a\x00b", "plain"], "name": "N\x00"})],
    )
    assert batch.status == "completed"
    project.refresh_from_db()
    assert (project.name, project.tags[0]) == ("N", "ab")
    assert differences() == []


def test_the_command_says_whether_the_tables_are_as_the_ledger_says(actor, project):
    told = StringIO()
    call_command("ledger", "verify", stdout=told)
    assert told.getvalue() == "Every row is as the ledger says.\n"
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('futura.ledger', txid_current()::text, true)")
        cursor.execute("UPDATE projects_project SET name = 'Behind its back'")
    with pytest.raises(CommandError, match="1 rows are not"):
        call_command("ledger", "verify", stdout=told)
    assert f"project {project.pk} has other values" in told.getvalue()


def test_verifying_asks_the_database_as_often_for_many_rows_as_for_one(actor, project):
    def add(number: int) -> None:
        for n in range(number):
            needed = Create("task", {"title": f"First {n}", "project": str(project.pk)})
            waiting = Create("task", {"title": f"Then {n}", "depends_on": [str(needed.id)]})
            assert execute(actor=actor, changes=[needed, waiting]).status == "completed"

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert differences() == []
        return len(queries)

    add(1)
    few = asked()
    add(10)
    assert asked() == few
