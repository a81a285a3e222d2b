"""What is erased leaves the fact that something was there, and nothing of what it said."""

from __future__ import annotations

import pytest

from chat.operations.changes import Actor, Create, Delete, Kind, Update
from chat.operations.erase import erase, erase_all_of
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.replay import differences
from chat.operations.review import propose
from chat.operations.undo import undo
from futura.errors import Conflict
from projects.models import Note, Project, Task

pytestmark = pytest.mark.django_db


@pytest.fixture
def system(actor) -> Actor:
    return Actor(actor.owner_id, kind=Kind.SYSTEM)


def test_an_erased_project_goes_with_all_that_hangs_on_it_and_its_history_is_tombstones(
    actor, system, project, make
):
    first = make("task", title="Draw", project=str(project.pk))
    make("task", title="Build", project=str(project.pk), depends_on=[str(first.pk)])
    make("note", text="Blue", project=str(project.pk))
    other = make("project", name="Other", slug="other")
    done = execute(actor=actor, changes=[Delete("project", project.pk)], title="Delete Fitness app")
    erased = erase(actor=system, rows=[("project", project.pk)], reason="Kept 30 days")
    assert erased is not None
    assert [Project.objects.count(), Task.objects.count(), Note.objects.count()] == [1, 0, 0]
    assert (erased.actor, erased.reason) == ("system", "Kept 30 days")
    assert {operation.type for operation in erased.operations.all()} == {"erase"}
    values = OperationPayload.objects.exclude(operation__entity_id=other.pk)
    assert list(values.exclude(before=None, after=None, requested=None)) == []
    done.refresh_from_db()
    assert done.title == ""
    assert differences() == []
    with pytest.raises(Conflict, match="permanently deleted"):
        undo(actor=actor, operations=list(done.operations.all()))


def test_links_to_what_is_erased_go_by_an_operation_of_what_stays(actor, system, project, make):
    doomed = make("project", name="Other", slug="other")
    first = make("task", title="Draw", project=str(doomed.pk))
    second = make("task", title="Order", project=str(project.pk))
    waits = make(
        "task", title="Build", project=str(project.pk), depends_on=[str(first.pk), str(second.pk)]
    )
    gone = make("task", title="Paint", project=str(project.pk), depends_on=[str(first.pk)])
    removed = execute(actor=actor, changes=[Delete("task", gone.pk)])
    erased = erase(actor=system, rows=[("project", doomed.pk)], reason="Asked for")
    assert erased is not None
    for row, left in ((waits, [str(second.pk)]), (gone, [])):
        done = erased.operations.get(entity_id=row.pk)
        assert (done.type, done.changed_fields) == ("update", ["depends_on"])
        assert done.payload.after == {"depends_on": left}
        row.refresh_from_db()
        assert (done.base_version, done.result_version) == (row.version - 1, row.version)
        assert [str(needed.pk) for needed in row.depends_on.all()] == left
    assert differences() == []
    with pytest.raises(Conflict):
        undo(actor=actor, operations=[erased.operations.get(entity_id=waits.pk)])
    undo(actor=actor, operations=list(removed.operations.all()))
    assert Task.objects.get(pk=gone.pk).deleted_at is None
    assert differences() == []


def test_a_strangers_rows_are_not_erased(other, project):
    assert erase(actor=other, rows=[("project", project.pk)], reason="") is None
    assert Project.objects.filter(pk=project.pk).exists()


def test_whoever_wants_to_be_forgotten_leaves_only_that_something_was(actor, system, project, make):
    make("task", title="Draw", project=str(project.pk))
    waits = propose(
        actor=actor,
        changes=[Update("project", project.pk, {"name": "Fit"})],
        reasons=[],
        title="Rename to Fit",
    )
    execute(actor=actor, changes=[Create("project", {"name": "x", "slug": "fitness-app"})])
    before = Operation.objects.count()
    erase_all_of(actor=system, reason="Asked for")
    assert Project.objects.count() == Task.objects.count() == 0
    assert Operation.objects.count() == before + 2
    assert OperationPayload.objects.filter(erased_at=None).count() == 0
    assert Operation.objects.exclude(error="").count() == 0
    waits.refresh_from_db()
    assert (waits.status, waits.title) == (OperationBatch.Status.REJECTED, "")
    assert differences() == []
