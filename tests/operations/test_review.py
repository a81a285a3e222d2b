"""What waits for review is executed as it was shown, or not at all."""

from __future__ import annotations

import pytest

from chat.operations.cascade import display_digests
from chat.operations.changes import Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.policy import reasons_to_wait
from chat.operations.replay import differences
from chat.operations.review import Outgrown, approve, propose, reject, revise
from chat.operations.undo import undo
from futura.errors import Conflict, NotFound
from projects.models import Project, Task

pytestmark = pytest.mark.django_db


def shown(batch: OperationBatch) -> dict:
    pending = batch.operations.filter(status="pending").select_related("payload")
    return display_digests(list(pending))


def test_a_proposal_changes_nothing_until_it_is_approved(actor, project):
    batch = propose(
        actor=actor, changes=[Update("project", project.pk, {"name": "Fit"})], reasons=["first"]
    )
    project.refresh_from_db()
    assert (batch.status, project.name) == ("review", "Fitness app")
    assert batch.operations.get().payload.before == {"name": "Fitness app"}
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    project.refresh_from_db()
    batch.refresh_from_db()
    assert (batch.status, project.name) == ("completed", "Fit")
    assert differences() == []


def test_an_approval_is_void_when_the_change_was_reworded_meanwhile(actor, project):
    batch = propose(actor=actor, changes=[Update("project", project.pk, {"name": "A"})], reasons=[])
    seen = shown(batch)
    revise(actor=actor, operation_id=batch.operations.get().pk, values={"name": "B"})
    with pytest.raises(Conflict):
        approve(actor=actor, batch_id=batch.pk, digests=seen)
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    project.refresh_from_db()
    assert project.name == "B"


def test_a_row_that_moved_on_makes_the_approved_change_fail(actor, project):
    batch = propose(actor=actor, changes=[Update("project", project.pk, {"name": "A"})], reasons=[])
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "By hand"})])
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    batch.refresh_from_db()
    project.refresh_from_db()
    assert (batch.status, project.name) == ("failed", "By hand")


def test_some_are_approved_and_some_rejected(actor, project):
    changes: list[Change] = [
        Create("task", {"title": name, "project": str(project.pk)}) for name in ("Draw", "Build")
    ]
    batch = propose(actor=actor, changes=changes, reasons=[])
    first, second = batch.operations.all()
    approve(actor=actor, batch_id=batch.pk, digests={first.pk: first.payload.digest})
    batch.refresh_from_db()
    assert batch.status == "review"
    reject(actor=actor, batch_id=batch.pk, operation_ids=[second.pk])
    batch.refresh_from_db()
    assert batch.status == "completed"
    assert [task.title for task in Task.objects.all()] == ["Draw"]
    with pytest.raises(Conflict):
        reject(actor=actor, batch_id=batch.pk, operation_ids=[second.pk])


def test_what_was_rejected_is_not_rejected_again_while_the_rest_waits(actor, project):
    changes = [Update("project", project.pk, {"name": name}) for name in ("A", "B")]
    batch = propose(actor=actor, changes=changes, reasons=[])
    first, second = batch.operations.all()
    reject(actor=actor, batch_id=batch.pk, operation_ids=[first.pk])
    with pytest.raises(Conflict):
        reject(actor=actor, batch_id=batch.pk, operation_ids=[first.pk, second.pk])
    assert batch.operations.get(status="pending") == second


def test_an_approved_deletion_takes_along_what_hangs_on_it_and_comes_back_whole(
    actor, project, make
):
    make("task", title="Draw", project=str(project.pk))
    batch = propose(actor=actor, changes=[Delete("project", project.pk)], reasons=[])
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    assert Task.objects.get().deleted_at
    undo(actor=actor, operations=list(batch.operations.all()))
    assert Task.objects.get().deleted_at is None
    assert Project.objects.get().deleted_at is None
    assert differences() == []


def test_what_came_to_hang_on_it_since_makes_an_approved_deletion_ask_again(actor, project, make):
    make("task", title="Draw", project=str(project.pk))
    batch = propose(actor=actor, changes=[Delete("project", project.pk)], reasons=[])
    seen = shown(batch)
    late = make("task", title="Late", project=str(project.pk))
    with pytest.raises(Outgrown, match="Other items would now be affected"):
        approve(actor=actor, batch_id=batch.pk, digests=seen)
    assert Project.objects.get().deleted_at is None
    execute(actor=actor, changes=[Delete("task", late.pk)])
    approve(actor=actor, batch_id=batch.pk, digests=seen)
    assert Project.objects.get().deleted_at
    assert differences() == []


def test_a_stranger_finds_no_proposal(actor, other, project):
    batch = propose(actor=actor, changes=[Delete("project", project.pk)], reasons=[])
    with pytest.raises(NotFound):
        approve(actor=other, batch_id=batch.pk, digests=shown(batch))
    with pytest.raises(NotFound):
        reject(actor=other, batch_id=batch.pk, operation_ids=list(shown(batch)))
    with pytest.raises(NotFound):
        revise(actor=other, operation_id=batch.operations.get().pk, values={})


def test_the_policy_lets_small_changes_through_and_holds_the_rest(project):
    small: list[Change] = [Update("project", project.pk, {"name": "A"})]
    many: list[Change] = [Create("project", {"name": str(n)}) for n in range(6)]
    assert reasons_to_wait("auto", small) == []
    assert len(reasons_to_wait("review", small)) == 1
    assert len(reasons_to_wait("auto", [Delete("project", project.pk)])) == 1
    assert len(reasons_to_wait("auto", many)) == 1
    listed: list[Change] = [Create("task", {"title": str(n)}) for n in range(20)]
    assert reasons_to_wait("auto", listed, touched_before=5) == []
    assert len(reasons_to_wait("auto", listed, listed_before=1)) == 1
    assert len(reasons_to_wait("auto", small, touched_before=5)) == 1
    assert len(reasons_to_wait("auto", small, has_untrusted_text=True)) == 1
    five_fields: list[Change] = [Update("project", project.pk, {"name": "A", "context": "B"})] * 6
    assert reasons_to_wait("auto", five_fields) == []


def test_changes_of_one_row_in_one_proposal_are_no_conflict_with_each_other(actor, project):
    wanted: list[Change] = [
        Update("project", project.pk, {"name": "A"}),
        Update("project", project.pk, {"context": "B"}),
        Update("project", project.pk, {"tags": ["c"]}),
    ]
    batch = propose(actor=actor, changes=wanted, reasons=[])
    first = dict(list(shown(batch).items())[:1])
    approve(actor=actor, batch_id=batch.pk, digests=first)
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    project.refresh_from_db()
    assert (project.name, project.context, project.tags) == ("A", "B", ["c"])
    assert differences() == []


def test_a_change_by_hand_between_two_approvals_of_one_proposal_is_a_conflict(actor, project):
    wanted: list[Change] = [
        Update("project", project.pk, {"name": "A"}),
        Update("project", project.pk, {"context": "B"}),
    ]
    batch = propose(actor=actor, changes=wanted, reasons=[])
    approve(actor=actor, batch_id=batch.pk, digests=dict(list(shown(batch).items())[:1]))
    execute(actor=actor, changes=[Update("project", project.pk, {"context": "By hand"})])
    approve(actor=actor, batch_id=batch.pk, digests=shown(batch))
    project.refresh_from_db()
    batch.refresh_from_db()
    assert (project.context, batch.status) == ("By hand", "failed")
