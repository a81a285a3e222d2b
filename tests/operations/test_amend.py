"""What was done is corrected by a change that names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.operations import registry
from chat.operations.changes import Delete, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.registry import operable
from chat.operations.replay import differences
from chat.operations.review import amend
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, NotFound

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


def test_what_its_feature_has_closed_is_neither_corrected_nor_undone(actor, project, monkeypatch):
    batch = execute(actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})])
    closed = replace(operable("project"), closed=lambda rows: f"{rows[0].name} is closed.")
    monkeypatch.setitem(registry._operables, "project", closed)
    with pytest.raises(Conflict, match="Fit is closed"):
        amend(actor=actor, operation_id=batch.operations.get().pk, values={"name": "Fitter"})
    with pytest.raises(Conflict, match="Fit is closed"):
        undo(actor=actor, operations=[batch.operations.get()])
