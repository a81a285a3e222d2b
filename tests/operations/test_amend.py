"""What was done is corrected by a change that names it; what failed is taken up again."""

from __future__ import annotations

import uuid

import pytest

from chat.operations.amend import amend, try_again
from chat.operations.changes import Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.replay import differences
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, NotFound
from projects.models import Project, Task

pytestmark = pytest.mark.django_db


def test_an_executed_change_is_corrected_by_an_update_that_names_it(actor, project):
    done = execute(actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})])
    first = done.operations.get()
    made = amend(actor=actor, operation_id=first.pk, values={"name": "Fitter"}, version=2)
    project.refresh_from_db()
    assert (project.name, project.version, made.amends) == ("Fitter", 3, done)
    assert made.operations.get().amends == first
    undo(actor=actor, operations=list(made.operations.all()))
    project.refresh_from_db()
    assert project.name == "Fit"
    assert differences() == []


def test_a_correction_names_the_version_it_saw(actor, project):
    done = execute(actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})])
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "By hand"})])
    before = OperationBatch.objects.count()
    with pytest.raises(Conflict, match="meanwhile"):
        amend(actor=actor, operation_id=done.operations.get().pk, values={"name": "x"}, version=2)
    assert OperationBatch.objects.count() == before
    project.refresh_from_db()
    assert project.name == "By hand"


def test_what_does_not_stand_or_was_deleted_is_not_edited(actor, other, project, make):
    task = make("task", title="Draw", project=str(project.pk))
    gone = execute(actor=actor, changes=[Delete("task", task.pk)]).operations.get()
    with pytest.raises(BadInput):
        amend(actor=actor, operation_id=gone.pk, values={})
    done = execute(actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})])
    with pytest.raises(NotFound):
        amend(actor=other, operation_id=done.operations.get().pk, values={"name": "Mine"})
    undo(actor=actor, operations=list(done.operations.all()))
    with pytest.raises(Conflict):
        amend(actor=actor, operation_id=done.operations.get().pk, values={"name": "x"})


def test_what_failed_and_what_was_left_is_done_again_in_order(actor, project):
    changes: list[Change] = [
        Update("project", project.pk, {"name": "First"}),
        Create("project", {"name": "Second", "slug": "fitness-app"}),
        Create("task", {"title": "Third", "project": str(project.pk)}),
    ]
    broken = execute(actor=actor, changes=changes)
    assert broken.status == "failed"
    failed = broken.operations.get(status="failed")
    again = try_again(actor=actor, batch_id=broken.pk, values={failed.pk: {"slug": "second"}})
    assert (again.status, again.amends) == ("completed", broken)
    assert [one.amends for one in again.operations.all()] == list(broken.operations.all()[1:])
    assert Project.objects.get(slug="second").name == "Second"
    assert Task.objects.get().title == "Third"
    assert broken.operations.filter(status="pending").count() == 0
    with pytest.raises(Conflict):
        try_again(actor=actor, batch_id=broken.pk)
    assert differences() == []


def test_nothing_that_went_well_is_done_again(actor, other, project):
    done = execute(actor=actor, changes=[Update("project", project.pk, {"name": "First"})])
    with pytest.raises(Conflict):
        try_again(actor=actor, batch_id=done.pk)
    for wrong in (done.pk, uuid.uuid4()):
        with pytest.raises(NotFound):
            try_again(actor=other, batch_id=wrong)
