"""Operations are taken back field by field; what somebody changed since is shown, not lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.operations.changes import Actor, Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from chat.operations.replay import differences
from chat.operations.review import approve, propose
from chat.operations.undo import UndoConflict, rehearse, undo
from futura.errors import Conflict, NotFound
from projects.models import Note, Project, Task

pytestmark = pytest.mark.django_db


def do(actor: Actor, *changes: Change) -> OperationBatch:
    batch = execute(actor=actor, changes=changes)
    assert batch.status == "completed"
    return batch


def back(actor: Actor, batch: OperationBatch, **more) -> OperationBatch:
    return undo(actor=actor, operations=list(batch.operations.all()), **more)


def test_undoing_an_update_restores_the_field_and_redoing_sets_it_again(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    undone = back(actor, done)
    project.refresh_from_db()
    assert project.name == "Fitness app"
    done.refresh_from_db()
    assert (done.status, undone.undoes) == ("rolled_back", done)
    back(actor, undone)
    project.refresh_from_db()
    done.refresh_from_db()
    assert (project.name, done.status) == ("Fit", "completed")
    assert differences() == []


def test_undoing_twice_is_refused(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    back(actor, done)
    with pytest.raises(Conflict, match="already undone"):
        back(actor, done)


def test_a_later_change_of_the_same_field_is_a_conflict_with_both_values(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit", "context": "At home"}))
    do(actor, Update("project", project.pk, {"name": "By hand"}))
    with pytest.raises(UndoConflict) as told:
        back(actor, done)
    (conflict,) = told.value.plan.conflicts
    assert (conflict.field, conflict.before, conflict.after, conflict.current) == (
        "name", "Fitness app", "Fit", "By hand",
    )  # fmt: skip
    project.refresh_from_db()
    assert (project.name, project.context) == ("By hand", "At home")


@pytest.mark.parametrize(("choice", "name"), [("keep", "By hand"), ("restore", "Fitness app")])
def test_a_conflict_is_decided_by_the_person(actor, project, choice, name):
    done = do(actor, Update("project", project.pk, {"name": "Fit", "context": "At home"}))
    do(actor, Update("project", project.pk, {"name": "By hand"}))
    with pytest.raises(UndoConflict) as told:
        back(actor, done)
    (conflict,) = told.value.plan.conflicts
    undone = back(actor, done, choices={conflict.key: choice})
    project.refresh_from_db()
    assert (project.name, project.context) == (name, "")
    back(actor, undone)
    project.refresh_from_db()
    assert project.context == "At home"
    assert differences() == []


def test_undoing_a_creation_deletes_and_redoing_brings_the_same_id(actor, project):
    change = Create("task", {"title": "Draw", "project": str(project.pk)})
    done = do(actor, change)
    undone = back(actor, done)
    assert Task.objects.get(pk=change.id).deleted_at
    back(actor, undone)
    assert Task.objects.get(pk=change.id).deleted_at is None


def test_undoing_a_creation_that_was_worked_on_since_asks_first(actor, project):
    change = Create("task", {"title": "Draw", "project": str(project.pk)})
    done = do(actor, change)
    do(actor, Update("task", change.id, {"title": "Draw it well"}))
    with pytest.raises(UndoConflict) as told:
        back(actor, done)
    (conflict,) = told.value.plan.conflicts
    assert conflict.field == ""
    back(actor, done, choices={conflict.key: "keep"})
    assert Task.objects.get(pk=change.id).deleted_at is None


def test_undoing_a_deletion_restores_the_same_ids_with_all_that_hung_on_it(actor, project, make):
    task = make("task", title="Draw", project=str(project.pk))
    note = make("note", text="Blue", project=str(project.pk))
    done = do(actor, Delete("project", project.pk))
    back(actor, done)
    assert Project.objects.get(pk=project.pk).deleted_at is None
    assert Task.objects.get(pk=task.pk).deleted_at is None
    assert Note.objects.get(pk=note.pk).deleted_at is None
    assert differences() == []


def test_undoing_only_the_root_of_a_deletion_brings_its_dependants_too(actor, project, make):
    task = make("task", title="Draw", project=str(project.pk))
    done = do(actor, Delete("project", project.pk))
    undo(actor=actor, operations=[done.operations.get(entity="project")])
    assert Task.objects.get(pk=task.pk).deleted_at is None


def test_what_was_deleted_with_its_project_cannot_come_back_without_it(actor, project, make):
    make("task", title="Draw", project=str(project.pk))
    done = do(actor, Delete("project", project.pk))
    with pytest.raises(Conflict, match="It needs “Fitness app”, which was deleted"):
        undo(actor=actor, operations=[done.operations.get(entity="task")])
    assert Task.objects.get().deleted_at


def test_a_batch_is_undone_whole_or_not_at_all(actor, project, make):
    other = make("project", name="Second", slug="second")
    done = do(
        actor,
        Update("project", project.pk, {"slug": "free"}),
        Update("project", other.pk, {"name": "Renamed"}),
    )
    do(actor, Update("project", other.pk, {"slug": "fitness-app"}))
    with pytest.raises(Conflict, match="short name"):
        back(actor, done)
    other.refresh_from_db()
    assert other.name == "Renamed"
    assert {operation.status for operation in done.operations.all()} == {"completed"}


def test_several_changes_of_one_row_are_taken_back_in_reverse(actor, project):
    done = do(
        actor,
        Update("project", project.pk, {"name": "One"}),
        Update("project", project.pk, {"name": "Two", "tags": ["a"]}),
        Update("project", project.pk, {"name": "Three"}),
    )
    back(actor, done)
    project.refresh_from_db()
    assert (project.name, project.tags) == ("Fitness app", [])


def test_a_confirmation_is_bound_to_the_preview(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    operations = list(done.operations.all())
    shown = rehearse(actor.owner_id, operations).digest
    do(actor, Update("project", project.pk, {"name": "By hand"}))
    with pytest.raises(Conflict):
        undo(actor=actor, operations=operations, digest=shown)


def test_erased_values_cannot_be_undone_and_say_so(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE chat_operationpayload SET requested = NULL, before = NULL, after = NULL,"
            " erased_at = now()"
        )
    with pytest.raises(Conflict, match="permanently deleted"):
        back(actor, done)


def test_a_stranger_can_undo_nothing(other, actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    with pytest.raises(NotFound):
        back(other, done)
    project.refresh_from_db()
    assert project.name == "Fit"


@pytest.mark.django_db(transaction=True)
def test_of_two_racing_undos_exactly_one_wins(actor, project):
    done = do(actor, Update("project", project.pk, {"name": "Fit"}))
    operations = list(done.operations.all())
    start = threading.Barrier(4)

    def race(_number: int) -> str:
        start.wait()
        try:
            undo(actor=actor, operations=operations)
        except Conflict:
            return "late"
        finally:
            connection.close()
        return "won"

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(race, range(4))) == ["late", "late", "late", "won"]
    project.refresh_from_db()
    assert (project.name, project.version) == ("Fitness app", 3)
    assert differences() == []


def test_what_others_put_under_a_new_row_is_a_conflict_that_names_it(actor, make):
    change = Create("project", {"name": "New", "slug": "new"})
    done = do(actor, change)
    task = make("task", title="Later", project=str(change.id))
    with pytest.raises(UndoConflict) as told:
        back(actor, done)
    (conflict,) = told.value.plan.conflicts
    assert conflict.along == (("task", task.pk),)
    undone = back(actor, done, choices={conflict.key: "restore"})
    assert Task.objects.get(pk=task.pk).deleted_at
    back(actor, undone)
    assert Task.objects.get(pk=task.pk).deleted_at is None
    assert differences() == []


def test_what_the_same_batch_put_under_a_new_row_is_no_conflict(actor):
    change = Create("project", {"name": "New", "slug": "new"})
    done = do(actor, change, Create("task", {"title": "First", "project": str(change.id)}))
    back(actor, done)
    assert Task.objects.get().deleted_at
    assert Project.objects.get(pk=change.id).deleted_at


def test_a_task_that_an_undo_moves_away_does_not_go_along(actor, project, make):
    task = make("task", title="Draw", project=str(project.pk))
    change = Create("project", {"name": "New", "slug": "new"})
    done = do(actor, change, Update("task", task.pk, {"project": str(change.id)}))
    back(actor, done)
    task.refresh_from_db()
    assert (task.project_id, task.deleted_at) == (project.pk, None)


def test_a_rehearsal_says_what_stands_in_the_way_and_changes_nothing(actor, project):
    done = do(actor, Delete("project", project.pk))
    do(actor, Create("project", {"name": "Other", "slug": "fitness-app"}))
    plan = rehearse(actor.owner_id, list(done.operations.all()))
    assert plan.hindrance == "Another of your projects has this short name."
    assert Project.objects.get(pk=project.pk).deleted_at
    assert done.operations.get().status == "completed"


def test_a_batch_that_waits_for_the_rest_goes_on_waiting_when_a_part_is_undone(actor, project):
    wanted: list[Change] = [Create("task", {"title": name}) for name in ("One", "Two")]
    batch = propose(actor=actor, changes=wanted, reasons=[])
    first = batch.operations.select_related("payload").first()
    assert first is not None
    approve(actor=actor, batch_id=batch.pk, digests={first.pk: first.payload.digest})
    undo(actor=actor, operations=[first])
    batch.refresh_from_db()
    assert batch.status == "review"


def test_what_was_never_done_is_told_apart_from_what_was_undone(actor, project):
    batch = propose(actor=actor, changes=[Create("task", {"title": "One"})], reasons=[])
    with pytest.raises(Conflict, match="was not made"):
        undo(actor=actor, operations=list(batch.operations.all()))


@pytest.mark.thorough
def test_doing_and_taking_back_cost_few_queries_a_change(actor, project):
    def cost(count: int) -> tuple[int, int, int]:
        wanted: list[Change] = []
        for number in range(count):
            made = Create("task", {"title": f"Task {number}", "project": str(project.pk)})
            linked = {"depends_on": [str(made.id)], "title": f"After {number}"}
            second = Create("task", {"title": "Second", "project": str(project.pk)})
            third = Create("task", {"title": "Third", "project": str(project.pk)})
            wanted += [made, second, Update("task", second.id, linked), third]
            wanted.append(Delete("task", third.id))
        told = []
        with CaptureQueriesContext(connection) as asked:
            done = do(actor, *wanted)
        told.append(len(asked))
        assert done.status == "completed"
        for _ in range(2):
            with CaptureQueriesContext(connection) as asked:
                done = back(actor, done)
            told.append(len(asked))
        there = Task.objects.filter(deleted_at=None)
        assert there.count() == 2 * count
        assert there.filter(depends_on__isnull=False).count() == count
        back(actor, done)
        assert Task.objects.filter(deleted_at=None).count() == 0
        return told[0], told[1], told[2]

    few, many = cost(3), cost(12)
    links, changes = 9, 9 * 5
    # a link waits for its owner's other links, too
    assert all(more - less <= 4 * changes + links for less, more in zip(few, many, strict=True))
    assert differences() == []


@pytest.mark.django_db(transaction=True)
def test_nobody_puts_a_task_into_a_project_that_is_just_being_deleted(actor, project):
    start = threading.Barrier(2)

    def race(change: Change) -> str:
        start.wait()
        try:
            return str(execute(actor=actor, changes=[change]).status)
        finally:
            connection.close()

    for _ in range(4):
        changes = [
            Create("task", {"title": "Late", "project": str(project.pk)}),
            Delete("project", project.pk),
        ]
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(race, changes))
        alive = Task.objects.filter(deleted_at=None, project__deleted_at__isnull=False)
        assert alive.count() == 0
        gone = Operation.objects.filter(entity_id=project.pk, type="delete", status="completed")
        undo(actor=actor, operations=[gone.latest("created_at")])
    assert differences() == []
